#include "boxes/streamer/streamer.h"

#include <gtest/gtest.h>
#include <numeric>
#include <tuple>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::streamer_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::DrawCommand;
using messages::ShadedVertices;
using messages::VertexGroup;
using messages::VertexMessage;

constexpr arch::Address kVertices = 0x10000, kIndices = 0x20000;

// Shades a group in a fixed time: a vertex's output 0 is its input 0 and its id.
class Shader final : public engine::Box {
 public:
  Shader(std::string path, messages::Pools& pools, uint32_t lanes)
      : Box(std::move(path)), pools_(pools), lanes_(lanes) {}
  engine::In<VertexGroup> groups_in;
  engine::Out<ShadedVertices> vertices_out;
  Cycle latency = 10;
  std::vector<uint32_t> sizes;

  Cycle tick(Cycle now) override {
    if (busy_ && now < ready_) return busy(now, ready_);
    if (busy_) {
      if (!vertices_out.ready(now)) return blocked(now, vertices_out);
      ShadedVertices out;
      out.lanes = group_.lanes, out.vertices = group_.vertices;
      for (uint32_t lane = 0; lane < group_.lanes; lane++) {
        out.vertices->shaded[lane] = pools_.vertices.allocate();
        const auto& word = group_.vertices->word;
        out.vertices->shaded[lane]->output[0] = {
            word[func::register_word(lanes_, 0, 0, lane)],
            word[func::register_word(lanes_, arch::kInputVertexId, 0, lane)],
            word[func::register_word(lanes_, arch::kInputVertexId, 1, lane)], 0};
      }
      vertices_out.send(now, out);
      busy_ = false;
      group_ = {};
      return busy(now);
    }
    if (!groups_in.peek(now)) return idle(now);
    group_ = groups_in.take(now);
    sizes.push_back(group_.lanes);
    busy_ = true;
    ready_ = now + latency;
    return busy(now);
  }
  void list_ports(engine::PortList& list) override {
    list("groups_in", groups_in), list("vertices_out", vertices_out);
  }
  std::string why_busy() const override { return busy_ ? "a group" : ""; }

