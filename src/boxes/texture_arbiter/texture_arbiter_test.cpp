#include "boxes/texture_arbiter/texture_arbiter.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::texture_arbiter_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::TextureMessage;

// A texture unit that returns each job after a fixed time.
class Sampler final : public engine::testing::Answerer<TextureMessage> {
 public:
  Sampler(std::string path, Cycle latency_) : Answerer(std::move(path)) { latency = latency_; }
  std::vector<uint32_t> order;  // groups, in order of arrival

 private:
  void serve(Cycle, TextureMessage& message) override { order.push_back(message.job->group); }
};

struct Bench {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  TextureArbiter& box;
  Sampler& sampler = sim.add<Sampler>(clock, "sampler", 10);
  std::vector<Source<TextureMessage>*> sources;
  std::vector<Sink<TextureMessage>*> sinks;

  explicit Bench(unsigned units) : box(sim.add<TextureArbiter>(clock, "arbiter", units)) {
    for (unsigned i = 0; i < units; i++) {
      sources.push_back(&sim.add<Source<TextureMessage>>(clock, "shader" + std::to_string(i)));
      sinks.push_back(&sim.add<Sink<TextureMessage>>(clock, "results" + std::to_string(i)));
      sim.connect(sources[i]->out, box.jobs_in[i], {1, 1, 4});
      sim.connect(box.results_out[i], sinks[i]->in, {1, 1, 4});
    }
    sim.connect(box.jobs_out, sampler.in, {1, 1, 4});
    sim.connect(sampler.out, box.results_in, {1, 1, 4});
    sim.elaborate();
  }
  // Sends a job of this unit; the group field holds its number.
  void send(unsigned unit, uint32_t number) {
    TextureMessage message{pools.texture_jobs.allocate()};
    *message.job = {};
    message.job->group = number;
    sources[unit]->messages.push_back(message), sources[unit]->wake();
  }
  std::vector<uint32_t> results(unsigned unit) const {
    std::vector<uint32_t> all;
    for (const auto& [cycle, message] : sinks[unit]->received) all.push_back(message.job->group);
    return all;
  }
};

TEST(TextureArbiter, ResultsReturnToTheRequester) {
  Bench bench(3);
  for (uint32_t i = 0; i < 20; i++)
    for (unsigned unit = 0; unit < 3; unit++) bench.send(unit, 100 * unit + i);
  bench.sim.run(bench.clock, 200);
  for (unsigned unit = 0; unit < 3; unit++) {
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < 20; i++) expected.push_back(100 * unit + i);
    EXPECT_EQ(bench.results(unit), expected);
  }
  EXPECT_EQ(bench.box.counters.jobs, 60u);
}

TEST(TextureArbiter, UnitsThatWaitTakeTurns) {
  Bench bench(3);
  bench.send(1, 10), bench.send(1, 11), bench.send(1, 12);
  bench.send(2, 20), bench.send(2, 21);
  bench.sim.run(bench.clock, 60);
  EXPECT_EQ(bench.sampler.order, (std::vector<uint32_t>{10, 20, 11, 21, 12}));
  EXPECT_EQ(bench.box.counters.contended, 4u);  // the last one waited alone
}

// One job per cycle in total: n units together take as long as one with as many jobs.
TEST(TextureArbiter, PassesAJobACycle) {
  const auto time = [](unsigned units, uint32_t jobs) {
    Bench bench(units);
    for (uint32_t i = 0; i < jobs; i++) bench.send(i % units, i);
    bench.sim.run(bench.clock, 300);
    Cycle last = 0;
    for (const auto* sink : bench.sinks) {
      if (!sink->received.empty()) last = std::max(last, sink->received.back().first);
    }
    EXPECT_EQ(bench.sampler.order.size(), jobs);
    return last;
  };
  EXPECT_EQ(time(2, 40) - time(2, 20), 20u);
  EXPECT_EQ(time(4, 80) - time(4, 20), 60u);
  // A single job: two wires with a cycle each, ten in the texture unit, and two wires back.
  EXPECT_EQ(time(2, 1), 1 + 1 + 1 + 10 + 1 + 1);
}

// A unit that does not take its results delays later results of others, and is blamed.
TEST(TextureArbiter, BlamesABlockedRequester) {
  Bench bench(2);
  bench.sinks[1]->refuse = true;
  for (uint32_t i = 0; i < 10; i++) bench.send(1, i);
  bench.send(0, 99);
  bench.sim.run(bench.clock, 200);
  const engine::Account account = messages::testing::account_of(bench.sim, bench.box);
  EXPECT_GT(account.blocked_by("results1"), 100u);
  EXPECT_EQ(account.blocked_by("results0"), 0u);
}

TEST(TextureArbiter, BlamesASlowTextureUnit) {
  const auto blame = [](Cycle k) {
    Bench bench(2);
    bench.sampler.interval = k;
    for (uint32_t i = 0; i < 20; i++) bench.send(i % 2, i);
    bench.sim.run(bench.clock, 2000);
    EXPECT_EQ(bench.box.counters.jobs, 20u);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("sampler");
  };
  // Four jobs fit into the wire and one leaves it at once: 15 more wait for the unit.
  messages::testing::expect_blame_per_item(blame, 15);
}

TEST(TextureArbiter, IsIdleWithoutWork) {
  Bench bench(2);
  bench.sim.run(bench.clock, 50);
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).idle, 50u);
}

}  // namespace
}  // namespace cutaway::boxes::texture_arbiter_test
