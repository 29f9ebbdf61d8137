#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"

namespace cutaway::engine::watchdog_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Sink;
using testing::Source;
using ::testing::ThrowsMessage;

// Passes a message on from the cycle of its arrival.
class Relay final : public Box {
 public:
  explicit Relay(std::string path) : Box(std::move(path)) {}
  In<int> in;
  Out<int> out;

  Cycle tick(Cycle now) override {
    if (!in.peek(now)) return starved(now, in);
    if (!out.ready(now)) return blocked(now, out);
    out.send(now, in.take(now));
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return ""; }
};

// Sends to its neighbour only after receiving from it.
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
    sim.add<Clockwork>(core, "gpu.display");  // keeps running
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
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& source = sim.add<Source<int>>(core, "gpu.source", std::vector<int>(1000));
  auto& relay = sim.add<Relay>(core, "gpu.relay");
  auto& sink = sim.add<Sink<int>>(core, "gpu.sink");
  sim.connect(source.out, relay.in, {.latency = 1, .slots = 4});
  sim.connect(relay.out, sink.in, {.latency = 2, .slots = 4});
  sim.elaborate();
  sink.refuse = true;
  EXPECT_THAT([&] { sim.run(core, 1'000'000); },
              ThrowsMessage<DeadlockError>(
                  AllOf(HasSubstr("gpu.source: messages to send, blocked by gpu.relay at out"),
                        HasSubstr("gpu.relay: holds nothing, blocked by gpu.sink at out"),
                        HasSubstr("gpu.sink: holds nothing, idle for"))));
}

// Acts until a given cycle, with pending work, and sends nothing.
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

TEST(Watchdog, ToleratesIdleBoxesWhileOthersWork) {
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

// Returns a message at a given cycle, and reports nothing held meanwhile.
class Echo final : public Box {
 public:
  Echo(std::string path, bool begins, Cycle end) : Box(std::move(path)), begins_(begins), end_(end) {}
  In<int> in;
  Out<int> out;
  Cycle tick(Cycle now) override {
    if (!begins_ && !in.peek(now)) return starved(now, in);
    if (!std::exchange(begins_, false)) in.drop(now);
    if (now < end_) out.send(now, 0);
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return ""; }

 private:
  bool begins_;
  Cycle end_;
};

// All work is on wires for most of the time.
TEST(Watchdog, MessagesInFlightAreNoDeadlock) {
  Simulator sim({.watchdog_cycles = 100});
  Domain& core = sim.add_domain("core", 1);
  auto& waiter = sim.add<Waiter>(core, "gpu.waiter", false);
  auto& nothing = sim.add<Nothing>(core, "gpu.nothing");
  auto& first = sim.add<Echo>(core, "gpu.first", true, 5000);
  auto& second = sim.add<Echo>(core, "gpu.second", false, 5000);
  auto& sink = sim.add<Sink<int>>(core, "gpu.sink", 1);
  sim.add<Clockwork>(core, "gpu.display");
  sim.connect(nothing.out, waiter.in, {});
  sim.connect(waiter.out, sink.in, {});
  sim.connect(first.out, second.in, {.latency = 40, .slots = 2});
  sim.connect(second.out, first.in, {.latency = 40, .slots = 2});
  sim.elaborate();
  sim.run(core, 4900);
  EXPECT_THAT([&] { sim.run(core, 1000); },
              ThrowsMessage<DeadlockError>(HasSubstr("gpu.waiter: a quad in hand, starved by gpu.nothing")));
}

TEST(Watchdog, ToleratesSlowOrDrainedBoxes) {
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

// Sends a request, and another after each answer.
class Asker final : public Box {
 public:
  Asker(std::string path, int questions) : Box(std::move(path)), left_(questions) {}
  In<int> in;
  Out<int> out;
  bool done() const { return !left_; }

  Cycle tick(Cycle now) override {
    if (done()) return idle(now);
    if (asked_ && !in.peek(now)) return starved(now, in);
    if (asked_) {
      in.drop(now);
      asked_ = false, left_--;
      return busy(now);
    }
    if (!out.ready(now)) return blocked(now, out);
    out.send(now, 0);
    asked_ = true;
    return busy(now);
  }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return done() ? "" : "questions"; }

 private:
  int left_;
  bool asked_ = false;
};

// An asker in a fast clock, and a relay in a clock 1000 times slower, with wires of 64 cycles between them:
// 64,000 cycles of the fast clock each way. Another box waits for work from the asker's neighbour until
// everything is answered.
struct SlowWires {
  Simulator sim{{.watchdog_cycles = 100}};
  Domain &fast = sim.add_domain("fast", 1), &slow = sim.add_domain("slow", 1000);
  Asker& asker = sim.add<Asker>(fast, "gpu.asker", 3);
  Relay& relay = sim.add<Relay>(slow, "gpu.relay");
  Nothing& nothing = sim.add<Nothing>(fast, "gpu.nothing");
  Waiter& waiter = sim.add<Waiter>(fast, "gpu.waiter", false);
  Sink<int>& sink = sim.add<Sink<int>>(fast, "gpu.sink");

  explicit SlowWires(bool slow_reply) {
    sim.connect(asker.out, relay.in, {.latency = 64});
    sim.connect(relay.out, asker.in, {.latency = slow_reply ? 64'000u : 1u});
    sim.connect(nothing.out, waiter.in, {});
    sim.connect(waiter.out, sink.in, {});
    sim.elaborate();
  }
};

TEST(Watchdog, TakesMessagesOnTheirWayForProgressToCome) {
  for (const bool slow_reply : {false, true}) {
    SlowWires machine(slow_reply);
    EXPECT_NO_THROW(machine.sim.run_until([&] { return machine.asker.done(); }, machine.fast, 1'000'000));
    EXPECT_TRUE(machine.asker.done());
    // Then no box is left that could give the waiter work.
    EXPECT_THAT(
        [&] { machine.sim.run(machine.fast, 1'000'000); },
        ThrowsMessage<DeadlockError>(HasSubstr("gpu.waiter: a quad in hand, starved by gpu.nothing")));
  }
}

}  // namespace
}  // namespace cutaway::engine::watchdog_test