 private:
  using Box::busy;
  messages::Pools& pools_;
  uint32_t lanes_;
  VertexGroup group_;
  bool busy_ = false;
  Cycle ready_ = 0;
};

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Streamer& box;
  Source<DrawCommand>& draws = sim.add<Source<DrawCommand>>(clock, "draws");
  Sink<VertexMessage>& assembly = sim.add<Sink<VertexMessage>>(clock, "assembly");
  Source<messages::Control>& orders = sim.add<Source<messages::Control>>(clock, "orders");
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  messages::testing::MemoryModel& index_memory;
  messages::testing::MemoryModel& memory;
  Shader& shader;

  // The wires to the shader and to assembly carry spec.vertices_per_cycle. group_lanes: vertices per group,
  // whose registers are laid out for `lanes`; 0: as many.
  explicit Bench(const StreamerSpec& spec = {}, uint32_t lanes = 4, Cycle latency = 10,
                 uint32_t group_lanes = 0)
      : box(sim.add<Streamer>(clock, "streamer", spec, structures::FrontEnds{}, 0, 1,
                              group_lanes ? group_lanes : lanes, lanes, pools)),
        index_memory(sim.add<messages::testing::MemoryModel>(clock, "index_memory", latency)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)),
        shader(sim.add<Shader>(clock, "shader", pools, lanes)) {
    sim.connect(draws.out, box.draws_in, {1, 1, 4});
    sim.connect(box.groups_out, shader.groups_in, {1, spec.vertices_per_cycle, 4 * spec.vertices_per_cycle});
    sim.connect(shader.vertices_out, box.shaded_in[0], {1, 1, 2});
    assembly.per_cycle = spec.vertices_per_cycle;
    sim.connect(box.vertices_out, assembly.in, {1, spec.vertices_per_cycle, 9});
    sim.connect(box.storage, assembly.in);
    sim.connect(box.index_memory_out, index_memory.requests, {1, 1, 4});
    sim.connect(index_memory.replies, box.index_memory_in, {1, 1, 4});
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.connect(orders.out, box.control_in, {1, 1, 2});
    sim.connect(box.control_out, done.in, {1, 1, 2});
    sim.elaborate();
    index_memory.memory.map(0, 1 << 18), memory.memory.map(0, 1 << 18);
    messages::testing::add_program(*state, arch::Stage::kVertex, "MOV o0, i0\nEND\n");
    // Attribute 0 of vertex n is 1000 + n; there are 64.
    auto& assembly_state = state->registers.assembly;
    assembly_state.vertex_base_in_id = 1;
    assembly_state.attribute[0] = {static_cast<uint32_t>(arch::Format::R32_UINT), 0, 0};
    assembly_state.binding[0] = {kVertices, 64 * 4, 4, 0, 1};
    for (uint32_t i = 0; i < 64; i++) {
      const uint32_t value = 1000 + i;
      memory.memory.write(kVertices + 4 * i, &value, 4);
    }
  }
  template <class Index>
  void indices(const std::vector<Index>& values, arch::IndexType type, arch::Address at = kIndices) {
    auto& assembly_state = state->registers.assembly;
    assembly_state.index_address = at;
    assembly_state.index_bytes = static_cast<uint32_t>(values.size() * sizeof(Index));
    assembly_state.index_type = static_cast<uint32_t>(type);
    index_memory.memory.write(at, values.data(), values.size() * sizeof(Index));
  }
  void draw(command_stream::Draw draw, uint32_t number = 1) {
    if (!draw.instances) draw.instances = 1;
    DrawCommand command{.draw = draw, .state = state.get()};
    command.origin.draw = number;
    draws.messages.push_back(command), draws.wake();
  }
  // Attributes in the order of arrival; -1 is a restart, -2 another instance, -3 a draw's end.
  std::vector<int> order() const {
    std::vector<int> all;
    for (const auto& [cycle, message] : assembly.received)
      all.push_back(message.draw_end                                     ? -3
                    : message.kind == VertexMessage::Kind::kRestart      ? -1
                    : message.kind == VertexMessage::Kind::kNextInstance ? -2
                                                                         : int(message.vertex->output[0][0]));
    return all;
  }
};

TEST(Streamer, SendsVerticesInOrderAndTheDrawEnd) {
  Bench bench;
  bench.draw({.count = 6, .first = 3});
  bench.draw({.count = 1, .first = 60}, 2);
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.order(), (std::vector<int>{1003, 1004, 1005, 1006, 1007, 1008, -3, 1060, -3}));
  EXPECT_EQ(bench.assembly.received[0].second.vertex->output[0][1], 3u);  // its id
  EXPECT_EQ(bench.box.counters.indices, 7u);
  EXPECT_EQ(bench.box.why_busy(), "");
}

TEST(Streamer, ReusesCachedVertices) {
  Bench bench({.post_cache = 4});
  bench.indices<uint16_t>({0, 1, 2, 2, 1, 3, 4, 5, 0, 5}, arch::IndexType::kUint16);
  bench.draw({.indexed = true, .count = 10});
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.order(),
            (std::vector<int>{1000, 1001, 1002, 1002, 1001, 1003, 1004, 1005, 1000, 1005, -3}));
  // First in, first out: 0 has been evicted when it comes again.
  EXPECT_EQ(bench.box.counters.post_cache_hits, 3u);
  EXPECT_EQ(bench.box.counters.vertices_shaded, 7u);
}

TEST(Streamer, AnotherDrawFindsNothingOfTheLast) {
  Bench bench;
  bench.indices<uint16_t>({0, 1, 2}, arch::IndexType::kUint16);
  bench.draw({.indexed = true, .count = 3});
  bench.draw({.indexed = true, .count = 3}, 2);
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.box.counters.post_cache_hits, 0u);
}

