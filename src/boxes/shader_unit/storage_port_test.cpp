#include "boxes/shader_unit/storage_port.h"

#include "boxes/shader_unit/group_bench_for_test.h"

namespace cutaway::boxes::storage_port_test {
namespace {

using namespace group_test_bench;
using messages::PoolRef;
using messages::StorageJob;
using Progress = StoragePort::Progress;
using Way = StoragePort::Way;

constexpr ShaderUnitSpec kWithL1{.l1_lines = 16, .l1_latency = 20, .l1_mshrs = 4};

// A buffer at 0x1000 whose lines of 64 bytes alternate between two slices.
struct Bench : GroupBench {
  messages::Pools pools;
  UnitStorageCounters counters;
  StoragePort port;

  explicit Bench(std::string_view text, const ShaderUnitSpec& spec = {})
      : GroupBench(Stage::kCompute, text, 4),
        port(spec, {.slices = 2, .line_bytes = 64, .interleave = {2, 64}}, 8, pools.storage_jobs, counters) {}

  // The group's next instruction begins, and lanes access bytes 0, `stride`, 2 x `stride` and so on.
  Group& begin(uint32_t stride, Cycle leaves) { return begin(enter(1), stride, leaves); }
  Group& begin(Group& group, uint32_t stride, Cycle leaves) {
    for (uint32_t lane = 0; lane < 4; lane++) group.temporary[lane] = stride * lane;
    port.begin(group, port.blocking(), leaves);
    return group;
  }
  PoolRef<StorageJob> send(Cycle now, const Group& group) {
    StoragePort::Sent sent = port.send(now, group.origin, true);
    EXPECT_EQ(sent.way, Way::kLeaves);
    return std::move(sent.job);
  }
};

bool complete(Bench& bench, Group& group) {
  return bench.port.complete(group, bench.port.blocking(), group.next_op(), group.threads.active());
}

constexpr const char* kLoad = "LDB r1.x, r0.x, t0\nEND\n";
constexpr const char* kStore = "STB _.x, r0.x, c1.x, t0\nEND\n";

TEST(StoragePort, ATransactionLeavesInItsCycleAndNotBefore) {
  Bench bench(kLoad);
  EXPECT_FALSE(bench.port.waiting());
  const Group& group = bench.begin(4, 10);
  EXPECT_TRUE(bench.port.waiting());
  EXPECT_FALSE(bench.port.due(9));
  EXPECT_TRUE(bench.port.due(10));
  EXPECT_EQ(bench.port.group(), group.index);
}

TEST(StoragePort, LanesThatTouchALineShareATransaction) {
  Bench bench(kLoad);
  Group& group = bench.begin(32, 1);  // bytes 0, 32, 64 and 96
  EXPECT_EQ(bench.port.slice(), 0u);
  const PoolRef<StorageJob> first = bench.send(1, group);
  EXPECT_EQ(first->line, 0x1000u);
  EXPECT_FALSE(bench.port.all_sent());
  EXPECT_EQ(bench.port.slice(), 1u);
  const PoolRef<StorageJob> second = bench.send(2, group);
  EXPECT_EQ(second->line, 0x1040u);
  EXPECT_TRUE(bench.port.all_sent());
  EXPECT_EQ(bench.port.under_way(0), 1u);
  EXPECT_EQ(bench.port.under_way(1), 1u);
}

TEST(StoragePort, AFullSliceHoldsATransactionBack) {
  Bench bench(kLoad);
  const Group& group = bench.begin(4, 1);
  EXPECT_EQ(bench.port.send(1, group.origin, false).way, Way::kStalled);
  EXPECT_FALSE(bench.port.all_sent());
  EXPECT_EQ(bench.port.under_way(0), 0u);
}

TEST(StoragePort, ALoadIsCompleteWithItsLastAnswer) {
  Bench bench(kLoad);
  Group& group = bench.begin(32, 1);
  const PoolRef<StorageJob> first = bench.send(1, group), second = bench.send(2, group);
  EXPECT_FALSE(bench.port.finish_sending());  // waits for answers
  EXPECT_FALSE(bench.port.waiting());
  for (uint32_t i = 0; i < 64; i++) {
    first->data[i] = static_cast<std::byte>(i);
    second->data[i] = static_cast<std::byte>(64 + i);
  }
  bench.port.receive(50, 1, *second);
  EXPECT_EQ(bench.port.under_way(1), 0u);
  EXPECT_EQ(bench.port.answer(*second), Progress::kMore);
  bench.port.receive(51, 0, *first);
  EXPECT_EQ(bench.port.answer(*first), Progress::kComplete);
  EXPECT_TRUE(complete(bench, group));
  for (uint32_t lane = 0; lane < 4; lane++)
    EXPECT_EQ(group.temporary[func::register_word(4, 1, 0, lane)] & 0xff, 32 * lane);
}

// The group goes on when they have left; at barriers and at its end it asks whether they are done.
TEST(StoragePort, StoresAreUnderWayUntilAllAreDone) {
  Bench bench(kStore);
  Group& group = bench.begin(64, 1);
  std::vector<PoolRef<StorageJob>> jobs;
  for (Cycle now = 1; now <= 4; now++) jobs.push_back(bench.send(now, group));
  EXPECT_TRUE(bench.port.finish_sending());
  EXPECT_FALSE(complete(bench, group));  // it has waited for nothing
  EXPECT_EQ(bench.port.stores_under_way(group.index), 4u);
  for (uint32_t i = 0; i < 3; i++) EXPECT_EQ(bench.port.answer(*jobs[i]), Progress::kMore);
  EXPECT_EQ(bench.port.stores_under_way(group.index), 1u);
  EXPECT_EQ(bench.port.answer(*jobs[3]), Progress::kStored);
  EXPECT_EQ(bench.port.stores_under_way(group.index), 0u);
}

TEST(StoragePort, AnAtomicLeavesBehindTheStoresOfItsGroup) {
  Bench bench("STB _.x, r0.x, c1.x, t0\nATOM r1.x, r0.x, c1.x, c0.x, t0, OP(0)\nEND\n");
  Group& group = bench.begin(4, 1);
  const PoolRef<StorageJob> store = bench.send(1, group);
  bench.port.finish_sending();
  complete(bench, group);
  group.threads.advance();
  bench.begin(group, 4, 5);
  EXPECT_FALSE(bench.port.waiting());
  EXPECT_EQ(bench.port.answer(*store), Progress::kStored);
  EXPECT_TRUE(bench.port.waiting());
  EXPECT_TRUE(bench.port.due(5));
}

TEST(StoragePort, LanesOutsideTheBufferSendNothing) {
  Bench bench(kLoad);
  Group& group = bench.enter(1);
  for (uint32_t lane = 0; lane < 4; lane++) group.temporary[lane] = 4096;
  bench.port.begin(group, bench.port.blocking(), 1);
  EXPECT_TRUE(bench.port.all_sent());
  EXPECT_TRUE(bench.port.finish_sending());
}

// ---- The first level ----

constexpr const char* kCachedLoad = "LDB r1.x, r0.x, t0, CACHED\nEND\n";

TEST(StoragePort, TheFirstLevelAnswersAHitAfterItsLatency) {
  Bench bench(kCachedLoad, kWithL1);
  Group& first = bench.begin(4, 1);
  const PoolRef<StorageJob> job = bench.send(1, first);
  bench.port.finish_sending();
  bench.port.receive(10, 0, *job);
  EXPECT_EQ(bench.port.answer(*job), Progress::kComplete);
  complete(bench, first);
  EXPECT_EQ(bench.counters.l1_misses, 1u);

  Group& second = bench.begin(4, 11);
  EXPECT_EQ(bench.port.send(11, second.origin, false).way, Way::kKept);  // needs no room
  EXPECT_EQ(bench.counters.l1_hits, 1u);
  EXPECT_EQ(bench.port.under_way(0), 0u);
  const auto nothing = [](uint32_t) { return false; };
  EXPECT_EQ(bench.port.next_hit(11), 31u);
  EXPECT_EQ(bench.port.choose_answer(30, nothing), StoragePort::kNone);
  EXPECT_EQ(bench.port.choose_answer(31, nothing), bench.port.first_level());
  EXPECT_EQ(bench.port.answer(*bench.port.take_hit()), Progress::kComplete);
  EXPECT_EQ(bench.port.next_hit(31), engine::kAsleep);
}

TEST(StoragePort, AForgottenLineMissesAgain) {
  Bench bench(kCachedLoad, kWithL1);
  const Group& first = bench.begin(4, 1);
  const PoolRef<StorageJob> job = bench.send(1, first);
  bench.port.finish_sending();
  bench.port.receive(10, 0, *job);
  bench.port.forget();
  EXPECT_EQ(bench.counters.l1_invalidates, 1u);
  const Group& second = bench.begin(4, 11);
  EXPECT_EQ(bench.port.send(11, second.origin, true).way, Way::kLeaves);
}

TEST(StoragePort, SourcesOfAnswersTakeTurns) {
  Bench bench(kLoad);
  const auto both = [](uint32_t) { return true; };
  EXPECT_EQ(bench.port.choose_answer(1, both), 0u);
  EXPECT_EQ(bench.port.choose_answer(1, both), 1u);
  EXPECT_EQ(bench.port.choose_answer(1, both), 0u);
  EXPECT_EQ(bench.port.choose_answer(1, [](uint32_t slice) { return slice == 0; }), 0u);
}

TEST(StoragePort, TheBusiestSliceHasMostTransactions) {
  Bench bench(kLoad);
  const Group& group = bench.begin(64, 1);  // slices 0, 1, 0 and 1
  bench.send(1, group), bench.send(2, group), bench.send(3, group);
  EXPECT_EQ(bench.port.busiest_slice(), 0u);
  const Group& other = bench.begin(64, 1);
  bench.send(4, group);
  bench.port.finish_sending();
  bench.send(5, other), bench.send(6, other);
  EXPECT_EQ(bench.port.under_way(0), 3u);
  EXPECT_EQ(bench.port.busiest_slice(), 0u);
}

}  // namespace
}  // namespace cutaway::boxes::storage_port_test
