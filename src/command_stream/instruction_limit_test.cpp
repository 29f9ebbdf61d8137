#include "command_stream/instruction_limit.h"

#include <gtest/gtest.h>

namespace cutaway::command_stream {
namespace {

TEST(InstructionLimit, IsThatOfAGroupWithoutBarriers) {
  for (const uint32_t invocations : {1u, 128u, 1024u})
    EXPECT_EQ(instruction_limit(false, invocations), func::kInstructionLimit);
}

TEST(InstructionLimit, IsSharedByGroupsThatWaitForEachOther) {
  for (const uint32_t invocations : {1u, 64u, 128u})
    EXPECT_EQ(instruction_limit(true, invocations), uint64_t{1} << 24);
  EXPECT_EQ(instruction_limit(true, 129), (uint64_t{1} << 31) / 129);
  EXPECT_EQ(instruction_limit(true, 256), uint64_t{1} << 23);
  EXPECT_EQ(instruction_limit(true, 1024), uint64_t{1} << 21);
}

}  // namespace
}  // namespace cutaway::command_stream