TEST(Streamer, RestartsAndInstances) {
  Bench bench;
  bench.indices<uint8_t>({0, 1, 0xff, 2}, arch::IndexType::kUint8);
  bench.state->registers.assembly.primitive_restart = 1;
  bench.draw({.indexed = true, .count = 4, .instances = 3, .first_instance = 5});
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.order(),
            (std::vector<int>{1000, 1001, -1, 1002, -2, 1000, 1001, -1, 1002, -2, 1000, 1001, -1, 1002, -3}));
  for (const auto& [cycle, message] : bench.assembly.received)
    if (message.vertex) { EXPECT_GE(message.vertex->output[0][2], 5u); }
  EXPECT_EQ(bench.box.counters.post_cache_hits, 0u);  // another instance is another vertex
}

TEST(Streamer, AnEmptyDrawIsItsEnd) {
  Bench bench;
  bench.draw({.count = 0});
  bench.draw({.indexed = true, .count = 0, .instances = 4}, 2);
  bench.draw({.count = 1}, 3);
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.order(), (std::vector<int>{-3, -3, 1000, -3}));
}

TEST(Streamer, FillsGroupsWithoutDeadlock) {
  for (uint32_t lanes : {4u, 32u}) {
    Bench bench({.queue = 6, .post_cache = 4, .slots = 8}, lanes);
    bench.draw({.count = 50});
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.assembly.received.size(), 51u);
    for (uint32_t size : bench.shader.sizes) EXPECT_LE(size, lanes);
  }
  Bench bench;
  bench.draw({.count = 48});
  bench.sim.run(bench.clock, 1000);
  EXPECT_EQ(bench.shader.sizes, std::vector<uint32_t>(12, 4));
}

// Groups of 16 in registers of 32 lanes.
TEST(Streamer, ClosesGroupsSmallerThanTheRegisterWidth) {
  Bench bench({}, 32, 10, 16);
  bench.draw({.count = 40});
  bench.sim.run(bench.clock, 1000);
  EXPECT_EQ(bench.shader.sizes, (std::vector<uint32_t>{16, 16, 8}));
  std::vector<int> expected;
  for (int i = 0; i < 40; i++) expected.push_back(1000 + i);
  expected.push_back(-3);
  EXPECT_EQ(bench.order(), expected);
}

// One index and one vertex per cycle (ATT-3), or several, if shading keeps up.
TEST(Streamer, SendsAsManyVerticesPerCycleAsDeclared) {
  for (const unsigned rate : {1u, 2u, 3u, 4u}) {
    // The only group leaves when the order is full.
    Bench bench({.queue = 48, .vertices_per_cycle = rate}, 4, 1);
    bench.shader.latency = 1;
    bench.indices<uint8_t>(std::vector<uint8_t>(240, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 240});
    bench.sim.run(bench.clock, 400);
    ASSERT_EQ(bench.assembly.received.size(), 241u);
    EXPECT_EQ(bench.assembly.received[239].first - bench.assembly.received[119].first, 120u / rate) << rate;
  }
}

// Groups of one vertex leave at that rate too.
TEST(Streamer, SendsAsManyGroupsPerCycleAsDeclared) {
  for (const unsigned rate : {1u, 2u, 4u}) {
    StreamerSpec spec{.queue = 256, .slots = 255, .vertices_per_cycle = rate};
    spec.attributes_per_cycle = 16;
    Bench bench(spec, 1, 1);
    bench.shader.latency = 1000;  // takes one; the rest fills its wire
    bench.draw({.count = 64});
    unsigned before = 0, most = 0;
    for (unsigned cycle = 0; cycle < 60; cycle++) {
      bench.sim.run(bench.clock, 1);
      const auto sent = static_cast<unsigned>(bench.box.groups_out.wire()->sent());
      most = std::max(most, sent - before);
      before = sent;
    }
    EXPECT_EQ(most, rate);
  }
}

TEST(Streamer, BlamesAssemblyAndMemory) {
  const auto blame = [](Cycle k) {
    Bench bench;
    bench.indices<uint8_t>(std::vector<uint8_t>(60, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 60});
    bench.assembly.interval = k;
    bench.sim.run(bench.clock, 9000);
    EXPECT_EQ(bench.assembly.received.size(), 61u);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("assembly");
  };
  messages::testing::expect_blame_per_item(blame, 51, 100);  // of 61; one at once, nine wait on the wire
  const auto starved = [](Cycle latency) {
    Bench bench({}, 4, latency);
    bench.draw({.count = 1});
    bench.sim.run(bench.clock, 1000);
    return messages::testing::account_of(bench.sim, bench.box).starved_by("memory");
  };
  EXPECT_EQ(starved(57) - starved(20), 37u);
}

