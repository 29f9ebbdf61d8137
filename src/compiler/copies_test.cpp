#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "compiler/testing/run_text.h"

// Copies between types that differ in their decorations, and undefined and null values of every type.
namespace cutaway::compiler {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

std::vector<uint32_t> numbered() {
  std::vector<uint32_t> in(16);
  std::iota(in.begin(), in.end(), 0);
  return in;
}

std::vector<uint32_t> each(const std::vector<uint32_t>& words) {
  std::vector<uint32_t> all;
  for (int lane = 0; lane < 4; ++lane) all.insert(all.end(), words.begin(), words.end());
  return all;
}

// In as a structure with a matrix by rows and an array with gaps; the same without decorations; and the same
// with other decorations over Out, for a single invocation.
TextModule with_structures() {
  TextModule module;
  module.interface = "%from %to";
  module.decorations = R"(
OpDecorate %from DescriptorSet 0
OpDecorate %from Binding 0
OpDecorate %to DescriptorSet 0
OpDecorate %to Binding 1
OpDecorate %wide_array ArrayStride 16
OpDecorate %tight_array ArrayStride 4
OpMemberDecorate %in_struct 0 Offset 0
OpMemberDecorate %in_struct 0 RowMajor
OpMemberDecorate %in_struct 0 MatrixStride 16
OpMemberDecorate %in_struct 1 Offset 32
OpMemberDecorate %out_struct 0 Offset 8
OpMemberDecorate %out_struct 0 ColMajor
OpMemberDecorate %out_struct 0 MatrixStride 8
OpMemberDecorate %out_struct 1 Offset 0
OpDecorate %in_block Block
OpMemberDecorate %in_block 0 Offset 0
OpDecorate %out_block Block
OpMemberDecorate %out_block 0 Offset 0
)";
  module.globals = R"(
%mat = OpTypeMatrix %f32v2 2
%wide_array = OpTypeArray %u32 %c2
%tight_array = OpTypeArray %u32 %c2
%array = OpTypeArray %u32 %c2
%in_struct = OpTypeStruct %mat %wide_array
%out_struct = OpTypeStruct %mat %tight_array
%struct = OpTypeStruct %mat %array
%in_block = OpTypeStruct %in_struct
%out_block = OpTypeStruct %out_struct
%in_block_ptr = OpTypePointer StorageBuffer %in_block
%out_block_ptr = OpTypePointer StorageBuffer %out_block
%in_struct_ptr = OpTypePointer StorageBuffer %in_struct
%out_struct_ptr = OpTypePointer StorageBuffer %out_struct
%struct_ptr = OpTypePointer Function %struct
%from = OpVariable %in_block_ptr StorageBuffer
%to = OpVariable %out_block_ptr StorageBuffer
)";
  module.results = 2;
  return module;
}

// The matrix by rows has the words 0, 1 and 4, 5; the array 8 and 12.
const std::vector<uint32_t> kCopied = {8, 12, 0, 4, 1, 5};

TEST(Copies, LogicalBetweenLayouts) {
  TextModule module = with_structures();
  module.variables = "%var = OpVariable %struct_ptr Function";
  module.body = R"(
%p = OpAccessChain %in_struct_ptr %from %c0
%q = OpAccessChain %out_struct_ptr %to %c0
%a = OpLoad %in_struct %p
%b = OpCopyLogical %struct %a
OpStore %var %b
%c = OpLoad %struct %var
%d = OpCopyLogical %out_struct %c
OpStore %q %d
)";
  const std::vector<uint32_t> out = module.run(numbered());
  EXPECT_THAT(std::vector(out.begin(), out.begin() + 6), ElementsAreArray(kCopied));
}

TEST(Copies, OfMemoryWithNestedObjects) {
  TextModule module = with_structures();
  module.globals += R"(
%two = OpTypeArray %struct %c2
%outer = OpTypeStruct %u32 %two
%outer_ptr = OpTypePointer Function %outer
%two_ptr = OpTypePointer Function %two
%word_at = OpTypePointer Function %u32
%null = OpConstantNull %outer
)";
  module.variables = "%x = OpVariable %outer_ptr Function %null\n%y = OpVariable %outer_ptr Function";
  module.body = R"(
