#include "boxes/reorder_buffer/reorder_buffer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::reorder_buffer_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::ReorderEntry;
using messages::ShadedQuad;

const messages::DrawState kState;

ReorderEntry entry(uint32_t order, uint32_t draw = 1, bool end = false) {
  return {.order = order, .state = &kState, .origin = {.draw = draw}, .draw_end = end};
}
ShadedQuad shaded(uint32_t order, uint8_t mask = 15, uint32_t draw = 1) {
  ShadedQuad q;
  q.order = order;
  q.quad.mask = mask;
  q.quad.origin = {.draw = draw, .primitive = order};
  return q;
}

struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ReorderBuffer& buffer;
  Source<ReorderEntry>& entries;
  std::vector<Source<ShadedQuad>*> shader;
  Sink<ShadedQuad>& unit = sim.add<Sink<ShadedQuad>>(clock, "unit");

  Bench(const ReorderBufferSpec& spec, std::vector<ReorderEntry> opened,
        std::vector<std::vector<ShadedQuad>> quads, unsigned together = 1, bool sends_dead = false)
      : buffer(
            sim.add<ReorderBuffer>(clock, "buffer", spec, static_cast<unsigned>(quads.size()), sends_dead)),
        entries(sim.add<Source<ReorderEntry>>(clock, "distributor", std::move(opened))) {
    sim.connect(entries.out, buffer.entries_in, {1, 4, spec.entries});
    entries.per_cycle = 4;
    for (size_t i = 0; i < quads.size(); i++) {
      shader.push_back(&sim.add<Source<ShadedQuad>>(clock, "shader" + std::to_string(i), quads[i], 1, 10));
      shader[i]->per_cycle = together;
      sim.connect(shader[i]->out, buffer.quads_in[i], {1, together, 4});
    }
    sim.connect(buffer.quads_out, unit.in, {1, 1, 4});
    sim.elaborate();
  }
  std::vector<uint32_t> order() const {
    std::vector<uint32_t> all;
    for (const auto& [cycle, quad] : unit.received)
      all.push_back(quad.quad.draw_end ? 1000 + quad.quad.origin.draw : quad.quad.origin.primitive);
    return all;
  }
};

// An entry as the work distributor opens it, with a primitive of its own.
ReorderEntry entry_of(uint32_t order, uint32_t primitive, uint32_t draw = 1) {
  return {.order = order, .state = &kState, .origin = {.draw = draw, .primitive = primitive}};
}

TEST(ReorderBuffer, LetsQuadsOfTheOldestPrimitiveLeaveAsTheyCome) {
  ReorderBufferSpec spec;
  for (const PolicyName<ReleaseOrders> policy : {"quads", "primitives"}) {
    spec.order = policy;
    // Quads 0 to 2 belong to one primitive, 3 and 4 to another, 5 to one of the next draw.
    Bench bench(spec,
                {entry_of(0, 1), entry_of(1, 1), entry_of(2, 1), entry_of(3, 2), entry_of(4, 2),
                 entry(5, 1, true), entry_of(6, 2, 2)},
                {{shaded(6, 15, 2), shaded(4), shaded(2), shaded(1), shaded(3), shaded(0)}});
    bench.sim.run(bench.clock, 100);
    const bool quads = policy == "quads";
    EXPECT_EQ(bench.order(), quads ? (std::vector<uint32_t>{0, 1, 2, 3, 4, 1001, 6})
                                   : (std::vector<uint32_t>{2, 1, 0, 3, 4, 1001, 6}));
    EXPECT_EQ(bench.buffer.counters.early_quads, quads ? 0u : 2u);
    // The first arrives in cycle 10; quad 2 is the third, and leaves in the cycle after its arrival.
    EXPECT_EQ(bench.unit.received[0].first, quads ? 18u : 15u);
    EXPECT_EQ(bench.buffer.why_busy(), "");
  }
}

