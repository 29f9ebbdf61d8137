#include "boxes/command_processor/submission_fault.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::submission_fault_test {
namespace {

TEST(SubmissionFault, IsTheEarliestPackets) {
  SubmissionFault fault;
  EXPECT_EQ(fault.get(), nullptr);
  fault.note({5, 0x500, "DRAW", 7}, "wrong");
  ASSERT_TRUE(fault.get());
  EXPECT_EQ(fault.get()->submission, 7u);
  EXPECT_EQ(fault.get()->address, 0x500u);
  EXPECT_EQ(fault.get()->text, "DRAW: wrong");
  fault.note({6, 0x600, "CLEAR", 7}, "later");
  fault.note({5, 0x500, "DRAW", 7}, "again");
  EXPECT_EQ(fault.get()->text, "DRAW: wrong");
  fault.note({4, 0x400, "LOAD_PROGRAM", 7}, "earlier");
  EXPECT_EQ(fault.get()->address, 0x400u);
  EXPECT_EQ(fault.get()->text, "LOAD_PROGRAM: earlier");
  fault.note({9, 0x900, "DRAW", 6}, "of an earlier submission");
  EXPECT_EQ(fault.get()->submission, 6u);
  fault.note({1, 0x100, "DRAW", 7}, "of a later submission");
  EXPECT_EQ(fault.get()->address, 0x900u);
}

}  // namespace
}  // namespace cutaway::boxes::submission_fault_test
