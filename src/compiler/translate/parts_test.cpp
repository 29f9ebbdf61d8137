#include <algorithm>
#include <gmock/gmock.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/arithmetic.h"
#include "compiler/translate/composites.h"
#include "compiler/translate/flow.h"
#include "compiler/translate/glsl.h"
#include "compiler/translate/images.h"
#include "compiler/translate/memory.h"
#include "compiler/translate/outputs.h"
#include "compiler/translate/part_for_test.h"
#include "compiler/translate/spec_constants.h"

// Each part of a translation alone, on instructions made by hand.
namespace cutaway::compiler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

using namespace part_test;

TEST_F(PartTest, ValuesAreOfTheirIds) {
  const uint32_t two = number(2);
  EXPECT_EQ(t.values.literal_of(two), bits(2));
  EXPECT_EQ(t.values.type_of(two), kFloat);
  EXPECT_EQ(t.values.literal_of(input(1)), std::nullopt);
  EXPECT_EQ(t.values.find(999), nullptr);
  EXPECT_THAT([&] { t.values.get(999); }, ThrowsMessage<InvalidShader>(HasSubstr("%999 is used before")));
  module.constants[7] = word(spv::OpConstantNull, kVec3, 7, {});
  EXPECT_THAT(literals(t.values.get(7)), ElementsAre(0, 0, 0));
}

// A value that the compiler itself has forgotten is an InternalError, no fault of the module.
TEST_F(PartTest, DefectsOfTheCompilerAreNoRefusals) {
  Inputs inputs(t);
  EXPECT_THROW(t.values.slot_of(999), InternalError);
  EXPECT_THROW(t.values.constant(999), InternalError);
  EXPECT_THROW(inputs.lanes(999), InternalError);
  EXPECT_THROW(inputs.varying(999), InternalError);
}

TEST_F(PartTest, ArithmeticComputesWhatItKnows) {
  Arithmetic arithmetic(t);
  Lanes sum;
  ASSERT_TRUE(arithmetic.translate(word(spv::OpFAdd, kFloat, 99, {number(1), number(2)}), sum));
  EXPECT_THAT(literals(sum), ElementsAre(bits(3)));
  EXPECT_THAT(t.builder.ir.insts, IsEmpty());
  Lanes product;
  ASSERT_TRUE(arithmetic.translate(word(spv::OpVectorTimesScalar, kVec3, 99, {input(3), input(1)}), product));
  ASSERT_EQ(t.builder.ir.insts.size(), 1u);
  EXPECT_EQ(t.builder.ir.insts[0].op, Opcode::kMul);
  EXPECT_EQ(t.builder.ir.insts[0].width, 3);
  Lanes none;
  EXPECT_FALSE(arithmetic.translate(word(spv::OpImageRead, kVec3, 99, {}), none));
}

TEST_F(PartTest, OperandsThatLackSomethingAreInvalid) {
  Arithmetic arithmetic(t);
  Composites composites(t);
  const uint32_t empty = value(kInt, {});
  Lanes result;
  t.builder.line = 12;
  EXPECT_THAT(
      [&] {
        arithmetic.translate(word(spv::OpBitFieldUExtract, kInt, 99, {number(1), empty, empty}), result);
      },
      ThrowsMessage<InvalidShader>(HasSubstr("instruction 12: an operand lacks component 0")));
  EXPECT_THAT([&] { arithmetic.translate(word(spv::OpFAdd, kFloat, 99, {number(1)}), result); },
              ThrowsMessage<InvalidShader>(HasSubstr("OpFAdd lacks an operand")));
  EXPECT_THAT(
      [&] {
        composites.rearrange(word(spv::OpCompositeExtract, kFloat, 99, {input(3), 3}));
      },
      ThrowsMessage<InvalidShader>(HasSubstr("no element 3")));
}

TEST_F(PartTest, CompositesCostNothing) {
  Composites composites(t);
  const uint32_t v = value(kVec3, {literal(1), literal(2), literal(3)});
  EXPECT_THAT(literals(composites.rearrange(word(spv::OpCompositeExtract, kFloat, 99, {v, 1}))),
              ElementsAre(2));
  EXPECT_THAT(literals(composites.rearrange(word(spv::OpVectorShuffle, kVec3, 99, {v, v, 2, 3, 4}))),
              ElementsAre(3, 1, 2));
  EXPECT_THAT(literals(composites.rearrange(word(spv::OpCompositeInsert, kVec3, 99, {number(1), v, 0}))),
              ElementsAre(bits(1), 2, 3));
  EXPECT_THAT(t.builder.ir.insts, IsEmpty());
}

