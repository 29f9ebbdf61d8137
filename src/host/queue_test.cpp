#include "host/queue.h"

#include <gtest/gtest.h>
#include <set>

#include "host/testing/test_gpu.h"

namespace cutaway::host {
namespace {

using namespace std::chrono_literals;

struct QueueTest : ::testing::Test {
  TestGpu* gpu = new TestGpu;
  std::string why_lost;
  bool known_before = false;
  Queues queue{std::unique_ptr<arch::Gpu>(gpu),
               [this](const std::string& why) { why_lost = why, known_before = queue.lost(); }};

  // Packets in the driver's memory.
  std::unique_ptr<Allocation> upload(const arch::CommandWriter& writer) {
    auto allocation = queue.memory().allocate(writer.commands().size() * 4, Owner::kDriver);
    allocation->write(0, std::span(writer.commands()));
    return allocation;
  }
  static CommandRange range(const Allocation& allocation, const arch::CommandWriter& writer) {
    return {allocation.address(), static_cast<uint32_t>(writer.commands().size())};
  }
  static bool signaled(SyncDomain& sync, const FenceState& fence) {
    return sync.wait(deadline_after(5'000'000'000), [&] { return fence.signaled; });
  }
};

TEST_F(QueueTest, RunsACopyAndPublishesItBeforeTheFence) {
  const auto memory = queue.memory().allocate(arch::kPageBytes, Owner::kApplication);
  std::byte* view = memory->map();
  view[0] = std::byte{42};
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kCopyBuffer,
                arch::CopyBufferPacket{memory->address(), memory->address() + 64, 4});
  const auto commands = upload(writer);
  Work work;
  work.commands = {range(*commands, writer)};
  work.fence = std::make_shared<FenceState>();
  const auto fence = work.fence;
  queue.push(std::move(work));
  ASSERT_TRUE(signaled(queue.sync(), *fence));
  EXPECT_EQ(view[64], std::byte{42});
}

TEST_F(QueueTest, HostWaitStartsASeparateSubmission) {
  const auto memory = queue.memory().allocate(arch::kPageBytes, Owner::kDriver);
  arch::CommandWriter first, second;
  first.packet(arch::Opcode::kWriteValue, arch::WriteValuePacket{memory->address(), 1});
  second.packet(arch::Opcode::kCopyBuffer,
                arch::CopyBufferPacket{memory->address() + 8, memory->address() + 16, 8});
  const auto before = upload(first), after = upload(second);
  const auto value = [&](uint64_t offset) {
    uint64_t v = 0;
    memory->read(offset, &v, sizeof v);
    return v;
  };
  Work work;
  work.commands = {range(*before, first), range(*after, second)};
  work.commands[1].ready = [&] { return value(8) == 7; };
  queue.push(std::move(work));
  EXPECT_FALSE(queue.wait_idle(deadline_after(20'000'000)));
  EXPECT_EQ(value(0), 1u);  // earlier results are published
  EXPECT_EQ(value(16), 0u);
  queue.sync().change([&] {
    const uint64_t seven = 7;
    memory->write(8, &seven, sizeof seven);
  });
  queue.wait_idle();
  EXPECT_EQ(value(16), 7u);
  EXPECT_EQ(gpu->submissions.size(), 2u);
}

// The marker in effect at the end of a range stays in effect in the next range of the submission.
TEST_F(QueueTest, MarkerPrecedesARangeWithAnotherMarker) {
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kNop);
  const auto commands = upload(writer);
  const auto labelled = [&](uint32_t first, uint32_t last) {
    CommandRange made = range(*commands, writer);
    made.first_marker = first, made.last_marker = last;
    return made;
  };
  Work work;
  work.commands = {labelled(0, 3), labelled(3, 0), labelled(7, 7), labelled(0, 0)};
  queue.push(std::move(work));
  queue.wait_idle();
  using enum arch::Opcode;
  EXPECT_EQ(gpu->packets, (std::vector{kCall, kNop, kCall, kNop, kMarker, kCall, kNop, kMarker, kCall, kNop,
                                       kFlush, kWaitIdle}));
}

TEST_F(QueueTest, PacketsMayBeWrittenWhenTheirTurnComes) {
  const auto memory = queue.memory().allocate(arch::kPageBytes, Owner::kDriver);
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kCopyBuffer,
                arch::CopyBufferPacket{memory->address(), memory->address() + 8, 8});
  const auto commands = upload(writer);
  std::vector<uint64_t> found;
  Work work;
  for (const uint64_t value : {5, 6}) {
    work.commands.push_back(range(*commands, writer));
    work.commands.back().ready = [] { return true; };
    work.commands.back().prepare = [&, value] {
      found.push_back(0);
      memory->read(8, &found.back(), sizeof value);
      memory->write(0, &value, sizeof value);
    };
  }
  queue.push(std::move(work));
  queue.wait_idle();
  uint64_t last = 0;
  memory->read(8, &last, sizeof last);
  EXPECT_EQ(found, (std::vector<uint64_t>{0, 5}));  // the previous submission has ended
  EXPECT_EQ(last, 6u);
}

TEST_F(QueueTest, ASubmissionIsCallsFlushWait) {
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kNop);
  const auto commands = upload(writer);
  Work work;
  work.commands = {range(*commands, writer), range(*commands, writer)};
  queue.push(std::move(work));
  queue.wait_idle();
  using arch::Opcode;
  EXPECT_EQ(gpu->packets, (std::vector{Opcode::kCall, Opcode::kNop, Opcode::kCall, Opcode::kNop,
                                       Opcode::kFlush, Opcode::kWaitIdle}));
  ASSERT_EQ(gpu->submissions.size(), 1u);
  EXPECT_EQ(gpu->submissions[0].id, 1u);
  EXPECT_FALSE(gpu->submissions[0].presents);
}

