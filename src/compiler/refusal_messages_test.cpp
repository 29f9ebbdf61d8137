// Refused modules are told by instruction and word, by what is not known, and by limits.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include "compiler/testing/fragment_module.h"

namespace cutaway::compiler::refusal_messages_test {
namespace {

using namespace fragment_module;
using testing::HasSubstr;

TEST(Messages, NameTheInstructionAndItsWord) {
  std::vector<uint32_t> words = module_of({.declarations = "OpName %o \"o\"\n"});
  const size_t store = find(words, spv::OpStore);
  words[store + 2] = words[find(words, spv::OpTypeVoid) + 1];  // a type is no value
  EXPECT_THAT(refusal(Stage::kFragment, words),
              HasSubstr(fmt::format("instruction 16 (OpStore at word {})", store)));
  words = module_of();
  words[find(words, spv::OpStore)] += 5 << 16;  // longer than the module
  EXPECT_THAT(refusal(Stage::kFragment, words), HasSubstr("of which the module has"));
}

TEST(Messages, NameWhatIsNotKnown) {
  std::vector<uint32_t> words = module_of();
  insert(words, find(words, spv::OpTypeVoid), {7654, 3});
  EXPECT_THAT(refusal(Stage::kFragment, words), HasSubstr("its opcode is 7654"));
  words = module_of();
  insert(words, 5, {spv::OpCapability, 6029});  // FloatControls2
  EXPECT_THAT(refusal(Stage::kFragment, words), HasSubstr("capability 6029 is not supported"));
  words = module_of();
  words[1] = 0x10700;
  EXPECT_THAT(refusal(Stage::kFragment, words), HasSubstr("SPIR-V version 1.7"));
}

TEST(Messages, DisassembleWhatIsNotKnown) {
  std::vector<uint32_t> words = module_of();
  insert(words, find(words, spv::OpTypeVoid), {7654, 3});
  const std::vector<std::string> lines = source_lines(words);
  EXPECT_EQ(lines[5], "OpUnknown(7654, 2) 3");
  EXPECT_THAT(lines[6], HasSubstr("OpTypeVoid"));
  // An id that is defined twice.
  words = module_of();
  const size_t at = find(words, spv::OpTypeVoid);
  insert(words, at, {spv::OpTypeVoid, words[at + 1]});
  EXPECT_EQ(source_lines(words)[6], fmt::format("OpUnknown({}, 2) {}", +spv::OpTypeVoid, words[at + 1]));
}

TEST(Messages, NameABuiltInOfAnotherType) {
  EXPECT_THAT(refusal(Stage::kFragment, assemble_spirv(R"(; Version: 1.0
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %i
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %i BuiltIn FragCoord
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %in = OpTypePointer Input %float
    %i = OpVariable %in Input
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)")),
              HasSubstr("built-in FragCoord"));
}

TEST(Limits, AreNamed) {
  const auto repeated = [](uint32_t times, const std::vector<uint32_t>& instruction) {
    std::vector<uint32_t> words = module_of();
    const size_t at = find(words, spv::OpTypeVoid);
    std::vector<uint32_t> many;
    for (uint32_t i = 0; i < times; ++i) many.insert(many.end(), instruction.begin(), instruction.end());
    words.insert(words.begin() + static_cast<ptrdiff_t>(at), many.begin(), many.end());
    return refusal(Stage::kFragment, words);
  };
  EXPECT_THAT(repeated(300, {4u << 16 | spv::OpEntryPoint, 4, 1, 0x61}),
              HasSubstr("more than 256 entry points"));
  EXPECT_THAT(repeated(5000, {5u << 16 | spv::OpFunction, 1, 1, 0, 1}),
              HasSubstr("more than 4096 functions"));
  EXPECT_THAT(repeated(70000, {2u << 16 | spv::OpLabel, 1}), HasSubstr("more than 65536 blocks"));
  EXPECT_THAT(repeated(70000, {4u << 16 | spv::OpVariable, 1, 1, 6}), HasSubstr("more than 65536 variables"));
  EXPECT_THAT(repeated(300000, {3u << 16 | spv::OpTypeFloat, 1, 32}),
              HasSubstr("more than 262144 instructions"));
  // Instructions without a meaning do not count.
  EXPECT_EQ(repeated(300000, {1u << 16 | spv::OpNop}), "taken");
}

// The compiler relies on blocks: they are checked whatever else is taken.
TEST(Messages, RefuseBrokenBlocks) {
  const auto body = [](const std::string& text) {
    return refusal(Stage::kFragment,
                   module_of({.types = "%bool = OpTypeBool\n%true = OpConstantTrue %bool\n", .body = text}));
  };
  EXPECT_THAT(body("OpBranch %c\n%next = OpLabel\n"), HasSubstr("leads to no block of its function"));
  EXPECT_THAT(body("OpBranch %entry\n%next = OpLabel\n"), HasSubstr("leads to the first block"));
  EXPECT_THAT(body("OpBranch %next\nOpBranch %next\n%next = OpLabel\n"), HasSubstr("lies outside a block"));
  EXPECT_THAT(body("%next = OpLabel\n"), HasSubstr("no terminator"));
  EXPECT_THAT(body("OpBranch %next\n%next = OpLabel\n%p = OpPhi %float %true %entry\n"
                   "%v = OpCompositeConstruct %vec4 %p %p %p %p\nOpStore %o %v\n"),
              testing::AnyOf(HasSubstr("taken"), HasSubstr("OpPhi")));
}

}  // namespace
}  // namespace cutaway::compiler::refusal_messages_test