%p = OpAccessChain %in_struct_ptr %from %c0
%a = OpLoad %in_struct %p
%b = OpCopyLogical %struct %a
%element = OpAccessChain %struct_ptr %x %c1 %c1
OpStore %element %b
OpCopyMemory %y %x
%y0 = OpAccessChain %struct_ptr %y %c1 %i
OpCopyMemory %y0 %element
%e0 = OpAccessChain %word_at %y %c1 %i %c1 %c1
%v0 = OpLoad %u32 %e0
OpStore %out0 %v0
%e1 = OpAccessChain %word_at %y %c1 %c0 %c1 %c0
%v1 = OpLoad %u32 %e1
OpStore %out1 %v1
)";
  // Invocation 1 leaves the zeros of element 0; the others have no such element.
  const std::vector<uint32_t> out = module.run(numbered());
  EXPECT_THAT((std::vector{out[0], out[1], out[2], out[3]}), ElementsAre(12, 8, 12, 0));
}

constexpr const char* kTypes[] = {"bool", "u8",   "i16",   "u32",   "i64",   "f16",   "f32",
                                  "f64",  "u8v3", "i16v2", "u64v3", "f16v4", "f64v2", "boolv2"};

TEST(Copies, NullsOfEveryType) {
  for (const std::string type : kTypes) {
    TextModule module;
    uint32_t words = 0;
    module.globals = "%s = OpTypeStruct %" + type +
                     " %a\n%p = OpTypePointer Function %s\n"
                     "%null = OpConstantNull %s\n";
    module.globals = "%a = OpTypeArray %" + type + " %c3\n" + module.globals;
    module.variables = "%var = OpVariable %p Function %null\n%other = OpVariable %p Function";
    const std::string store = stored(type, "%r", words);
    module.body =
        "OpStore %other %null\n%v = OpLoad %s %other\n%r = OpCompositeExtract %" + type + " %v 1 2\n" + store;
    module.results = words;
    EXPECT_THAT(module.run({}), ElementsAreArray(each(std::vector<uint32_t>(words)))) << type;
  }
}

// Undefined values may be anything, but do no harm.
TEST(Copies, UndefinedValuesOfEveryType) {
  for (const std::string type : kTypes) {
    TextModule module;
    uint32_t words = 0;
    module.globals = "%a = OpTypeArray %" + type + " %c3\n%s = OpTypeStruct %" + type +
                     " %a\n%p = OpTypePointer Function %s\n%outside = OpUndef %s\n%null = OpConstantNull %" +
                     type + "\n%yes = OpConstantTrue %bool\n";
    module.variables = "%var = OpVariable %p Function";
    const std::string store = stored(type, "%r", words);
    module.body = "%inside = OpUndef %" + type +
                  "\n%b = OpCompositeInsert %s %inside %outside 0\nOpStore %var %b\n"
                  "%v = OpLoad %s %var\n%u = OpCompositeExtract %" +
                  type + " %v 1 2\n%r = OpSelect %" + type + " %yes %null %u\n" + store;
    module.results = words;
    EXPECT_THAT(module.run({}), ElementsAreArray(each(std::vector<uint32_t>(words)))) << type;
  }
}

TEST(Copies, LoadsThroughNullPointersAreZero) {
  TextModule module;
  module.capabilities = "OpCapability VariablePointersStorageBuffer";
  module.globals = "%null = OpConstantNull %word_ptr";
  module.body = R"(
%first = OpIEqual %bool %i %c0
%p = OpSelect %word_ptr %first %null %in1
%v = OpLoad %u32 %p
OpStore %out0 %v
%w = OpLoad %u32 %null
OpStore %null %c5
OpStore %out1 %w
)";
  module.results = 2;
  EXPECT_THAT(module.run(numbered()), ElementsAre(0, 0, 5, 0, 9, 0, 13, 0));
}

}  // namespace
}  // namespace cutaway::compiler
