#include "structures/commit_queue.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "structures/commit_port.h"

namespace cutaway::structures {
namespace {

using engine::Cycle;
using Kind = messages::VertexMessage::Kind;

struct Work {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();

  // Slot and value of each vertex.
  messages::ShadedVertices shaded(std::initializer_list<std::pair<messages::SlotIndex, uint32_t>> vertices) {
    messages::ShadedVertices group;
    group.vertices = pools.group_vertices.allocate();
    for (const auto& [slot, value] : vertices) {
      group.vertices->slot[group.lanes] = slot;
      group.vertices->shaded[group.lanes] = pools.vertices.allocate();
      group.vertices->shaded[group.lanes++]->output[0][0] = value;
    }
    return group;
  }
  messages::VertexMessage mark(Kind kind, bool draw_end = false) {
    messages::VertexMessage message;
    message.kind = kind;
    message.state = state.get();
    message.draw_end = draw_end;
    return message;
  }
};

struct Bench : Work {
  CommitQueue queue;
  explicit Bench(uint32_t entries = 8, uint32_t slots = 8, uint32_t elsewhere = 0)
      : queue(entries, slots, arch::Stage::kVertex, elsewhere) {}

  messages::SlotIndex push(uint32_t draw = 1) { return queue.push_new_vertex(state.get(), {.draw = draw}); }
  void again(messages::SlotIndex slot) { queue.push_vertex(slot, state.get(), {.draw = 1}); }
  uint32_t pop() { return queue.pop().vertex->output[0][0]; }
};

TEST(CommitQueue, VerticesLeaveInOrder) {
  Bench bench;
  EXPECT_FALSE(bench.queue.ready());
  const messages::SlotIndex a = bench.push(1), b = bench.push(2), c = bench.push(3);
  bench.queue.take(bench.shaded({{c, 30}, {b, 20}}));
  EXPECT_FALSE(bench.queue.ready());
  bench.queue.take(bench.shaded({{a, 10}}));
  for (uint32_t i = 1; i <= 3; i++) {
    ASSERT_TRUE(bench.queue.ready());
    const messages::VertexMessage message = bench.queue.pop();
    EXPECT_EQ(message.vertex->output[0][0], 10 * i);
    EXPECT_EQ(message.kind, Kind::kVertex);
    EXPECT_EQ(message.state, bench.state.get());
    EXPECT_EQ(message.origin.draw, i);
    EXPECT_FALSE(message.draw_end);
  }
  EXPECT_TRUE(bench.queue.empty());
  EXPECT_FALSE(bench.queue.ready());
}

// A slot elsewhere is used when no other is free, and returned like the others. Its owner moves the vertex in
// and out.
TEST(CommitQueue, SlotsMayLieElsewhere) {
  Bench bench(8, 1, 300);
  const messages::SlotIndex a = bench.push(), b = bench.push(), c = bench.push();
  EXPECT_FALSE(bench.queue.is_elsewhere(a));
  EXPECT_TRUE(bench.queue.is_elsewhere(b) && bench.queue.is_elsewhere(c));
  EXPECT_NE(b, c);
  bench.queue.take(bench.shaded({{b, 20}, {a, 10}, {c, 30}}));
  EXPECT_FALSE(bench.queue.next_is_elsewhere());
  EXPECT_EQ(bench.pop(), 10u);
  EXPECT_TRUE(bench.queue.next_is_elsewhere());
  EXPECT_EQ(bench.queue.next_slot(), b);
  EXPECT_FALSE(bench.queue.ready());
  EXPECT_EQ(bench.push(), a) << "is free again";
  const messages::VertexRef vertex = bench.pools.vertices.allocate();
  vertex->output[0][0] = 21;
  bench.queue.put(b, vertex);
  EXPECT_TRUE(bench.queue.ready());
  bench.queue.take_away(b);
  EXPECT_FALSE(bench.queue.ready());
  bench.queue.put(b, vertex);
  EXPECT_EQ(bench.pop(), 21u);
  EXPECT_EQ(bench.push(), b);
  EXPECT_FALSE(bench.queue.ready()) << "the next one's is not there";
  for (uint32_t i = 0; i < 5; i++) bench.push();
  EXPECT_TRUE(bench.queue.full());
  EXPECT_TRUE(bench.queue.has_free_slot());
}

TEST(CommitQueue, MarksNeedNoSlotAndKeepTheirPlace) {
  Bench bench(8, 1);
  const messages::SlotIndex slot = bench.push();
  EXPECT_FALSE(bench.queue.has_free_slot());
  bench.queue.push_mark(bench.mark(Kind::kRestart));
  bench.queue.push_mark(bench.mark(Kind::kNextInstance));
  bench.queue.push_mark(bench.mark(Kind::kVertex, true));
  EXPECT_FALSE(bench.queue.ready());
  bench.queue.take(bench.shaded({{slot, 5}}));
  EXPECT_EQ(bench.pop(), 5u);
  EXPECT_TRUE(bench.queue.has_free_slot());
  EXPECT_EQ(bench.queue.pop().kind, Kind::kRestart);
  EXPECT_EQ(bench.queue.pop().kind, Kind::kNextInstance);
  ASSERT_TRUE(bench.queue.ready());
  const messages::VertexMessage end = bench.queue.pop();
  EXPECT_TRUE(end.draw_end);
  EXPECT_FALSE(end.vertex);
  EXPECT_EQ(end.state, bench.state.get());
  EXPECT_EQ(bench.queue.free_slots(), 1u);
}

TEST(CommitQueue, ASlotIsFreeWhenItsLastVertexHasLeft) {
  Bench bench(8, 2);
  const messages::SlotIndex slot = bench.push();
  bench.again(slot), bench.again(slot);
  EXPECT_FALSE(bench.queue.ready());
  bench.queue.take(bench.shaded({{slot, 7}}));
  for (int i = 0; i < 3; i++) {
    EXPECT_EQ(bench.queue.free_slots(), 1u);
    EXPECT_EQ(bench.pop(), 7u);
  }
  EXPECT_EQ(bench.queue.free_slots(), 2u);
}

TEST(CommitQueue, ASlotThatIsHeldIsNotFree) {
  Bench bench(8, 2);
  const messages::SlotIndex slot = bench.push();
  bench.queue.hold(slot), bench.queue.hold(slot);
  bench.queue.take(bench.shaded({{slot, 7}}));
  EXPECT_EQ(bench.pop(), 7u);
  EXPECT_EQ(bench.queue.free_slots(), 1u);
  bench.again(slot);  // shaded already
  ASSERT_TRUE(bench.queue.ready());
  EXPECT_EQ(bench.pop(), 7u);
  bench.queue.release(slot);
  EXPECT_EQ(bench.queue.free_slots(), 1u);
  bench.queue.release(slot);
  EXPECT_EQ(bench.queue.free_slots(), 2u);
}

// A hold may end before the vertex leaves, or before it is shaded.
TEST(CommitQueue, AHoldThatEndsLeavesTheSlotToItsVertices) {
  Bench bench(8, 1);
  const messages::SlotIndex slot = bench.push();
  bench.queue.hold(slot);
  bench.queue.release(slot);
  EXPECT_FALSE(bench.queue.has_free_slot());
  bench.queue.take(bench.shaded({{slot, 7}}));
  EXPECT_EQ(bench.pop(), 7u);
  EXPECT_TRUE(bench.queue.has_free_slot());
}

TEST(CommitQueue, ReusedSlotWaitsToBeShadedAgain) {
  Bench bench(8, 1);
  for (uint32_t value = 1; value < 4; value++) {
    const messages::SlotIndex slot = bench.push();
    EXPECT_FALSE(bench.queue.ready());
    bench.queue.take(bench.shaded({{slot, value}}));
    EXPECT_EQ(bench.pop(), value);
  }
}

TEST(CommitQueue, HasAsManyEntriesAndSlotsAsDeclared) {
  for (uint32_t size : {1u, 7u, 256u}) {
    Bench of_slots(1000, size);
    std::vector<bool> given(size);
    for (uint32_t i = 0; i < size; i++) {
      ASSERT_TRUE(of_slots.queue.has_free_slot());
      const messages::SlotIndex slot = of_slots.push();
      EXPECT_FALSE(given.at(slot));
      given[slot] = true;
    }
    EXPECT_FALSE(of_slots.queue.has_free_slot());
    EXPECT_FALSE(of_slots.queue.full());

    Bench of_entries(size, 1);
    for (uint32_t i = 0; i < size; i++) {
      ASSERT_FALSE(of_entries.queue.full());
      of_entries.queue.push_mark(of_entries.mark(Kind::kRestart));
    }
    EXPECT_TRUE(of_entries.queue.full());
    EXPECT_EQ(of_entries.queue.size(), size);
  }
}

// The outputs are those of the queue's stage.
TEST(CommitQueue, AVertexTakesACycleForEachSixteenOutputs) {
  for (const auto& [outputs, cycles] :
       {std::pair{0u, 1u}, {1u, 1u}, {16u, 1u}, {17u, 2u}, {31u, 2u}, {32u, 2u}}) {
    Work work;
    for (const arch::Stage stage : {arch::Stage::kVertex, arch::Stage::kGeometry}) {
      for (auto& shader : work.state->registers.shader)
        shader.outputs = stage == arch::Stage::kVertex ? ~0u : 1;
      work.state->registers.shader[static_cast<uint32_t>(stage)].outputs =
          static_cast<uint32_t>((1ull << outputs) - 1);
      CommitQueue queue(2, 1, stage);
      queue.push_new_vertex(work.state.get(), {});
      EXPECT_EQ(queue.wire_cycles(), cycles) << outputs;
    }
  }
  Bench bench;
  bench.state->registers.shader[0].outputs = ~0u;
  bench.queue.push_mark(bench.mark(Kind::kVertex, true));
  EXPECT_EQ(bench.queue.wire_cycles(), 1u);
}

// ---- Ports ----

class Stage final : public engine::Box {
 public:
  Stage(std::string path, unsigned places, messages::Pools& pools)
      : Box(std::move(path)),
        shaded_in(2),
        storage(places),
        queue(64, 64, arch::Stage::kVertex),
        pools_(pools) {}
  engine::Inputs<messages::ShadedVertices> shaded_in;
  engine::Out<messages::VertexMessage> vertices_out;
  engine::Storage storage;
  CommitQueue queue;

