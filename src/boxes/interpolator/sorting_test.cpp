// The quads of several rasterisers, which Z and stencil units have mixed.
#include <gtest/gtest.h>
#include <random>

#include "boxes/interpolator/interpolator.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::sorting_test {
namespace {

using engine::testing::Sink;
using engine::testing::Source;
using messages::InterpolatedQuad;
using messages::QuadMessage;
using messages::testing::draw_end;

constexpr unsigned kRasters = 2, kTile = 16;

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  messages::PrimitiveRef primitive;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Interpolator& box;
  std::vector<Source<QuadMessage>*> z;
  Sink<InterpolatedQuad>& distributor = sim.add<Sink<InterpolatedQuad>>(clock, "distributor");

  explicit Bench(unsigned window, unsigned units = 2)
      : box(sim.add<Interpolator>(clock, "interpolator",
                                  InterpolatorSpec{.order = QuadOrder::kRasterised, .window = window}, units,
                                  0u, pools, structures::TileMap(kRasters, kTile, {0}))) {
    messages::testing::add_program(*state, arch::Stage::kFragment, "MOV o0, i0\nEND\n");
    primitive = messages::testing::cover(pools, *state);
    distributor.per_cycle = units;
    for (unsigned i = 0; i < units; i++) {
      z.push_back(&sim.add<Source<QuadMessage>>(clock, "z" + std::to_string(i)));
      sim.connect(z[i]->out, box.quads_in[i], {1, 1, 6});
    }
    sim.connect(box.quads_out, distributor.in, {1, units, 4 * units});
    sim.elaborate();
  }
  // A quad of a rasteriser, behind those that unit `unit` already has. Its row is that of the unit.
  void add(unsigned unit, unsigned raster, uint32_t number) {
    QuadMessage quad = messages::testing::quad(primitive, static_cast<int32_t>(kTile * raster),
                                               static_cast<int32_t>(2 * unit));
    quad.number = number;
    z[unit]->messages.push_back(quad);
  }
  void end() {
    for (auto* unit : z) unit->messages.push_back(draw_end<QuadMessage>(*state));
  }
  // The numbers of a rasteriser's quads, as they left.
  std::vector<uint32_t> left(unsigned raster) const {
    std::vector<uint32_t> numbers;
    for (const auto& [cycle, quad] : distributor.received)
      if (!quad.quad.draw_end && quad.quad.x / kTile == raster) numbers.push_back(quad.quad.number);
    return numbers;
  }
};

std::vector<uint32_t> up_to(uint32_t count) {
  std::vector<uint32_t> numbers(count);
  for (uint32_t i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}

// Tiles of eight quads alternate between the units, which take the rasterisers in turn, one of them slowly.
TEST(Sorting, EachRasteriserHasItsOrder) {
  Bench bench(32);
  for (uint32_t number = 0; number < 64; number++)
    for (unsigned raster = 0; raster < kRasters; raster++)
      bench.add((number / 8 + raster) % 2, raster, number);
  bench.end();
  bench.z[0]->interval = 3;
  bench.sim.run(bench.clock, 400);
  EXPECT_EQ(bench.left(0), up_to(64));
  EXPECT_EQ(bench.left(1), up_to(64));
  EXPECT_EQ(bench.box.sorter_counters.late, 0u);
  EXPECT_TRUE(bench.distributor.received.back().second.quad.draw_end);
  EXPECT_EQ(bench.box.why_busy(), "");
}

// Two go in and two out in a cycle; a quad that is next waits no cycle longer than without sorting.
TEST(Sorting, TakesNoTime) {
  Bench bench(8);
  for (uint32_t number = 0; number < 100; number++) bench.add(number % 2, 0, number);
  bench.sim.run(bench.clock, 100);
  ASSERT_EQ(bench.distributor.received.size(), 100u);
  // Sent in 1, taken in 2; of one interpolant, two cycles.
  EXPECT_EQ(bench.distributor.received[0].first, 4u);
  EXPECT_EQ(bench.distributor.received[99].first, 4u + 49);
}

// Each unit has a quad of one rasteriser before the quad that the other rasteriser lacks. With a window of
// nine both wait inside; with eight they are beyond it, until the window has passed the missing numbers.
TEST(Sorting, AWindowThatIsTooShortLetsQuadsPass) {
  for (const unsigned window : {9u, 8u}) {
    Bench bench(window);
    bench.add(0, 0, 8), bench.add(0, 1, 0);
    bench.add(1, 1, 8), bench.add(1, 0, 0);
    for (uint32_t number = 1; number < 8; number++) bench.add(0, 1, number), bench.add(1, 0, number);
    bench.end();
    bench.sim.run(bench.clock, 200);
    for (unsigned raster = 0; raster < kRasters; raster++) EXPECT_EQ(bench.left(raster), up_to(9)) << window;
    EXPECT_EQ(bench.box.sorter_counters.late, window == 9 ? 0u : 2u);
  }
}

// Whatever the mixture and the window, each quad leaves once, and those of a unit and a rasteriser in order.
TEST(Sorting, NothingIsLostOrTurnedAround) {
  std::mt19937 random(3);
  for (unsigned run = 0; run < 60; run++) {
    const unsigned units = 1 + run % 5, window = 1 + random() % 12;
    Bench bench(window, units);
    uint32_t next[kRasters] = {};
    for (unsigned i = 0; i < 300; i++) {
      const unsigned raster = random() % kRasters, unit = random() % units;
      bench.add(unit, raster, next[raster]++);
    }
    bench.end();
    for (auto* unit : bench.z) unit->interval = 1 + random() % 4;
    bench.sim.run(bench.clock, 3000);
    ASSERT_EQ(bench.distributor.received.size(), 301u) << run;
    std::vector<int64_t> last(kRasters * units, -1);
    for (const auto& [cycle, quad] : bench.distributor.received) {
      if (quad.quad.draw_end) continue;
      int64_t& before =
          last[static_cast<size_t>(quad.quad.x) / kTile * units + static_cast<size_t>(quad.quad.y) / 2];
      EXPECT_LT(before, quad.quad.number);
      before = quad.quad.number;
    }
    EXPECT_EQ(bench.box.why_busy(), "");
  }
}

}  // namespace
}  // namespace cutaway::boxes::sorting_test