TEST(ReorderBuffer, PutsQuadsOfSeveralShadersInOrder) {
  Bench bench({}, {entry(0), entry(1), entry(2), entry(3), entry(4, 1, true), entry(5, 2)},
              {{shaded(3), shaded(1)}, {shaded(5, 15, 2), shaded(2), shaded(0)}});
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.order(), (std::vector<uint32_t>{0, 1, 2, 3, 1001, 5}));
  EXPECT_EQ(bench.buffer.counters.quads, 5u);
  EXPECT_EQ(bench.buffer.why_busy(), "");
}

// For a unit that counts the quads of draws that are tested after shading, the dead ones leave in their turn.
TEST(ReorderBuffer, SendsDeadQuadsThatWouldBeTested) {
  const auto late = messages::testing::plain_state(), early = messages::testing::plain_state();
  messages::testing::add_depth(*late, arch::Compare::kLess, true, arch::DepthMode::kLate);
  messages::testing::add_depth(*early, arch::Compare::kLess);
  for (const bool sends_dead : {false, true})
    for (const auto* state : {late.get(), early.get()}) {
      std::vector<ShadedQuad> quads = {shaded(0), shaded(1, 0), shaded(2, 0), shaded(3)};
      for (ShadedQuad& quad : quads) quad.quad.state = state;
      Bench bench({}, {entry(0), entry(1), entry(2), entry(3)}, {quads}, 1, sends_dead);
      bench.sim.run(bench.clock, 100);
      const bool sent = sends_dead && state == late.get();
      EXPECT_EQ(bench.order(), sent ? (std::vector<uint32_t>{0, 1, 2, 3}) : (std::vector<uint32_t>{0, 3}));
      EXPECT_EQ(bench.buffer.counters.dead_quads, 2u);
      EXPECT_EQ(bench.buffer.why_busy(), "");
    }
}

TEST(ReorderBuffer, DropsDeadQuads) {
  Bench bench({}, {entry(0), entry(1), entry(2), entry(3, 1, true)},
              {{shaded(0), shaded(1, 0), shaded(2, 1)}});
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.order(), (std::vector<uint32_t>{0, 2, 1001}));
  EXPECT_EQ(bench.buffer.counters.dead_quads, 1u);
}

TEST(ReorderBuffer, AQuadLeavesTheCycleAfterItCame) {
  Bench bench({}, {entry(0)}, {{shaded(0)}});
  bench.sim.run(bench.clock, 100);
  // Sent in 10, arrives in 11, released in 12, received in 13.
  EXPECT_EQ(bench.unit.received.at(0).first, 13u);
}

// All quads that arrive in a cycle are taken in that cycle.
TEST(ReorderBuffer, TakesAllArrivedQuadsInACycle) {
  for (const unsigned together : {1u, 2u, 3u}) {
    Bench bench({.quads_per_cycle = 4}, {entry(0), entry(1), entry(2)},
                {{shaded(2, 0), shaded(1, 0), shaded(0, 15)}}, together);
    bench.sim.run(bench.clock, 100);
    // The oldest arrives last, and then all are there: it is sent from 10 on, the last of three.
    ASSERT_EQ(bench.unit.received.size(), 1u);
    EXPECT_EQ(bench.unit.received[0].first, 13u + (together == 1 ? 2 : together == 2 ? 1 : 0)) << together;
    // A cycle for each arrival of quads, and one in which all three leave or are dropped.
    EXPECT_EQ(messages::testing::account_of(bench.sim, bench.buffer).busy, 1 + (2 + together) / together)
        << together;
  }
}

