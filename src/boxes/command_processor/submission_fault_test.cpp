#include "boxes/command_processor/submission_fault.h"

#include <gtest/gtest.h>

namespace cutaway::boxes {
namespace {

TEST(SubmissionFault, IsTheEarliestPackets) {
  SubmissionFault fault;
  fault.begin_submission(7);
  EXPECT_EQ(fault.get(), nullptr);
  fault.note({5, 0x500, "DRAW"}, "wrong");
  ASSERT_TRUE(fault.get());
  EXPECT_EQ(fault.get()->submission, 7u);
  EXPECT_EQ(fault.get()->address, 0x500u);
  EXPECT_EQ(fault.get()->text, "DRAW: wrong");
  fault.note({6, 0x600, "CLEAR"}, "later");
  fault.note({5, 0x500, "DRAW"}, "again");
  EXPECT_EQ(fault.get()->text, "DRAW: wrong");
  fault.note({4, 0x400, "LOAD_PROGRAM"}, "earlier");
  EXPECT_EQ(fault.get()->address, 0x400u);
  EXPECT_EQ(fault.get()->text, "LOAD_PROGRAM: earlier");
}

}  // namespace
}  // namespace cutaway::boxes
