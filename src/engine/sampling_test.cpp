// Tests rows of counters by interval and on request, and counts by piece of work.
#include <gmock/gmock.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"

namespace cutaway::engine {

struct Job {
  int size = 0;
  uint32_t work = 0;
};
inline uint32_t work_of(const Job& job) { return job.work; }

namespace {

using ::testing::ElementsAre;
using testing::Sink;
using testing::Source;

struct WorkerCounters {
  uint64_t done = 0;

  template <class V>
  static void fields(V&& v) {
    v("done", &WorkerCounters::done, "steps", "steps of jobs");
  }
};

// Works on a job for as many cycles as its size, and passes it on in the last.
class Worker final : public Box {
 public:
  explicit Worker(std::string path) : Box(std::move(path)) {}
  In<Job> in;
  Out<Job> out;
  WorkerCounters counters;

  Cycle tick(Cycle now) override {
    if (!left_) {
      if (!in.peek(now)) return starved(now, in);
      job_ = in.take(now);
      left_ = job_.size;
    }
    if (left_ == 1 && !out.ready(now)) return blocked(now, out);
    counters.done++;
    if (--left_ == 0) out.send(now, job_);
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return left_ ? "a job" : ""; }

 private:
  Job job_;
  int left_ = 0;
};

struct Chain {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  Source<Job>& source;
  Worker& worker = sim.add<Worker>(core, "gpu.worker");
  Sink<Job>& sink = sim.add<Sink<Job>>(core, "gpu.sink");

