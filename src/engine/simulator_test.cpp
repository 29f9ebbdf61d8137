#include "engine/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/testing/mock.h"

namespace cutaway::engine {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Sink;
using testing::Source;
using ::testing::ThrowsMessage;

struct RelayCounters {
  uint64_t passed = 0;

  template <class V>
  static void fields(V&& v) {
    v("passed", &RelayCounters::passed, "messages", "passed on");
  }
};

// Passes a message on from the cycle in which it arrives.
class Relay final : public Box {
 public:
  explicit Relay(std::string path) : Box(std::move(path)) {}
  In<int> in;
  Out<int> out;
  RelayCounters counters;

  Cycle tick(Cycle now) override {
    if (!in.peek(now)) return starved(now, in);
    if (!out.ready(now)) return blocked(now, out);
    out.send(now, in.take(now));
    counters.passed++;
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return ""; }
};

struct Chain {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  Source<int>& source = sim.add<Source<int>>(core, "gpu.source", std::vector<int>(1000));
  Relay& relay = sim.add<Relay>(core, "gpu.relay");
  Sink<int>& sink = sim.add<Sink<int>>(core, "gpu.sink");

  Chain() {
    sim.connect(source.out, relay.in, {.latency = 1, .slots = 4});
    sim.connect(relay.out, sink.in, {.latency = 2, .slots = 4});
    sim.elaborate();
  }
};

TEST(Account, ASlowReceiverIsBlamedByNameForEachItem) {
  for (const Cycle slower : {0u, 1u, 5u, 40u}) {
    Chain chain;
    chain.sink.interval = 1 + slower;
    chain.sim.run_until([&] { return chain.sink.received.size() == 100; }, chain.core);
    const Account before = chain.relay.account();
    chain.sim.run_until([&] { return chain.sink.received.size() == 600; }, chain.core);
    const Account after = chain.relay.account();
    EXPECT_EQ(after.blocked_by("gpu.sink") - before.blocked_by("gpu.sink"), 500 * slower);
    EXPECT_EQ(after.busy - before.busy, 500u);
    EXPECT_EQ(after.starved, before.starved);
  }
}

TEST(Account, ASlowSenderIsBlamedByNameForEachItem) {
  for (const Cycle slower : {0u, 1u, 5u, 40u}) {
    Chain chain;
    chain.source.interval = 1 + slower;
    chain.sim.run_until([&] { return chain.sink.received.size() == 100; }, chain.core);
    const Account before = chain.relay.account();
    chain.sim.run_until([&] { return chain.sink.received.size() == 600; }, chain.core);
    const Account after = chain.relay.account();
    EXPECT_EQ(after.starved_by("gpu.source") - before.starved_by("gpu.source"), 500 * slower);
    EXPECT_EQ(after.busy - before.busy, 500u);
    EXPECT_EQ(after.blocked, before.blocked);
  }
}

TEST(Counters, BoxesAndAccountsAreInTheTable) {
  Chain chain;
  chain.sim.run(chain.core, 103);
  chain.sim.settle();
  EXPECT_EQ(*chain.sim.counters().find("gpu.relay.passed")->value, 102u);
  EXPECT_EQ(*chain.sim.counters().find("gpu.relay.busy")->value, 102u);
  EXPECT_EQ(*chain.sim.counters().find("gpu.relay.starved.in")->value, 1u);
  EXPECT_EQ(*chain.sim.counters().find("gpu.sink.starved.in")->value, 3u);
  EXPECT_EQ(chain.sim.counters().find("gpu.relay.lost"), nullptr);
}

TEST(Counters, AreSampledByInterval) {
  Chain chain;
  chain.sim.run(chain.core, 5);
  Sampler& sampler = chain.sim.sample(chain.core, 10);
  chain.sim.run(chain.core, 39);
  EXPECT_THAT(sampler.cycles(), ElementsAre(15, 25, 35));
  const auto column =
      static_cast<size_t>(std::find(sampler.names().begin(), sampler.names().end(), "gpu.relay.passed") -
                          sampler.names().begin());
  EXPECT_THAT(sampler.column(column), ElementsAre(14, 24, 34));
  for (size_t row = 0; row < 3; row++) EXPECT_EQ(sampler.delta(column, row), 10u);
}

TEST(Counters, SamplingChangesNothing) {
  Chain plain, sampled;
  sampled.sim.sample(sampled.core, 7);
  for (Chain* chain : {&plain, &sampled}) chain->sink.interval = 3, chain->sim.run(chain->core, 500);
  EXPECT_EQ(plain.sim.counter_hash(), sampled.sim.counter_hash());
}

TEST(Simulator, RunsUntilAConditionOrALimit) {
  Chain chain;
  EXPECT_TRUE(chain.sim.run_until([&] { return chain.sink.received.size() == 10; }, chain.core, 100));
  EXPECT_EQ(chain.core.now(), 13u);
  EXPECT_FALSE(chain.sim.run_until([] { return false; }, chain.core, 20));
  EXPECT_EQ(chain.core.now(), 33u);
}

TEST(Simulator, WorkFromOutsideWakesABox) {
  Chain chain;
  chain.sim.run_until([&] { return chain.source.drained(); }, chain.core);
  chain.sim.run(chain.core, 1000);
  chain.source.messages.push_back(7);
  chain.source.wake();
  chain.sim.run(chain.core, 10);
  EXPECT_EQ(chain.sink.received.back().second, 7);
}

TEST(Simulator, ListsWiresAsDeclared) {
  Chain chain;
  const std::vector<WireInfo> wires = chain.sim.wires();
  ASSERT_EQ(wires.size(), 2u);
  EXPECT_EQ(wires[1].from, "gpu.relay.out");
  EXPECT_EQ(wires[1].to, "gpu.sink.in");
  EXPECT_EQ(wires[1].message, "int");
  EXPECT_EQ(wires[1].spec, (WireSpec{.latency = 2, .bandwidth = 1, .slots = 4}));
  EXPECT_EQ(message_name<WireInfo>(), "WireInfo");
}

// ---- Elaboration ----

TEST(Elaboration, FindsPortsThatAreNotConnected) {
  Simulator sim;
  sim.add<Relay>(sim.add_domain("core", 1), "gpu.shader0.texture");
  EXPECT_THAT([&] { sim.elaborate(); },
              ThrowsMessage<InternalError>(HasSubstr("gpu.shader0.texture.in: this port is not connected")));
}

TEST(Elaboration, RefusesWidthsOf0) {
  const std::pair<const char*, WireSpec> bad[] = {
      {"latency", {.latency = 0}}, {"bandwidth", {.bandwidth = 0}}, {"slots", {.slots = 0}}};
  for (const auto& [what, spec] : bad) {
    Simulator sim;
    Domain& core = sim.add_domain("core", 1);
    auto& source = sim.add<Source<int>>(core, "gpu.source");
    auto& sink = sim.add<Sink<int>>(core, "gpu.sink");
    sim.connect(source.out, sink.in, spec);
    EXPECT_THAT([&] { sim.elaborate(); },
                ThrowsMessage<UserError>("wire from gpu.source.out to gpu.sink.in: " + std::string(what) +
                                         " is 0; it must be at least 1"));
  }
  Simulator sim;
  EXPECT_THAT([&] { sim.add_domain("core", 0); }, ThrowsMessage<UserError>(HasSubstr("core")));
}

TEST(Elaboration, FindsPortsThatAreConnectedTwice) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& source = sim.add<Source<int>>(core, "gpu.source");
  auto &one = sim.add<Sink<int>>(core, "gpu.one"), &two = sim.add<Sink<int>>(core, "gpu.two");
  sim.connect(source.out, one.in, {});
  sim.connect(source.out, two.in, {});
  EXPECT_THAT(
      [&] { sim.elaborate(); },
      ThrowsMessage<InternalError>(HasSubstr("gpu.source.out to gpu.two.in: a port that is connected")));
}

