// A Z and stencil unit that several rasterisers send quads to.
#include <gtest/gtest.h>

#include "boxes/z_stencil/bench_for_test.h"

namespace cutaway::boxes::rasterisers_test {
namespace {

using namespace z_stencil_bench;
using arch::Compare;
using messages::testing::add_depth;
using messages::testing::draw_end;
using messages::testing::plain_state;

struct Rasterisers : ::testing::Test {
  std::unique_ptr<messages::DrawState> state = plain_state();
  std::unique_ptr<Bench> bench;
  messages::PrimitiveRef primitive;

  void make(unsigned units, const ZStencilSpec& spec = {}) {
    bench = std::make_unique<Bench>(spec, 10, structures::TileMap(units));
    primitive = messages::testing::cover(bench->pools, *state);
  }
  void TearDown() override { primitive = {}; }
  QuadMessage quad(int32_t x, uint32_t draw = 1) {
    QuadMessage message = messages::testing::quad(primitive, x, 0, 0.5f);
    message.origin.draw = draw;
    return message;
  }
  // The x of what has passed; of draw ends -draw.
  std::vector<int32_t> passed() const {
    std::vector<int32_t> all;
    for (const auto& [cycle, message] : bench->interpolator.received)
      all.push_back(message.draw_end ? -static_cast<int32_t>(message.origin.draw) : message.x);
    return all;
  }
};

TEST_F(Rasterisers, TakeTurns) {
  make(3);
  for (int32_t i = 0; i < 4; i++) bench->send(quad(2 * i), 0), bench->send(quad(2 * i + 16), 1);
  bench->send(quad(32), 2);
  bench->run(40);
  EXPECT_EQ(passed(), (std::vector<int32_t>{0, 16, 32, 2, 18, 4, 20, 6, 22}));
  // One a cycle.
  const auto& received = bench->interpolator.received;
  EXPECT_EQ(received.back().first - received.front().first, 8u);
  EXPECT_EQ(received.front().first, 4u);  // as from one alone
}

TEST_F(Rasterisers, OneThatSendsOnAndOnStarvesNoOther) {
  make(2);
  for (int32_t i = 0; i < 40; i++) bench->send(quad(0), 0);
  bench->run(12);
  bench->send(quad(16), 1);
  bench->run(12);
  const auto all = passed();
  const auto at = std::find(all.begin(), all.end(), 16);
  ASSERT_NE(at, all.end());
  EXPECT_LE(at - all.begin(), 14);
}

TEST_F(Rasterisers, ADrawEndsWhenAllHaveEndedIt) {
  make(2);
  bench->send(draw_end<QuadMessage>(*state, 1), 0);
  bench->send(quad(0, 2), 0);
  bench->send(draw_end<QuadMessage>(*state, 2), 0);
  bench->send(quad(16, 1), 1);
  bench->run(100);
  // The quad of the second draw waits, however long.
  EXPECT_EQ(passed(), (std::vector<int32_t>{16}));
  const engine::Account account = messages::testing::account_of(bench->sim, bench->unit);
  EXPECT_GE(account.starved_by("hz1"), 90u);
  EXPECT_EQ(account.starved_by("hz"), 0u);
  bench->send(quad(18, 1), 1);
  bench->send(draw_end<QuadMessage>(*state, 1), 1);
  bench->send(draw_end<QuadMessage>(*state, 2), 1);
  bench->run(40);
  EXPECT_EQ(passed(), (std::vector<int32_t>{16, 18, -1, 0, -2}));
  EXPECT_EQ(bench->unit.counters.quads, 3u);
}

// A draw end takes a cycle, from however many it comes.
TEST_F(Rasterisers, DrawEndsAreTakenTogether) {
  for (unsigned units : {1u, 2u, 4u}) {
    make(units);
    for (unsigned raster = 0; raster < units; raster++)
      for (uint32_t draw = 1; draw <= 10; draw++) bench->send(draw_end<QuadMessage>(*state, draw), raster);
    bench->run(40);
    ASSERT_EQ(bench->interpolator.received.size(), 10u) << units;
    EXPECT_EQ(bench->interpolator.received[9].first, 4u + 9) << units;
    primitive = {};
  }
}

// The samples of a quad are tested together, whoever else sends.
TEST_F(Rasterisers, SamplesOfTwoQuadsAreNotMixed) {
  state->registers.raster.samples = 4, state->registers.raster.sample_mask = 15;
  add_depth(*state, Compare::kLess);
  state->registers.depth.surface.type |= 2u << 16;
  state->prepare();
  make(2);
  const auto sampled = [&](int32_t x, func::QuadSamples alive) {
    QuadMessage message = quad(x);
    message.covered = message.alive = alive, message.mask = 15;
    return message;
  };
  // From the second first: the first rasteriser comes while its samples are being taken.
  bench->send(sampled(8, 0xffff), 1);
  bench->run(2);
  bench->send(sampled(16, 0x00f0), 0);
  bench->send(sampled(18, 0x0f0f), 0);
  bench->send(sampled(10, 0xf000), 1);
  bench->run(120);
  ASSERT_EQ(passed(), (std::vector<int32_t>{8, 16, 10, 18}));
  const auto alive = [&](size_t i) { return bench->interpolator.received[i].second.alive; };
  EXPECT_EQ(alive(0), 0xffffu);
  EXPECT_EQ(alive(1), 0x00f0u);
  EXPECT_EQ(alive(2), 0xf000u);
  EXPECT_EQ(alive(3), 0x0f0fu);
}

// The rasteriser that owns an evicted tile is told its bounds.
TEST_F(Rasterisers, TheOwnerOfATileIsToldOfItsDepths) {
  add_depth(*state, Compare::kLess);
  make(2, {.cache_lines = 4, .cache_ways = 4, .report_queue = 0});
  const structures::TileMap map(2);
  for (int32_t tile = 0; tile < 8; tile++)
    for (int32_t i = 0; i < 16; i++)
      bench->send(messages::testing::quad(primitive, tile * 8 + i % 4 * 2, i / 4 * 2, 0.5f),
                  map.owner(tile * 8, 0));
  bench->run(800);
  size_t updates = 0;
  for (unsigned unit = 0; unit < 2; unit++)
    for (const auto& [cycle, update] : bench->told[unit]->received) {
      EXPECT_EQ(map.owner(update.x, update.y), unit);
      updates++;
    }
  EXPECT_EQ(updates, 4u);
  EXPECT_FALSE(bench->told[0]->received.empty());
  EXPECT_FALSE(bench->told[1]->received.empty());
}

}  // namespace
}  // namespace cutaway::boxes::rasterisers_test
