// Tests the occupancy of wires: messages in flight or waiting, over all cycles, and the most occupied slots.
#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "engine/testing/network.h"

namespace cutaway::engine {
namespace {

using testing::Network;
using testing::Sink;
using testing::Source;

// A source and a sink with one wire; with `sink_first` the sink ticks first.
struct Pair {
  Simulator sim;
  Domain &tx, &rx;
  Source<int>* source = nullptr;
  Sink<int>* sink = nullptr;

  Pair(const WireSpec& spec, int count, bool sink_first, uint64_t tx_period = 1, uint64_t rx_period = 1)
      : tx(sim.add_domain("tx", tx_period)),
        rx(tx_period == rx_period ? tx : sim.add_domain("rx", rx_period)) {
    if (sink_first) sink = &sim.add<Sink<int>>(rx, "sink");
    source = &sim.add<Source<int>>(tx, "source", std::vector<int>(static_cast<size_t>(count)));
    if (!sink_first) sink = &sim.add<Sink<int>>(rx, "sink");
    sim.connect(source->out, sink->in, spec);
    sim.elaborate();
  }
  WireFilling filling() const { return sim.fillings().front(); }
};

TEST(WireFilling, AMessageCountsFromItsSendToItsTake) {
  for (const bool sink_first : {false, true}) {
    Pair pair({.latency = 6, .slots = 4}, 1, sink_first);
    pair.sim.run(pair.tx, 1);  // sent in cycle 1
    EXPECT_EQ(pair.filling().slot_cycles, 0u);
    pair.sim.run(pair.tx, 4);
    EXPECT_EQ(pair.filling().slot_cycles, 4u);
    pair.sim.run(pair.tx, 20);  // taken in cycle 7
    EXPECT_EQ(pair.filling().slot_cycles, 6u);
    EXPECT_EQ(pair.filling().messages, 1u);
    EXPECT_EQ(pair.filling().peak, 1u);
    EXPECT_EQ(pair.filling().cycles, 25u);
  }
}

TEST(WireFilling, SumsMessagesInFlightOrWaitingOverCycles) {
  for (const uint64_t topology : {1u, 2u}) {
    Network network({.periods = {1}, .topology = topology}, {.seed = 3});
    std::vector<const WireBase*> wires;
    for (const Port* sender : network.sim.wire_senders()) wires.push_back(sender->wire());
    std::vector<uint64_t> sums(wires.size()), most(wires.size());
    Domain& clock = *network.sim.domains().front();
    for (Cycle cycle = 0; cycle < 2000; cycle++) {
      network.sim.run(clock, 1);
      for (size_t i = 0; i < wires.size(); i++) {
        sums[i] += wires[i]->filling();
        most[i] = std::max(most[i], wires[i]->filling());
      }
    }
    const auto fillings = network.sim.fillings();
    for (size_t i = 0; i < wires.size(); i++) {
      EXPECT_EQ(fillings[i].slot_cycles, sums[i] - wires[i]->filling()) << i;
      EXPECT_GE(fillings[i].peak, most[i]) << i;
      EXPECT_LE(fillings[i].peak, wires[i]->spec().slots) << i;
    }
  }
}

TEST(WireFilling, PeakIsIndependentOfTickOrder) {
  for (const bool sink_first : {false, true}) {
    // At full rate: a slot is free a cycle after its message was taken.
    Pair flowing({.latency = 1, .slots = 8}, 100, sink_first);
    flowing.sim.run(flowing.tx, 50);
    EXPECT_EQ(flowing.filling().peak, 2u);
    EXPECT_EQ(flowing.filling().slot_cycles, 49u);
    // With a sink slower than the source.
    Pair slow({.latency = 1, .slots = 8}, 100, sink_first);
    slow.sink->interval = 3;
    slow.sim.run(slow.tx, 100);
    EXPECT_EQ(slow.filling().peak, 8u);
    // Two leave as two arrive.
    Pair pairs({.latency = 1, .bandwidth = 2, .slots = 8}, 100, sink_first);
    pairs.source->per_cycle = pairs.sink->per_cycle = 2;
    pairs.sim.run(pairs.tx, 50);
    EXPECT_EQ(pairs.filling().peak, 4u);
  }
}

TEST(WireFilling, RestartedPeaksBeginAtTheCurrentFilling) {
  Pair pair({.latency = 1, .slots = 8}, 10, false);
  pair.sink->refuse = true;
  pair.sim.run(pair.tx, 20);
  EXPECT_EQ(pair.filling().peak, 8u);
  pair.sink->refuse = false;
  pair.sink->wake();
  pair.sim.run(pair.tx, 5);
  pair.sim.restart_peaks();
  EXPECT_EQ(pair.filling().peak, pair.filling().messages - pair.sink->received.size());
  pair.sim.run(pair.tx, 20);
  EXPECT_EQ(pair.filling().messages, 10u);
  EXPECT_LT(pair.filling().peak, 8u);
}

TEST(WireFilling, CountsInCyclesOfTheReceiver) {
  // Sends at 10, 20, ...; the receiver's edges are at 30, 60, ...: it takes three every other cycle.
  Pair pair({.latency = 1, .slots = 8}, 6, false, 10, 30);
  pair.sink->per_cycle = 8;
  pair.sim.run(pair.rx, 4);
  // Sent in its cycles 0, 0, 1, 1, 1, 2; each is taken one later.
  EXPECT_EQ(pair.filling().slot_cycles, 6u);
  EXPECT_EQ(pair.filling().cycles, 4u);
  EXPECT_EQ(pair.filling().peak, 4u);  // at 60, when the three of cycle 1 are taken
}

}  // namespace
}  // namespace cutaway::engine
