#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "base/error.h"
#include "compiler/testing/run_arrays.h"
#include "compiler/testing/run_text.h"

// Pointers that are values, to matrices and into arrays: their types do not tell the strides. Comparisons and
// differences of pointers.
namespace cutaway::compiler::pointer_layouts_test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Word k of In is k.
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

TextModule with_pointers() {
  TextModule module;
  module.capabilities = "OpCapability VariablePointers";
  return module;
}

std::string stores(const std::vector<std::string>& ids) {
  std::string all;
  for (size_t k = 0; k < ids.size(); ++k) all += "OpStore %out" + std::to_string(k) + " " + ids[k] + "\n";
  return all;
}

// As a private variable begins with a pointer to a matrix of the workgroup.
TEST(PointerLayouts, MatrixOfTheWorkgroup) {
  TextModule module = with_pointers();
  module.interface = "%shared %held";
  module.globals = R"(
%mat = OpTypeMatrix %f32v3 2
%mat_ptr = OpTypePointer Workgroup %mat
%column_ptr = OpTypePointer Workgroup %f32v3
%float_ptr = OpTypePointer Workgroup %f32
%holder_ptr = OpTypePointer Private %mat_ptr
%shared = OpVariable %mat_ptr Workgroup
%held = OpVariable %holder_ptr Private %shared
%f0 = OpConstant %f32 0
%f1 = OpConstant %f32 1
%f2 = OpConstant %f32 2
%f3 = OpConstant %f32 3
%col0 = OpConstantComposite %f32v3 %f0 %f1 %f2
%col1 = OpConstantComposite %f32v3 %f3 %f2 %f1
%value = OpConstantComposite %mat %col0 %col1
)";
  module.body = R"(
OpStore %shared %value
%p = OpLoad %mat_ptr %held
%m = OpLoad %mat %p
%a = OpCompositeExtract %f32 %m 1 0
%column = OpAccessChain %column_ptr %p %c1
%v = OpLoad %f32v3 %column
%b = OpCompositeExtract %f32 %v 1
%e = OpAccessChain %float_ptr %p %c0 %c2
%c = OpLoad %f32 %e
OpStore %p %m
%ua = OpConvertFToU %u32 %a
%ub = OpConvertFToU %u32 %b
%uc = OpConvertFToU %u32 %c
)" + stores({"%ua", "%ub", "%uc", "%c4"});
  EXPECT_THAT(module.run(numbered()), ElementsAreArray(each({3, 2, 2, 4})));
}

// A block over In whose members have a matrix each, of 2 columns and 2 rows.
TextModule with_matrices(const std::string& first, const std::string& second) {
  TextModule module = with_pointers();
  module.interface = "%M";
  module.decorations = R"(
OpDecorate %M DescriptorSet 0
OpDecorate %M Binding 0
OpDecorate %matrices Block
OpMemberDecorate %matrices 0 Offset 0
OpMemberDecorate %matrices 0 )" +
                       first +
                       R"(
OpMemberDecorate %matrices 1 Offset 32
OpMemberDecorate %matrices 1 )" +
                       second + "\n";
  for (const auto& [member, layout] : {std::pair{"0", first}, std::pair{"1", second}})
    module.decorations += "OpMemberDecorate %matrices " + std::string(member) + " MatrixStride " +
                          (layout == "RowMajor" ? "8" : "16") + "\n";
  module.globals = R"(
%mat = OpTypeMatrix %f32v2 2
%matrices = OpTypeStruct %mat %mat
%matrices_ptr = OpTypePointer StorageBuffer %matrices
%mat_ptr = OpTypePointer StorageBuffer %mat
%vec_ptr = OpTypePointer StorageBuffer %f32v2
%M = OpVariable %matrices_ptr StorageBuffer
)";
  module.body = R"(
%low = OpBitwiseAnd %u32 %i %c1
%odd = OpIEqual %bool %low %c1
%m0 = OpAccessChain %mat_ptr %M %c0
%m1 = OpAccessChain %mat_ptr %M %c1
%p = OpSelect %mat_ptr %odd %m1 %m0
)";
  return module;
}

