#include "boxes/primitive_assembly/primitive_assembly.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::primitive_assembly_test {
namespace {

using arch::Topology;
using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::PrimitiveMessage;
using messages::VertexMessage;
using Triples = std::vector<std::vector<uint32_t>>;

// Owns the places of vertices.
class Storehouse final : public engine::Box {
 public:
  explicit Storehouse(std::string path) : Box(std::move(path)) {}
  engine::Storage storage{100};
  Cycle tick(Cycle now) override { return idle(now); }
  void list_ports(engine::PortList& list) override { list("storage", storage); }
  std::string why_busy() const override { return ""; }
};

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  PrimitiveAssembly& box;
  Source<VertexMessage>& streamer = sim.add<Source<VertexMessage>>(clock, "streamer");
  Sink<PrimitiveMessage>& clipper = sim.add<Sink<PrimitiveMessage>>(clock, "clipper");
  Sink<messages::DrawAssembled>& processor = sim.add<Sink<messages::DrawAssembled>>(clock, "processor");
  Storehouse& house = sim.add<Storehouse>(clock, "house");
  uint32_t draw = 1;

  explicit Bench(Topology topology = Topology::kTriangleList, unsigned rate = 1)
      : box(sim.add<PrimitiveAssembly>(clock, "assembly", pools, rate)) {
    streamer.per_cycle = clipper.per_cycle = rate;
    state->registers.assembly.topology = static_cast<uint32_t>(topology);
    sim.connect(streamer.out, box.vertices_in, {1, rate, 8 * rate + 1});
    sim.connect(box.primitives_out, clipper.in, {1, rate, 4 * rate + 1});
    sim.connect(box.assembled_out, processor.in, {1, 1, 2});
    sim.connect(house.storage, processor.in);
    sim.elaborate();
  }
  void vertex(uint32_t number) {
    VertexMessage message;
    message.vertex = pools.vertices.allocate();
    message.vertex->output[0][0] = number;
    message.vertex->place = house.storage.take(clock.now());
    send(message);
  }
  void send(VertexMessage message) {
    message.state = state.get();
    message.origin.draw = draw;
    streamer.messages.push_back(message), streamer.wake();
  }
  void end() { send({.draw_end = true}), draw++; }
  // Vertices that the box holds after all have arrived.
  unsigned held() {
    for (VertexMessage& message : streamer.messages) message.vertex = {};
    clipper.received.clear();
    sim.run(clock, 1);
    return 100 - house.storage.free(clock.now());
  }
  // Vertices of each primitive; a draw's end is empty.
  Triples primitives() const {
    Triples all;
    for (const auto& [cycle, message] : clipper.received) {
      all.emplace_back();
      for (uint32_t i = 0; i < message.vertices; i++) all.back().push_back(message.vertex[i]->output[0][0]);
      EXPECT_EQ(message.draw_end, all.back().empty());
    }
    return all;
  }
};

TEST(PrimitiveAssembly, MakesTrianglesOfListsStripsAndFans) {
  const std::pair<Topology, Triples> kCases[] = {
      {Topology::kTriangleList, {{0, 1, 2}, {3, 4, 5}, {}}},
      {Topology::kTriangleStrip, {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}, {4, 5, 6}, {}}},
      {Topology::kTriangleFan, {{1, 2, 0}, {2, 3, 0}, {3, 4, 0}, {4, 5, 0}, {5, 6, 0}, {}}},
      {Topology::kLineStrip, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {}}},
      {Topology::kLineList, {{0, 1}, {2, 3}, {4, 5}, {}}},
      {Topology::kPointList, {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {}}},
  };
  for (const auto& [topology, expected] : kCases) {
    Bench bench(topology);
    for (uint32_t i = 0; i < 7; i++) bench.vertex(i);
    bench.end();
    bench.sim.run(bench.clock, 50);
    EXPECT_EQ(bench.primitives(), expected) << static_cast<int>(topology);
    for (size_t i = 0; i + 1 < expected.size(); i++)
      EXPECT_EQ(bench.clipper.received[i].second.origin.primitive, i);
  }
}