// One group is being shaded, four wait on the wire, and the last, with a single vertex, waits for room there.
TEST(Streamer, BlamesTheShadersWhenTheLastGroupCannotLeave) {
  const auto blocked = [](Cycle latency) {
    Bench bench;
    bench.shader.latency = latency;
    bench.draw({.count = 21});
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.shader.sizes, (std::vector<uint32_t>{4, 4, 4, 4, 4, 1}));
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("shader");
  };
  EXPECT_GT(blocked(120), 60u);
  EXPECT_EQ(blocked(157) - blocked(120), 37u);
}

// One vertex repeated: behind a blocked assembly are those on the wire and in the queue.
TEST(Streamer, HoldsAsManyVerticesAsItsQueue) {
  for (unsigned size : {1u, 7u, 48u}) {
    Bench bench({.queue = size});
    bench.indices<uint8_t>(std::vector<uint8_t>(200, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 200});
    bench.assembly.refuse = true;
    bench.sim.run(bench.clock, 600);
    EXPECT_EQ(bench.box.counters.indices, 9 + size);
    EXPECT_EQ(bench.box.counters.vertices_shaded, 1u);
    EXPECT_EQ(bench.box.counters.post_cache_hits, 9 + size - 1);
  }
}

TEST(Streamer, HasAsManyVerticesUnderWayAsSlots) {
  for (unsigned slots : {8u, 13u}) {
    Bench bench({.queue = 100, .post_cache = 4, .slots = slots});
    bench.shader.latency = 100'000;
    bench.draw({.count = 60});
    bench.sim.run(bench.clock, 600);
    EXPECT_EQ(bench.box.counters.vertices_shaded, slots);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("shader"), 400u);
  }
}

// A partial group that waits for slots is sent, because its vertices free them.
TEST(Streamer, AGroupThatLacksSlotsIsGivenOut) {
  Bench bench({.queue = 100, .post_cache = 4, .slots = 13});
  bench.assembly.refuse = true;
  bench.draw({.count = 60});
  bench.sim.run(bench.clock, 600);
  uint32_t shaded = 0;
  for (const uint32_t size : bench.shader.sizes) shaded += size;
  EXPECT_EQ(shaded, 9u + 13);  // nine wait at assembly
}

TEST(Streamer, TheOldestLeavesThePostShadingCache) {
  for (unsigned size : {1u, 2u, 3u, 4u, 5u}) {
    Bench bench({.post_cache = size});
    std::vector<uint8_t> values;
    for (int round = 0; round < 3; round++)
      for (uint8_t i = 0; i < 4; i++) values.push_back(i);
    bench.indices(values, arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 12});
    bench.sim.run(bench.clock, 600);
    EXPECT_EQ(bench.box.counters.post_cache_hits, size >= 4 ? 8u : 0u);
    EXPECT_EQ(bench.box.counters.indices, 12u);
    EXPECT_EQ(bench.box.counters.draws, 1u);
  }
}

// Triangles over seven vertices. A batch ends before a triangle that would not fit if its three vertices were
// all new.
TEST(Streamer, BatchesOfVerticesAreForgottenTogether) {
  const std::vector<uint8_t> values = {0, 1, 2, 2, 1, 3, 0, 1, 2, 4, 5, 6, 0, 1, 2};
  struct Case {
    unsigned size;
    std::vector<uint32_t> groups;  // vertices of each group
  };
  for (const auto& [size, groups] : {Case{10, {7}},
                                     {9, {7, 3}},
                                     {7, {7, 3}},
                                     {6, {4, 6, 3}},
                                     {5, {3, 3, 3, 3, 3}},
                                     {3, {3, 3, 3, 3, 3}}}) {
    Bench bench({.post_cache = size, .reuse = VertexReuse::kBatches}, 16);
    bench.indices(values, arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 15});
    bench.sim.run(bench.clock, 2000);
    EXPECT_EQ(bench.shader.sizes, groups) << size;
    std::vector<int> expected;
    for (const uint8_t value : values) expected.push_back(1000 + value);
    expected.push_back(-3);
    EXPECT_EQ(bench.order(), expected);
  }
}