TEST(Elaboration, FindsBoxesOfOnePath) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  for (int i = 0; i < 2; i++) {
    auto& source = sim.add<Source<int>>(core, "gpu.source" + std::to_string(i));
    auto& sink = sim.add<Sink<int>>(core, "gpu.sink");
    sim.connect(source.out, sink.in, {});
  }
  EXPECT_THAT([&] { sim.elaborate(); },
              ThrowsMessage<InternalError>(HasSubstr("two boxes have the path gpu.sink")));
}

// ---- Watchdog ----

// Sends to its neighbour only after it has heard from it.
class Waiter final : public Box {
 public:
  Waiter(std::string path, bool begins) : Box(std::move(path)), begins_(begins) {}
  In<int> in;
  Out<int> out;

  Cycle tick(Cycle now) override {
    if (begins_ && out.ready(now)) {
      out.send(now, 0);
      begins_ = false;
      return busy(now);
    }
    if (!in.peek(now)) return starved(now, in);
    if (now < 50) {
      if (!out.ready(now)) return blocked(now, out);
      out.send(now, in.take(now));
    } else {
      in.drop(now);  // the token is lost
    }
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return "a quad in hand"; }

 private:
  bool begins_;
};

class Clockwork final : public Box {
 public:
  explicit Clockwork(std::string path) : Box(std::move(path)) {}
  Cycle tick(Cycle now) override { return now % 16 ? idle(now, now + 16 - now % 16) : busy(now); }
  void list_ports(PortList&) override {}
  std::string why_busy() const override { return ""; }
};

