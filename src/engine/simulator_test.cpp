#include "engine/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/testing/mock.h"

namespace cutaway::engine::simulator_test {
namespace {

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

// Passes a message on from the cycle of its arrival.
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
  void list_ports(PortList& list) override { list("in", in), list("out", out, "what came in"); }
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

// The wire keeps its latency behind the box; the way to the box takes a cycle more.
TEST(Simulator, ABoxIsInsertedIntoAWire) {
  const auto arrivals = [](unsigned boxes) {
    Simulator sim;
    Domain& core = sim.add_domain("core", 1);
    auto& source = sim.add<Source<int>>(core, "source", std::vector{7, 8, 9});
    auto& sink = sim.add<Sink<int>>(core, "sink");
    sim.connect(source.out, sink.in, {.latency = 5, .slots = 8});
    Relay* last = nullptr;
    for (unsigned i = 0; i < boxes; i++) {
      auto& relay = sim.add<Relay>(core, "relay" + std::to_string(i));
      sim.insert(relay, last ? last->out : source.out);
      last = &relay;
    }
    sim.elaborate();
    EXPECT_EQ(sim.wires().size(), 1u + boxes);
    for (const WireInfo& wire : sim.wires()) EXPECT_EQ(wire.spec.latency, wire.to == "sink.in" ? 5u : 1u);
    sim.run(core, 30);
    return sink.received;
  };
  const auto plain = arrivals(0);
  for (const unsigned boxes : {1u, 3u}) {
    const auto later = arrivals(boxes);
    ASSERT_EQ(later.size(), 3u);
    for (size_t i = 0; i < 3; i++) {
      EXPECT_EQ(later[i].first, plain[i].first + boxes);
      EXPECT_EQ(later[i].second, plain[i].second);
    }
  }
}

TEST(Simulator, ABoxIsInsertedOnlyIntoAWire) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& source = sim.add<Source<int>>(core, "source");
  auto& relay = sim.add<Relay>(core, "relay");
  EXPECT_THAT([&] { sim.insert(relay, source.out); },
              ThrowsMessage<InternalError>(HasSubstr("no wire begins there")));
}

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
  EXPECT_EQ(chain.sim.counters().value("gpu.relay.passed"), 102u);
  EXPECT_EQ(chain.sim.counters().value("gpu.relay.busy"), 102u);
  EXPECT_EQ(chain.sim.counters().value("gpu.relay.starved.in"), 1u);
  EXPECT_EQ(chain.sim.counters().value("gpu.sink.starved.in"), 3u);
  EXPECT_THROW(chain.sim.counters().value("gpu.relay.lost"), InternalError);
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

TEST(Simulator, PortsSayWhatTheyCarry) {
  Chain chain;
  EXPECT_STREQ(chain.relay.out.carries(), "what came in");
  EXPECT_STREQ(chain.relay.in.carries(), "");
  EXPECT_TRUE(chain.relay.costs_nothing().empty());
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

}  // namespace
}  // namespace cutaway::engine::simulator_test