// A strip has one new vertex per primitive, so batches are full.
TEST(Streamer, BatchesOfStripsAreFull) {
  Bench bench({.post_cache = 5, .reuse = VertexReuse::kBatches}, 16);
  bench.state->registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  bench.indices(std::vector<uint8_t>{0, 1, 2, 3, 4, 3, 2, 5, 6, 0}, arch::IndexType::kUint8);
  bench.draw({.indexed = true, .count = 10});
  bench.sim.run(bench.clock, 2000);
  EXPECT_EQ(bench.shader.sizes, (std::vector<uint32_t>{5, 5}));  // 0 to 4; then 3, 2, 5, 6, 0
}

TEST(Streamer, ReadsAsManySectorsOfIndicesAheadAsDeclared) {
  for (unsigned sectors : {2u, 5u}) {
    Bench bench({.index_sectors = sectors}, 4, 100'000);
    bench.indices(std::vector<uint32_t>(400, 1), arch::IndexType::kUint32);
    bench.draw({.indexed = true, .count = 400});
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.index_memory.reads, sectors);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("index_memory"), 250u);
  }
}

// Each vertex has a line of its own.
TEST(Streamer, HasAsManyAttributesUnderWayAsDeclared) {
  for (unsigned size : {1u, 5u, 20u}) {
    Bench bench({.attribute_queue = size}, 4, 100'000);
    bench.state->registers.assembly.binding[0] = {kVertices, 64 * 64, 64, 0, 1};
    bench.draw({.count = 40});
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.memory.reads, size);
    EXPECT_EQ(bench.box.counters.cache_misses, size);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("memory"), 250u);
  }
}

// Eight attributes for each of four vertices, at the declared rate, and a cycle that sends the group.
TEST(Streamer, DeliversAsManyAttributesPerCycleAsDeclared) {
  for (unsigned rate : {1u, 2u, 4u}) {
    const auto time = [&](uint32_t count) {
      Bench bench({.attributes_per_cycle = rate}, 4, 1);
      bench.shader.latency = 1;
      std::string text;
      for (uint32_t i = 0; i < 8; i++) {
        text += "ADD o0, i" + std::to_string(i) + ", i0\n";
        bench.state->registers.assembly.attribute[i] = bench.state->registers.assembly.attribute[0];
      }
      messages::testing::add_program(*bench.state, arch::Stage::kVertex, text + "END\n");
      bench.draw({.count = count});
      bench.sim.run(bench.clock, 2000);
      EXPECT_EQ(bench.box.counters.cache_hits + bench.box.counters.cache_misses, 8u * count);
      return bench.assembly.received.back().first;
    };
    EXPECT_EQ(time(48) - time(16), 8 * (4 * 8 / rate + 1)) << rate;
  }
}

// One vertex repeated; each copy sent has a place. Later ones wait in the order.
TEST(Streamer, WaitsWhileItsStorageIsFull) {
  for (const unsigned places : {3u, 4u, 20u}) {
    Bench bench({.vertices = places});
    bench.indices<uint8_t>(std::vector<uint8_t>(places + 2, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = places + 2});
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.order(), std::vector<int>(places, 1007));
    EXPECT_EQ(bench.box.storage.free(bench.clock.now()), 0u);
    const engine::Account full = messages::testing::account_of(bench.sim, bench.box);
    for (const auto& wait : full.waits) {
      const bool here = wait.port == "storage";
      EXPECT_TRUE(here ? wait.cycles > 200 : wait.port != "vertices_out" || wait.cycles == 0) << wait.port;
    }
    // Released in cycle 300, free and sent in 301, arrives in 302; the draw's end needs no place.
    bench.assembly.received.front().second = {};
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.assembly.received.size(), places);
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.assembly.received.size(), places + 1);
    bench.sim.run(bench.clock, 50);
    EXPECT_EQ(bench.assembly.received.size(), places + 1) << "one place, one vertex";
    bench.assembly.received[1].second = {};
    bench.sim.run(bench.clock, 50);
    EXPECT_EQ(bench.assembly.received.size(), places + 3);
    EXPECT_TRUE(bench.assembly.received.back().second.draw_end);
  }
}

