#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "engine/simulator.h"
#include "engine/testing/mock.h"

namespace cutaway::engine::wire_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Sink;
using testing::Source;
using ::testing::ThrowsMessage;

std::vector<int> numbers(int count) {
  std::vector<int> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<Cycle> arrivals(const Sink<int>& sink) {
  std::vector<Cycle> cycles;
  for (size_t i = 0; i < sink.received.size(); i++) {
    EXPECT_EQ(sink.received[i].second, static_cast<int>(i));
    cycles.push_back(sink.received[i].first);
  }
  return cycles;
}

// A source and a sink with one wire.
struct Pair {
  Simulator sim;
  Domain &tx, &rx;
  Source<int>& source;
  Sink<int>& sink;

  Pair(const WireSpec& spec, int count, uint64_t tx_period = 1, uint64_t rx_period = 1)
      : tx(sim.add_domain("tx", tx_period)),
        rx(sim.add_domain("rx", rx_period)),
        source(sim.add<Source<int>>(tx, "source", numbers(count))),
        sink(sim.add<Sink<int>>(rx, "sink")) {
    sim.connect(source.out, sink.in, spec);
    sim.elaborate();
  }
};

// Inputs, of which a box asks only those with messages on their wires.
struct Collector final : Box {
  explicit Collector(size_t inputs) : Box("collector"), in(inputs) {}
  Cycle tick(Cycle now) override {
    bool progress = false;
    in.for_filled([&](unsigned i) {
      asked++;
      if (!in[i].peek(now)) return;
      received.emplace_back(i, in[i].take(now));
      progress = true;
    });
    return progress ? busy(now) : idle(now);
  }
  void list_ports(PortList& list) override { list("in", in); }
  std::string why_busy() const override { return ""; }

  Inputs<int> in;
  uint64_t asked = 0;
  std::vector<std::pair<unsigned, int>> received;
};

TEST(Inputs, KnowOnWhichWiresMessagesAre) {
  constexpr size_t kInputs = 70;  // more than a word has bits
  Simulator sim;
  Domain& domain = sim.add_domain("core", 1);
  auto& collector = sim.add<Collector>(domain, kInputs);
  std::vector<Source<int>*> sources;
  for (size_t i = 0; i < kInputs; i++) {
    const int messages = i == 3 ? 2 : i == 69 ? 1 : 0;
    sources.push_back(&sim.add<Source<int>>(domain, "source" + std::to_string(i), numbers(messages)));
    sim.connect(sources.back()->out, collector.in[i], {.latency = 5, .slots = 1});
  }
  sim.elaborate();
  sim.run(domain, 3);
  EXPECT_TRUE(collector.in.any_filled());  // under way
  EXPECT_TRUE(collector.received.empty());
  sim.run(domain, 17);
  EXPECT_THAT(collector.received, ElementsAre(std::pair(3u, 0), std::pair(69u, 0), std::pair(3u, 1)));
  EXPECT_FALSE(collector.in.any_filled());
  const uint64_t asked = collector.asked;
  collector.wake();
  sim.run(domain, 1);
  EXPECT_EQ(collector.asked, asked);
}

TEST(Wire, IsNotReadyBeforeItsLatencyAndReadyAtIt) {
  for (const unsigned latency : {1u, 2u, 6u, 255u, 256u, 1000u}) {
    Pair pair({.latency = latency}, 1);
    pair.sim.run(pair.rx, 1 + latency - 1);
    EXPECT_TRUE(pair.sink.received.empty());
    pair.sim.run(pair.rx, 1);
    EXPECT_THAT(arrivals(pair.sink), ElementsAre(1 + latency));
  }
}

TEST(Wire, ThroughputIsBandwidthOrSlotsOverRoundTrip) {
  for (const unsigned latency : {1u, 2u, 5u})
    for (const unsigned bandwidth : {1u, 2u, 3u})
      for (const unsigned slots : {1u, 2u, 4u, 7u, 24u}) {
        Pair pair({latency, bandwidth, slots}, 10000);
        pair.source.per_cycle = pair.sink.per_cycle = 100;
        pair.sim.run(pair.rx, 1000);
        const double expected = std::min<double>(bandwidth, double(slots) / (latency + 1));
        EXPECT_NEAR(double(pair.sink.received.size()) / 1000, expected, 0.01 * expected)
            << latency << " " << bandwidth << " " << slots;
      }
}

TEST(Wire, WideMessageArrivesWithItsLastPart) {
  Pair pair({.latency = 2, .bandwidth = 2, .slots = 8}, 3);
  pair.source.occupancy = 4;
  pair.source.per_cycle = 2;
  pair.sim.run(pair.rx, 30);
  EXPECT_THAT(pair.source.sent, ElementsAre(1, 5, 9));
  EXPECT_THAT(arrivals(pair.sink), ElementsAre(1 + 3 + 2, 5 + 3 + 2, 9 + 3 + 2));
  EXPECT_EQ(pair.source.account().blocked_by("sink"), 6);
}

TEST(Wire, WideMessagesCrossClocks) {
  // Sender edges at 10, 20, ...; the message's last part leaves at 40. Receiver edges at 7, 14, ..., 35, 42,
  // 49.
  Pair pair({.latency = 2}, 1, 10, 7);
  pair.source.occupancy = 4;
  pair.sim.run(pair.rx, 20);
  EXPECT_THAT(arrivals(pair.sink), ElementsAre(7));  // at 49, the second edge after 40
}

TEST(Wire, LatencyCountsReceiverEdgesAfterTheSend) {
  for (const auto& [tx, rx] :
       {std::pair{1999u, 833u}, {833u, 1999u}, {1249u, 3989u}, {3989u, 1249u}, {10u, 30u}})
    for (const unsigned latency : {1u, 3u}) {
      Pair pair({.latency = latency, .slots = 64}, 200, tx, rx);
      pair.sink.per_cycle = 64;
      pair.sim.run(pair.rx, 1000);
      ASSERT_FALSE(pair.sink.received.empty());
      for (size_t i = 0; i < pair.sink.received.size(); i++) {
        const uint64_t sent = pair.source.sent[i] * tx, edges_before = sent / rx;
        EXPECT_EQ(pair.sink.received[i].first, edges_before + latency);
        EXPECT_GT(pair.sink.received[i].first * rx, sent);
      }
    }
}

TEST(Wire, MessagesThatHaveArrivedCanBeReadInAnyNumber) {
  class Reader final : public Box {
   public:
    explicit Reader(std::string path) : Box(std::move(path)) {}
    In<int> in;
    std::vector<int> seen;
    Cycle tick(Cycle now) override {
      if (!in.peek(now, 2)) return starved(now, in);
      EXPECT_EQ(in.peek(now, 3), nullptr);
      for (uint32_t k = 0; k < 3; k++) seen.push_back(*in.peek(now, k));
      while (in.peek(now)) in.drop(now);
      return busy(now);
    }
    void list_ports(PortList& list) override { list("in", in); }
    std::string why_busy() const override { return ""; }
  };
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& source = sim.add<Source<int>>(core, "source", numbers(6));
  auto& reader = sim.add<Reader>(core, "reader");
  sim.connect(source.out, reader.in, {.slots = 3});
  sim.elaborate();
  sim.run(core, 20);
  EXPECT_THAT(reader.seen, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Wire, ReadyCountsBandwidthAndSlots) {
  class Bursts final : public Box {
   public:
    explicit Bursts(std::string path) : Box(std::move(path)) {}
    Out<int> out;
    int sent = 0;
    Cycle tick(Cycle now) override {
      EXPECT_FALSE(out.ready(now, 4));
      if (sent >= 6 || !out.ready(now, 3)) return blocked(now, out);
      for (int i = 0; i < 3; i++) {
        EXPECT_TRUE(out.ready(now, static_cast<uint32_t>(3 - i)));
        out.put(now) = sent++;
      }
      EXPECT_FALSE(out.ready(now));
      return busy(now);
    }
    void list_ports(PortList& list) override { list("out", out); }
    std::string why_busy() const override { return ""; }
  };
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto& bursts = sim.add<Bursts>(core, "bursts");
  auto& sink = sim.add<Sink<int>>(core, "sink");
  sim.connect(bursts.out, sink.in, {.bandwidth = 3, .slots = 4});
  sim.elaborate();
  sim.run(core, 20);
  EXPECT_EQ(sink.received.size(), 6u);
}

// A box with an output `out` before a sink that takes a message every four cycles.
template <class B>
struct BeforeSlowSink {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  B* sender = nullptr;
  Sink<int>* sink = nullptr;

  template <class... Arguments>
  BeforeSlowSink(bool sender_first, const WireSpec& spec, const Arguments&... arguments) {
    if (sender_first) sender = &sim.add<B>(core, "sender", arguments...);
    sink = &sim.add<Sink<int>>(core, "sink");
    if (!sender_first) sender = &sim.add<B>(core, "sender", arguments...);
    sink->interval = 4;
    sim.connect(sender->out, sink->in, spec);
    sim.elaborate();
  }
};

// Room is the number of free slots: one that a message is taken from is free a cycle later, whether sender or
// receiver ticks first.
TEST(Wire, RoomIsThatOfFreeSlots) {
  class Fill final : public Box {
   public:
    explicit Fill(std::string path) : Box(std::move(path)) {}
    Out<int> out;
    std::vector<uint32_t> rooms;
    Cycle tick(Cycle now) override {
      rooms.push_back(out.room(now));
      if (now < 6 && out.ready(now)) out.put(now) = 0;
      return busy(now);
    }
    void list_ports(PortList& list) override { list("out", out); }
    std::string why_busy() const override { return ""; }
  };
  for (const bool sender_first : {true, false}) {
    BeforeSlowSink<Fill> bench(sender_first, {.slots = 3});
    bench.sim.run(bench.core, 12);
    // Sent in cycles 1, 2, 3 and 4; taken in 2, 6 and 10.
    EXPECT_THAT(bench.sender->rooms, ElementsAre(3, 2, 2, 1, 0, 0, 1, 1, 1, 1, 2, 2));
  }
}

// Sends a message whenever `may_send` says so, and sleeps otherwise.
class Sleeper final : public Box {
 public:
  using MaySend = std::function<bool(const Out<int>&, Cycle)>;
  Sleeper(std::string path, MaySend may_send) : Box(std::move(path)), may_send_(std::move(may_send)) {}
  Out<int> out;
  std::vector<Cycle> ticks;
  int left = 4;  // messages to send
  Cycle tick(Cycle now) override {
    ticks.push_back(now);
    if (!left || !may_send_(out, now)) return left ? blocked(now, out) : idle(now);
    out.put(now) = left--;
    return busy(now);
  }
  void list_ports(PortList& list) override { list("out", out); }
  std::string why_busy() const override { return ""; }

 private:
  MaySend may_send_;
};

std::vector<Cycle> ticks_of_sender(const Sleeper::MaySend& may_send, bool sender_first) {
  BeforeSlowSink<Sleeper> bench(sender_first, {.bandwidth = 2, .slots = 3}, may_send);
  bench.sim.run(bench.core, 40);
  EXPECT_EQ(bench.sink->received.size(), 4u);
  return bench.sender->ticks;
}

// The sink takes messages in cycles 2, 6, 10 and 14, and their slots come free a cycle later.
TEST(Wire, ATakeWakesASenderThatHasFoundNoRoom) {
  const auto ready = [](const Out<int>& out, Cycle now) { return out.ready(now); };
  const auto two = [](const Out<int>& out, Cycle now) { return out.room(now) >= 2; };
  // More than it then sends: it finds room for one, but not for both.
  const auto both = [](const Out<int>& out, Cycle now) { return out.ready(now, 2); };
  for (const bool sender_first : {true, false}) {
    // It has sent all that it has, and found room each time.
    EXPECT_THAT(ticks_of_sender(ready, sender_first), ElementsAre(1, 2, 3, 4, 5));
    // Three slots are free in cycle 1, two in 2 and 3, one in 4, and two again in 7, when the last message
    // leaves. It has asked for room then, so that the next take wakes it once more.
    EXPECT_THAT(ticks_of_sender(two, sender_first), ElementsAre(1, 2, 3, 4, 7, 8, 11));
    EXPECT_THAT(ticks_of_sender(both, sender_first), ElementsAre(1, 2, 3, 4, 7, 8));
  }
}

TEST(Wire, MisuseIsReportedWithThePath) {
  class Wrong final : public Box {
   public:
    explicit Wrong(std::string path) : Box(std::move(path)) {}
    In<int> in;
    Out<int> out;
    Cycle tick(Cycle now) override {
      if (now == 2) in.take(now);
      for (int i = 0; i < 2; i++) out.send(now, i);
      return busy(now);
    }
    void list_ports(PortList& list) override { list("in", in), list("out", out); }
    std::string why_busy() const override { return ""; }
  };
  const auto build = [](unsigned bandwidth) {
    Simulator sim;
    Domain& core = sim.add_domain("core", 1);
    auto& wrong = sim.add<Wrong>(core, "gpu.wrong");
    sim.connect(wrong.out, wrong.in, {.latency = 3, .bandwidth = bandwidth, .slots = 8});
    sim.elaborate();
    sim.run(core, 10);
  };
  EXPECT_THAT([&] { build(1); }, ThrowsMessage<InternalError>(HasSubstr("gpu.wrong.out: send in cycle 1")));
  EXPECT_THAT([&] { build(2); }, ThrowsMessage<InternalError>(HasSubstr("gpu.wrong.in: take in cycle 2")));
}

TEST(Wire, TakenMessagesGiveUpWhatTheyHold) {
  Simulator sim;
  Domain& core = sim.add_domain("core", 1);
  auto held = std::make_shared<int>(1);
  auto& source =
      sim.add<Source<std::shared_ptr<int>>>(core, "source", std::vector<std::shared_ptr<int>>{held});
  auto& sink = sim.add<Sink<std::shared_ptr<int>>>(core, "sink");
  sim.connect(source.out, sink.in, {});
  sim.elaborate();
  sim.run(core, 5);
  EXPECT_EQ(held.use_count(), 3);  // here, in the source's list, in the sink's
}

TEST(Clocks, PeriodsAreInTheRatioOfTheFrequencies) {
  EXPECT_THAT(periods_of(std::vector<uint64_t>{400, 500, 1200}), ElementsAre(15, 12, 5));
  const auto odd = periods_of(std::vector<uint64_t>{575'000'003, 999'999'937, 1'349'999'989});
  EXPECT_NEAR(double(odd[0]) / double(odd[2]), 1'349'999'989.0 / 575'000'003.0, 1e-5);
}

}  // namespace
}  // namespace cutaway::engine::wire_test
