#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/pointer_machine.h"

// Tests pointers into buffers and workgroup memory that are values.
namespace cutaway::compiler::variable_pointers_test {
namespace {

using arch::Stage;
using testing::ElementsAre;

size_t count(const isa::Program& program, isa::Opcode op) {
  return static_cast<size_t>(std::count_if(program.code.begin(), program.code.end(),
                                           [op](const isa::Instruction& i) { return i.op == op; }));
}

TEST(VariablePointers, SelectLoadsFromEitherBuffer) {
  PointerMachine machine;
  const isa::Program program = machine.run(module_of(R"(
%p = OpSelect %word_ptr %odd %a %b
%v = OpLoad %uint %p
OpStore %out %v)"));
  EXPECT_THAT(machine.first(3), ElementsAre(20, 11, 22, 13));
  // Only the two buffers that it may point to.
  EXPECT_EQ(count(program, isa::Opcode::kLdb), 2u);
  EXPECT_EQ(program.resources.size(), 3u);
}

TEST(VariablePointers, StoresGoToOneBuffer) {
  PointerMachine machine;
  machine.run(module_of(R"(
%p = OpSelect %word_ptr %odd %a %b
%v = OpIAdd %uint %i %8
OpStore %p %v)"));
  EXPECT_THAT(machine.first(0), ElementsAre(10, 9, 12, 11));
  EXPECT_THAT(machine.first(1), ElementsAre(8, 21, 10, 23));
}

// Each lane walks through its own buffer until a zero.
TEST(VariablePointers, PhiOfALoop) {
  PointerMachine machine;
  machine.run(module_of(R"(
%begin = OpSelect %word_ptr %odd %a %b
OpBranch %loop
%loop = OpLabel
%p = OpPhi %word_ptr %begin %entry %next %continue
%sum = OpPhi %uint %0 %entry %more %continue
OpLoopMerge %done %continue None
OpBranch %test
%test = OpLabel
%v = OpLoad %uint %p
%end = OpIEqual %bool %v %0
OpBranchConditional %end %done %continue
%continue = OpLabel
%more = OpIAdd %uint %sum %v
%next = OpPtrAccessChain %word_ptr %p %1
OpBranch %loop
%done = OpLabel
OpStore %out %sum)"));
  EXPECT_THAT(machine.first(3), ElementsAre(20 + 21 + 22 + 23, 11 + 12 + 13 + 14, 22 + 23, 13 + 14));
}

// Two pointers are swapped in each iteration of an unrolled loop.
TEST(VariablePointers, PhisOfALoopThatIsLaidOut) {
  PointerMachine machine;
  machine.run(module_of(R"(
OpBranch %loop
%loop = OpLabel
%p = OpPhi %word_ptr %a %entry %q_next %continue
%q = OpPhi %word_ptr %b %entry %p_next %continue
%n = OpPhi %uint %0 %entry %n_next %continue
OpLoopMerge %done %continue None
OpBranch %test
%test = OpLabel
%end = OpUGreaterThanEqual %bool %n %3
OpBranchConditional %end %done %continue
%continue = OpLabel
%p_next = OpPtrAccessChain %word_ptr %p %n
%q_next = OpPtrAccessChain %word_ptr %q %1
%n_next = OpIAdd %uint %n %1
OpBranch %loop
%done = OpLabel
%v = OpLoad %uint %p
OpStore %out %v)"));
  // p: A+i → B+i+1 → A+i+0+1 → B+i+1+1+1
  EXPECT_THAT(machine.first(3), ElementsAre(23, 0, 25, 0));
}

TEST(VariablePointers, ArgumentsAndResultsOfFunctions) {
  PointerMachine machine;
  machine.run(module_of(R"(
%p = OpFunctionCall %word_ptr %greater %a %b
%own = OpSelect %word_ptr %odd %a %p
%v = OpFunctionCall %uint %add_one %own
OpStore %out %v)",
                        R"(
%greater = OpFunction %word_ptr None %fn2
%x = OpFunctionParameter %word_ptr
%y = OpFunctionParameter %word_ptr
%start = OpLabel
%vx = OpLoad %uint %x
%vy = OpLoad %uint %y
%less = OpULessThan %bool %vx %vy
OpSelectionMerge %end None
OpBranchConditional %less %yes %end
%yes = OpLabel
OpReturnValue %y
%end = OpLabel
OpReturnValue %x
OpFunctionEnd
%add_one = OpFunction %uint None %fn1
%z = OpFunctionParameter %word_ptr
%start1 = OpLabel
%vz = OpLoad %uint %z
%vz1 = OpIAdd %uint %vz %1
OpStore %z %vz1
OpReturnValue %vz1
OpFunctionEnd
)",
                        R"(
%fn1 = OpTypeFunction %uint %word_ptr
%fn2 = OpTypeFunction %word_ptr %word_ptr %word_ptr
)"));
  EXPECT_THAT(machine.first(3), ElementsAre(21, 12, 23, 14));
  EXPECT_THAT(machine.first(0), ElementsAre(10, 12, 12, 14));
  EXPECT_THAT(machine.first(1), ElementsAre(21, 21, 23, 23));
}

TEST(VariablePointers, VariablesThatHoldThem) {
  PointerMachine machine;
  machine.run(module_of(R"(%local = OpVariable %table_ptr Function

%c1 = OpAccessChain %word_ptr %C %1 %0 %i
%at0 = OpAccessChain %held %local %0
%at1 = OpAccessChain %held %local %1
%at2 = OpAccessChain %held %local %2
OpStore %at0 %a
OpStore %at1 %b
OpStore %at2 %c1
%n = OpUMod %uint %i %3
%at = OpAccessChain %held %local %n
%p = OpLoad %word_ptr %at
OpStore %kept %p
%again = OpLoad %word_ptr %kept
%all = OpLoad %table %local
OpStore %copies %all
%in_copy = OpAccessChain %private_ptr %copies %n
%copied = OpLoad %word_ptr %in_copy
%either = OpSelect %word_ptr %odd %copied %again
%v = OpLoad %uint %either
OpStore %out %v)",
                        "",
                        R"(
%held = OpTypePointer Function %word_ptr
%table = OpTypeArray %word_ptr %3
%table_ptr = OpTypePointer Function %table
%private_ptr = OpTypePointer Private %word_ptr
%private_table = OpTypePointer Private %table
%kept = OpVariable %private_ptr Private
%copies = OpVariable %private_table Private
)",
                        "%kept %copies"));
  EXPECT_THAT(machine.first(3), ElementsAre(10, 21, 42, 13));
}

TEST(VariablePointers, NullAndEquality) {
  PointerMachine machine;
  machine.run(module_of(R"(
%p = OpSelect %word_ptr %odd %a %null
%is_null = OpPtrEqual %bool %p %null
%x = OpSelect %uint %is_null %1 %0
%same = OpPtrEqual %bool %p %a
%y = OpSelect %uint %same %2 %0
%differs = OpPtrNotEqual %bool %p %b
%z = OpSelect %uint %differs %4 %0
%a_first = OpAccessChain %word_ptr %A %0 %0
%a_i = OpPtrAccessChain %word_ptr %a_first %i
%walked = OpPtrEqual %bool %p %a_i
%w = OpSelect %uint %walked %8 %0
%xy = OpBitwiseOr %uint %x %y
%zw = OpBitwiseOr %uint %z %w
%all = OpBitwiseOr %uint %xy %zw
OpStore %out %all)"));
  EXPECT_THAT(machine.first(3), ElementsAre(1 + 4, 2 + 4 + 8, 1 + 4, 2 + 4 + 8));
}

TEST(VariablePointers, Differences) {
  PointerMachine machine;
  machine.run(module_of(R"(
%r5 = OpAccessChain %record_ptr %R %0 %5
%r = OpAccessChain %record_ptr %R %0 %i
%records_between = OpPtrDiff %int %r %r5
%a5 = OpAccessChain %word_ptr %A %0 %5
%words_between = OpPtrDiff %int %a5 %a
%s5 = OpAccessChain %shared_ptr %S %5
%s = OpAccessChain %shared_ptr %S %i
%shared_between = OpPtrDiff %int %s %s5
%sum0 = OpIMul %int %records_between %hundred
%sum1 = OpIMul %int %words_between %ten
%sum2 = OpIAdd %int %sum0 %sum1
%sum = OpIAdd %int %sum2 %shared_between
%bits = OpBitcast %uint %sum
OpStore %out %bits)",
                        "", "%ten = OpConstant %int 10\n%hundred = OpConstant %int 100"));
  const auto expected = [](int i) { return static_cast<uint32_t>((i - 5) * 100 + (5 - i) * 10 + i - 5); };
  EXPECT_THAT(machine.first(3), ElementsAre(expected(0), expected(1), expected(2), expected(3)));
}

TEST(VariablePointers, StructuresBehindAWalk) {
  PointerMachine machine;
  machine.buffers[{0, 4, 0}] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
  machine.run(module_of(R"(
%first = OpAccessChain %record_ptr %R %0 %0
%second = OpAccessChain %record_ptr %R %0 %1
%p = OpSelect %record_ptr %odd %first %second
%q = OpPtrAccessChain %record_ptr %p %i
%y_ptr = OpAccessChain %word_ptr %q %1 %1
%v = OpLoad %uint %y_ptr
%back = OpPtrAccessChain %record_ptr %q %minus1
%whole = OpLoad %record %back
%x = OpCompositeExtract %uint %whole 0
%sum = OpIMul %uint %v %hundred
%both = OpIAdd %uint %sum %x
OpStore %out %both)",
                        "", "%hundred = OpConstant %uint 100"));
  // Records 1, 1, 3, 3; the word at 2, and the first word of the previous record.
  EXPECT_THAT(machine.first(3), ElementsAre(601, 601, 1207, 1207));
}

TEST(VariablePointers, WorkgroupMemory) {
  PointerMachine machine;
  machine.run(module_of(R"(
%s = OpAccessChain %shared_ptr %S %i
%t = OpAccessChain %shared_ptr %T %i
%ten_i = OpIAdd %uint %i %8
OpStore %s %i
OpStore %t %ten_i
%p = OpSelect %shared_ptr %odd %s %t
%old = OpAtomicIAdd %uint %p %1 %0 %5
%v = OpLoad %uint %p
%differs = OpPtrNotEqual %bool %p %t
%w = OpSelect %uint %differs %hundred %0
%sum = OpIAdd %uint %v %w
OpStore %out %sum)",
                        "", "%hundred = OpConstant %uint 100"));
  EXPECT_THAT(machine.first(3), ElementsAre(13, 106, 15, 108));
}

TEST(VariablePointers, ArraysOfBuffers) {
  PointerMachine machine;
  const isa::Program program = machine.run(module_of(R"(
%other = OpISub %uint %3 %i
%c = OpAccessChain %word_ptr %C %other %0 %1
%c2 = OpAccessChain %word_ptr %C %2 %0 %0
%p = OpSelect %word_ptr %odd %c %c2
%v = OpLoad %uint %p
%v100 = OpIAdd %uint %v %hundred
OpStore %p %v100
OpStore %out %v)",
                                                     "", "%hundred = OpConstant %uint 100"));
  EXPECT_THAT(machine.first(3), ElementsAre(50, 51, 50, 31));
  EXPECT_EQ((machine.buffers[{0, 2, 0}][1]), 131u);
  EXPECT_EQ((machine.buffers[{0, 2, 1}][1]), 41u);
  EXPECT_EQ((machine.buffers[{0, 2, 2}][0]), 150u);
  EXPECT_EQ((machine.buffers[{0, 2, 2}][1]), 151u);
}

