#include "messages/fragment_log.h"

#include <gtest/gtest.h>
#include <vector>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/log_fragments.h"

namespace cutaway::messages::fragment_log_test {
namespace {

struct Bench {
  engine::Simulator sim;
  engine::Domain& core = sim.add_domain("core", 1);
  engine::testing::Source<int>& source = sim.add<engine::testing::Source<int>>(core, "source");
  engine::testing::Sink<int>& sink = sim.add<engine::testing::Sink<int>>(core, "sink");
  FragmentLog log;

  explicit Bench(uint64_t limit) : log(core, limit) {
    sim.connect(source.out, sink.in, {1, 1, 2});
    sim.elaborate();
  }
  // Adds events of these works in the next cycle.
  void add(const std::vector<uint32_t>& works) {
    sim.run(core, 1);
    for (const uint32_t work : works) log.add({.work = work, .lanes = 1});
  }
  std::vector<uint32_t> works() {
    std::vector<uint32_t> all;
    for (const run_record::FragmentEvent& event : log.sorted()) all.push_back(event.work);
    return all;
  }
};

TEST(FragmentLog, HasTheEventsOfACycleInOneOrder) {
  Bench bench(10);
  bench.add({3, 1});
  bench.add({2, 0});
  EXPECT_EQ(bench.works(), (std::vector<uint32_t>{1, 3, 0, 2}));
  EXPECT_EQ(bench.log.end(), 0u);
}

// The third cycle has an event that has room and one that is lost: neither is told.
TEST(FragmentLog, EndsBeforeTheCycleThatLostAnEvent) {
  Bench bench(3);
  bench.add({1});
  bench.add({2});
  bench.add({3, 4});
  bench.add({5});
  EXPECT_EQ(bench.log.end(), 3u);
  EXPECT_EQ(bench.works(), (std::vector<uint32_t>{1, 2}));
}

TEST(FragmentLog, TellsEachFragmentOfATile) {
  Bench bench(3);
  TileMessage tile;
  tile.origin.work = 7, tile.x = 16, tile.y = 8, tile.coverage = 0x8000'0000'0000'0401;
  log_tile(bench.log, tile);
  const auto events = bench.log.sorted();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, run_record::FragmentEvent::Kind::kKilledHz);
  EXPECT_EQ(events[0].coverage(), 0x8000'0000'0000'0401u);
  EXPECT_EQ(events[0].fragments(), 3u);
  EXPECT_TRUE(events[0].touches(16, 8));
}

}  // namespace
}  // namespace cutaway::messages::fragment_log_test
