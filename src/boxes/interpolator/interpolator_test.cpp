#include "boxes/interpolator/interpolator.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::interpolator_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::InterpolatedQuad;
using messages::QuadMessage;
using messages::testing::draw_end;
using messages::testing::plain_state;

struct Bench {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Interpolator& box;
  std::vector<Source<QuadMessage>*> z;
  Sink<InterpolatedQuad>& distributor = sim.add<Sink<InterpolatedQuad>>(clock, "distributor");

  explicit Bench(unsigned units = 2, const InterpolatorSpec& spec = {})
      : box(sim.add<Interpolator>(clock, "interpolator", spec, units, 0, pools)) {
    distributor.per_cycle = units;
    for (unsigned i = 0; i < units; i++) {
      z.push_back(&sim.add<Source<QuadMessage>>(clock, "z" + std::to_string(i)));
      sim.connect(z[i]->out, box.quads_in[i], {1, 1, 6});
    }
    sim.connect(box.quads_out, distributor.in, {1, units, 4 * units});
    sim.elaborate();
  }
};

std::unique_ptr<messages::DrawState> state_with(uint32_t interpolants) {
  auto state = plain_state();
  auto& out = state->registers.vertex_out;
  out.interpolants = interpolants;
  for (uint32_t i = 0; i < interpolants; i++) out.interpolant[i] = {0, 0, 0};
  messages::testing::add_program(*state, arch::Stage::kFragment, "MOV o0, i0\nEND\n");
  return state;
}

// 2 to 8 cycles: 1 + interpolants, at most 8 (ATT-4). Sent in 1, arrives in 2.
TEST(Interpolator, TakesACycleMoreForEachInterpolantUpToEight) {
  for (uint32_t n = 0; n <= 12; n++) {
    Bench bench;
    auto state = state_with(n);
    bench.z[0]->messages.push_back(
        messages::testing::quad(messages::testing::cover(bench.pools, *state), 0, 0));
    const Cycle expected = 2 + std::clamp(1 + n, 2u, 8u);
    bench.sim.run(bench.clock, expected - 1);
    EXPECT_TRUE(bench.distributor.received.empty()) << n;
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.distributor.received.size(), 1u) << n;
  }
}

// One quad per cycle from each of two units (ATT-3).
TEST(Interpolator, TakesAQuadPerCycleFromEachUnit) {
  Bench bench;
  auto state = state_with(4);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  for (auto* z : bench.z) z->messages.assign(100, messages::testing::quad(primitive, 0, 0));
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.distributor.received.size(), 200u);
  EXPECT_EQ(bench.distributor.received[199].first - bench.distributor.received[0].first, 99u);
}

// All evaluators together take as many vectors in a cycle as they can evaluate; what is left of the last one
// is for the next quad.
TEST(Interpolator, EvaluatesSoManyVectorsPerCycle) {
  const auto cycles = [](uint32_t interpolants, unsigned rate, QuadOrder order, unsigned window = 0) {
    Bench bench(2, {.vectors_per_cycle = rate, .order = order, .window = window});
    auto state = state_with(interpolants);
    const auto primitive = messages::testing::cover(bench.pools, *state);
    for (uint32_t number = 0; number < 120; number++) {
      QuadMessage quad = messages::testing::quad(primitive, 0, 0);
      quad.number = number;
      bench.z[number % 2]->messages.push_back(quad);
    }
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.distributor.received.size(), 120u);
    EXPECT_EQ(bench.box.why_busy(), "");
    return bench.distributor.received.back().first - bench.distributor.received.front().first;
  };
  for (const QuadOrder order : {QuadOrder::kArrival, QuadOrder::kRasterised}) {
    EXPECT_EQ(cycles(6, 0, order), 59u);   // two quads a cycle
    EXPECT_EQ(cycles(6, 12, order), 59u);  // as many as they bring
    EXPECT_EQ(cycles(0, 1, order), 59u);
    EXPECT_EQ(cycles(6, 6, order), 119u);
    EXPECT_EQ(cycles(6, 4, order), 119 * 6 / 4u);
    EXPECT_EQ(cycles(6, 9, order), 119 * 6 / 9u);
    EXPECT_EQ(cycles(15, 1, order), 119 * 15u);
  }
  EXPECT_EQ(cycles(6, 4, QuadOrder::kRasterised, 16), 119 * 6 / 4u);
}

// The last vector of a quad is evaluated before it leaves.
TEST(Interpolator, AQuadLeavesWhenItsVectorsAreEvaluated) {
  for (const auto& [rate, more] : {std::pair{0u, 0u}, {16u, 0u}, {2u, 0u}, {1u, 7u}}) {
    Bench bench(2, {.vectors_per_cycle = rate});
    auto state = state_with(15);
    bench.z[0]->messages.push_back(
        messages::testing::quad(messages::testing::cover(bench.pools, *state), 0, 0));
    bench.sim.run(bench.clock, 2 + 8 + more - 1);
    EXPECT_TRUE(bench.distributor.received.empty()) << rate;
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.distributor.received.size(), 1u) << rate;
  }
}

