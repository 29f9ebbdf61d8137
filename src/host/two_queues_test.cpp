#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/queue.h"
#include "host/testing/test_gpu.h"

namespace cutaway::host::two_queues_test {
namespace {

using arch::QueueKind;
using ::testing::ElementsAre;
using Semaphore = std::shared_ptr<SemaphoreState>;

constexpr auto kGraphics = QueueKind::kGraphics, kCompute = QueueKind::kCompute;

Semaphore timeline() { return std::make_shared<SemaphoreState>(SemaphoreState{.timeline = true}); }
Semaphore binary() { return std::make_shared<SemaphoreState>(); }

// Work is told apart by the count of its packets: its name.
struct TwoQueues : ::testing::Test {
  TestGpu* gpu = new TestGpu;
  Queues queues{std::unique_ptr<arch::Gpu>(gpu), [](const std::string&) {}};
  std::vector<std::unique_ptr<Allocation>> commands;

  CommandRange range(uint32_t name) {
    arch::CommandWriter writer;
    for (uint32_t i = 0; i < name; i++) writer.packet(arch::Opcode::kNop);
    commands.push_back(queues.memory().allocate(writer.commands().size() * 4, Owner::kDriver));
    commands.back()->write(0, std::span(writer.commands()));
    return {commands.back()->address(), name};
  }
  // name 0: without commands.
  std::shared_ptr<FenceState> push(QueueKind queue, uint32_t name, std::vector<SemaphorePoint> waits = {},
                                   std::vector<SemaphorePoint> signals = {}) {
    Work work;
    work.queue = queue;
    work.waits = std::move(waits), work.signals = std::move(signals);
    if (name) work.commands = {range(name)};
    return push(std::move(work));
  }
  std::shared_ptr<FenceState> push(Work work) {
    auto fence = work.fence = std::make_shared<FenceState>();
    queues.push(std::move(work));
    return fence;
  }
  bool ends(const std::shared_ptr<FenceState>& fence, uint64_t nanoseconds = 5'000'000'000) {
    return queues.sync().wait(deadline_after(nanoseconds), [&] { return fence->signaled; });
  }
  bool waits_on(const std::shared_ptr<FenceState>& fence) { return !ends(fence, 20'000'000); }
  void signal(const Semaphore& semaphore, uint64_t value) {
    queues.sync().change([&] { semaphore->signal(value, {}); });
  }
  void set(bool& flag) {
    queues.sync().change([&] { flag = true; });
  }
  // The names of the submissions in order.
  std::vector<uint32_t> order() {
    queues.wait_idle();
    std::vector<uint32_t> names;
    uint32_t nops = 0;
    for (const arch::Opcode opcode : gpu->packets)
      if (opcode == arch::Opcode::kNop) nops++;
      else if (opcode == arch::Opcode::kFlush) names.push_back(nops), nops = 0;
    return names;
  }
  std::vector<uint64_t> after() {
    queues.wait_idle();
    std::vector<uint64_t> all;
    for (const arch::Submission& submission : gpu->submissions) all.push_back(submission.after);
    return all;
  }
};

TEST_F(TwoQueues, RunInTheOrderOfTheirPushes) {
  const Semaphore gate = timeline();
  // Both queues wait until all is pushed.
  push(kGraphics, 0, {{gate, 1}}), push(kCompute, 0, {{gate, 1}});
  push(kGraphics, 1), push(kCompute, 2), push(kCompute, 3), push(kGraphics, 4);
  signal(gate, 1);
  EXPECT_THAT(order(), ElementsAre(1, 2, 3, 4));
  std::vector<QueueKind> kinds;
  for (const arch::Submission& submission : gpu->submissions) kinds.push_back(submission.queue);
  EXPECT_THAT(kinds, ElementsAre(kGraphics, kCompute, kCompute, kGraphics));
  EXPECT_THAT(after(), ElementsAre(0, 0, 0, 0));
}

TEST_F(TwoQueues, AQueueThatWaitsDoesNotHoldUpTheOther) {
  const Semaphore gate = timeline();
  for (const auto& [waiting, other] : {std::pair(kGraphics, kCompute), {kCompute, kGraphics}}) {
    const uint64_t value = waiting == kGraphics ? 1 : 2;
    const auto first = push(waiting, 1, {{gate, value}}), behind = push(waiting, 2);
    EXPECT_TRUE(ends(push(other, 3)));
    EXPECT_TRUE(waits_on(first));
    EXPECT_TRUE(waits_on(behind));
    signal(gate, value);
    EXPECT_TRUE(ends(behind));
  }
  EXPECT_THAT(order(), ElementsAre(3, 1, 2, 3, 1, 2));
}

// Timelines may be waited for before the signal is submitted.
TEST_F(TwoQueues, WaitBeforeSignalBothWays) {
  const Semaphore shared = timeline();
  push(kGraphics, 1, {{shared, 1}}, {{shared, 2}});
  push(kCompute, 2, {}, {{shared, 1}});
  push(kCompute, 3, {{shared, 2}}, {{shared, 3}});
  const auto last = push(kGraphics, 4, {{shared, 3}});
  ASSERT_TRUE(ends(last));
  EXPECT_THAT(order(), ElementsAre(2, 1, 3, 4));
  EXPECT_THAT(after(), ElementsAre(0, 1, 2, 3));
}

TEST_F(TwoQueues, FollowTheSubmissionThatABinarySemaphoreNames) {
  const Semaphore drawn = binary();
  push(kGraphics, 1);
  push(kGraphics, 2, {}, {{drawn, 1}});
  push(kGraphics, 3);
  push(kCompute, 4, {{drawn, 1}});
  push(kCompute, 5);
  EXPECT_THAT(order(), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(after(), ElementsAre(0, 0, 0, 2, 0)) << "the queue's order tells it for the last";
  EXPECT_EQ(drawn->value, 0u);
  // It is free again: the program signals it now, as an acquired image does.
  signal(drawn, 1);
  push(kCompute, 6, {{drawn, 1}});
  EXPECT_EQ(after().back(), 0u);
  push(kGraphics, 7, {}, {{drawn, 1}});
  push(kCompute, 8, {{drawn, 1}});
  EXPECT_EQ(after().back(), 7u);
}

TEST_F(TwoQueues, ASemaphoreOfTheSameQueueNamesNothing) {
  const Semaphore own = timeline();
  push(kCompute, 1, {}, {{own, 1}});
  push(kCompute, 2, {{own, 1}});
  EXPECT_THAT(after(), ElementsAre(0, 0));
}

// A wait on a timeline follows the signal that first reached the value, not the later ones.
TEST_F(TwoQueues, ATimelinesEarlierSignalNamesNoLaterSubmission) {
  const Semaphore counter = timeline();
  for (uint64_t i = 1; i <= 3; i++) push(kGraphics, 1, {}, {{counter, i}});
  push(kCompute, 2, {{counter, 2}});
  push(kCompute, 2, {{counter, 1}});
  push(kCompute, 2, {{counter, 3}});
  EXPECT_THAT(after(), ElementsAre(0, 0, 0, 2, 0, 3));
}

TEST_F(TwoQueues, BatchesWithoutCommandsPassOnWhatTheyFollow) {
  const Semaphore drawn = binary(), passed = binary(), waited = binary();
  push(kGraphics, 1, {}, {{drawn, 1}});
  // To later batches of their queue...
  push(kCompute, 0, {{drawn, 1}});
  push(kCompute, 2);
  // ... and through it back: the signal follows both 2 and 1.
  push(kCompute, 0, {}, {{passed, 1}});
  push(kGraphics, 0, {{passed, 1}}, {{waited, 1}});
  push(kCompute, 3);
  push(kGraphics, 4, {{waited, 1}});
  EXPECT_THAT(order(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(after(), ElementsAre(0, 1, 0, 2));
}

TEST_F(TwoQueues, FencesTellTheLastThatTheyFollow) {
  const Semaphore drawn = binary();
  push(kGraphics, 1, {}, {{drawn, 1}});
  const auto waits = push(kCompute, 0, {{drawn, 1}});
  queues.wait_idle();
  EXPECT_EQ(waits->submission, 1u);
  const auto computes = push(kCompute, 2), draws = push(kGraphics, 0);
  queues.wait_idle();
  EXPECT_EQ(computes->submission, 2u);
  EXPECT_EQ(draws->submission, 1u);
}

// The program waits for the other queue before it sets the event.
TEST_F(TwoQueues, AnEventHoldsUpItsQueueAlone) {
  bool event = false;
  Work work;
  work.commands = {range(1), range(2), range(3)};
  work.commands[1].ready = work.commands[2].ready = [&] { return event; };
  const auto waiting = push(std::move(work));
  EXPECT_TRUE(ends(push(kCompute, 4)));
  EXPECT_TRUE(waits_on(waiting));
  const auto behind = push(kGraphics, 5);
  EXPECT_TRUE(ends(push(kCompute, 6)));
  EXPECT_TRUE(waits_on(behind));
  set(event);
  EXPECT_TRUE(ends(behind));
  EXPECT_THAT(order(), ElementsAre(1, 4, 6, 2, 3, 5));
}

TEST_F(TwoQueues, WorkThatWaitsForAnEventTakesItsSemaphoresOnce) {
  const Semaphore taken = binary();
  bool event = false;
  signal(taken, 1);
  Work work;
  work.waits = {{taken, 1}};
  work.commands = {range(1)};
  work.commands[0].ready = [&] { return event; };
  const auto waiting = push(std::move(work));
  EXPECT_TRUE(waits_on(waiting));
  EXPECT_EQ(queues.sync().read([&] { return taken->value; }), 0u);
  signal(taken, 1);
  set(event);
  EXPECT_TRUE(ends(waiting));
  EXPECT_EQ(queues.sync().read([&] { return taken->value; }), 1u);
}

TEST_F(TwoQueues, OneQueueIsIdleBesideAnother) {
  const Semaphore gate = timeline();
  const auto graphics = push(kGraphics, 1, {{gate, 1}});
  const auto compute = push(kCompute, 2);
  queues.wait_idle(kCompute);
  EXPECT_TRUE(compute->signaled);
  EXPECT_FALSE(queues.wait_idle(deadline_after(20'000'000)));
  signal(gate, 1);
  queues.wait_idle(kGraphics);
  EXPECT_TRUE(graphics->signaled);
  EXPECT_TRUE(queues.wait_idle(deadline_after(5'000'000'000)));
}

TEST_F(TwoQueues, WaitsForAConditionBesideAQueueThatWaits) {
  const Semaphore gate = timeline();
  push(kGraphics, 1, {{gate, 1}});
  const auto compute = push(kCompute, 2);
  Work slow;
  slow.queue = kCompute;
  slow.commands = {range(3)};
  slow.ended = [](const arch::Memory&) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  const auto more = push(std::move(slow));
  queues.wait_until([&] { return compute->signaled; });
  EXPECT_TRUE(more->signaled) << "all that can go on is waited for";
  signal(gate, 1);
  queues.wait_until([] { return false; });
  EXPECT_THAT(order(), ElementsAre(2, 3, 1));
}

TEST_F(TwoQueues, WaitsForAConditionBesideAnEvent) {
  bool event = false;
  Work work;
  work.commands = {range(1), range(2)};
  work.commands[1].ready = [&] { return event; };
  const auto waiting = push(std::move(work));
  const auto compute = push(kCompute, 3);
  queues.wait_until([&] { return compute->signaled; });
  EXPECT_FALSE(waiting->signaled);
  set(event);
  EXPECT_THAT(order(), ElementsAre(1, 3, 2));
}

// A machine may end the submissions of two queues in any order.
TEST_F(TwoQueues, AheadCountsTheSubmissionsOfBoth) {
  const Semaphore gate = timeline();
  push(kGraphics, 0, {{gate, 1}}), push(kCompute, 0, {{gate, 1}});
  push(kGraphics, 1), push(kCompute, 2), push(kGraphics, 3);
  signal(gate, 1);
  queues.wait_idle(kGraphics);
  push(kCompute, 4);
  queues.wait_idle();
  std::vector<uint32_t> ahead;
  for (const arch::Submission& submission : gpu->submissions) ahead.push_back(submission.ahead);
  EXPECT_THAT(ahead, ElementsAre(0, 1, 2, 0));
}

// The program computed before each push, also before work that waits.
TEST_F(TwoQueues, StepsOfTheProgramStayInItsOrder) {
  const Semaphore gate = timeline();
  push(kGraphics, 1, {{gate, 1}});
  EXPECT_TRUE(ends(push(kCompute, 2)));
  EXPECT_EQ(gpu->steps.size(), 2u);
  signal(gate, 1);
  queues.wait_idle();
  EXPECT_EQ(gpu->steps.size(), 2u);
}

TEST_F(TwoQueues, AFaultEndsTheWaitsOfBoth) {
  const auto never = push(kCompute, 1, {{timeline(), 1}});
  gpu->fault_text = "packet of an unknown opcode";
  const auto lost = push(kGraphics, 2);
  EXPECT_TRUE(ends(lost));
  EXPECT_TRUE(ends(never));
  EXPECT_TRUE(queues.lost());
  EXPECT_EQ(gpu->submissions.size(), 1u);
}

// A host that ends runs what can run, and leaves work that nothing can start.
TEST(TwoQueuesEnd, WithoutTheWorkThatWaitsForever) {
  auto* gpu = new TestGpu;
  uint64_t run = 0;
  {
    Queues queues{std::unique_ptr<arch::Gpu>(gpu), [](const std::string&) {}};
    const Semaphore never = timeline();
    for (const QueueKind queue : {kGraphics, kCompute}) {
      Work waits, runs;
      waits.waits = {{never, 1}};
      waits.ended = [&](const arch::Memory&) { run += 100; };
      runs.ended = [&](const arch::Memory&) { run++; };
      waits.queue = runs.queue = queue;
      if (queue == kGraphics) queues.push(std::move(waits));
      queues.push(std::move(runs));
    }
  }
  EXPECT_EQ(run, 2u);
}

TEST(Semaphore, ForgottenSignalsAreFollowedStill) {
  SemaphoreState state;
  state.timeline = true;
  state.signal(1, {7, 9});
  for (uint64_t i = 2; i <= 66; i++) state.signal(i, {});
  EXPECT_EQ(state.reach_of(1), (Reach{7, 9}));
  EXPECT_EQ(state.reach_of(3), Reach{}) << "its own signal is kept";
}

}  // namespace
}  // namespace cutaway::host::two_queues_test