TEST(Watchdog, PrintsTheChainOfBoxesThatWaitForOneAnother) {
  for (const bool skip : {true, false}) {
    Simulator sim({.skip_idle = skip, .watchdog_cycles = 1000});
    Domain &core = sim.add_domain("core", 2), &slow = sim.add_domain("slow", 3);
    auto &a = sim.add<Waiter>(core, "gpu.a", true), &b = sim.add<Waiter>(slow, "gpu.b", false),
         &c = sim.add<Waiter>(core, "gpu.c", false);
    sim.add<Clockwork>(core, "gpu.display");  // goes on
    sim.connect(a.out, b.in, {});
    sim.connect(b.out, c.in, {});
    sim.connect(c.out, a.in, {});
    sim.elaborate();
    EXPECT_THAT([&] { sim.run(core, 10000); },
                ThrowsMessage<DeadlockError>(
                    AllOf(HasSubstr("deadlock: 1000 cycles without progress\n"
                                    "  gpu.a: a quad in hand, starved by gpu.c at in for "),
                          HasSubstr("\n  gpu.c: a quad in hand, starved by gpu.b at in for "),
                          HasSubstr("\n  gpu.b: a quad in hand, starved by gpu.a at in for "),
                          HasSubstr("\n  and so back to gpu.a"))));
    EXPECT_GT(core.now(), 1000u);
    EXPECT_LT(core.now(), 3000u);
  }
}

TEST(Watchdog, FollowsBlocksToABoxThatWillNotAct) {
  Chain chain;
  chain.sink.refuse = true;
  EXPECT_THAT([&] { chain.sim.run(chain.core, 1'000'000); },
              ThrowsMessage<DeadlockError>(
                  AllOf(HasSubstr("gpu.source: messages to send, blocked by gpu.relay at out"),
                        HasSubstr("gpu.relay: holds nothing, blocked by gpu.sink at out"),
                        HasSubstr("gpu.sink: holds nothing, idle for"))));
}

// Acts until a cycle, with work in hand; sends nothing.
class LongWork final : public Box {
 public:
  LongWork(std::string path, Cycle end) : Box(std::move(path)), end_(end) {}
  Cycle tick(Cycle now) override {
    done_ = now >= end_;
    return done_ ? idle(now) : busy(now);
  }
  void list_ports(PortList&) override {}
  std::string why_busy() const override { return done_ ? "" : "a long draw"; }

 private:
  Cycle end_;
  bool done_ = false;
};

class Nothing final : public Box {
 public:
  explicit Nothing(std::string path) : Box(std::move(path)) {}
  Out<int> out;
  Cycle tick(Cycle now) override { return idle(now); }
  void list_ports(PortList& list) override { list("out", out); }
  std::string why_busy() const override { return ""; }
};

TEST(Watchdog, WaitsForABoxWithoutWorkAsLongAsOthersHaveSome) {
  Simulator sim({.watchdog_cycles = 100});
  Domain& core = sim.add_domain("core", 1);
  auto& waiter = sim.add<Waiter>(core, "gpu.waiter", false);
  auto& nothing = sim.add<Nothing>(core, "gpu.nothing");
  sim.add<LongWork>(core, "gpu.work", 5000);
  sim.add<Clockwork>(core, "gpu.display");
  sim.connect(nothing.out, waiter.in, {});
  auto& sink = sim.add<Sink<int>>(core, "gpu.sink", 1);
  sim.connect(waiter.out, sink.in, {});
  sim.elaborate();
  sim.run(core, 4900);
  EXPECT_THAT([&] { sim.run(core, 1000); },
              ThrowsMessage<DeadlockError>(HasSubstr("gpu.waiter: a quad in hand, starved by gpu.nothing")));
}

TEST(Watchdog, LeavesAloneWhatIsOnlySlowOrDrained) {
  Simulator sim({.watchdog_cycles = 100});
  Domain& core = sim.add_domain("core", 1);
  auto& source = sim.add<Source<int>>(core, "gpu.source", std::vector<int>(10));
  auto& sink = sim.add<Sink<int>>(core, "gpu.sink", 5000);
  sim.connect(source.out, sink.in, {});
  sim.elaborate();
  sim.run(core, 100'000);
  EXPECT_EQ(sink.received.size(), 10u);
  EXPECT_THAT([&] { sim.run_until([] { return false; }, core); },
              ThrowsMessage<DeadlockError>(HasSubstr("nothing is left to happen")));
}

}  // namespace
}  // namespace cutaway::engine