// Each vertex has a sector of its own, which occupies the fill port: 64 / fill_bytes cycles a vertex.
TEST(Streamer, FillsItsCacheAtTheDeclaredRate) {
  for (const unsigned rate : {4u, 8u, 16u}) {
    const auto time = [&](uint32_t count) {
      Bench bench({.fill_bytes = rate});
      bench.shader.latency = 1;
      bench.state->registers.assembly.binding[0] = {kVertices, 64 * 64, 64, 0, 1};
      bench.draw({.count = count});
      bench.sim.run(bench.clock, 2000);
      EXPECT_EQ(bench.order().back(), -3);
      return bench.assembly.received.back().first;
    };
    EXPECT_EQ(time(48) - time(16), 32 * 64 / rate) << rate;
  }
}

// 64 vertices of 4 bytes, and as many of 36 bytes, some of which lie in two lines.
TEST(Streamer, ReadsWholeLines) {
  for (const auto& [line, stride, reads] :
       {std::tuple{64u, 4u, 4u}, {256u, 4u, 4u}, {128u, 36u, 36u}, {512u, 36u, 40u}}) {
    Bench bench({.line_bytes = line});
    bench.state->registers.assembly.binding[0] = {kVertices, 64 * stride, stride, 0, 1};
    for (uint32_t i = 0; i < 64; i++) {
      const uint32_t value = 1000 + i;
      bench.memory.memory.write(kVertices + stride * i, &value, 4);
    }
    bench.draw({.count = 64});
    bench.sim.run(bench.clock, 1000);
    std::vector<int> expected(64);
    std::iota(expected.begin(), expected.end(), 1000);
    expected.push_back(-3);
    EXPECT_EQ(bench.order(), expected);
    EXPECT_EQ(bench.memory.reads, reads) << line;
  }
}

TEST(Streamer, ADrawWaitsForTheOneBeforeIfTheyDoNotOverlap) {
  for (const bool overlaps : {true, false}) {
    Bench bench({.overlaps_draws = overlaps});
    bench.shader.latency = 100;
    bench.draw({.count = 4});
    bench.draw({.count = 4, .first = 8}, 2);
    bench.sim.run(bench.clock, 60);  // the first group is being shaded
    EXPECT_EQ(bench.box.counters.draws, overlaps ? 2u : 1u);
    bench.sim.run(bench.clock, 400);
    EXPECT_EQ(bench.order(), (std::vector<int>{1000, 1001, 1002, 1003, -3, 1008, 1009, 1010, 1011, -3}));
  }
}

// More than 16 outputs occupy the wire longer (ATT-2).
TEST(Streamer, VerticesOfManyOutputsLeaveMoreSlowly) {
  for (const auto& [outputs, cycles] : {std::pair{16u, 1u}, {17u, 2u}, {32u, 2u}}) {
    Bench bench({}, 4, 1);
    bench.shader.latency = 1;
    bench.state->registers.shader[static_cast<uint32_t>(arch::Stage::kVertex)].outputs =
        static_cast<uint32_t>((1ull << outputs) - 1);
    bench.indices<uint8_t>(std::vector<uint8_t>(200, 7), arch::IndexType::kUint8);
    bench.draw({.indexed = true, .count = 200});
    bench.sim.run(bench.clock, 900);
    ASSERT_EQ(bench.assembly.received.size(), 201u);
    EXPECT_EQ(bench.assembly.received[180].first - bench.assembly.received[80].first, 100 * cycles)
        << outputs;
  }
}

}  // namespace
}  // namespace cutaway::boxes::streamer_test
