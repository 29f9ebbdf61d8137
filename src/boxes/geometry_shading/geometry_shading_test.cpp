#include "boxes/geometry_shading/geometry_shading.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::geometry_shading_test {
namespace {

using arch::Stage;
using arch::Topology;
using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::DrawAssembled;
using messages::EmittedPrimitives;
using messages::PrimitiveMessage;
using messages::VertexGroup;
using ::testing::ElementsAre;

// Runs groups: each ends `latency(first primitive's id)` cycles after its arrival, in any order. Each lane
// emits as `emits` says: streams, and '|' for the end of a strip.
class Units final : public engine::Box {
 public:
  explicit Units(std::string path) : Box(std::move(path)) {}
  engine::In<VertexGroup> in;
  engine::Out<EmittedPrimitives> out;
  uint32_t outputs = 1;
  std::function<Cycle(uint32_t id)> latency = [](uint32_t) { return 10; };
  std::function<std::string(uint32_t id, uint32_t invocation)> emits = [](uint32_t, uint32_t) {
    return "000";
  };
  std::vector<std::pair<Cycle, std::vector<uint32_t>>> seen;  // arrival, and ids of the lanes
  std::vector<uint32_t> invocations;                          // by lane

  Cycle tick(Cycle now) override {
    bool progress = false;
    auto done = std::find_if(under_way_.begin(), under_way_.end(), [&](auto& g) { return g.first <= now; });
    if (done != under_way_.end() && out.ready(now)) {
      out.send(now, {std::move(done->second.primitives), done->second.slot});
      under_way_.erase(done);
      progress = true;
    }
    if (in.peek(now)) {
      VertexGroup group = in.take(now);
      run(group);
      auto& ids = seen.emplace_back(now, std::vector<uint32_t>()).second;
      for (uint32_t lane = 0; lane < group.lanes; lane++) {
        ids.push_back(group.primitives->id[lane]);
        invocations.push_back(group.primitives->invocation[lane]);
      }
      under_way_.emplace_back(now + latency(ids.front()), std::move(group));
      progress = true;
    }
    Cycle next = engine::kAsleep;
    for (const auto& group : under_way_) next = std::min(next, std::max(now + 1, group.first));
    return progress ? busy(now) : idle(now, next);
  }
  void list_ports(engine::PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return under_way_.empty() ? "" : "groups"; }

 private:
  // The first word of a vertex encodes its primitive, its invocation, and its number in the lane.
  void run(VertexGroup& group) const {
    for (uint32_t lane = 0; lane < group.lanes; lane++) {
      const uint32_t id = group.primitives->id[lane], invocation = group.primitives->invocation[lane];
      func::EmittedStrips& emitted = group.primitives->emitted[lane];
      uint32_t number = 0, stream = 0;
      for (const char what : emits(id, invocation)) {
        if (what == '|') {
          emitted.cut(stream);
          continue;
        }
        stream = static_cast<uint32_t>(what - '0');
        if (!emitted.emit(stream, group.state->registers.geometry.max_vertices)) continue;
        emitted.add_word(100 * id + 10 * invocation + number++);
        for (uint32_t i = 1; i < 4 * outputs; i++) emitted.add_word(i);
      }
    }
  }
  std::vector<std::pair<Cycle, VertexGroup>> under_way_;
};

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state(),
                                       plain = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  GeometryShading& box;
  Source<PrimitiveMessage>& assembly = sim.add<Source<PrimitiveMessage>>(clock, "assembly");
  Units& units = sim.add<Units>(clock, "units");
  Sink<PrimitiveMessage>& clipper = sim.add<Sink<PrimitiveMessage>>(clock, "clipper");
  Sink<DrawAssembled>& processor = sim.add<Sink<DrawAssembled>>(clock, "processor");
  uint32_t id = 0;

