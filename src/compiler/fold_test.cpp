#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>

#include "compiler/builder.h"
#include "compiler/testing/run_shader.h"
#include "isa/operands.h"

// The compiler folds to the machine's results, bit for bit.
namespace cutaway::compiler {
namespace {

using isa::Opcode;

uint32_t of(float value) { return std::bit_cast<uint32_t>(value); }

// Zeros of both signs, values near the limits of each type, and ordinary numbers.
const std::vector<uint32_t>& values() {
  static const std::vector<uint32_t>& all = *new std::vector<uint32_t>{
      0,          0x80000000, 1,          0x80000001,  ~0u,          0x7fffffff,         0x00800000,
      0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,  0xff800000,   0x7fc00000,         0x7fa5a5a5,
      of(1),      of(-1),     of(0.5f),   of(-0.5f),   of(1.5f),     of(-2.75f),         of(0x1p-70f),
      of(-1e30f), of(3e9f),   of(-3e9f),  of(0x1p31f), of(-0x1p31f), of(0x1.fffffep30f), 5,
      31,         32,         33,         0xfffffff7};
  return all;
}

// Component results of `op` on the machine for four lanes of sources.
std::array<uint32_t, 4> on_machine(Opcode op, const std::array<std::array<uint32_t, 3>, 4>& sources) {
  isa::Program program;
  program.stage = arch::Stage::kFragment;
  isa::Instruction i{.op = op, .dst = {.file = isa::File::kOutput}};
  for (uint16_t s = 0; s < isa::info(op).sources; ++s) i.src[s] = {.file = isa::File::kInput, .index = s};
  program.code = {i, {.op = Opcode::kEnd}};
  Execution run;
  for (uint32_t lane = 0; lane < 4; ++lane)
    for (uint32_t s = 0; s < 3; ++s) run.inputs[s][lane].fill(sources[lane][s]);
  run(program);
  std::array<uint32_t, 4> result;
  for (uint32_t lane = 0; lane < 4; ++lane) result[lane] = run.outputs.at(0)[lane][0];
  return result;
}

// Calls visit(op, a, b) for all operations with one result and all pairs of values.
template <class Visit>
void each_operation(Visit&& visit) {
  for (uint32_t n = 0; n < isa::kOpcodes; ++n) {
    const auto op = static_cast<Opcode>(n);
    const isa::OpClass c = isa::info(op).op_class;
    if ((c != isa::OpClass::kSimd && c != isa::OpClass::kScalar) || shape(op) == Shape::kFixed) continue;
    for (uint32_t a : values())
      for (uint32_t b : values())
        if (isa::info(op).sources > 1 || b == 0) visit(op, a, b);
  }
}

TEST(Fold, LiteralsGiveTheBitsOfTheMachine) {
  uint32_t folded = 0;
  each_operation([&](Opcode op, uint32_t a, uint32_t b) {
    std::array<std::array<uint32_t, 3>, 4> sources;
    std::array<std::optional<uint32_t>, 4> compiled;
    for (uint32_t lane = 0; lane < 4; ++lane) {
      sources[lane] = {a, b, values()[(a + b + 7 * lane) % values().size()]};
      uint32_t result = 0;
      if (fold_literals(op, sources[lane], result)) compiled[lane] = result, ++folded;
    }
    if (!std::any_of(compiled.begin(), compiled.end(), [](const auto& c) { return c.has_value(); })) return;
    const std::array<uint32_t, 4> machine = on_machine(op, sources);
    for (uint32_t lane = 0; lane < 4; ++lane) {
      if (!compiled[lane]) continue;
      ASSERT_EQ(*compiled[lane], machine[lane])
          << isa::info(op).mnemonic << std::hex << " " << a << ", " << b << ", " << sources[lane][2];
    }
  });
  EXPECT_GT(folded, 50000u);
}

// Bits of a reference to the only input, or of a literal; nothing for a result of an instruction.
std::optional<uint32_t> bits_of(const Ref& ref, uint32_t input) {
  if (!ref.is_literal() && ref.kind != RefKind::kInput) return std::nullopt;
  uint32_t bits = ref.is_literal() ? ref.index : input;
  if (ref.absolute) bits &= 0x7fffffff;
  return ref.negate ? bits ^ 0x80000000 : bits;
}

// Operations on one value and literals that need no instruction. For floats, the sign of zero and non-normal
// numbers are ignored (no SignedZeroInfNanPreserve, no DenormPreserve).
TEST(Fold, IdentitiesLeaveTheValueThatTheMachineComputes) {
  const Ref input{.kind = RefKind::kInput};
  uint32_t folded = 0;
  each_operation([&](Opcode op, uint32_t known, uint32_t value) {
    for (uint32_t at = 0; at < std::min<uint32_t>(2, isa::info(op).sources); ++at) {
      Builder b;
      std::vector<Builder::Lanes> sources(isa::info(op).sources, {literal(known)});
      std::array<uint32_t, 3> in = {known, known, known};
      sources[at] = {input};
      in[at] = value;
      const bool scalar = isa::is_scalar(op);
      if (shape(op) != Shape::kLanes && !scalar) return;
      const Builder::Lanes result = !scalar               ? b.op(op, sources)
                                    : sources.size() == 1 ? b.scalar(op, sources[0])
                                                          : b.scalar(op, sources[0], sources[1]);
      const std::optional<uint32_t> compiled = bits_of(result[0], value);
      if (!compiled) continue;
      ++folded;
      const uint32_t machine = on_machine(op, {in, in, in, in})[0];
      if (isa::source_type(op, at) == isa::OperandType::kFloat && op != Opcode::kSel && op != Opcode::kMov) {
        const float f = std::bit_cast<float>(value), m = std::bit_cast<float>(machine);
        if (!std::isnormal(f) || (m == 0 && std::bit_cast<float>(*compiled) == 0)) continue;
      }
      ASSERT_EQ(*compiled, machine) << isa::info(op).mnemonic << std::hex << " of " << value << " at " << at
                                    << ", others " << known;
    }
  });
  EXPECT_GT(folded, 1000u);
}

// Lanes are folded, repeated or computed individually.
TEST(Fold, LanesThatNeedNoInstructionStayInTheirPlaces) {
  Execution run;
  run.set(0, {3, 5, 7, 9});
  run(compile_glsl(arch::Stage::kFragment, R"(
    layout(location=0) in vec4 a; layout(location=0) out vec4 o; layout(location=1) out vec4 p;
    void main() { o = vec4(a.x, a.y, a.x, 2.0) * vec4(1.0, 2.0, 2.0, 4.0); p = vec4(a.x, a.y, a.x, a.y) - vec4(a.z, a.z, a.z, a.w); })"));
  EXPECT_EQ(run.output(0), (Vec4{3, 10, 6, 8}));
  EXPECT_EQ(run.output(1), (Vec4{-4, -2, -4, -4}));
}

}  // namespace
}  // namespace cutaway::compiler