// Quads of two units, alternately eight of a tile from each: they leave in rasterisation order, although unit
// 1 tests faster. As many leave per cycle as there are units, even if all come from one.
TEST(Interpolator, KeepsTheOrderOfRasterisation) {
  Bench bench(2, {.order = QuadOrder::kRasterised});
  auto state = state_with(1);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  for (uint32_t number = 0; number < 64; number++) {
    QuadMessage quad = messages::testing::quad(primitive, 0, 0);
    quad.number = number;
    bench.z[number / 8 % 2]->messages.push_back(quad);
  }
  bench.z[0]->interval = 3;
  bench.sim.run(bench.clock, 200);
  const auto& received = bench.distributor.received;
  ASSERT_EQ(received.size(), 64u);
  for (uint32_t number = 0; number < 64; number++) EXPECT_EQ(received[number].second.quad.number, number);
  // Four of unit 1 had to wait, and two leave per cycle, together with the preceding one of unit 0.
  EXPECT_EQ(received[8].first - received[7].first, 0u);
  EXPECT_EQ(received[10].first - received[9].first, 0u);
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).starved_by("z1"), 0u);
}

// Quads without live lanes hold a place and go no further; a draw end is awaited from all units.
TEST(Interpolator, DeadQuadsKeepTheOrderAndEnd) {
  Bench bench(2, {.order = QuadOrder::kRasterised});
  auto state = state_with(1);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  for (uint32_t number = 0; number < 20; number++) {
    QuadMessage quad = messages::testing::quad(primitive, 0, 0);
    quad.number = number;
    if (number % 3 == 1) quad.mask = 0;
    bench.z[number % 2]->messages.push_back(quad);
  }
  for (auto* z : bench.z) z->messages.push_back(draw_end<QuadMessage>(*state));
  bench.sim.run(bench.clock, 100);
  std::vector<uint32_t> numbers;
  for (const auto& [cycle, quad] : bench.distributor.received)
    if (!quad.quad.draw_end) numbers.push_back(quad.quad.number);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{0, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18}));
  EXPECT_EQ(bench.distributor.received.size(), numbers.size() + 1);
  EXPECT_EQ(bench.box.counters.quads, numbers.size());
}

TEST(Interpolator, NothingOvertakesAndDrawEndsWaitForAllUnits) {
  Bench bench;
  auto wide = state_with(8), narrow = state_with(1);
  const auto first = messages::testing::cover(bench.pools, *wide);
  const auto second = messages::testing::cover(bench.pools, *narrow, 0, {.draw = 2});
  bench.z[0]->messages = {messages::testing::quad(first, 0, 0), draw_end<QuadMessage>(*wide),
                          messages::testing::quad(second, 0, 0), draw_end<QuadMessage>(*narrow, 2)};
  bench.z[1]->messages.assign(20, messages::testing::quad(first, 8, 0));
  bench.z[1]->messages.push_back(draw_end<QuadMessage>(*wide));
  bench.z[1]->messages.push_back(draw_end<QuadMessage>(*narrow, 2));
  bench.sim.run(bench.clock, 100);
  ASSERT_EQ(bench.distributor.received.size(), 24u);
  uint32_t draw = 1;
  for (const auto& [cycle, quad] : bench.distributor.received) {
    EXPECT_EQ(quad.quad.origin.draw, draw);
    draw += quad.quad.draw_end;
  }
  EXPECT_EQ(draw, 3u);
  // The first unit had sent its draw end, so the second was to blame for the wait.
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).starved_by("z0"), 0u);
}

TEST(Interpolator, UnitsTakeTurnsWhenThereIsRoomForOne) {
  Bench bench(2, {.depth = 4});
  auto state = state_with(1);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  for (int32_t unit = 0; unit < 2; unit++)
    bench.z[static_cast<size_t>(unit)]->messages.assign(100, messages::testing::quad(primitive, 8 * unit, 0));
  bench.distributor.per_cycle = 1;
  bench.sim.run(bench.clock, 100);
  int first = 0;
  for (const auto& [cycle, quad] : bench.distributor.received) first += quad.quad.x == 0;
  EXPECT_NEAR(first, static_cast<double>(bench.distributor.received.size()) / 2, 4);
}