  // lanes: per group.
  explicit Bench(const GeometryShadingSpec& spec = {}, unsigned lanes = 4, uint32_t outputs = 1)
      : box(sim.add<GeometryShading>(clock, "geometry", spec, 0u, 1u, lanes, pools)) {
    std::string text;
    for (uint32_t i = 0; i < outputs; i++) text += fmt::format("MOV o{}, c0\n", i);
    messages::testing::add_program(*state, Stage::kGeometry, text + "EMIT 0\nEND\n", lanes);
    units.outputs = outputs;
    state->registers.geometry.output_topology = static_cast<uint32_t>(Topology::kTriangleStrip);
    state->registers.geometry.max_vertices = 3;
    sim.connect(assembly.out, box.primitives_in, {1, 2, 5});
    sim.connect(box.groups_out, units.in, {1, 1, 4});
    sim.connect(units.out, box.emitted_in[0], {1, 1, 2});
    sim.connect(box.primitives_out, clipper.in, {1, 2, 5});
    sim.connect(box.assembled_out, processor.in, {1, 1, 2});
    sim.connect(box.storage, clipper.in);
    sim.elaborate();
  }
  void send(PrimitiveMessage message, uint32_t draw = 1) {
    message.origin.draw = draw;
    assembly.messages.push_back(std::move(message)), assembly.wake();
  }
  void primitives(uint32_t count, uint32_t draw = 1) {
    for (uint32_t i = 0; i < count; i++) {
      PrimitiveMessage message;
      message.whole = pools.whole_primitives.allocate();
      message.state = state.get();
      message.origin.primitive = id++;
      send(std::move(message), draw);
    }
  }
  void end(uint32_t draw = 1, bool batch = false) {
    PrimitiveMessage message;
    message.state = state.get();
    message.draw_end = !batch, message.batch_end = batch;
    send(std::move(message), draw);
    if (!batch) id = 0;
  }
  void pass(uint32_t draw) {
    PrimitiveMessage message;
    message.state = plain.get();
    message.vertices = 3;
    send(std::move(message), draw);
  }
  void run(Cycle cycles = 1000) { sim.run(clock, cycles); }
  // The first word of each vertex, by primitive; ends are empty.
  std::vector<std::vector<uint32_t>> sent() const {
    std::vector<std::vector<uint32_t>> all;
    for (const auto& [cycle, message] : clipper.received) {
      all.emplace_back();
      for (uint32_t i = 0; i < message.vertices; i++)
        all.back().push_back(message.vertex[i] ? message.vertex[i]->output[0][0] : 7777);
    }
    return all;
  }
  Cycle time(size_t i) const { return clipper.received.at(i).first; }
};

// The first group takes longest, but its primitives leave first.
TEST(GeometryShading, KeepsTheOrderThoughGroupsEndOutOfOrder) {
  Bench bench;
  bench.units.latency = [](uint32_t first) { return first == 0 ? 200 : 10; };
  bench.primitives(12);
  bench.end();
  bench.run();
  std::vector<std::vector<uint32_t>> expected;
  for (uint32_t i = 0; i < 12; i++) expected.push_back({100 * i, 100 * i + 1, 100 * i + 2});
  expected.emplace_back();
  EXPECT_EQ(bench.sent(), expected);
  for (uint32_t i = 0; i < 12; i++) EXPECT_EQ(bench.clipper.received[i].second.origin.primitive, i);
  ASSERT_EQ(bench.units.seen.size(), 3u);
  // Taken in 202 (sent, a wire); then three vertices per primitive, on the wire.
  EXPECT_GT(bench.time(0), 200u);
  for (size_t i = 1; i < 12; i++) EXPECT_EQ(bench.time(i), bench.time(0) + 3 * i);
  EXPECT_EQ(bench.time(12), bench.time(11) + 1);
}

