#include "boxes/command_processor/context_turns.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::context_turns_test {
namespace {

constexpr engine::Cycle kSlice = 100;

class Turns {
 public:
  explicit Turns(PolicyName<ContextSchedules> schedule)
      : turns_({.contexts = 3, .schedule = schedule}, kSlice) {
    announced_.fill(~uint64_t{0});
  }

  void push(engine::Cycle now, arch::ContextId context) {
    turns_.push(now, {.id = 1, .context = context}, {});
  }
  // The context of the next submission, which then ends at once; -1: there is none.
  int next(engine::Cycle now) {
    if (!choose(now)) return -1;
    const auto context = static_cast<int>(turns_.chosen().submission.context);
    turns_.end();
    return context;
  }
  bool choose(engine::Cycle now) { return turns_.choose(now, announced_); }
  void announce(arch::ContextId context, uint64_t submission) { announced_[context] = submission; }
  ContextTurns& turns() { return turns_; }

 private:
  ContextTurns turns_;
  ContextTurns::Announced announced_;
};

TEST(ContextTurns, HoldOneSubmissionOfEachContext) {
  Turns turns("first-come");
  EXPECT_TRUE(turns.turns().accepts(2));
  EXPECT_FALSE(turns.turns().accepts(3));
  turns.push(1, 2);
  EXPECT_FALSE(turns.turns().accepts(2));
  EXPECT_TRUE(turns.turns().accepts(1));
  EXPECT_EQ(turns.next(2), 2);
  EXPECT_TRUE(turns.turns().accepts(2));
  EXPECT_EQ(turns.next(3), -1);
  EXPECT_FALSE(turns.turns().any());
}

TEST(ContextTurns, ASubmissionWhosePictureIsHeldLeavesTheTurnToOthers) {
  Turns turns("first-come");
  turns.push(10, 0), turns.push(10, 1);
  ASSERT_TRUE(turns.choose(12));
  EXPECT_EQ(turns.turns().end_held(0), 0u) << "it is executed";
  turns.turns().hold();
  EXPECT_TRUE(turns.turns().any_held());
  EXPECT_FALSE(turns.turns().accepts(0));
  EXPECT_EQ(turns.next(21), 1);
  EXPECT_EQ(turns.next(22), -1);
  EXPECT_TRUE(turns.turns().any());
  EXPECT_EQ(turns.turns().end_held(0), 1u);
  EXPECT_FALSE(turns.turns().any());
  EXPECT_TRUE(turns.turns().accepts(0));
  EXPECT_EQ(turns.turns().waited(50, 0), 2u) << "waits for the display do not count";
}

TEST(ContextTurns, CountTheWaits) {
  Turns turns("first-come");
  turns.push(10, 0), turns.push(10, 1);
  EXPECT_EQ(turns.next(12), 0);
  EXPECT_EQ(turns.turns().waited(20, 1), 10u);
  EXPECT_EQ(turns.next(50), 1);
  for (const engine::Cycle now : {50u, 90u}) {
    EXPECT_EQ(turns.turns().waited(now, 0), 2u);
    EXPECT_EQ(turns.turns().waited(now, 1), 40u);
  }
}

TEST(ContextTurns, TheSubmissionThatIsExecutedWaitsNoLonger) {
  Turns turns("first-come");
  turns.push(10, 0), turns.push(11, 1);
  ASSERT_TRUE(turns.choose(12));
  EXPECT_EQ(turns.turns().waited(30, 0), 2u);
  EXPECT_EQ(turns.turns().waited(30, 1), 19u);
}

TEST(ContextTurns, LeaveOutWhatIsNotAnnounced) {
  Turns turns("priority");
  turns.push(1, 1), turns.push(1, 2);
  turns.announce(2, 0);
  EXPECT_EQ(turns.next(2), 1);
  EXPECT_EQ(turns.next(3), -1);
  turns.announce(2, 1);
  EXPECT_EQ(turns.next(4), 2);
}

TEST(FirstCome, TakesTheEarliest) {
  Turns turns("first-come");
  turns.push(5, 0), turns.push(4, 2), turns.push(4, 1);
  EXPECT_EQ(turns.next(6), 1);
  EXPECT_EQ(turns.next(6), 2);
  EXPECT_EQ(turns.next(6), 0);
}

TEST(Priority, TakesTheHighestContext) {
  Turns turns("priority");
  turns.push(1, 0), turns.push(9, 2), turns.push(5, 1);
  EXPECT_EQ(turns.next(10), 2);
  EXPECT_EQ(turns.next(10), 1);
  turns.push(11, 2);
  EXPECT_EQ(turns.next(12), 2);
  EXPECT_EQ(turns.next(13), 0);
}

TEST(Slices, LastAsLongAsDeclared) {
  Turns turns("slices");
  turns.push(0, 0), turns.push(0, 1);
  EXPECT_EQ(turns.next(kSlice - 1), 0);
  turns.push(kSlice - 1, 0);
  EXPECT_EQ(turns.next(kSlice), 1);  // context 0 has had the GPU for a slice
  turns.push(kSlice, 1);
  EXPECT_EQ(turns.next(2 * kSlice - 1), 1);
  turns.push(2 * kSlice - 1, 1);
  EXPECT_EQ(turns.next(2 * kSlice), 0);
}

TEST(Slices, EndEarlyWithoutSubmissions) {
  Turns turns("slices");
  turns.push(0, 0), turns.push(0, 2);
  EXPECT_EQ(turns.next(1), 0);
  EXPECT_EQ(turns.next(2), 2);
}

TEST(Slices, GoRound) {
  Turns turns("slices");
  for (const arch::ContextId context : {0u, 1u, 2u}) turns.push(0, context);
  std::vector<int> order;
  for (engine::Cycle now = kSlice; order.size() < 6; now += kSlice) {
    order.push_back(turns.next(now));
    turns.push(now, static_cast<arch::ContextId>(order.back()));
  }
  EXPECT_EQ(order, (std::vector{1, 2, 0, 1, 2, 0}));
}

}  // namespace
}  // namespace cutaway::boxes::context_turns_test
