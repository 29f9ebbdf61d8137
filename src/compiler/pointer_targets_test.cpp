#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "compiler/testing/pointer_machine.h"

// Tests the targets of variable pointers (arrays of buffers, coherent members, earlier elements), and the
// time that the analysis takes.
namespace cutaway::compiler::pointer_targets_test {
namespace {

using testing::ElementsAre;

std::string decorated(std::string text, const std::string& decorations) {
  return text.insert(text.find("%void = "), decorations);
}

// Chooses a whole array of buffers, then one of its elements.
TEST(PointerTargets, OneOfTwoArraysOfBuffers) {
  PointerMachine machine;
  for (uint32_t i = 0; i < 4; ++i) machine.buffers[{0, 5, i}] = {130 + 10 * i, 131 + 10 * i};
  machine.run(decorated(module_of(R"(
%q = OpSelect %blocks_ptr %odd %C %D
%copy = OpCopyObject %blocks_ptr %q
%p = OpAccessChain %word_ptr %copy %i %0 %1
%v = OpLoad %uint %p
%first = OpAccessChain %word_ptr %q %2 %0 %0
OpStore %first %i
%either = OpSelect %word_ptr %odd %p %first
%w = OpLoad %uint %either
%w1000 = OpIMul %uint %w %thousand
%sum = OpIAdd %uint %v %w1000
OpStore %out %sum)",
                                  "", R"(
%D = OpVariable %blocks_ptr StorageBuffer
%thousand = OpConstant %uint 1000
)",
                                  "%D"),
                        "OpDecorate %D DescriptorSet 0\nOpDecorate %D Binding 5\n"));
  // Lanes store in order: 2 is the last of the even ones.
  EXPECT_THAT(machine.first(3), ElementsAre(2131, 41041, 2151, 61061));
  EXPECT_EQ((machine.buffers[{0, 2, 2}][0]), 3u);
  EXPECT_EQ((machine.buffers[{0, 5, 2}][0]), 2u);
}

TEST(PointerTargets, ABufferOfAnArrayBehindAWalkOfNone) {
  PointerMachine machine;
  machine.run(decorated(module_of(R"(
%q = OpPtrAccessChain %block_ptr %C %0 %2
%r = OpAccessChain %block_ptr %C %1
%s = OpSelect %block_ptr %odd %q %r
%p = OpAccessChain %word_ptr %s %0 %1
%v = OpLoad %uint %p
OpStore %out %v)"),
                        "OpDecorate %blocks_ptr ArrayStride 16\n"));
  EXPECT_THAT(machine.first(3), ElementsAre(41, 51, 41, 51));
}

TEST(PointerTargets, TheElementBeforeByASmallConstant) {
  PointerMachine machine;
  machine.run("OpCapability Int16\n" +
              module_of(R"(
%a4 = OpAccessChain %word_ptr %A %0 %4
%p = OpPtrAccessChain %word_ptr %a4 %before
%v = OpLoad %uint %p
OpStore %out %v)",
                        "", "%short = OpTypeInt 16 1\n%before = OpConstant %short -1\n"));
  EXPECT_THAT(machine.first(3), ElementsAre(13, 13, 13, 13));
}

// A structure's block member, and so its coherence, is unknown.
TEST(PointerTargets, StructuresOfCoherentMembersAreNotCached) {
  PointerMachine machine;
  machine.buffers[{0, 5, 0}].assign(24, 0);
  const isa::Program program = machine.run(decorated(module_of(R"(
%r1 = OpAccessChain %record_ptr %R %0 %i
%r2 = OpAccessChain %record_ptr %R2 %0 %i
%s = OpSelect %record_ptr %odd %r1 %r2
%p = OpAccessChain %word_ptr %s %0
%v = OpLoad %uint %p
OpStore %out %v)",
                                                               "", R"(
%R2 = OpVariable %record_block_ptr StorageBuffer
)",
                                                               "%R2"),
                                                     R"(OpMemberDecorate %record_block 0 Coherent
OpDecorate %R2 DescriptorSet 0
OpDecorate %R2 Binding 5
)"));
  uint32_t loads = 0;
  for (const isa::Instruction& instruction : program.code) {
    if (instruction.op != isa::Opcode::kLdb) continue;
    loads++;
    EXPECT_FALSE(instruction.access.cached);
  }
  EXPECT_EQ(loads, 2u);
}

TEST(PointerTargets, CopiesToABufferAreReloaded) {
  PointerMachine machine;
  machine.run(module_of(R"(%local = OpVariable %local_ptr Function

%before = OpLoad %uint %a
OpCopyMemory %a %b
%after = OpLoad %uint %a
%sum = OpIAdd %uint %before %after
OpStore %local %sum
OpCopyMemory %out %local)",
                        "", "%local_ptr = OpTypePointer Function %uint"));
  EXPECT_THAT(machine.first(3), ElementsAre(30, 32, 34, 36));
}

TEST(PointerTargets, TooManyAreRefusedQuickly) {
  constexpr int kVariables = 900, kCopies = 20000;
  std::string globals, names, decorations;
  std::string body = "%y0 = OpCopyObject %word_ptr %a\n";
  for (int v = 0; v < kVariables; ++v) {
    globals += fmt::format("%X{} = OpVariable %block_ptr StorageBuffer\n", v);
    names += fmt::format(" %X{}", v);
    decorations += fmt::format("OpDecorate %X{} DescriptorSet 1\nOpDecorate %X{} Binding {}\n", v, v, v);
    body += fmt::format("%x{} = OpAccessChain %word_ptr %X{} %0 %i\n", v, v);
    body += fmt::format("%y{} = OpSelect %word_ptr %odd %y{} %x{}\n", v + 1, v, v);
  }
  body += fmt::format("%z0 = OpCopyObject %word_ptr %y{}\n", kVariables);
  for (int v = 0; v < kCopies; ++v) body += fmt::format("%z{} = OpCopyObject %word_ptr %z{}\n", v + 1, v);
  try {
    PointerMachine().run(decorated(module_of(body, "", globals, names), decorations));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("too many possible targets"));
  }
}

}  // namespace
}  // namespace cutaway::compiler::pointer_targets_test