std::string matrix_parts() {
  return R"(
%m = OpLoad %mat %p
%e0 = OpCompositeExtract %f32 %m 0 1
%e1 = OpCompositeExtract %f32 %m 1 0
%r0 = OpBitcast %u32 %e0
%r1 = OpBitcast %u32 %e1
%column = OpAccessChain %vec_ptr %p %c1
%column_again = OpSelect %vec_ptr %odd %column %column
%v = OpLoad %f32v2 %column_again
%e2 = OpCompositeExtract %f32 %v 0
%e3 = OpCompositeExtract %f32 %v 1
%r2 = OpBitcast %u32 %e2
%r3 = OpBitcast %u32 %e3
)" + stores({"%r0", "%r1", "%r2", "%r3"});
}

TEST(PointerLayouts, MatricesByColumns) {
  TextModule module = with_matrices("ColMajor", "ColMajor");
  module.body += matrix_parts();
  EXPECT_THAT(module.run(numbered()), ElementsAre(1, 4, 4, 5, 9, 12, 12, 13, 1, 4, 4, 5, 9, 12, 12, 13));
}

TEST(PointerLayouts, MatricesByRows) {
  TextModule module = with_matrices("RowMajor", "RowMajor");
  module.body += matrix_parts();
  EXPECT_THAT(module.run(numbered()), ElementsAre(2, 1, 1, 3, 10, 9, 9, 11, 2, 1, 1, 3, 10, 9, 9, 11));
}

TEST(PointerLayouts, OfOneAmongSeveralAreRefused) {
  TextModule module = with_matrices("RowMajor", "ColMajor");
  module.body += matrix_parts();
  EXPECT_THAT([&] { module.run(numbered()); },
              ThrowsMessage<UserError>(HasSubstr("pointer to matrices of different layouts")));
}

// A pointer that goes around a loop and through a variable and a function.
TEST(PointerLayouts, FollowPointersThroughVariablesAndCalls) {
  TextModule module = with_matrices("RowMajor", "RowMajor");
  module.globals += R"(
%holder_ptr = OpTypePointer Function %mat_ptr
%pass_type = OpTypeFunction %mat_ptr %mat_ptr
)";
  module.variables = "%holder = OpVariable %holder_ptr Function";
  module.functions = R"(
%pass = OpFunction %mat_ptr None %pass_type
%given = OpFunctionParameter %mat_ptr
%pass_entry = OpLabel
OpReturnValue %given
OpFunctionEnd
)";
  const size_t at = module.body.find("%p = ");
  module.body = module.body.substr(0, at) + R"(
%chosen = OpSelect %mat_ptr %odd %m1 %m0
%passed = OpFunctionCall %mat_ptr %pass %chosen
OpStore %holder %passed
OpBranch %loop
%loop = OpLabel
%n = OpPhi %u32 %c0 %entry %n1 %next
%q = OpPhi %mat_ptr %m0 %entry %loaded %next
OpLoopMerge %done %next None
OpBranch %body
%body = OpLabel
%more = OpULessThan %bool %n %i
OpBranchConditional %more %next %done
%next = OpLabel
%loaded = OpLoad %mat_ptr %holder
%n1 = OpIAdd %u32 %n %c1
OpBranch %loop
%done = OpLabel
%p = OpCopyObject %mat_ptr %q
)" + matrix_parts();
  EXPECT_THAT(module.run(numbered()), ElementsAre(2, 1, 1, 3, 10, 9, 9, 11, 2, 1, 1, 3, 10, 9, 9, 11));
}

// Pointers that are addresses lose the strides in the same way.
TEST(PointerLayouts, MatricesAtAddresses) {
  for (const bool rows : {false, true}) {
    TextModule module;
    module.capabilities = "OpCapability PhysicalStorageBufferAddresses";
    module.memory_model = "PhysicalStorageBuffer64 GLSL450";
    module.decorations = R"(
OpDecorate %pair Block
OpMemberDecorate %pair 0 Offset 0
OpMemberDecorate %pair 0 MatrixStride 16
OpMemberDecorate %pair 0 )" +
                         std::string(rows ? "RowMajor" : "ColMajor") + R"(
OpMemberDecorate %pair 1 Offset 64
OpMemberDecorate %pair 1 MatrixStride 16
OpMemberDecorate %pair 1 )" +
                         std::string(rows ? "RowMajor" : "ColMajor") + "\n";
    module.globals = R"(