// Invocations join in 2 to 5; the group of four is sent in 6 and arrives in 7.
TEST(GeometryShading, GathersAnInvocationACycle) {
  Bench bench;
  bench.primitives(4);
  bench.run(100);
  ASSERT_EQ(bench.units.seen.size(), 1u);
  EXPECT_EQ(bench.units.seen[0].first, 7u);
  EXPECT_THAT(bench.units.seen[0].second, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(bench.box.counters.invocations, 4u);
}

TEST(GeometryShading, GroupsInvocationsOfAPrimitiveSideBySide) {
  Bench bench;
  bench.state->registers.geometry.invocations = 3;
  bench.primitives(2);
  bench.end();
  bench.run();
  EXPECT_THAT(bench.units.invocations, ElementsAre(0, 1, 2, 0, 1, 2));
  ASSERT_EQ(bench.units.seen.size(), 2u);
  EXPECT_THAT(bench.units.seen[0].second, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(bench.units.seen[1].second, ElementsAre(1, 1));
  EXPECT_EQ(bench.box.counters.primitives_in, 2u);
  EXPECT_EQ(bench.box.counters.invocations, 6u);
  EXPECT_EQ(bench.sent().size(), 7u);
}

// The only primitive joins in 2. Without a successor the group is closed 8 cycles later; an end closes it in
// 3.
TEST(GeometryShading, AGroupWaitsForAnotherPrimitive) {
  for (const bool end : {false, true}) {
    Bench bench({.gather_cycles = 8});
    bench.primitives(1);
    if (end) bench.end();
    bench.run(100);
    ASSERT_EQ(bench.units.seen.size(), 1u);
    EXPECT_EQ(bench.units.seen[0].first, end ? 5u : 12u);
    EXPECT_EQ(bench.units.seen[0].second.size(), 1u);
  }
  // A primitive that arrives before the timeout joins; a later one does not.
  for (const Cycle after : {7u, 9u}) {
    Bench bench({.gather_cycles = 8});
    bench.assembly.interval = after;
    bench.primitives(2);
    bench.end();
    bench.run(100);
    EXPECT_EQ(bench.units.seen.size(), after < 8 ? 1u : 2u) << after;
  }
}

// Five primitives fill the wire, and the end behind them is blocked when one of the next draw comes.
TEST(GeometryShading, AGroupClosesWhileAnEndIsBlocked) {
  Bench bench({.gather_cycles = 40});
  bench.clipper.refuse = true;
  bench.primitives(5);
  bench.end();
  bench.run(100);
  bench.primitives(1, 2);
  bench.run(44);  // sent in 101; joins in 102, and is taken 42 cycles later
  EXPECT_EQ(bench.units.seen.size(), 3u);
  EXPECT_TRUE(bench.clipper.received.empty());
}

// Groups of four that may emit 64 vertices each. The second is sent when there is room for 256, which the
// first frees by vertices not emitted, and by each vertex that leaves.
TEST(GeometryShading, WaitsForRoomForAllThatAGroupMayEmit) {
  struct Case {
    unsigned room;
    uint32_t emitted;
    Cycle leave;  // vertices of the first group that must leave first
  };
  for (const auto& [room, emitted, leave] :
       {Case{256, 64, 256}, {256, 3, 12}, {257, 64, 255}, {400, 64, 112}, {400, 37, 4}, {511, 64, 1}}) {
    Bench bench({.output_vertices = room});
    bench.state->registers.geometry.max_vertices = 64;
    bench.units.emits = [&](uint32_t, uint32_t) { return std::string(emitted, '0'); };
    bench.primitives(8);
    bench.end();
    bench.run(2000);
    ASSERT_EQ(bench.units.seen.size(), 2u);
    // The first arrives at the unit in 7, ends in 17, returns in 18; its first vertex leaves in 19. The
    // second is sent with the last vertex that must leave, and arrives a cycle later.
    EXPECT_EQ(bench.units.seen[1].first, 19 + leave) << room << ", " << emitted;
    EXPECT_EQ(bench.box.counters.output_stalls, 1u);
    EXPECT_EQ(bench.box.counters.vertices, 8 * emitted);
    EXPECT_EQ(bench.box.counters.primitives, 8 * (emitted - 2));
  }
  // With room for both groups the second does not wait.
  Bench bench({.output_vertices = 512});
  bench.state->registers.geometry.max_vertices = 64;
  bench.primitives(8);
  bench.run(100);
  ASSERT_EQ(bench.units.seen.size(), 2u);
  EXPECT_EQ(bench.units.seen[1].first, 11u);
  EXPECT_EQ(bench.box.counters.output_stalls, 0u);
}

// If an invocation may emit 100 vertices, two fit into a buffer of 256.
TEST(GeometryShading, AGroupIsNoLargerThanTheOutputBuffer) {
  Bench bench({.output_vertices = 256}, 8);
  bench.state->registers.geometry.max_vertices = 100;
  bench.primitives(5);
  bench.end();
  bench.run(2000);
  std::vector<size_t> sizes;
  for (const auto& group : bench.units.seen) sizes.push_back(group.second.size());
  EXPECT_THAT(sizes, ElementsAre(2, 2, 1));
}

TEST(GeometryShading, HasTheDeclaredGroupsInFlight) {
  for (const unsigned most : {1u, 2u, 16u}) {
    Bench bench({.groups = most});
    bench.units.latency = [](uint32_t) { return 300; };
    bench.primitives(20);
    bench.run(250);
    EXPECT_EQ(bench.units.seen.size(), std::min(most, 5u));
    bench.end();
    bench.run(3000);
    EXPECT_EQ(bench.units.seen.size(), 5u);
    EXPECT_EQ(bench.box.counters.groups, 5u);
  }
}

// The assembler remembers two vertices; the fourth has no place while a later primitive holds the third.
TEST(GeometryShading, WaitsForPlacesOfVertices) {
  Bench bench({.vertices = 3});
  bench.state->registers.geometry.max_vertices = 5;
  bench.units.emits = [](uint32_t, uint32_t) { return "00000"; };
  bench.primitives(1);
  bench.end();
  bench.run(200);
  ASSERT_EQ(bench.clipper.received.size(), 1u);  // its message is held here
  Cycle waited = 0;
  for (const auto& wait : messages::testing::account_of(bench.sim, bench.box).waits)
    if (wait.port == "storage") waited += wait.cycles;
  EXPECT_GT(waited, 100u);
  const Cycle freed = bench.clock.now();
  bench.clipper.received.clear();
  bench.run(20);
  ASSERT_EQ(bench.clipper.received.size(), 1u);  // the next primitive, which has taken the place
  EXPECT_LE(bench.time(0), freed + 3);
  bench.clipper.received.clear();
  bench.run(20);
  EXPECT_EQ(bench.sent().size(), 2u);  // the last primitive, and the end
}

// Vertices of other streams need no places, and none of their primitives leaves.
TEST(GeometryShading, OnlyStreamZeroIsRasterised) {
  Bench bench({.vertices = 3});
  bench.state->registers.geometry.output_topology = static_cast<uint32_t>(Topology::kPointList);
  bench.state->registers.geometry.max_vertices = 9;
  bench.state->registers.query.statistics = 1;
  bench.units.emits = [](uint32_t id, uint32_t) { return id == 0 ? "0111133" : "2"; };
  bench.primitives(2);
  bench.end();
  bench.run(200);
  EXPECT_EQ(bench.sent(), (std::vector<std::vector<uint32_t>>{{0}, {}}));
  ASSERT_EQ(bench.processor.received.size(), 1u);
  const command_stream::QueryCounters& counts = bench.processor.received[0].second.counts;
  EXPECT_THAT(counts.primitives_generated, ElementsAre(1, 4, 1, 2));
  EXPECT_EQ(counts[command_stream::Statistic::kGeometryInvocations], 2u);
  EXPECT_EQ(counts[command_stream::Statistic::kGeometryPrimitives], 8u);
  // Each takes a cycle, whether it leaves or not: the end follows the first after as many cycles as there are
  // others.
  EXPECT_EQ(bench.time(1), bench.time(0) + 8);
}

// A strip ends at a cut and at the end of its invocation; incomplete primitives are dropped.
TEST(GeometryShading, EndsStrips) {
  Bench bench;
  bench.state->registers.geometry.max_vertices = 20;
  bench.units.emits = [](uint32_t id, uint32_t) {
    return id == 0 ? "|0000|00|000" : id == 1 ? "00" : id == 2 ? "" : "000|";
  };
  bench.primitives(4);
  bench.end();
  bench.run();
  EXPECT_EQ(bench.sent(),
            (std::vector<std::vector<uint32_t>>{{0, 1, 2}, {1, 3, 2}, {6, 7, 8}, {300, 301, 302}, {}}));
}

// A vertex of more than 16 outputs takes two cycles.
TEST(GeometryShading, TakesACycleForEach16Outputs) {
  for (const uint32_t outputs : {16u, 17u, 33u}) {
    Bench bench({}, 4, outputs);
    bench.primitives(3);
    bench.end();
    bench.run();
    ASSERT_EQ(bench.clipper.received.size(), 4u);
    const Cycle each = (outputs + 15) / 16;
    EXPECT_EQ(bench.time(1) - bench.time(0), 3 * each) << outputs;
    EXPECT_EQ(bench.time(2) - bench.time(1), 3 * each) << outputs;
    EXPECT_EQ(bench.clipper.received[2].second.vertex[1]->output[outputs - 1][3], 4 * outputs - 1);
  }
}

// Draws without a program, between draws with one; each end is both a batch's and a draw's.
TEST(GeometryShading, PassesDrawsWithoutAProgram) {
  Bench bench;
  bench.primitives(2, 1);
  bench.end(1, true);
  bench.end(1);
  for (int i = 0; i < 3; i++) bench.pass(2);
  bench.end(2);
  bench.primitives(1, 3);
  bench.end(3);
  bench.run();
  const auto sent = bench.sent();
  ASSERT_EQ(sent.size(), 10u);
  for (const size_t i : {2, 3, 7, 9}) EXPECT_TRUE(sent[i].empty()) << i;
  EXPECT_TRUE(bench.clipper.received[2].second.batch_end);
  EXPECT_FALSE(bench.clipper.received[2].second.draw_end);
  for (const size_t i : {3, 7, 9}) EXPECT_TRUE(bench.clipper.received[i].second.draw_end) << i;
  for (const size_t i : {4, 5, 6}) EXPECT_EQ(sent[i], (std::vector<uint32_t>(3, 7777)));
  for (const size_t i : {5, 6}) EXPECT_EQ(bench.time(i), bench.time(i - 1) + 1);
  EXPECT_EQ(bench.box.counters.passed, 3u);
  std::vector<uint32_t> told;
  for (const auto& [cycle, assembled] : bench.processor.received) told.push_back(assembled.draw);
  EXPECT_THAT(told, ElementsAre(1, 1, 2, 3));
  // Each draw has its own assembler state: ids restart.
  EXPECT_EQ(sent[8], (std::vector<uint32_t>{0, 1, 2}));
}

TEST(GeometryShading, TheEndOfABatchOfOtherDrawsTakesNoCycle) {
  Bench bench;
  bench.pass(1);
  bench.assembly.messages = messages::testing::two_batches(bench.assembly.messages[0]);
  bench.assembly.per_cycle = bench.clipper.per_cycle = 2;
  bench.run();
  messages::testing::expect_ends_pass_along(bench.clipper.received);
  EXPECT_EQ(bench.processor.received.size(), 3u);
}

// Each point takes a cycle, so a slow clipper costs its excess time per point.
TEST(GeometryShading, BlamesASlowClipper) {
  const auto blame = [](Cycle k) {
    Bench bench;
    bench.state->registers.geometry.output_topology = static_cast<uint32_t>(Topology::kPointList);
    bench.clipper.interval = k;
    bench.primitives(40);
    bench.end();
    bench.run(20000);
    EXPECT_EQ(bench.clipper.received.size(), 121u);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("clipper");
  };
  messages::testing::expect_blame_per_item(blame, 115, 100);
}

TEST(GeometryShading, BlamesUnitsThatTakeLong) {
  Bench bench;
  bench.units.latency = [](uint32_t) { return 500; };
  bench.primitives(4);
  bench.end();
  bench.run(400);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("units"), 380u);
}

}  // namespace
}  // namespace cutaway::boxes::geometry_shading_test