// At most as many entries are open as the buffer has, in whatever order their quads arrive.
TEST(ReorderBuffer, TakesQuadsInAnyOrder) {
  for (unsigned size : {4u, 5u, 64u}) {
    std::vector<ReorderEntry> opened;
    std::vector<std::vector<ShadedQuad>> quads(2);
    std::mt19937 random(size);
    for (uint32_t first = 0; first < 200; first += 4) {
      uint32_t order[4] = {first, first + 1, first + 2, first + 3};
      for (uint32_t o : order) opened.push_back(entry(o));
      std::shuffle(std::begin(order), std::end(order), random);
      for (uint32_t o : order) quads[random() % 2].push_back(shaded(o));
    }
    // An in-order source could wait for an entry that is not open yet: it sends only if there is one.
    Bench bench({.entries = size}, opened, {{}, {}});
    size_t sent[2] = {};
    for (Cycle cycle = 0; cycle < 3000; cycle++) {
      bench.sim.step();
      for (size_t s = 0; s < 2; s++) {
        if (sent[s] == quads[s].size() || quads[s][sent[s]].order >= bench.entries.sent.size()) continue;
        bench.shader[s]->messages.push_back(quads[s][sent[s]++]);
        bench.shader[s]->wake();
      }
    }
    ASSERT_EQ(bench.unit.received.size(), 200u) << size;
    for (uint32_t i = 0; i < 200; i++) EXPECT_EQ(bench.order()[i], i);
  }
}

TEST(ReorderBuffer, BlamesTheSlowUnit) {
  const auto blame = [](Cycle interval) {
    std::vector<ReorderEntry> opened;
    std::vector<ShadedQuad> quads;
    for (uint32_t i = 0; i < 20; i++) opened.push_back(entry(i)), quads.push_back(shaded(i));
    Bench bench({}, opened, {quads});
    bench.unit.interval = interval;
    bench.sim.run(bench.clock, 1000);
    return messages::testing::account_of(bench.sim, bench.buffer).blocked_by("unit");
  };
  // One quad is taken at once, and four wait on the wire.
  messages::testing::expect_blame_per_item(blame, 15);
}

TEST(ReorderBuffer, TheFaultReleasesInTheOrderOfShading) {
  Bench bench({}, {entry(0), entry(1), entry(2), entry(3, 1, true), entry(4, 2)},
              {{shaded(2), shaded(4, 15, 2), shaded(0), shaded(1)}});
  bench.buffer.release_in_completion_order = true;
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.order(), (std::vector<uint32_t>{2, 0, 1, 1001, 4}));
}

// One quad leaves per cycle; dead quads are dropped at the declared rate.
TEST(ReorderBuffer, LooksAtAsManyQuadsPerCycleAsDeclared) {
  for (const uint8_t mask : {uint8_t{0}, uint8_t{15}}) {
    for (unsigned rate : {1u, 2u, 3u}) {
      std::vector<ReorderEntry> opened;
      std::vector<ShadedQuad> late, rest;
      // The first arrives last: then all are there.
      for (uint32_t i = 0; i < 48; i++) {
        opened.push_back(entry(i));
        (i ? rest : late).push_back(shaded(i, mask));
      }
      Bench bench({.quads_per_cycle = rate}, opened, {rest, {}});
      bench.sim.run(bench.clock, 100);
      bench.shader[1]->messages = late, bench.shader[1]->wake();
      const Cycle before = messages::testing::account_of(bench.sim, bench.buffer).busy;
      bench.sim.run(bench.clock, 100);
      EXPECT_EQ(bench.unit.received.size() + bench.buffer.counters.dead_quads, 48u);
      EXPECT_EQ(messages::testing::account_of(bench.sim, bench.buffer).busy - before,
                1 + (mask ? 48 : 48 / rate));
    }
  }
}

TEST(ReorderBuffer, WaitsForTheShadersThatHoldItsOldest) {
  Bench bench({}, {entry(0), entry(1)}, {{shaded(1)}});
  bench.sim.run(bench.clock, 100);
  EXPECT_GE(messages::testing::account_of(bench.sim, bench.buffer).starved_by("shader0"), 90u);
}

}  // namespace
}  // namespace cutaway::boxes::reorder_buffer_test