TEST_F(PartTest, OperationsOnConstantsAreEvaluated) {
  SpecConstants constants(request, module);
  const std::vector<uint32_t> six = {6}, seven = {7};
  module.constants[11] = word(spv::OpSpecConstant, kInt, 11, six);
  module.constants[12] = word(spv::OpSpecConstant, kInt, 12, seven);
  EXPECT_THAT(constants.evaluate(word(spv::OpSpecConstantOp, kInt, 13, {spv::OpIMul, 11, 12})),
              ElementsAre(42));
  EXPECT_THROW(constants.evaluate(word(spv::OpSpecConstantOp, kInt, 13, {spv::OpImageRead, 11})),
               UnsupportedShader);
}

struct Stored final : PointerStore {
  std::vector<std::pair<uint32_t, Lanes>> all;  // variable, value
  Pointer pointer_of(const Word& word, size_t operand) const override {
    return {.variable = arg(word, operand)};
  }
  void store(const Pointer& pointer, const Lanes& value) override {
    all.push_back({pointer.variable, value});
  }
};

TEST_F(PartTest, SecondResultsGoThroughAPointer) {
  Stored stored;
  Glsl glsl(t, stored);
  t.values.define(9, kFunctionPointer, {}).pointer = Pointer{.variable = 9};
  const Lanes fraction =
      glsl.translate(word(spv::OpExtInst, kFloat, 99, {kSet, GLSLstd450Modf, number(1.25f), 9}));
  EXPECT_THAT(literals(fraction), ElementsAre(bits(0.25f)));
  ASSERT_EQ(stored.all.size(), 1u);
  EXPECT_EQ(stored.all[0].first, 9u);
  EXPECT_THAT(literals(stored.all[0].second), ElementsAre(bits(1)));
  EXPECT_THROW(glsl.translate(word(spv::OpExtInst, kFloat, 99, {kSet, GLSLstd450FClamp, number(1)})),
               InvalidShader);
}

TEST_F(PartTest, VariablesKeepWhatIsStored) {
  Inputs inputs(t);
  PatchMemory patch(t);
  Memory memory(t, inputs, patch);
  EXPECT_TRUE(memory.translate(word(spv::OpVariable, kFunctionPointer, 9, {spv::StorageClassFunction})));
  const uint32_t v = value(kVec3, {literal(1), literal(2), literal(3)});
  EXPECT_TRUE(memory.translate(word(spv::OpStore, 0, 0, {9, v})));
  EXPECT_TRUE(memory.translate(word(spv::OpLoad, kVec3, 10, {9})));
  EXPECT_THAT(literals(t.values.get(10)), ElementsAre(1, 2, 3));
  EXPECT_THROW(memory.translate(word(spv::OpStore, 0, 0, {v, v})), InvalidShader);
  EXPECT_FALSE(memory.translate(word(spv::OpFAdd, kFloat, 11, {})));
}

TEST_F(PartTest, DescriptorsShareASlotWhileThereAreSome) {
  EXPECT_EQ(t.interface.resource({.set = 1, .binding = 2}), 0);
  EXPECT_EQ(t.interface.resource({.set = 1, .binding = 3}), 1);
  EXPECT_EQ(t.interface.resource({.set = 1, .binding = 2}), 0);
  for (uint32_t i = 2; i < arch::kResources; ++i) t.interface.resource({.set = 5, .binding = i});
  EXPECT_THROW(t.interface.resource({.set = 6}), UnsupportedShader);
}

// Notes which instructions are reached, in order; OpStore's first operand is their name.
struct Reached final : Instructions {
  std::vector<uint32_t> names;
  void instruction(const Word& word) override { names.push_back(word.words[0]); }
};