  explicit Chain(std::vector<Job> jobs, const SchedulerOptions& options = {})
      : sim(options), source(sim.add<Source<Job>>(core, "gpu.source", std::move(jobs))) {
    sim.connect(source.out, worker.in, {.latency = 1, .slots = 4});
    sim.connect(worker.out, sink.in, {.latency = 2, .slots = 4});
    sim.elaborate();
  }
};

std::vector<Job> equal_jobs(size_t count) { return std::vector<Job>(count, Job{.size = 1}); }

TEST(Sampler, ARowEndsEachInterval) {
  Chain chain(equal_jobs(1000));
  chain.sim.run(chain.core, 5);
  Sampler& sampler = chain.sim.sample(chain.core, {.interval = 10});
  chain.sim.run(chain.core, 39);
  ASSERT_EQ(sampler.rows(), 3u);
  EXPECT_THAT((std::vector{sampler.end(0), sampler.end(1), sampler.end(2)}), ElementsAre(15, 25, 35));
  EXPECT_THAT(sampler.column("gpu.worker.done"), ElementsAre(10, 10, 10));
  EXPECT_THAT(sampler.column("gpu.worker.starved.in"), ElementsAre(0, 0, 0));
  EXPECT_THROW(sampler.column("gpu.worker.lost"), InternalError);
}

TEST(Sampler, RowsEndOnRequestWithoutGaps) {
  Chain chain(equal_jobs(1000));
  Sampler& sampler = chain.sim.sample(chain.core, {});
  chain.sim.run(chain.core, 7);
  EXPECT_EQ(sampler.rows(), 0u);
  sampler.request();
  chain.sim.run(chain.core, 1);
  sampler.request();
  chain.sim.run(chain.core, 20);
  ASSERT_EQ(sampler.rows(), 2u);
  EXPECT_EQ(sampler.end(0), 8u);
  EXPECT_EQ(sampler.end(1), 9u);
  EXPECT_THAT(sampler.column("gpu.worker.done"), ElementsAre(7, 1));
  sampler.clear();
  sampler.request();
  chain.sim.run(chain.core, 1);
  EXPECT_THAT(sampler.column("gpu.worker.done"), ElementsAre(20));
}

TEST(Sampler, WiresTellMessagesAndHowFullTheyAre) {
  Chain chain(equal_jobs(100000));
  chain.sim.run(chain.core, 1000);
  Sampler& sampler = chain.sim.sample(chain.core, {.interval = 6400, .wires = true});
  chain.sim.run(chain.core, 2 * 6400);
  ASSERT_EQ(sampler.rows(), 2u);
  for (const size_t row : {0, 1}) {
    ASSERT_EQ(sampler.wires(row).size(), 2u);
    EXPECT_EQ(sampler.probes(row), 100u);
    // One message per cycle: after each cycle `latency` messages are in flight.
    EXPECT_EQ(sampler.wires(row)[0].messages, 6400u);
    EXPECT_EQ(sampler.wires(row)[0].filling, 100u);
    EXPECT_EQ(sampler.wires(row)[1].messages, 6400u);
    EXPECT_EQ(sampler.wires(row)[1].filling, 200u);
  }
}

TEST(Sampler, ChangesNothing) {
  Chain plain(equal_jobs(1000)), sampled(equal_jobs(1000));
  sampled.sim.sample(sampled.core, {.interval = 7, .wires = true});
  sampled.sim.keep_ledger();
  for (Chain* chain : {&plain, &sampled}) chain->sink.interval = 3, chain->sim.run(chain->core, 500);
  EXPECT_EQ(plain.sim.counter_hash(), sampled.sim.counter_hash());
}

// Values of a counter, by work.
std::vector<uint64_t> by_work(const Chain& chain, const std::vector<Ledger::Share>& shares,
                              const std::string& name, size_t works) {
  std::vector<uint64_t> values(works);
  for (const Ledger::Share& share : shares)
    if (chain.sim.counters().counters()[share.counter].full_name() == name) values[share.work] += share.value;
  return values;
}

TEST(Ledger, AttributesCountsToTakenMessages) {
  // Work 0: cycle 1, before the first arrival. Sizes 3 + 2 for work 1, 5 for work 2, then 1 again.
  Chain chain({{3, 1}, {2, 1}, {5, 2}, {4, 1}});
  Ledger& ledger = chain.sim.keep_ledger();
  chain.sim.run(chain.core, 30);
  chain.sim.settle();
  const auto shares = ledger.take(3);
  EXPECT_THAT(by_work(chain, shares, "gpu.worker.done", 3), ElementsAre(0, 9, 5));
  EXPECT_THAT(by_work(chain, shares, "gpu.worker.busy", 3), ElementsAre(0, 9, 5));
  EXPECT_THAT(by_work(chain, shares, "gpu.worker.starved.in", 3), ElementsAre(1, 15, 0));
}

TEST(Ledger, TakeResetsSharesAndStartsTheNextWork) {
  Chain chain({{3, 1}, {2, 2}});
  Ledger& ledger = chain.sim.keep_ledger();
  chain.sim.run(chain.core, 10);
  chain.sim.settle();
  ledger.take(3);
  chain.sim.run(chain.core, 7);
  chain.sim.settle();
  const auto shares = ledger.take(4);
  EXPECT_THAT(by_work(chain, shares, "gpu.worker.starved.in", 4), ElementsAre(0, 0, 0, 7));
}

TEST(Ledger, LeftoverActivityCountsForTheNextWork) {
  // Both have arrived when the first shares are taken; the second, of work 1, waits for the worker.
  Chain chain({{20, 2}, {5, 1}});
  Ledger& ledger = chain.sim.keep_ledger();
  chain.sim.run(chain.core, 10);
  chain.sim.settle();
  ledger.take(3);
  chain.sim.run(chain.core, 30);
  chain.sim.settle();
  const auto shares = ledger.take(4);
  EXPECT_THAT(by_work(chain, shares, "gpu.worker.done", 4), ElementsAre(0, 0, 0, 16));
}

TEST(Ledger, SumsToAllCountsInAnyBoxOrder) {
  std::vector<std::vector<Ledger::Share>> all;
  for (const SchedulerOptions& options :
       {SchedulerOptions{}, SchedulerOptions{.seed = 7}, SchedulerOptions{.skip_idle = false}}) {
    std::vector<Job> jobs;
    for (uint32_t i = 0; i < 200; i++) jobs.push_back({static_cast<int>(1 + i % 7), i % 5});
    Chain chain(std::move(jobs), options);
    chain.sink.interval = 3;
    Ledger& ledger = chain.sim.keep_ledger();
    chain.sim.run(chain.core, 2000);
    chain.sim.settle();
    all.push_back(ledger.take(5));
    std::vector<uint64_t> sums(chain.sim.counters().counters().size());
    for (const Ledger::Share& share : all.back()) sums[share.counter] += share.value;
    for (size_t i = 0; i < sums.size(); i++)
      EXPECT_EQ(sums[i], *chain.sim.counters().counters()[i].value)
          << chain.sim.counters().counters()[i].full_name();
  }
  const auto key = [](const Ledger::Share& s) { return std::tuple(s.counter, s.work, s.value); };
  for (auto& shares : all) {
    std::sort(shares.begin(), shares.end(), [&](auto& a, auto& b) { return key(a) < key(b); });
    ASSERT_EQ(shares.size(), all.front().size());
    for (size_t i = 0; i < shares.size(); i++) EXPECT_EQ(key(shares[i]), key(all.front()[i]));
  }
}

}  // namespace
}  // namespace cutaway::engine