TEST(PrimitiveAssembly, BeginsAnewAfterARestartAnInstanceAndADraw) {
  Bench bench(Topology::kTriangleStrip);
  for (uint32_t i = 0; i < 3; i++) bench.vertex(i);
  bench.send({.kind = VertexMessage::Kind::kRestart});
  for (uint32_t i = 3; i < 6; i++) bench.vertex(i);
  bench.send({.kind = VertexMessage::Kind::kNextInstance});
  for (uint32_t i = 6; i < 9; i++) bench.vertex(i);
  bench.end();
  for (uint32_t i = 9; i < 12; i++) bench.vertex(i);
  bench.end();
  bench.sim.run(bench.clock, 50);
  EXPECT_EQ(bench.primitives(), (Triples{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {}, {9, 10, 11}, {}}));
}

// So that the other places return even if no further vertex can come.
TEST(PrimitiveAssembly, HoldsOnlyVerticesThatItRemembers) {
  const std::pair<Topology, std::vector<unsigned>> kCases[] = {
      // After one vertex, after two, and so on.
      {Topology::kTriangleList, {1, 2, 0, 1, 2, 0, 1}}, {Topology::kTriangleStrip, {1, 2, 2, 2, 2, 2, 2}},
      {Topology::kTriangleFan, {1, 2, 2, 2, 2, 2, 2}},  {Topology::kLineList, {1, 0, 1, 0, 1, 0, 1}},
      {Topology::kLineStrip, {1, 1, 1, 1, 1, 1, 1}},    {Topology::kPointList, {0, 0, 0, 0, 0, 0, 0}},
  };
  using Kind = VertexMessage::Kind;
  for (const auto& [topology, held] : kCases)
    for (const VertexMessage& end :
         {VertexMessage{.kind = Kind::kRestart}, {.kind = Kind::kNextInstance}, {.draw_end = true}}) {
      Bench bench(topology);
      for (uint32_t i = 0; i < 7; i++) {
        bench.vertex(i);
        bench.sim.run(bench.clock, 10);
        EXPECT_EQ(bench.held(), held[i]) << static_cast<int>(topology) << ' ' << i;
      }
      bench.send(end);
      bench.sim.run(bench.clock, 10);
      EXPECT_EQ(bench.held(), 0u);
    }
}

void add_geometry_program(Bench& bench) {
  messages::testing::add_program(*bench.state, arch::Stage::kGeometry, "EMIT 0\nEND\n");
}

// All vertices of each whole primitive.
Triples whole(const Bench& bench) {
  Triples all;
  for (const auto& [cycle, message] : bench.clipper.received) {
    all.emplace_back();
    EXPECT_EQ(message.vertices, 0u);
    for (uint32_t i = 0; message.whole && i < message.whole->vertices; i++)
      all.back().push_back(message.whole->vertex[i]->output[0][0]);
  }
  return all;
}

// With a program they leave with their adjacent vertices, without one they do not.
TEST(PrimitiveAssembly, GivesProgramsAllVertices) {
  struct Case {
    Topology topology;
    uint32_t vertices;
    Triples with, without;
  };
  const Case kCases[] = {
      {Topology::kPointList, 2, {{0}, {1}, {}}, {{0}, {1}, {}}},
      {Topology::kTriangleList, 6, {{0, 1, 2}, {3, 4, 5}, {}}, {{0, 1, 2}, {3, 4, 5}, {}}},
      {Topology::kLineListAdjacency, 9, {{0, 1, 2, 3}, {4, 5, 6, 7}, {}}, {{1, 2}, {5, 6}, {}}},
      {Topology::kLineStripAdjacency, 5, {{0, 1, 2, 3}, {1, 2, 3, 4}, {}}, {{1, 2}, {2, 3}, {}}},
      {Topology::kTriangleListAdjacency, 6, {{0, 1, 2, 3, 4, 5}, {}}, {{0, 2, 4}, {}}},
      {Topology::kTriangleStripAdjacency,
       8,
       {{0, 1, 2, 6, 4, 3}, {4, 0, 2, 5, 6, 7}, {}},
       {{0, 2, 4}, {2, 6, 4}, {}}},
  };
  for (const Case& tried : kCases)
    for (const bool program : {true, false}) {
      Bench bench(tried.topology);
      if (program) add_geometry_program(bench);
      for (uint32_t i = 0; i < tried.vertices; i++) bench.vertex(i);
      bench.end();
      bench.sim.run(bench.clock, 50);
      EXPECT_EQ(program ? whole(bench) : bench.primitives(), program ? tried.with : tried.without)
          << static_cast<int>(tried.topology);
    }
}