TEST_F(QueueTest, ARangeBeginsWithoutTheRegistersOfTheOneBefore) {
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kNop);
  const auto commands = upload(writer);
  Work work;
  work.commands = {range(*commands, writer), range(*commands, writer), range(*commands, writer)};
  work.commands[0].left_set = {{2, 3}, {100, 1}};
  work.commands[2].left_set = {{7, 1}};
  queue.push(std::move(work));
  queue.wait_idle();
  using enum arch::Opcode;
  EXPECT_EQ(gpu->packets, (std::vector{kCall, kNop, kSetRegisters, kSetRegisters, kCall, kNop, kCall, kNop,
                                       kFlush, kWaitIdle}));
}

TEST_F(QueueTest, BehindAPresentNothingStands) {
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kNop);
  const auto commands = upload(writer);
  Work work;
  work.commands = {range(*commands, writer)};
  work.presents = true;
  bool ended = false;
  work.ended = [&](const arch::Memory&) { ended = true; };
  queue.push(std::move(work));
  queue.wait_idle();
  EXPECT_EQ(gpu->packets.back(), arch::Opcode::kNop);
  EXPECT_TRUE(gpu->submissions[0].presents);
  EXPECT_TRUE(ended);
}

// Until it waits or looks the program knows of no end.
TEST_F(QueueTest, TellsHowFarTheProgramIsAhead) {
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kNop);
  const auto commands = upload(writer);
  const auto push = [&](bool prepared = false) {
    Work work;
    work.commands = {range(*commands, writer)};
    if (prepared) work.commands[0].prepare = [] {};
    queue.push(std::move(work));
  };
  for (int i = 0; i < 3; i++) push();
  queue.wait_idle();
  push(), push();
  queue.wait_idle();
  push(), push(true);  // the host writes packets that may be under way
  queue.wait_idle();
  std::vector<uint32_t> ahead;
  for (const arch::Submission& submission : gpu->submissions) ahead.push_back(submission.ahead);
  EXPECT_EQ(ahead, (std::vector<uint32_t>{0, 1, 2, 0, 1, 0, 0}));
  std::set<arch::Address> places;
  for (const arch::Submission& submission : gpu->submissions) places.insert(submission.commands);
  EXPECT_EQ(places.size(), 7u) << "a submission may be read while the next is written";
}

// The range may be in use until they have ended.
TEST_F(QueueTest, ABindWaitsForAllSubmissionsBefore) {
  const auto memory = queue.memory().allocate(arch::kPageBytes, Owner::kDriver);
  const auto range_of_addresses = queue.memory().reserve(arch::kPageBytes);
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kWaitIdle);
  const auto commands = upload(writer);
  const auto submit = [&] {
    Work work;
    work.commands = {range(*commands, writer)};
    queue.push(std::move(work));
  };
  submit(), submit();
  Work bind;
  bind.ended = [&](const arch::Memory&) {
    queue.memory().bind(range_of_addresses->address(), arch::kPageBytes, memory->address());
  };
  queue.push(std::move(bind));
  submit(), submit();
  queue.wait_idle();
  std::vector<uint32_t> ahead;
  for (const arch::Submission& submission : gpu->submissions) ahead.push_back(submission.ahead);
  EXPECT_EQ(ahead, (std::vector<uint32_t>{0, 1, 0, 3}));
  EXPECT_EQ(gpu->memory(0).target_of(range_of_addresses->address() + 4), memory->address() + 4);
}