// A constant index selects an array element, and so does the pointer.
TEST(VariablePointers, ConstantElementsOfBufferArrays) {
  PointerMachine machine;
  const isa::Program program = machine.run(module_of(R"(
%c1 = OpAccessChain %word_ptr %C %1 %0 %i
%c2 = OpAccessChain %word_ptr %C %2 %0 %i
%p = OpSelect %word_ptr %odd %c1 %c2
%v = OpLoad %uint %p
OpStore %out %v)"));
  EXPECT_THAT(machine.first(3), ElementsAre(50, 41, 52, 43));
  EXPECT_EQ(program.resources.size(), 3u);
}

TEST(VariablePointers, AtomicsAndLengthsOfBlocks) {
  PointerMachine machine;
  machine.buffers[{0, 1, 0}].resize(9);
  machine.run(module_of(R"(
%whole = OpSelect %block_ptr %odd %A %B
%length = OpArrayLength %uint %whole 0
%p = OpAccessChain %word_ptr %whole %0 %2
%old = OpAtomicIAdd %uint %p %1 %0 %1
OpStore %out %length)"));
  EXPECT_THAT(machine.first(3), ElementsAre(9, 6, 9, 6));
  EXPECT_EQ((machine.buffers[{0, 0, 0}][2]), 14u);
  EXPECT_EQ((machine.buffers[{0, 1, 0}][2]), 24u);
}

// The bounds are those of the selected buffer: accesses beyond its end have no effect.
TEST(VariablePointers, BeyondTheEndOfABuffer) {
  PointerMachine machine;
  machine.buffers[{0, 0, 0}] = {1};
  machine.run(module_of(R"(
%p = OpSelect %word_ptr %odd %a %b
%v = OpLoad %uint %p
OpStore %p %8
OpStore %out %v)"));
  EXPECT_THAT(machine.first(3), ElementsAre(20, 0, 22, 0));
  EXPECT_THAT(machine.first(0, 1), ElementsAre(1));
  EXPECT_THAT(machine.first(1), ElementsAre(8, 21, 8, 23));
}

TEST(VariablePointers, CopyOfMemoryThroughThem) {
  PointerMachine machine;
  machine.run(module_of(R"(
%p = OpSelect %word_ptr %odd %a %b
%copy = OpCopyObject %word_ptr %p
%q = OpSelect %word_ptr %odd %b %a
OpCopyMemory %copy %q)"));
  EXPECT_THAT(machine.first(0), ElementsAre(10, 21, 12, 23));
  EXPECT_THAT(machine.first(1), ElementsAre(10, 21, 12, 23));
}

}  // namespace
}  // namespace cutaway::compiler::variable_pointers_test