// The last triangle is sent at the end of its strip, before the end.
TEST(PrimitiveAssembly, SendsTheLastAdjacencyTriangleBeforeTheEnd) {
  for (const bool draw_end : {true, false}) {
    Bench bench(Topology::kTriangleStripAdjacency);
    add_geometry_program(bench);
    for (uint32_t i = 0; i < 6; i++) bench.vertex(i);
    bench.sim.run(bench.clock, 50);
    EXPECT_TRUE(bench.clipper.received.empty());
    if (draw_end) bench.end();
    else bench.send({.kind = VertexMessage::Kind::kRestart});
    bench.sim.run(bench.clock, 50);
    ASSERT_EQ(bench.clipper.received.size(), draw_end ? 2u : 1u);
    EXPECT_EQ(whole(bench)[0], (std::vector<uint32_t>{0, 1, 2, 5, 4, 3}));
    EXPECT_EQ(bench.clipper.received.back().first, bench.clipper.received[0].first + draw_end);
    EXPECT_EQ(bench.held(), 0u);
  }
}

// In a draw without programs, the assembled primitives are the generated ones.
TEST(PrimitiveAssembly, CountsGeneratedPrimitivesWithoutPrograms) {
  for (const bool program : {true, false}) {
    Bench bench(Topology::kLineListAdjacency);
    bench.state->registers.query.statistics = 1;
    if (program) add_geometry_program(bench);
    for (uint32_t i = 0; i < 8; i++) bench.vertex(i);
    bench.end();
    bench.sim.run(bench.clock, 50);
    ASSERT_EQ(bench.processor.received.size(), 1u);
    const command_stream::QueryCounters& counts = bench.processor.received[0].second.counts;
    EXPECT_EQ(counts[command_stream::Statistic::kInputPrimitives], 2u);
    EXPECT_EQ(counts.primitives_generated[0], program ? 0u : 2u);
  }
}

// A strip in batches of two; the second and the fourth come to one front end.
TEST(PrimitiveAssembly, BeginsABatchWithItsFirstPrimitive) {
  Bench bench(Topology::kTriangleStrip);
  bench.state->registers.query.statistics = 1;
  const auto batch = [&](uint32_t first) {
    for (uint32_t i = 0; i < 4; i++) {
      bench.vertex(first + i);
      bench.streamer.messages.back().batch = {.first_primitive = first, .repeated = i < 2};
    }
  };
  batch(2);
  bench.send({.kind = VertexMessage::Kind::kBatchEnd});
  batch(6);
  bench.end();
  bench.sim.run(bench.clock, 50);
  const auto& received = bench.clipper.received;
  ASSERT_EQ(received.size(), 6u);
  EXPECT_TRUE(received[2].second.batch_end);
  EXPECT_FALSE(received[2].second.draw_end);
  EXPECT_TRUE(received[5].second.draw_end);
  EXPECT_FALSE(received[5].second.batch_end);
  for (const auto& [i, id] : {std::pair{0u, 2u}, {1u, 3u}, {3u, 6u}, {4u, 7u}}) {
    const PrimitiveMessage& message = received[i].second;
    EXPECT_EQ(message.origin.primitive, id);
    EXPECT_EQ(message.vertex[0]->output[0][0], id);
    EXPECT_EQ(message.vertex[1]->output[0][0], id + (id % 2 ? 2 : 1));  // the winding of odd triangles
  }
  // One report per batch, without vertices shared with the previous batch.
  ASSERT_EQ(bench.processor.received.size(), 2u);
  for (const auto& [cycle, assembled] : bench.processor.received) {
    EXPECT_EQ(assembled.draw, 1u);
    EXPECT_EQ(assembled.counts[command_stream::Statistic::kInputVertices], 2u);
    EXPECT_EQ(assembled.counts[command_stream::Statistic::kInputPrimitives], 2u);
  }
  EXPECT_EQ(bench.box.counters.vertices, 8u);
}