TEST_F(PartTest, ControlFlowFollowsWhatIsKnownAndLaysOutTheRest) {
  module.entry = kMain;
  module.functions[kMain] = {.definition = word(spv::OpFunction, kVoid, kMain, {}), .labels = {kLabels}};
  const auto block = [&](uint32_t label, std::vector<Word> body, uint32_t merge = 0) {
    module.blocks[label] = {.body = std::move(body), .merge = merge};
  };
  const auto mark = [&](uint32_t name) { return word(spv::OpStore, 0, 0, {name}); };
  const uint32_t known = value(kBool, {literal(0)}), unknown = input(1);
  const uint32_t a = kLabels + 1, c = kLabels + 2, d = kLabels + 3, e = kLabels + 4;
  block(kLabels, {mark(1), word(spv::OpBranchConditional, 0, 0, {known, a, c})}, c);
  block(a, {mark(2), word(spv::OpBranch, 0, 0, {c})});
  block(c, {mark(3), word(spv::OpBranchConditional, 0, 0, {unknown, d, e})}, e);
  block(d, {mark(4), word(spv::OpBranch, 0, 0, {e})});
  block(e, {mark(5), word(spv::OpReturn, 0, 0, {})});
  Reached reached;
  Flow flow(t, reached);
  flow.run();
  EXPECT_THAT(reached.names, ElementsAre(1, 3, 4, 5));
  EXPECT_EQ(std::count_if(t.builder.ir.insts.begin(), t.builder.ir.insts.end(),
                          [](const Inst& inst) { return inst.op == Opcode::kIf; }),
            1);
  module.blocks.erase(e);
  EXPECT_THAT([&] { Flow(t, reached).run(); }, ThrowsMessage<InvalidShader>(HasSubstr("%24 is no block")));
}

TEST_F(PartTest, OutputsThatWereWrittenAreMoved) {
  module.types[9] = {.kind = TypeKind::kPointer, .element = kVec3, .storage = spv::StorageClassOutput};
  module.variables = {word(spv::OpVariable, 9, 30, {spv::StorageClassOutput})};
  module.decorations[30].location = 2;
  Inputs inputs(t);
  PatchMemory patch(t);
  Memory memory(t, inputs, patch);
  memory.variables({});
  t.builder.write(t.values.slot_of(30) + 1, literal(5));
  Outputs(t).write();
  ASSERT_EQ(t.builder.ir.insts.size(), 1u);
  const Inst& move = t.builder.ir.insts[0];
  EXPECT_EQ(move.output, kOutVarying + 2);
  EXPECT_EQ(move.width, 1);
  EXPECT_EQ(move.channel[0], 1);
}

TEST_F(PartTest, AnInputHasTheComponentsOfItsLocation) {
  module.types[9] = {.kind = TypeKind::kPointer, .element = kVec3, .storage = spv::StorageClassInput};
  module.decorations[31].location = 4;
  module.decorations[31].component = 1;
  Inputs inputs(t);
  inputs.declare(word(spv::OpVariable, 9, 31, {spv::StorageClassInput}));
  ASSERT_EQ(inputs.lanes(31).size(), 3u);
  EXPECT_EQ(inputs.lanes(31)[2].index, 4u);
  EXPECT_EQ(inputs.lanes(31)[2].lane, 3);
  EXPECT_EQ(inputs.varying(4).mode, arch::Interpolation::kPerspective);
  module.decorations[31].component = 2;
  EXPECT_THROW(inputs.declare(word(spv::OpVariable, 9, 31, {spv::StorageClassInput})), InvalidShader);
  module.decorations[31].location = arch::kVertexAttributes;
  EXPECT_THROW(inputs.declare(word(spv::OpVariable, 9, 31, {spv::StorageClassInput})), UnsupportedShader);
}

TEST_F(PartTest, ImagesOfMultipleSamplesAreNotStored) {
  module.types[9] = {.kind = TypeKind::kImage, .dim = spv::Dim2D, .multisampled = true};
  module.types[10] = {.kind = TypeKind::kVector, .element = kInt, .count = 2, .components = 2};
  t.values.define(32, 9, {}).handle = Handle{.type = 9};
  const uint32_t at = value(10, {literal(0), literal(0)});
  Images images(t);
  EXPECT_THROW(images.translate(word(spv::OpImageWrite, 0, 0, {32, at, input(3)})), UnsupportedShader);
  EXPECT_THROW(images.translate(word(spv::OpImageWrite, 0, 0, {at, at, input(3)})), InvalidShader);
  module.types[9].multisampled = false;
  EXPECT_TRUE(images.translate(word(spv::OpImageWrite, 0, 0, {32, at, input(3)})));
  ASSERT_FALSE(t.builder.ir.insts.empty());
  EXPECT_EQ(t.builder.ir.insts.back().op, Opcode::kSti);
}

}  // namespace
}  // namespace cutaway::compiler