%mat = OpTypeMatrix %f32v3 2
%pair = OpTypeStruct %mat %mat
%pair_ptr = OpTypePointer PhysicalStorageBuffer %pair
%mat_ptr = OpTypePointer PhysicalStorageBuffer %mat
%at = OpConstant %u64 16
)";
    module.body = R"(
%low = OpBitwiseAnd %u32 %i %c1
%odd = OpIEqual %bool %low %c1
%base = OpConvertUToPtr %pair_ptr %at
%m0 = OpAccessChain %mat_ptr %base %c0
%m1 = OpAccessChain %mat_ptr %base %c1
%p = OpSelect %mat_ptr %odd %m1 %m0
%m = OpLoad %mat %p Aligned 16
%e0 = OpCompositeExtract %f32 %m 0 2
%e1 = OpCompositeExtract %f32 %m 1 0
%e2 = OpCompositeExtract %f32 %m 1 1
%r0 = OpBitcast %u32 %e0
%r1 = OpBitcast %u32 %e1
%r2 = OpBitcast %u32 %e2
)" + stores({"%r0", "%r1", "%r2", "%i"});
    const std::vector<uint32_t> spirv = assemble_spirv(module.text());
    Execution run = workgroup();
    std::vector<uint32_t>& memory = run.buffers[{isa::SlotBinding::kAllMemory, 0, 0}];
    memory.resize(64);
    std::iota(memory.begin(), memory.end(), 0);
    run.buffers[{0, 0, 0}].resize(16);
    run.buffers[{0, 1, 0}].resize(16);
    run(compile({.stage = arch::Stage::kCompute, .spirv = spirv, .entry = "main"}));
    const std::vector<uint32_t> by_rows = {12, 5, 9, 0, 28, 21, 25, 1, 12, 5, 9, 2, 28, 21, 25, 3};
    const std::vector<uint32_t> by_columns = {6, 8, 9, 0, 22, 24, 25, 1, 6, 8, 9, 2, 22, 24, 25, 3};
    EXPECT_THAT((run.buffers[{0, 1, 0}]), ElementsAreArray(rows ? by_rows : by_columns));
  }
}

// In numbers of elements, of arrays whose stride is that of the access chain. The pointers' types name none.
TEST(PointerLayouts, DifferencesOfPointers) {
  TextModule module = with_pointers();
  module.interface = "%V %shared";
  module.decorations = R"(
OpDecorate %V DescriptorSet 0
OpDecorate %V Binding 0
OpDecorate %vectors ArrayStride 16
OpDecorate %vector_block Block
OpMemberDecorate %vector_block 0 Offset 0
)";
  module.globals = R"(
%vectors = OpTypeRuntimeArray %u32v3
%vector_block = OpTypeStruct %vectors
%vector_block_ptr = OpTypePointer StorageBuffer %vector_block
%vector_ptr = OpTypePointer StorageBuffer %u32v3
%V = OpVariable %vector_block_ptr StorageBuffer
%eight = OpTypeArray %u32v3 %c8
%eight_ptr = OpTypePointer Workgroup %eight
%shared_ptr = OpTypePointer Workgroup %u32v3
%shared = OpVariable %eight_ptr Workgroup
)";
  module.results = 6;
  module.body = R"(
%low = OpBitwiseAnd %u32 %i %c1
%odd = OpIEqual %bool %low %c1
%d0 = OpPtrDiff %i32 %in2 %in0
%v5 = OpAccessChain %vector_ptr %V %c0 %c5
%v2 = OpAccessChain %vector_ptr %V %c0 %c2
%vi = OpAccessChain %vector_ptr %V %c0 %i
%d1 = OpPtrDiff %i32 %v5 %v2
%chosen = OpSelect %vector_ptr %odd %v5 %v2
%d2 = OpPtrDiff %i64 %v2 %chosen
%s7 = OpAccessChain %shared_ptr %shared %c7
%si = OpAccessChain %shared_ptr %shared %i
%d3 = OpPtrDiff %i16 %si %s7
%r0 = OpBitcast %u32 %d0
%r1 = OpBitcast %u32 %d1
%d2n = OpSConvert %i32 %d2
%r2 = OpBitcast %u32 %d2n
%d3n = OpSConvert %i32 %d3
%r3 = OpBitcast %u32 %d3n
%again = OpAccessChain %shared_ptr %shared %i
%e0 = OpPtrEqual %bool %si %again
%e1 = OpPtrNotEqual %bool %si %s7
%e2 = OpPtrEqual %bool %vi %v2
%e3 = OpPtrEqual %bool %v2 %null
%f0 = OpSelect %u32 %e0 %c1 %c0
%f1 = OpSelect %u32 %e1 %c2 %c0
%f2 = OpSelect %u32 %e2 %c4 %c0
%f3 = OpSelect %u32 %e3 %c8 %c0
%g0 = OpBitwiseOr %u32 %f0 %f1
%g1 = OpBitwiseOr %u32 %g0 %f2
%r4 = OpBitwiseOr %u32 %g1 %f3
)" + stores({"%r0", "%r1", "%r2", "%r3", "%r4", "%i"});
  module.globals += "%null = OpConstantNull %vector_ptr\n";
  EXPECT_THAT(module.run(numbered()), ElementsAre(2, 3, 0, -7u, 3, 0, 2, 3, -3u, -6u, 3, 1, 2, 3, 0, -5u, 7,
                                                  2, 2, 3, -3u, -4u, 3, 3));
}