  Cycle tick(Cycle now) override {
    const bool lacks = lacks_place(now, queue, vertices_out, storage);
    bool progress = send_oldest(now, queue, vertices_out, storage, pools_.vertices);
    progress |= take_shaded(now, queue, shaded_in);
    return progress ? busy(now) : lacks ? blocked(now, storage) : idle(now);
  }
  void list_ports(engine::PortList& list) override {
    list("shaded_in", shaded_in), list("vertices_out", vertices_out), list("storage", storage);
  }
  std::string why_busy() const override { return ""; }

 private:
  messages::Pools& pools_;
};

struct PortBench : Work {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Stage& stage;
  engine::testing::Source<messages::ShadedVertices>& shader0 =
      sim.add<engine::testing::Source<messages::ShadedVertices>>(clock, "shader0");
  engine::testing::Source<messages::ShadedVertices>& shader1 =
      sim.add<engine::testing::Source<messages::ShadedVertices>>(clock, "shader1");
  engine::testing::Sink<messages::VertexMessage>& assembly =
      sim.add<engine::testing::Sink<messages::VertexMessage>>(clock, "assembly");

  explicit PortBench(unsigned places = 64) : stage(sim.add<Stage>(clock, "stage", places, pools)) {
    sim.connect(shader0.out, stage.shaded_in[0], {1, 1, 2});
    sim.connect(shader1.out, stage.shaded_in[1], {1, 1, 2});
    sim.connect(stage.vertices_out, assembly.in, {1, 1, 4});
    sim.connect(stage.storage, assembly.in);
    sim.elaborate();
  }
  messages::SlotIndex push() { return stage.queue.push_new_vertex(state.get(), {}); }
};

// Sent at 1, taken at 2 from both shader units, and sent at 3, 4 and 5: vertices leave a cycle after they are
// taken.
TEST(CommitPort, TakesFromEveryShaderUnitAndSendsOneACycle) {
  PortBench bench;
  const messages::SlotIndex a = bench.push(), b = bench.push(), c = bench.push();
  bench.shader0.messages.push_back(bench.shaded({{b, 2}}));
  bench.shader1.messages.push_back(bench.shaded({{c, 3}, {a, 1}}));
  bench.sim.run(bench.clock, 3);
  EXPECT_TRUE(bench.assembly.received.empty());
  bench.sim.run(bench.clock, 1);
  EXPECT_EQ(bench.assembly.received.size(), 1u);
  bench.sim.run(bench.clock, 10);
  ASSERT_EQ(bench.assembly.received.size(), 3u);
  for (uint32_t i = 0; i < 3; i++) {
    EXPECT_EQ(bench.assembly.received[i].first, 4 + i);
    EXPECT_EQ(bench.assembly.received[i].second.vertex->output[0][0], i + 1);
  }
}

TEST(CommitPort, WideVerticesTakeTheWireForLonger) {
  PortBench bench;
  bench.state->registers.shader[0].outputs = (1u << 20) - 1;
  const messages::SlotIndex a = bench.push(), b = bench.push();
  bench.shader0.messages.push_back(bench.shaded({{a, 1}, {b, 2}}));
  bench.sim.run(bench.clock, 20);
  ASSERT_EQ(bench.assembly.received.size(), 2u);
  EXPECT_EQ(bench.assembly.received[0].first, 5u);
  EXPECT_EQ(bench.assembly.received[1].first, 7u);
}

TEST(CommitPort, KeepsWhatTheOutputHasNoRoomFor) {
  PortBench bench;
  bench.assembly.refuse = true;
  messages::ShadedVertices all;
  for (uint32_t i = 0; i < 7; i++) {
    const messages::SlotIndex slot = bench.push();
    bench.shader0.messages.push_back(bench.shaded({{slot, i}}));
  }
  bench.sim.run(bench.clock, 50);
  EXPECT_EQ(bench.stage.queue.size(), 3u);  // four wait on the wire
  bench.assembly.refuse = false;
  bench.assembly.wake();
  bench.sim.run(bench.clock, 50);
  EXPECT_EQ(bench.assembly.received.size(), 7u);
  EXPECT_EQ(bench.stage.queue.free_slots(), 64u);
}

// Three vertices share a slot: each takes a place when it is sent; the marker between them takes none.
TEST(CommitPort, AVertexWaitsForAPlace) {
  PortBench bench(2);
  const messages::SlotIndex slot = bench.push();
  bench.stage.queue.push_vertex(slot, bench.state.get(), {});
  bench.stage.queue.push_mark(bench.mark(Kind::kRestart));
  bench.stage.queue.push_vertex(slot, bench.state.get(), {});
  bench.shader0.messages.push_back(bench.shaded({{slot, 7}}));
  bench.sim.run(bench.clock, 50);
  ASSERT_EQ(bench.assembly.received.size(), 3u);
  EXPECT_NE(bench.assembly.received[0].second.vertex, bench.assembly.received[1].second.vertex);
  EXPECT_FALSE(bench.assembly.received[2].second.vertex);
  EXPECT_EQ(bench.stage.storage.free(bench.clock.now()), 0u);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.stage).blocked_by("assembly"), 40u);
  // Released in cycle 50, free and sent in 51, arrives in 52.
  bench.assembly.received[1].second = {};
  bench.sim.run(bench.clock, 1);
  EXPECT_EQ(bench.assembly.received.size(), 3u);
  bench.sim.run(bench.clock, 1);
  ASSERT_EQ(bench.assembly.received.size(), 4u);
  EXPECT_EQ(bench.assembly.received[3].second.vertex->output[0][0], 7u);
  EXPECT_EQ(bench.stage.queue.free_slots(), 64u);
}

}  // namespace
}  // namespace cutaway::structures
