// Where the results of groups go.
#include "boxes/shader_unit/bench_for_test.h"

namespace cutaway::boxes {
namespace {

using namespace shader_unit_test_bench;

// Quads go to the ROP that owns their tile; one that finds no room holds up those of its group behind it.
TEST(ShaderUnitResults, AQuadGoesToTheRopThatOwnsItsTile) {
  ShaderUnitSpec spec;
  spec.group_lanes = spec.simd_lanes = 16;
  Bench bench(spec, 2);
  auto state = program("MOV o0, c0\nEND\n", 16);
  for (int group = 0; group < 2; group++) {
    bench.send(*state, 0, 4);
    auto& quads = bench.fragments.messages.back().quads->quad;
    for (int32_t q = 0; q < 4; q++) quads[static_cast<size_t>(q)].quad.x = 4 * q;
  }
  bench.others[0]->interval = 1000;
  bench.sim.run(bench.clock, 500);
  // Tiles of 8 pixels: two quads each. Of ROP 1 one is taken, and of the wire's four slots three are full.
  EXPECT_EQ(bench.buffer.received.size(), 4u);
  EXPECT_EQ(bench.others[0]->received.size(), 1u);
  for (const auto& [cycle, quad] : bench.buffer.received) EXPECT_LT(quad.quad.x, 8);
  EXPECT_EQ(parts::testing::account_of(bench.sim, bench.unit).blocked_by("buffer1"), 0u);
}

TEST(ShaderUnitResults, BlamesTheRopThatIsFull) {
  Bench bench({}, 2);
  auto state = program("MOV o0, c0\nEND\n");
  for (uint32_t i = 0; i < 20; i++) {
    bench.send(*state, i);
    bench.fragments.messages.back().quads->quad[0].quad.x = i < 10 ? 0 : 8;
  }
  bench.others[0]->interval = 1000;
  bench.sim.run(bench.clock, 500);
  EXPECT_EQ(bench.buffer.received.size(), 10u);
  EXPECT_GT(parts::testing::account_of(bench.sim, bench.unit).blocked_by("buffer1"), 400u);
  EXPECT_EQ(parts::testing::account_of(bench.sim, bench.unit).blocked_by("buffer"), 0u);
}

}  // namespace
}  // namespace cutaway::boxes
