#include "boxes/compute_distributor/compute_distributor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"

namespace cutaway::boxes::compute_distributor_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::DispatchCommand;
using messages::DispatchDone;
using messages::Workgroup;
using messages::WorkgroupEnd;
using ::testing::ElementsAre;

// Takes workgroups, up to `room` at a time, and ends each `latency` cycles later.
class Unit final : public engine::Box {
 public:
  explicit Unit(std::string path) : Box(std::move(path)) {}
  engine::In<Workgroup> in;
  engine::Out<WorkgroupEnd> out;
  size_t room = 1;
  Cycle latency = 20;
  std::vector<std::pair<Cycle, Workgroup>> seen;

  Cycle tick(Cycle now) override {
    bool progress = false;
    if (ended_ < seen.size() && seen[ended_].first + latency <= now && out.ready(now)) {
      out.send(now, {seen[ended_++].second.dispatch});
      progress = true;
    }
    if (seen.size() - ended_ < room && in.peek(now)) seen.emplace_back(now, in.take(now)), progress = true;
    if (progress) return busy(now);
    return idle(now,
                ended_ < seen.size() ? std::max(now + 1, seen[ended_].first + latency) : engine::kAsleep);
  }
  void list_ports(engine::PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return ""; }

 private:
  size_t ended_ = 0;
};

struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ComputeDistributor& box;
  Source<DispatchCommand>& commands = sim.add<Source<DispatchCommand>>(clock, "processor");
  Sink<DispatchDone>& done = sim.add<Sink<DispatchDone>>(clock, "done");
  std::vector<Unit*> units;

  explicit Bench(unsigned count = 1, const ComputeDistributorSpec& spec = {})
      : box(sim.add<ComputeDistributor>(clock, "distributor", spec, count)) {
    sim.connect(commands.out, box.dispatches_in, {1, 1, 4});
    sim.connect(box.done_out, done.in, {1, 1, 2});
    for (unsigned i = 0; i < count; i++) {
      units.push_back(&sim.add<Unit>(clock, "unit" + std::to_string(i)));
      sim.connect(box.workgroups_out[i], units[i]->in, {1, 1, 2});
      sim.connect(units[i]->out, box.ended_in[i], {1, 1, 4});
    }
    sim.elaborate();
  }
  void dispatch(uint32_t number, std::array<uint32_t, 3> groups, std::array<uint32_t, 3> base = {}) {
    DispatchCommand command{.number = number};
    std::copy_n(groups.begin(), 3, command.dispatch.groups);
    std::copy_n(base.begin(), 3, command.dispatch.base);
    commands.messages.push_back(command), commands.wake();
  }
  void run(Cycle cycles = 2000) { sim.run(clock, cycles); }
};

TEST(ComputeDistributor, SendsWorkgroupsXFirst) {
  Bench bench;
  bench.units[0]->latency = 1;
  bench.dispatch(5, {2, 1, 2}, {10, 20, 30});
  bench.run();
  std::vector<std::array<uint32_t, 3>> ids;
  for (const auto& [time, group] : bench.units[0]->seen) {
    ids.push_back({group.id[0], group.id[1], group.id[2]});
    EXPECT_THAT(group.count, ElementsAre(2, 1, 2));
    EXPECT_EQ(group.dispatch, 5u);
  }
  using Id = std::array<uint32_t, 3>;
  EXPECT_THAT(ids, ElementsAre(Id{10, 20, 30}, Id{11, 20, 30}, Id{10, 20, 31}, Id{11, 20, 31}));
  ASSERT_EQ(bench.done.received.size(), 1u);
  EXPECT_EQ(bench.done.received[0].second.dispatch, 5u);
  EXPECT_EQ(bench.box.counters.workgroups, 4u);
}

// Sent in cycle 1, arrives in 2 and is taken; sent on in 3, arrives in 4.
TEST(ComputeDistributor, TellsTheEndWhenTheLastWorkgroupHasEnded) {
  Bench bench;
  bench.units[0]->latency = 30;
  bench.dispatch(1, {1, 1, 1});
  bench.run();
  ASSERT_EQ(bench.units[0]->seen.size(), 1u);
  EXPECT_EQ(bench.units[0]->seen[0].first, 4u);
  ASSERT_EQ(bench.done.received.size(), 1u);
  EXPECT_EQ(bench.done.received[0].first, 4u + 30 + 1 + 1);  // ended, a wire, reported, a wire
}

TEST(ComputeDistributor, ADispatchWithoutWorkgroupsEndsAtOnce) {
  Bench bench;
  bench.dispatch(1, {4, 0, 4});
  bench.run(10);
  ASSERT_EQ(bench.done.received.size(), 1u);
  EXPECT_EQ(bench.done.received[0].first, 4u);
  EXPECT_TRUE(bench.units[0]->seen.empty());
}

TEST(ComputeDistributor, SendsTheDeclaredWorkgroupsPerCycle) {
  for (const unsigned rate : {1u, 2u, 4u}) {
    Bench bench(8, {.workgroups_per_cycle = rate});
    bench.dispatch(1, {8, 1, 1});
    bench.run();
    Cycle first = ~0ull, last = 0;
    for (const Unit* unit : bench.units) {
      ASSERT_EQ(unit->seen.size(), 1u);
      first = std::min(first, unit->seen[0].first), last = std::max(last, unit->seen[0].first);
    }
    EXPECT_EQ(last - first, 8 / rate - 1);
  }
}

// The second unit is slow: with turns it gets as many as the first.
TEST(ComputeDistributor, ChoosesTheLeastLoadedUnit) {
  for (const WorkgroupPolicy policy : {WorkgroupPolicy::kTurns, WorkgroupPolicy::kLeastLoaded}) {
    Bench bench(2, {.workgroups = policy});
    for (Unit* unit : bench.units) unit->room = 16;
    bench.units[0]->latency = 1, bench.units[1]->latency = 5000;
    bench.dispatch(1, {30, 1, 1});
    bench.run();
    const size_t slow = bench.units[1]->seen.size();
    if (policy == WorkgroupPolicy::kTurns) EXPECT_EQ(slow, 15u);
    else EXPECT_LT(slow, 8u);
  }
}

// The next dispatch begins when the previous one has been sent, up to the limit in flight.
TEST(ComputeDistributor, DispatchesFollowOneAnother) {
  for (const unsigned dispatches : {1u, 2u, 3u}) {
    Bench bench(3, {.dispatches = dispatches});
    for (uint32_t i = 0; i < 3; i++) bench.dispatch(i, {1, 1, 1});
    for (Unit* unit : bench.units) unit->latency = 100;
    bench.run(60);
    size_t under_way = 0;
    for (const Unit* unit : bench.units) under_way += unit->seen.size();
    EXPECT_EQ(under_way, dispatches);
    bench.run();
    EXPECT_EQ(bench.done.received.size(), 3u);
  }
}

TEST(ComputeDistributor, SaysWhomItWaitsFor) {
  Bench bench;
  bench.units[0]->latency = 100;
  bench.dispatch(1, {1, 1, 1});
  bench.run(90);
  EXPECT_GT(bench.box.account().starved_by("unit0"), 70u);
  bench.dispatch(2, {4, 1, 1});
  bench.run(90);
  EXPECT_GT(bench.box.account().blocked_by("unit0"), 40u);
  const engine::Account account = bench.box.account();
  EXPECT_EQ(account.busy + account.starved + account.blocked + account.idle, account.cycles);
}

}  // namespace
}  // namespace cutaway::boxes::compute_distributor_test
