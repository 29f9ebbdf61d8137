// How the results of groups leave, and where they go.
#include "boxes/shader_unit/bench_for_test.h"
#include "messages/fragment_log.h"

namespace cutaway::boxes::results_test {
namespace {

using namespace shader_unit_test_bench;

TEST(ShaderUnitResults, VerticesLeaveOneLanePerCycle) {
  for (uint32_t width : {2u, 4u, 32u, 64u}) {
    ShaderUnitSpec spec;
    spec.group_lanes = spec.simd_lanes = width;
    spec.threads = 28 * width;
    Bench bench(spec);
    auto state = program("MOV o0, c0\nEND\n", width);
    for (int i = 0; i < 8; i++) bench.send_vertices(*state, width - 1);
    bench.sim.run(bench.clock, 600);
    ASSERT_EQ(bench.streamer.received.size(), 8u);
    EXPECT_EQ(bench.streamer.received[7].first - bench.streamer.received[6].first, width - 1);
    const ShadedVertices& shaded = bench.streamer.received[0].second;
    EXPECT_EQ(shaded.lanes, width - 1);
    for (uint32_t lane = 0; lane < shaded.lanes; lane++) {
      EXPECT_EQ(shaded.vertices->slot[lane], lane + 3);
      EXPECT_EQ(shaded.vertices->shaded[lane]->output[0][1], 100 + lane);
    }
  }
}

// To the streamer that they come from, one lane a cycle whichever it is.
TEST(ShaderUnitResults, VerticesGoBackToTheirFrontEnd) {
  Bench bench({}, 1, 2);
  auto state = program("MOV o0, c0\nEND\n");
  for (uint32_t i = 0; i < 8; i++) bench.send_vertices(*state, 3, i % 2);
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.streamer.received.size(), 4u);
  ASSERT_EQ(bench.streamers[0]->received.size(), 4u);
  for (size_t i = 1; i < 4; i++) {
    EXPECT_EQ(bench.streamer.received[i].first - bench.streamer.received[i - 1].first, 6u);
    EXPECT_EQ(bench.streamers[0]->received[i].first - bench.streamer.received[i].first, 3u);
  }
  bench.streamers[0]->refuse = true;
  for (uint32_t i = 0; i < 3; i++) bench.send_vertices(*state, 3, 1);
  bench.sim.run(bench.clock, 200);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.unit).blocked_by("streamer1"), 100u);
}

TEST(ShaderUnitResults, QuadsOfAGroupLeaveOnePerCycleWithoutWhatWasKilled) {
  ShaderUnitSpec spec;
  spec.group_lanes = 16;
  Bench bench(spec);
  auto state = program("MOV o0, c0\nKIL c0.x\nEND\n", 16), kept = program("MOV o0, c0\nEND\n", 16);
  state->stage[arch::Stage::kFragment].constants[0][0] = ~0u;
  bench.send(*kept, 0, 3, 0b0111);
  bench.send(*state, 3, 1);
  bench.sim.run(bench.clock, 100);
  ASSERT_EQ(bench.buffer.received.size(), 4u);
  for (uint32_t i = 0; i < 4; i++) {
    EXPECT_EQ(bench.buffer.received[i].second.order, i);
    EXPECT_EQ(bench.buffer.received[i].second.quad.mask, i == 3 ? 0 : 0b0111);
  }
  EXPECT_EQ(bench.buffer.received[2].first - bench.buffer.received[0].first, 2u);
  EXPECT_EQ(bench.unit.counters.fragments_killed, 4u);
}

// A sample mask of zero takes all four fragments of a quad out.
TEST(ShaderUnitResults, LogsTheFragmentsThatASampleMaskTakesOut) {
  Bench bench;
  messages::FragmentLog log(bench.clock, 16);
  auto state = program("MOV o8.y, c0.x\nMOV o0, c0\nEND\n");
  state->registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags |=
      arch::kShaderWritesSampleMask;
  state->log = &log;
  bench.send(*state, 0, 1);
  bench.sim.run(bench.clock, 100);
  uint32_t lanes = 0;
  for (const run_record::FragmentEvent& event : log.sorted())
    if (event.kind == run_record::FragmentEvent::Kind::kUncovered) lanes |= event.lanes;
  EXPECT_EQ(lanes, 15u);
  ASSERT_EQ(bench.buffer.received.size(), 1u);
  EXPECT_EQ(bench.buffer.received[0].second.quad.mask, 0);
}

// Quads go to the ROP that owns their tile; one that finds no room holds up those of its group behind it.
TEST(ShaderUnitResults, AQuadGoesToTheRopThatOwnsItsTile) {
  ShaderUnitSpec spec;
  spec.group_lanes = spec.simd_lanes = 16;
  Bench bench(spec, 2);
  auto state = program("MOV o0, c0\nEND\n", 16);
  for (int group = 0; group < 2; group++) {
    bench.send(*state, 0, 4);
    auto& quads = bench.fragments.messages.back().quads->quad;
    for (size_t q = 0; q < 4; q++) quads[q].quad.rop = static_cast<uint8_t>(q / 2);
  }
  bench.others[0]->interval = 1000;
  bench.sim.run(bench.clock, 500);
  // Two quads each. Of ROP 1 one is taken, and of the wire's four slots three are full.
  EXPECT_EQ(bench.buffer.received.size(), 4u);
  EXPECT_EQ(bench.others[0]->received.size(), 1u);
  for (const auto& [cycle, quad] : bench.buffer.received) EXPECT_EQ(quad.quad.rop, 0);
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.unit).blocked_by("buffer1"), 0u);
}

TEST(ShaderUnitResults, BlamesTheRopThatIsFull) {
  Bench bench({}, 2);
  auto state = program("MOV o0, c0\nEND\n");
  for (uint32_t i = 0; i < 20; i++) {
    bench.send(*state, i);
    bench.fragments.messages.back().quads->quad[0].quad.rop = i < 10 ? 0 : 1;
  }
  bench.others[0]->interval = 1000;
  bench.sim.run(bench.clock, 500);
  EXPECT_EQ(bench.buffer.received.size(), 10u);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.unit).blocked_by("buffer1"), 400u);
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.unit).blocked_by("buffer"), 0u);
}

}  // namespace
}  // namespace cutaway::boxes::results_test
