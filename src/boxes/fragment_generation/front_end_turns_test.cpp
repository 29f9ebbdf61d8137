// Front ends whose primitives take turns by batch.
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "boxes/fragment_generation/bench_for_test.h"

namespace cutaway::boxes::front_end_turns_test {
namespace {

using namespace fragment_generation_bench;

struct TurnBench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state(128, 128);
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  FragmentGeneration& box;
  std::vector<Source<SetupMessage>*> setup;
  Sink<TileMessage>& hz = sim.add<Sink<TileMessage>>(clock, "hz");

  explicit TurnBench(unsigned front_ends)
      : box(sim.add<FragmentGeneration>(clock, "fragments", FragmentGenerationSpec{}, 0u, front_ends)) {
    for (unsigned i = 0; i < front_ends; i++) {
      setup.push_back(&sim.add<Source<SetupMessage>>(clock, "setup" + std::to_string(i)));
      sim.connect(setup[i]->out, box.primitives_in[i], {1, 1, 26});
    }
    sim.connect(box.tiles_out, hz.in, {1, 2, 6});
    sim.elaborate();
  }
  // Sends a primitive of one tile.
  void primitive(unsigned front_end, uint32_t number) {
    send(front_end, message(messages::testing::triangle(pools, *state, {{1, 1}, {4, 1}, {1, 4}},
                                                        {.draw = 1, .primitive = number})));
  }
  void batch_end(unsigned front_end) { send(front_end, {.state = state.get(), .batch_end = true}); }
  void draw_end(unsigned front_end) { send(front_end, messages::testing::draw_end<SetupMessage>(*state)); }
  void send(unsigned front_end, const SetupMessage& sent) {
    setup[front_end]->messages.push_back(sent), setup[front_end]->wake();
  }
  // Cycle and number of each tile; 100 is the end of a draw.
  std::vector<std::pair<Cycle, uint32_t>> tiles() const {
    std::vector<std::pair<Cycle, uint32_t>> all;
    for (const auto& [cycle, tile] : hz.received)
      all.emplace_back(cycle, tile.draw_end ? 100 : tile.origin.primitive);
    return all;
  }
};

// Sent from cycle 1 on, arrives in 2, at hierarchical Z in 3: one primitive per cycle; ends of batches take
// none.
TEST(FragmentGeneration, FrontEndsTakeTurnsByBatch) {
  TurnBench bench(3);
  for (const uint32_t number : {0, 1}) bench.primitive(0, number);
  bench.batch_end(0), bench.primitive(0, 5);
  bench.primitive(1, 2), bench.batch_end(1), bench.primitive(1, 7);
  bench.primitive(2, 3), bench.primitive(2, 4), bench.draw_end(2);
  bench.draw_end(0), bench.batch_end(1), bench.primitive(2, 8), bench.draw_end(2);
  bench.sim.run(bench.clock, 40);
  EXPECT_EQ(
      bench.tiles(),
      (std::vector<std::pair<Cycle, uint32_t>>{
          {3, 0}, {4, 1}, {5, 2}, {6, 3}, {7, 4}, {8, 100}, {9, 5}, {10, 100}, {11, 7}, {12, 8}, {13, 100}}));
  EXPECT_EQ(bench.box.why_busy(), "");
}

// Batches without a primitive: one per front end passes in a cycle.
TEST(FragmentGeneration, PassesEmptyBatches) {
  TurnBench bench(2);
  for (int i = 0; i < 12; i++) bench.batch_end(0), bench.batch_end(1);
  bench.primitive(0, 1);
  bench.hz.refuse = true;  // its state does not matter
  for (int i = 0; i < 12; i++) bench.sim.run(bench.clock, 1);
  EXPECT_EQ(bench.box.counters.primitives, 0u);
  bench.hz.refuse = false, bench.hz.wake();
  bench.sim.run(bench.clock, 20);
  EXPECT_EQ(bench.tiles(), (std::vector<std::pair<Cycle, uint32_t>>{{15, 1}}));
}

TEST(FragmentGeneration, BlamesTheFrontEndWhoseTurnItIs) {
  TurnBench bench(3);
  bench.batch_end(0), bench.primitive(0, 9), bench.primitive(2, 5);
  bench.sim.run(bench.clock, 100);
  EXPECT_TRUE(bench.hz.received.empty());
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).starved_by("setup1"), 98u);
  EXPECT_EQ(bench.box.why_busy(), "primitives wait for their turn");
  bench.batch_end(1);
  bench.sim.run(bench.clock, 3);
  EXPECT_EQ(bench.tiles(), (std::vector<std::pair<Cycle, uint32_t>>{{103, 5}}));
}

}  // namespace
}  // namespace cutaway::boxes::front_end_turns_test
