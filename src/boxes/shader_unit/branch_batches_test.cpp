#include "boxes/shader_unit/branch_batches.h"

#include <gmock/gmock.h>

namespace cutaway::boxes::branch_batches_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const int kDraw = 0, kOther = 0;

// In no function.
func::Place at(int pc) { return {{static_cast<uint16_t>(pc)}}; }

TEST(BranchBatches, WaitForAllAndGoOnWithTheEarliest) {
  BranchBatches batches(8, 4);
  for (uint32_t i = 0; i < 4; i++) batches.join(i, &kDraw);
  EXPECT_THAT(batches.arrive(0, at(10)), IsEmpty());
  EXPECT_THAT(batches.arrive(2, at(5)), IsEmpty());
  EXPECT_THAT(batches.arrive(1, at(10)), IsEmpty());
  EXPECT_EQ(batches.standing(), 3u);
  // One takes the side that stands first, for three others; then all meet.
  EXPECT_THAT(batches.arrive(3, at(10)), ElementsAre(2));
  EXPECT_EQ(batches.standing(), 3u);
  EXPECT_EQ(batches.passes_for_others(2), 3u);
  EXPECT_THAT(batches.arrive(2, at(10)), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(batches.standing(), 0u);
  for (uint32_t i = 0; i < 4; i++) EXPECT_EQ(batches.passes_for_others(i), 0u);
}

TEST(BranchBatches, WhoHasLeftALoopWaitsForThoseInside) {
  BranchBatches batches(3, 3);
  for (uint32_t i = 0; i < 3; i++) batches.join(i, &kDraw);
  batches.arrive(0, at(4)), batches.arrive(1, at(20));
  EXPECT_THAT(batches.arrive(2, at(4)), ElementsAre(0, 2));
  EXPECT_THAT(batches.arrive(0, at(4)), IsEmpty());
  EXPECT_THAT(batches.arrive(2, at(20)), ElementsAre(0));
  EXPECT_EQ(batches.passes_for_others(0), 2u);
  EXPECT_THAT(batches.arrive(0, at(20)), ElementsAre(0, 1, 2));
}

// A function stands where it is called, whatever its number; who is at the CALL goes in first.
TEST(BranchBatches, WhoIsInAFunctionStandsAtItsCall) {
  BranchBatches batches(4, 4);
  for (uint32_t i = 0; i < 4; i++) batches.join(i, &kDraw);
  batches.arrive(0, {{5, 100}}), batches.arrive(1, at(6)), batches.arrive(2, {{4, 110}});
  EXPECT_THAT(batches.arrive(3, at(5)), ElementsAre(2));
  EXPECT_THAT(batches.arrive(2, at(7)), ElementsAre(3));
  EXPECT_THAT(batches.arrive(3, {{5, 100}}), ElementsAre(0, 3));
}

// However many go on, together they pass for all that do not.
TEST(BranchBatches, PassForEachOfTheOthersOnce) {
  for (uint32_t size = 1; size <= 16; size++)
    for (uint32_t running = 1; running <= size; running++) {
      BranchBatches batches(16, 16);
      for (uint32_t i = 0; i < size; i++) batches.join(i, &kDraw);
      for (uint32_t i = 0; i < size; i++) batches.arrive(i, at(i < running ? 1 : 2));
      uint32_t passes = 0;
      for (uint32_t i = 0; i < size; i++) passes += batches.passes_for_others(i);
      EXPECT_EQ(passes, size - running) << running << " of " << size;
    }
}

TEST(BranchBatches, WhoLeavesIsNotWaitedFor) {
  BranchBatches batches(4, 4);
  for (uint32_t i = 0; i < 3; i++) batches.join(i, &kDraw);
  batches.arrive(0, at(7)), batches.arrive(1, at(9));
  EXPECT_THAT(batches.leave(2), ElementsAre(0));
  EXPECT_FALSE(batches.has(2));
  EXPECT_EQ(batches.passes_for_others(0), 1u);
  EXPECT_THAT(batches.leave(0), ElementsAre(1));
  EXPECT_THAT(batches.leave(1), IsEmpty());
}

TEST(BranchBatches, EndWhereTheyAreFullOrHaveBranchedOrTheDrawDoes) {
  BranchBatches batches(8, 2);
  batches.join(0, &kDraw), batches.join(1, &kDraw), batches.join(2, &kDraw);
  EXPECT_THAT(batches.arrive(2, at(3)), ElementsAre(2));  // the third is alone
  batches.join(3, &kDraw);                                // and has branched
  EXPECT_THAT(batches.arrive(3, at(3)), ElementsAre(3));
  batches.join(4, &kDraw), batches.join(5, &kOther);
  EXPECT_THAT(batches.arrive(4, at(3)), ElementsAre(4));
  EXPECT_THAT(batches.arrive(5, at(3)), ElementsAre(5));
  EXPECT_THAT(batches.arrive(0, at(3)), IsEmpty());
  EXPECT_THAT(batches.arrive(1, at(3)), ElementsAre(0, 1));
  for (uint32_t i = 0; i < 6; i++) batches.leave(i);
  // As often as one likes.
  for (uint32_t i = 0; i < 100; i++) batches.join(i % 8, &kDraw), batches.leave(i % 8);
}

TEST(BranchBatches, OfOneGroupAreNone) {
  BranchBatches batches(2, 1);
  batches.join(0, &kDraw);
  EXPECT_FALSE(batches.has(0));
  EXPECT_EQ(batches.passes_for_others(0), 0u);
}

}  // namespace
}  // namespace cutaway::boxes::branch_batches_test