// A page that the host sends may contain bytes that the GPU has written.
TEST_F(QueueTest, WaitsForTheGpuWhereBothWriteAPage) {
  const auto ahead = [&](uint64_t offset) {
    const auto memory = queue.memory().allocate(2 * arch::kPageBytes, Owner::kDriver);
    arch::CommandWriter writer, nothing;
    writer.packet(arch::Opcode::kFillBuffer, arch::FillBufferPacket{memory->address(), 64, 7});
    nothing.packet(arch::Opcode::kNop);
    const auto first = upload(writer), second = upload(nothing);
    Work fill, other;
    fill.commands = {range(*first, writer)};
    other.commands = {range(*second, nothing)};
    // Between the two, on the thread of the queue.
    fill.ended = [&](const arch::Memory&) { memory->write(offset, &offset, sizeof offset); };
    queue.push(std::move(fill)), queue.push(std::move(other));
    queue.wait_idle();
    return gpu->submissions.back().ahead;
  };
  EXPECT_EQ(ahead(512), 0u);
  EXPECT_EQ(ahead(arch::kPageBytes + 512), 1u);
}

TEST_F(QueueTest, MoreCommandsThanTheRingHoldsStillRun) {
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kNop);
  const auto commands = upload(writer);
  Work work;
  work.commands.assign(5000, range(*commands, writer));
  queue.push(std::move(work));
  queue.wait_idle();
  EXPECT_EQ(std::count(gpu->packets.begin(), gpu->packets.end(), arch::Opcode::kNop), 5000);
}

TEST_F(QueueTest, WorkWaitsForATimelineValueThatTheHostSignals) {
  const auto timeline = std::make_shared<SemaphoreState>(SemaphoreState{.timeline = true});
  Work work;
  work.waits = {{timeline, 3}};
  work.signals = {{timeline, 5}};
  work.fence = std::make_shared<FenceState>();
  const auto fence = work.fence;
  queue.push(std::move(work));
  EXPECT_FALSE(queue.sync().wait(deadline_after(20'000'000), [&] { return fence->signaled; }));
  queue.sync().change([&] { timeline->value = 3; });
  ASSERT_TRUE(signaled(queue.sync(), *fence));
  EXPECT_EQ(queue.sync().read([&] { return timeline->value; }), 5u);
}

// Before each work: that the program waited for the work before, and that it went on.
TEST_F(QueueTest, TellsWhatTheProgramWaitedFor) {
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kNop);
  const auto commands = upload(writer);
  const auto timeline = std::make_shared<SemaphoreState>();
  timeline->timeline = true;
  for (uint64_t i = 1; i <= 3; i++) {
    Work work;
    work.commands = {range(*commands, writer)};
    work.fence = std::make_shared<FenceState>();
    work.signals = {{timeline, 10 * i}};
    const auto fence = work.fence;
    queue.push(std::move(work));
    queue.wait_idle();
    EXPECT_EQ(fence->submission, i);
  }
  std::vector<uint64_t> awaited;
  for (const arch::HostStep& step : gpu->steps) awaited.push_back(step.awaited);
  EXPECT_EQ(awaited, (std::vector<uint64_t>{0, 1, 0, 2, 0}));
  for (const auto& [value, submission] : {std::pair(1, 1), {10, 1}, {11, 2}, {30, 3}, {31, 0}})
    EXPECT_EQ(timeline->submission_of(static_cast<uint64_t>(value)), static_cast<uint64_t>(submission));
}

TEST(Semaphore, ForgetsSignalsOfLongAgo) {
  SemaphoreState state;
  state.timeline = true;
  state.signal(1, {});
  for (uint64_t i = 2; i <= 65; i++) state.signal(i, {100 + i, 0});
  EXPECT_EQ(state.submission_of(1), 102u) << "its own signal is forgotten";
  EXPECT_EQ(state.submission_of(65), 165u);
  EXPECT_EQ(state.value, 65u);
}

TEST_F(QueueTest, AWaitTakesABinarySemaphoreBack) {
  const auto binary = std::make_shared<SemaphoreState>();
  Work first, second;
  first.signals = {{binary, 1}};
  second.waits = {{binary, 1}};
  queue.push(std::move(first));
  queue.push(std::move(second));
  queue.wait_idle();
  EXPECT_EQ(binary->value, 0u);
}

TEST_F(QueueTest, FaultLosesTheDeviceAndEndsAllWaits) {
  gpu->fault_text = "packet of an unknown opcode";
  arch::CommandWriter writer;
  writer.packet(arch::Opcode::kNop);
  const auto commands = upload(writer);
  Work work;
  work.commands = {range(*commands, writer)};
  work.fence = std::make_shared<FenceState>();
  const auto fence = work.fence;
  queue.push(std::move(work));
  ASSERT_TRUE(signaled(queue.sync(), *fence));
  EXPECT_TRUE(queue.lost());
  EXPECT_NE(why_lost.find("packet of an unknown opcode"), std::string::npos);
  EXPECT_FALSE(known_before);
  Work late;
  late.waits = {{std::make_shared<SemaphoreState>(), 1}};
  queue.push(std::move(late));
  queue.wait_idle();
  EXPECT_EQ(gpu->submissions.size(), 1u);
}

}  // namespace
}  // namespace cutaway::host