// 1 vertex in, 1 triangle out per cycle (ATT-3).
TEST(PrimitiveAssembly, MakesATrianglePerCycle) {
  Bench bench(Topology::kTriangleStrip);
  for (uint32_t i = 0; i < 52; i++) bench.vertex(i);
  bench.sim.run(bench.clock, 60);
  ASSERT_EQ(bench.clipper.received.size(), 50u);
  // The third vertex is sent in 3, arrives in 4, and its triangle arrives in 5.
  for (size_t i = 0; i < 50; i++) EXPECT_EQ(bench.clipper.received[i].first, 5 + i);
}

TEST(PrimitiveAssembly, TakesAsManyVerticesPerCycleAsDeclared) {
  for (const unsigned rate : {1u, 2u, 3u, 4u}) {
    Bench strip(Topology::kTriangleStrip, rate), list(Topology::kTriangleList, rate);
    for (uint32_t i = 0; i < 60; i++) strip.vertex(i), list.vertex(i);
    strip.sim.run(strip.clock, 80), list.sim.run(list.clock, 80);
    ASSERT_EQ(strip.clipper.received.size(), 58u);
    ASSERT_EQ(list.clipper.received.size(), 20u);
    // Vertex i arrives in cycle 2 + i / rate, and the primitive that it completes reaches the clipper a cycle
    // later.
    for (uint32_t i = 0; i < 58; i++) EXPECT_EQ(strip.clipper.received[i].first, 3 + (i + 2) / rate) << rate;
    for (uint32_t i = 0; i < 20; i++)
      EXPECT_EQ(list.clipper.received[i].first, 3 + (3 * i + 2) / rate) << rate;
  }
}

TEST(PrimitiveAssembly, BlamesASlowClipper) {
  const auto blame = [](Cycle k) {
    Bench bench(Topology::kPointList);
    for (uint32_t i = 0; i < 40; i++) bench.vertex(i);
    bench.clipper.interval = k;
    bench.sim.run(bench.clock, 2000);
    EXPECT_EQ(bench.clipper.received.size(), 40u);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("clipper");
  };
  messages::testing::expect_blame_per_item(blame, 34);  // one is taken at once, five wait on the wire
}

TEST(PrimitiveAssembly, CountsVerticesAndPrimitivesOnRequest) {
  for (uint32_t asked : {0u, 1u}) {
    Bench bench(Topology::kTriangleStrip);
    bench.state->registers.query.statistics = asked;
    for (uint32_t i = 0; i < 7; i++) bench.vertex(i);
    bench.send({.kind = VertexMessage::Kind::kRestart});
    bench.vertex(7);
    bench.end();
    bench.vertex(8);
    bench.end();
    bench.sim.run(bench.clock, 50);
    EXPECT_EQ(bench.box.counters.vertices, 9u);
    EXPECT_EQ(bench.box.counters.primitives, 5u);
    ASSERT_EQ(bench.processor.received.size(), 2u);
    EXPECT_EQ(bench.processor.received[0].second.draw, 1u);
    EXPECT_EQ(bench.processor.received[0].second.counts[command_stream::Statistic::kInputVertices],
              asked ? 8u : 0u);
    EXPECT_EQ(bench.processor.received[0].second.counts[command_stream::Statistic::kInputPrimitives],
              asked ? 5u : 0u);
    EXPECT_EQ(bench.processor.received[1].second.counts[command_stream::Statistic::kInputVertices],
              asked ? 1u : 0u);
    EXPECT_EQ(bench.processor.received[1].second.counts[command_stream::Statistic::kInputPrimitives], 0u);
  }
}

TEST(PrimitiveAssembly, BlamesAProcessorThatDoesNotTakeEnds) {
  Bench bench;
  bench.processor.refuse = true;
  for (int i = 0; i < 4; i++) bench.end();
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.clipper.received.size(), 2u);  // the capacity of the wire
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).blocked_by("processor"), 150u);
}

}  // namespace
}  // namespace cutaway::boxes::primitive_assembly_test