TEST(Interpolator, InterpolatesWithPerspectiveLinearlyAndFlat) {
  Bench bench(1);
  auto state = state_with(2);
  state->registers.vertex_out.interpolant[1].mode = static_cast<uint32_t>(arch::Interpolation::kFlat);
  const auto primitive = messages::testing::cover(bench.pools, *state, 0.5f);
  bench.z[0]->messages.push_back(messages::testing::quad(primitive, 10, 20));
  bench.sim.run(bench.clock, 20);
  ASSERT_EQ(bench.distributor.received.size(), 1u);
  const auto& input = bench.distributor.received[0].second.inputs->input;
  // Output 0 is the position: -1 at the left edge, 1 at the right one.
  for (int32_t lane = 0; lane < 4; lane++) {
    const float x = 10.5f + static_cast<float>(lane % 2), y = 20.5f + static_cast<float>(lane / 2);
    EXPECT_NEAR(std::bit_cast<float>(input[0][0][lane]), x / 32 - 1, 1e-5);
    EXPECT_NEAR(std::bit_cast<float>(input[0][1][lane]), y / 32 - 1, 1e-5);
    EXPECT_EQ(std::bit_cast<float>(input[1][0][lane]), -1);  // of vertex 0
  }
}

TEST(Interpolator, BlamesASlowDistributor) {
  const auto blame = [](Cycle k) {
    Bench bench(1);
    auto state = state_with(1);
    bench.z[0]->messages.assign(60,
                                messages::testing::quad(messages::testing::cover(bench.pools, *state), 0, 0));
    bench.distributor.interval = k;
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.distributor.received.size(), 60u);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("distributor");
  };
  messages::testing::expect_blame_per_item(blame, 55);  // one is taken at once, four wait on the wire
}

TEST(Interpolator, SampleShadedQuadLeavesOncePerSample) {
  Bench bench(1);
  auto state = state_with(1);
  state->registers.raster.samples = 4, state->registers.raster.sample_mask = 15;
  state->registers.raster.sample_shading = 1;
  state->prepare();
  QuadMessage quad = messages::testing::quad(messages::testing::cover(bench.pools, *state), 0, 0);
  quad.covered = 0xffff, quad.alive = 0xf0c3, quad.mask = 15;
  bench.z[0]->messages.assign(2, quad);
  bench.sim.run(bench.clock, 40);
  ASSERT_EQ(bench.distributor.received.size(), 6u);
  const uint32_t alive[] = {0x0003, 0x00c0, 0xf000}, covered[] = {0x000f, 0x00f0, 0xf000},
                 sample[] = {0, 1, 3};
  for (size_t i = 0; i < 6; i++) {
    const auto& [cycle, one] = bench.distributor.received[i];
    EXPECT_EQ(one.quad.alive, alive[i % 3]);
    EXPECT_EQ(one.quad.covered, covered[i % 3]);
    EXPECT_EQ(one.quad.sample, sample[i % 3]);
    EXPECT_EQ(cycle, bench.distributor.received[0].first + i);
    const auto& input = one.inputs->input;
    EXPECT_EQ(input[arch::kInputFragment][1][0], sample[i % 3]);
    EXPECT_EQ(input[arch::kInputFragment][2][0], 1u << sample[i % 3]);
    const func::SampleOffset at = func::sample_offset(4, sample[i % 3]);
    EXPECT_EQ(std::bit_cast<float>(input[arch::kInputFragCoord][0][0]), static_cast<float>(at.x) / 256);
  }
}

TEST(Interpolator, HoldsAsManyQuadsAsDeclared) {
  for (unsigned depth : {2u, 7u, 32u}) {
    Bench bench(1, {.depth = depth});
    auto state = state_with(1);
    bench.z[0]->messages.assign(100,
                                messages::testing::quad(messages::testing::cover(bench.pools, *state), 0, 0));
    bench.distributor.refuse = true;
    bench.sim.run(bench.clock, 200);
    EXPECT_EQ(bench.box.counters.quads, depth + 4);
    EXPECT_EQ(bench.z[0]->sent.size(), depth + 4 + 6);
  }
}

TEST(Interpolator, ItsLatenciesAreThoseDeclared) {
  for (const auto& [base, most] : {std::pair{1u, 8u}, {4u, 6u}, {3u, 3u}, {10u, 64u}})
    for (uint32_t n : {1u, 2u, 5u}) {
      Bench bench(2, {.base_latency = base, .max_latency = most});
      auto state = state_with(n);
      bench.z[1]->messages.push_back(
          messages::testing::quad(messages::testing::cover(bench.pools, *state), 0, 0, 0, 7));
      bench.sim.run(bench.clock, 100);
      // Sent in 1, arrives in 2; the wire is the last cycle of the latency.
      EXPECT_EQ(bench.distributor.received.at(0).first, 2 + std::min(base + n, most)) << base << ' ' << n;
      EXPECT_EQ(bench.box.counters.interpolants, n);
      EXPECT_EQ(bench.box.counters.fragments, 3u);
    }
}

}  // namespace
}  // namespace cutaway::boxes::interpolator_test