// Second results go through pointers that are values, too.
TEST(PointerLayouts, SecondResultsThroughPointers) {
  TextModule module = with_pointers();
  module.interface = "%F";
  module.decorations = R"(
OpDecorate %F DescriptorSet 0
OpDecorate %F Binding 1
OpDecorate %floats ArrayStride 4
OpDecorate %float_block Block
OpMemberDecorate %float_block 0 Offset 0
)";
  module.globals = R"(
%floats = OpTypeRuntimeArray %f32
%float_block = OpTypeStruct %floats
%float_block_ptr = OpTypePointer StorageBuffer %float_block
%float_ptr = OpTypePointer StorageBuffer %f32
%F = OpVariable %float_block_ptr StorageBuffer
%x = OpConstant %f32 -2.75
)";
  module.results = 2;
  module.body = R"(
%low = OpBitwiseAnd %u32 %i %c1
%odd = OpIEqual %bool %low %c1
%at = OpIMul %u32 %i %c2
%at1 = OpIAdd %u32 %at %c1
%p0 = OpAccessChain %float_ptr %F %c0 %at
%p1 = OpAccessChain %float_ptr %F %c0 %at1
%whole = OpSelect %float_ptr %odd %p1 %p0
%part = OpSelect %float_ptr %odd %p0 %p1
%r = OpExtInst %f32 %glsl Modf %x %whole
OpStore %part %r
)";
  const uint32_t whole = std::bit_cast<uint32_t>(-2.0f), part = std::bit_cast<uint32_t>(-0.75f);
  EXPECT_THAT(module.run({}), ElementsAre(whole, part, part, whole, whole, part, part, whole));
}

// They are stores like others: loads after them see them.
TEST(PointerLayouts, SecondResultsAreSeen) {
  TextModule module;
  module.interface = "%F";
  module.decorations = R"(
OpDecorate %F DescriptorSet 0
OpDecorate %F Binding 1
OpDecorate %floats ArrayStride 4
OpDecorate %float_block Block
OpMemberDecorate %float_block 0 Offset 0
)";
  module.globals = R"(
%floats = OpTypeRuntimeArray %f32
%float_block = OpTypeStruct %floats
%float_block_ptr = OpTypePointer StorageBuffer %float_block
%float_ptr = OpTypePointer StorageBuffer %f32
%F = OpVariable %float_block_ptr StorageBuffer
%x = OpConstant %f32 -2.75
)";
  module.results = 2;
  module.body = R"(
%at = OpIMul %u32 %i %c2
%at1 = OpIAdd %u32 %at %c1
%p0 = OpAccessChain %float_ptr %F %c0 %at
%p1 = OpAccessChain %float_ptr %F %c0 %at1
%before = OpLoad %f32 %p0
%least = OpExtInst %f32 %glsl FMin %before %x
%r = OpExtInst %f32 %glsl Modf %least %p0
%after = OpLoad %f32 %p0
%s = OpExtInst %f32 %glsl Modf %after %p1
)";
  const uint32_t whole = std::bit_cast<uint32_t>(-2.0f);
  EXPECT_THAT(module.run({}), ElementsAreArray(each({whole, whole})));
}

}  // namespace
}  // namespace cutaway::compiler::pointer_layouts_test
