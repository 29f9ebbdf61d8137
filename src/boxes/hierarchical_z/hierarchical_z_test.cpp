#include "boxes/hierarchical_z/hierarchical_z.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::hierarchical_z_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::QuadMessage;
using messages::TileMessage;

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state(128, 128);
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  HierarchicalZ& box;
  Source<TileMessage>& tiles = sim.add<Source<TileMessage>>(clock, "tiles");
  Source<messages::Control>& orders = sim.add<Source<messages::Control>>(clock, "orders");
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  std::vector<Source<messages::HzUpdate>*> updates;
  std::vector<Sink<QuadMessage>*> z;

  explicit Bench(unsigned units = 2, const HierarchicalZSpec& spec = {.entries = 256},
                 unsigned update_rate = 1)
      : Bench(structures::TileMap(units), spec, update_rate) {}
  explicit Bench(const structures::TileMap& map, const HierarchicalZSpec& spec = {.entries = 256},
                 unsigned update_rate = 1)
      : box(sim.add<HierarchicalZ>(clock, "hz", spec, map)) {
    tiles.per_cycle = 2;
    sim.connect(tiles.out, box.tiles_in, {1, 2, 6});
    sim.connect(orders.out, box.control_in, {1, 1, 2});
    sim.connect(box.control_out, done.in, {1, 1, 2});
    for (unsigned i = 0; i < map.units(); i++) {
      updates.push_back(&sim.add<Source<messages::HzUpdate>>(clock, "updates" + std::to_string(i)));
      z.push_back(&sim.add<Sink<QuadMessage>>(clock, "z" + std::to_string(i)));
      z[i]->per_cycle = 32;
      updates[i]->per_cycle = update_rate;
      sim.connect(updates[i]->out, box.updates_in[i], {1, update_rate, 4});
      sim.connect(box.quads_out[i], z[i]->in, {1, 32, 64});
    }
    sim.elaborate();
  }
  void send(const messages::PrimitiveRef& primitive, int32_t x, int32_t y, uint64_t coverage = ~0ull) {
    tiles.messages.push_back({.primitive = primitive,
                              .state = primitive->state,
                              .origin = primitive->origin,
                              .x = x,
                              .y = y,
                              .coverage = coverage});
    tiles.wake();
  }
};

void expect_quads_at_their_owners(const structures::TileMap& map) {
  Bench bench(map);
  const auto primitive = messages::testing::cover(bench.pools, *bench.state, 0.5f);
  const uint64_t coverage = 0x8100000000000081 | 0x0000001818000000;  // four corners and the middle
  for (int32_t y = 0; y < 32; y += 8)
    for (int32_t x = 0; x < 32; x += 8) bench.send(primitive, x, y, coverage);
  bench.tiles.messages.push_back(messages::testing::draw_end<TileMessage>(*bench.state));
  bench.sim.run(bench.clock, 100);
  uint64_t pixels = 0;
  for (unsigned unit = 0; unit < map.units(); unit++) {
    ASSERT_FALSE(bench.z[unit]->received.empty());
    EXPECT_TRUE(bench.z[unit]->received.back().second.draw_end);
    for (const auto& [cycle, quad] : bench.z[unit]->received) {
      if (quad.draw_end) continue;
      EXPECT_EQ(map.owner(quad.x, quad.y), unit);
      EXPECT_EQ(quad.rop, unit);
      EXPECT_EQ(quad.x % 2 + quad.y % 2, 0);
      for (int32_t lane = 0; lane < 4; lane++) {
        const int32_t bit = (quad.y % 8 + lane / 2) * 8 + quad.x % 8 + lane % 2;
        EXPECT_EQ(quad.mask >> lane & 1, static_cast<int>(coverage >> bit & 1));
      }
      EXPECT_NEAR(quad.z[0], 0.5f, 1e-6);
      pixels += static_cast<uint64_t>(std::popcount(quad.mask));
    }
  }
  EXPECT_EQ(pixels, 16u * 8);
}

TEST(HierarchicalZ, BreaksTilesIntoQuadsForTheirOwners) {
  expect_quads_at_their_owners(structures::TileMap(2));
  expect_quads_at_their_owners(structures::TileMap(2, 16));
  expect_quads_at_their_owners(structures::TileMap(3, 8, {0, 2, 1, 1}));
}

TEST(HierarchicalZ, NumbersQuadsAsItSendsThem) {
  Bench bench;
  const auto primitive = messages::testing::cover(bench.pools, *bench.state);
  for (int32_t i = 0; i < 4; i++) bench.send(primitive, i * 8, 0);
  bench.sim.run(bench.clock, 60);
  std::vector<bool> seen(64);
  for (const auto* z : bench.z)
    for (const auto& [cycle, quad] : z->received) {
      // Two blocks of 4x4 pixels form the upper half of a tile.
      const auto x = static_cast<uint32_t>(quad.x), y = static_cast<uint32_t>(quad.y);
      EXPECT_EQ(quad.number, x / 8 * 16 + y / 4 * 8 + x % 8 / 4 * 4 + y % 4 / 2 * 2 + x % 4 / 2);
      seen.at(quad.number) = true;
    }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 64);
}

// A depth-only draw shades nothing, so its quads get no numbers.
TEST(HierarchicalZ, NumbersOnlyQuadsToShade) {
  Bench bench;
  auto depth_only = messages::testing::plain_state(128, 128);
  depth_only->registers.color.target[0].write_mask = 0;
  messages::testing::add_depth(*depth_only, arch::Compare::kAlways);
  ASSERT_TRUE(depth_only->ends_before_shading);
  bench.send(messages::testing::cover(bench.pools, *depth_only), 0, 0);
  bench.send(messages::testing::cover(bench.pools, *bench.state), 0, 0);
  bench.sim.run(bench.clock, 60);
  std::vector<uint32_t> numbers;
  for (const auto* z : bench.z)
    for (const auto& [cycle, quad] : z->received)
      if (quad.state == bench.state.get()) numbers.push_back(quad.number);
  EXPECT_EQ(numbers.size(), 16u);
  EXPECT_EQ(*std::ranges::max_element(numbers), 15u);
}

// 2 × 64 fragments per cycle (ATT-3), for one unit or two.
TEST(HierarchicalZ, TakesTwoTilesPerCycle) {
  for (int32_t step : {8, 16}) {
    Bench bench;
    const auto primitive = messages::testing::cover(bench.pools, *bench.state);
    for (int32_t i = 0; i < 60; i++) bench.send(primitive, i * step % 128, 0);
    bench.sim.run(bench.clock, 60);
    EXPECT_EQ(bench.box.counters.quads, 60u * 16);
    // Sent from 1 on, arriving from 2 on, two per cycle, over a wire of 1.
    EXPECT_EQ(bench.z[0]->received.back().first, 2u + 29 + 1);
  }
}

TEST(HierarchicalZ, RejectsWhatAnUpdateShowsToBeHidden) {
  for (bool enabled : {true, false}) {
    Bench bench(2, {.enabled = enabled, .entries = 256});
    messages::testing::add_depth(*bench.state, arch::Compare::kLess);
    const auto near = messages::testing::cover(bench.pools, *bench.state, 0.25f);
    const auto far = messages::testing::cover(bench.pools, *bench.state, 0.75f, {.draw = 2});
    bench.send(near, 0, 0);
    bench.tiles.messages.push_back(messages::testing::draw_end<TileMessage>(*bench.state));
    bench.send(far, 64, 64);
    bench.sim.run(bench.clock, 20);
    const uint32_t epoch = bench.z[0]->received.back().second.hz_epoch;
    bench.updates[0]->messages.push_back(
        {.surface = messages::testing::kDepthAddress, .least = 0.25f, .greatest = 0.25f, .epoch = epoch});
    bench.updates[0]->wake();
    bench.sim.run(bench.clock, 10);
    EXPECT_EQ(bench.box.counters.updates, 1u);
    bench.send(far, 0, 0, 0xff);
    bench.send(far, 8, 0);
    bench.sim.run(bench.clock, 20);
    EXPECT_EQ(bench.box.counters.tiles_rejected, enabled ? 1u : 0u);
    EXPECT_EQ(bench.box.counters.fragments_rejected, enabled ? 8u : 0u);
    // Memory has changed without notice.
    bench.orders.messages.push_back({messages::Control::Kind::kInvalidate, {}}), bench.orders.wake();
    bench.sim.run(bench.clock, 10);
    EXPECT_EQ(bench.done.received.size(), 1u);
    const auto next = messages::testing::cover(bench.pools, *bench.state, 0.75f, {.draw = 3});
    bench.send(next, 0, 0);
    bench.sim.run(bench.clock, 20);
    EXPECT_EQ(bench.box.counters.tiles_rejected, enabled ? 1u : 0u);
  }
}

// The hidden tiles of two surfaces that are drawn to in turn, 60 / 2 cycles of each, if both have entries;
// and a draw whose tiles all went to other rasterisers, but which may have written the memory of one of them.
TEST(HierarchicalZ, RejectsInTwoSurfacesInTurn) {
  for (const unsigned surfaces : {1u, 2u}) {
    Bench bench(2, {.entries = 512, .surfaces = surfaces});
    const auto other = messages::testing::plain_state(128, 128),
               alias = messages::testing::plain_state(128, 128);
    for (messages::DrawState* state : {bench.state.get(), other.get(), alias.get()})
      messages::testing::add_depth(*state, arch::Compare::kLess);
    other->registers.depth.surface.address = messages::testing::kDepthAddress + 0x100000;
    alias->registers.depth.surface.format = static_cast<uint32_t>(arch::Format::D32_SFLOAT);
    for (const auto* state : {bench.state.get(), other.get()}) {
      auto clear = std::make_shared<arch::ClearPacket>();
      clear->surface = state->registers.depth.surface;
      clear->width = clear->height = 128;
      clear->value[0] = std::bit_cast<uint32_t>(0.5f);
      bench.orders.messages.push_back({.kind = messages::Control::Kind::kClear, .clear = clear});
    }
    bench.orders.wake();
    bench.sim.run(bench.clock, 40);
    uint32_t draw = 1;
    const auto rejected = [&](const messages::DrawState& state) {
      const uint64_t before = bench.box.counters.tiles_rejected;
      const auto far = messages::testing::cover(bench.pools, state, 0.75f, {.draw = draw++});
      const Cycle busy = messages::testing::account_of(bench.sim, bench.box).busy;
      for (int32_t i = 0; i < 60; i++) bench.send(far, i % 16 * 8, 0);
      bench.sim.run(bench.clock, 80);
      const uint64_t hidden = bench.box.counters.tiles_rejected - before;
      if (hidden) { EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).busy - busy, hidden / 2); }
      return hidden;
    };
    for (int turn = 0; turn < 2; turn++) {
      EXPECT_EQ(rejected(*bench.state), surfaces == 2 ? 60u : 0u);
      EXPECT_EQ(rejected(*other), surfaces == 2 ? 60u : 0u);
    }
    bench.tiles.messages.push_back(messages::testing::draw_end<TileMessage>(*alias));
    bench.tiles.wake();
    bench.sim.run(bench.clock, 20);
    EXPECT_EQ(rejected(*other), surfaces == 2 ? 60u : 0u);
    EXPECT_EQ(rejected(*bench.state), 0u);
  }
}

// A draw of the other direction that stores nothing costs the share of its own tile. The hidden tiles behind
// it still take 1 / tiles_per_cycle each, and send no quads: 120 / 2 = 60 cycles.
TEST(HierarchicalZ, RejectsAtFullRateBehindADrawOfTheOtherDirection) {
  for (const bool writes : {false, true}) {
    Bench bench;
    messages::testing::add_depth(*bench.state, arch::Compare::kLess);
    const auto other = messages::testing::plain_state(128, 128);
    messages::testing::add_depth(*other, arch::Compare::kGreater, writes);
    bench.send(messages::testing::cover(bench.pools, *bench.state, 0.25f), 0, 0);
    bench.sim.run(bench.clock, 20);
    bench.updates[0]->messages.push_back({.surface = messages::testing::kDepthAddress,
                                          .least = 0.25f,
                                          .greatest = 0.25f,
                                          .epoch = bench.z[0]->received.back().second.hz_epoch});
    bench.updates[0]->wake();
    bench.send(messages::testing::cover(bench.pools, *other, 0.5f, {.draw = 2}), 0, 0);
    bench.sim.run(bench.clock, 20);
    EXPECT_EQ(bench.box.counters.quads, 32u);
    const auto far = messages::testing::cover(bench.pools, *bench.state, 0.75f, {.draw = 3});
    for (int i = 0; i < 120; i++) bench.send(far, 0, 0);
    unsigned cycles = 0;  // in which tiles are rejected
    for (int i = 0; i < 140; i++) {
      const uint64_t before = bench.box.counters.tiles_rejected;
      bench.sim.run(bench.clock, 1);
      cycles += bench.box.counters.tiles_rejected != before;
    }
    EXPECT_EQ(bench.box.counters.tiles_rejected, writes ? 0u : 120u);
    EXPECT_EQ(cycles, writes ? 0u : 60u);
    EXPECT_EQ(bench.box.counters.quads, writes ? 32u + 120 * 16 : 32u);
  }
}

// Quads of a tile in front of everything stored are marked as accepted.
TEST(HierarchicalZ, AcceptsTilesWhereItIsBuiltTo) {
  for (const bool accepts : {false, true}) {
    Bench bench(2, {.entries = 256, .accepts = accepts});
    messages::testing::add_depth(*bench.state, arch::Compare::kLess);
    auto clear = std::make_shared<arch::ClearPacket>();
    clear->surface = bench.state->registers.depth.surface;
    clear->width = clear->height = 128;
    clear->value[0] = std::bit_cast<uint32_t>(1.0f);
    bench.orders.messages.push_back({.kind = messages::Control::Kind::kClear, .clear = clear});
    bench.orders.wake();
    bench.sim.run(bench.clock, 40);
    const auto near = messages::testing::cover(bench.pools, *bench.state, 0.25f);
    bench.send(near, 0, 0);
    bench.send(near, 0, 0);
    bench.sim.run(bench.clock, 40);
    EXPECT_EQ(bench.box.counters.tiles_accepted, accepts ? 1u : 0u);
    const auto& quads = bench.z[0]->received;
    const auto count = [&](bool QuadMessage::*flag) {
      return std::count_if(quads.begin(), quads.end(), [&](const auto& q) { return q.second.*flag; });
    };
    EXPECT_EQ(count(&QuadMessage::accepted), accepts ? 16 : 0);
    EXPECT_EQ(count(&QuadMessage::whole_tile), accepts ? 16 : 0);
    bench.send(near, 16, 0, ~1ull);
    bench.sim.run(bench.clock, 40);
    EXPECT_EQ(count(&QuadMessage::accepted), accepts ? 32 : 0);
    EXPECT_EQ(count(&QuadMessage::whole_tile), accepts ? 16 : 0) << "a pixel is not covered";
  }
}

// Halves of tiles, left, right, left, right: the lower ones have the test of the upper ones, and together
// they overwrite the tile. Of another primitive they are tested anew, and one that lies before it is
// accepted.
TEST(HierarchicalZ, TestsATileThatComesByHalvesOnce) {
  Bench bench(1, {.entries = 256, .accepts = true});
  messages::testing::add_depth(*bench.state, arch::Compare::kLess);
  auto clear = std::make_shared<arch::ClearPacket>();
  clear->surface = bench.state->registers.depth.surface;
  clear->width = clear->height = 128;
  clear->value[0] = std::bit_cast<uint32_t>(1.0f);
  bench.orders.messages.push_back({.kind = messages::Control::Kind::kClear, .clear = clear});
  bench.orders.wake();
  bench.sim.run(bench.clock, 40);
  const auto& quads = bench.z[0]->received;
  const auto whole = [&] {
    return std::count_if(quads.begin(), quads.end(), [](const auto& q) { return q.second.whole_tile; });
  };
  constexpr uint64_t kUpper = 0xffffffff;
  const auto middle = messages::testing::cover(bench.pools, *bench.state, 0.5f);
  for (const uint64_t half : {kUpper, ~kUpper})
    for (const int32_t x : {0, 8}) bench.send(middle, x, 0, half);
  bench.sim.run(bench.clock, 40);
  EXPECT_EQ(bench.box.counters.tiles_accepted, 4u);
  EXPECT_EQ(whole(), 32);
  const auto far = messages::testing::cover(bench.pools, *bench.state, 0.75f);
  bench.send(far, 0, 0, ~kUpper);
  bench.sim.run(bench.clock, 40);
  EXPECT_EQ(bench.box.counters.tiles_accepted, 4u);
  const auto near = messages::testing::cover(bench.pools, *bench.state, 0.25f);
  for (const uint64_t half : {kUpper, ~kUpper}) bench.send(near, 0, 0, half);
  bench.sim.run(bench.clock, 40);
  EXPECT_EQ(bench.box.counters.tiles_accepted, 6u);
}

TEST(HierarchicalZ, BlamesTheSlowUnit) {
  const auto blame = [](Cycle k) {
    Bench bench(2);
    const auto primitive = messages::testing::cover(bench.pools, *bench.state);
    for (int32_t i = 0; i < 8; i++) bench.send(primitive, 16 * (i % 8), 0);
    bench.z[0]->per_cycle = 1;
    bench.z[0]->interval = k;
    bench.sim.run(bench.clock, 9000);
    const engine::Account account = messages::testing::account_of(bench.sim, bench.box);
    EXPECT_EQ(account.blocked_by("z1"), 0u);
    return account.blocked_by("z0");
  };
  messages::testing::expect_blame_per_item(blame, 8 * 16 - 65);  // one at once, 64 wait on the wire
}

TEST(HierarchicalZ, TakesAsManyTilesPerCycleAsDeclared) {
  for (unsigned tiles : {1u, 2u}) {
    Bench bench(2, {.tiles_per_cycle = tiles, .entries = 256});
    const auto primitive = messages::testing::cover(bench.pools, *bench.state);
    for (int32_t i = 0; i < 60; i++) bench.send(primitive, i * 8 % 128, 0, 1);
    bench.sim.run(bench.clock, 100);
    EXPECT_EQ(bench.box.counters.tiles, 60u);
    EXPECT_EQ(bench.box.counters.quads, 60u);
    EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).busy, 60u / tiles);
  }
}

// The partly sent tile and the wires hold everything; nothing else waits inside.
TEST(HierarchicalZ, HoldsOneTile) {
  Bench bench(1);
  bench.z[0]->refuse = true;
  const auto primitive = messages::testing::cover(bench.pools, *bench.state);
  for (int32_t i = 0; i < 40; i++) bench.send(primitive, i * 8 % 128, 0);
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.box.counters.quads, 64u);
  EXPECT_EQ(bench.tiles.sent.size(), 4u + 1 + 6);
}

// Takes updates from all units, as many as have arrived from each.
TEST(HierarchicalZ, TakesEveryArrivedUpdate) {
  for (unsigned rate : {1u, 2u, 4u}) {
    Bench bench(2, {.entries = 256}, rate);
    messages::testing::add_depth(*bench.state, arch::Compare::kLess);
    bench.send(messages::testing::cover(bench.pools, *bench.state, 0.25f), 0, 0);
    bench.sim.run(bench.clock, 20);
    const uint32_t epoch = bench.z[0]->received.back().second.hz_epoch + 1;
    bench.send(messages::testing::cover(bench.pools, *bench.state, 0.25f, {.draw = 2}), 8, 0);
    bench.sim.run(bench.clock, 20);
    for (auto* unit : bench.updates) {
      for (int32_t i = 0; i < 4; i++)
        unit->messages.push_back({.surface = messages::testing::kDepthAddress,
                                  .x = 8 * i,
                                  .y = unit == bench.updates[0] ? 0 : 8,
                                  .least = 0.25f,
                                  .greatest = 0.25f,
                                  .epoch = epoch});
      unit->wake();
    }
    const Cycle before = messages::testing::account_of(bench.sim, bench.box).busy;
    bench.sim.run(bench.clock, 20);
    EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).busy - before, 4u / rate);
    EXPECT_EQ(bench.box.counters.updates, 8u);
  }
}

// The order before memory is cleared is answered when all entries are set.
TEST(HierarchicalZ, AClearTakesTheCyclesOfItsEntries) {
  const auto cycles = [](unsigned rate, uint32_t width, uint32_t height) {
    Bench bench(2, {.entries = 256, .clear_tiles = rate});
    auto clear = std::make_shared<arch::ClearPacket>();
    clear->surface = messages::testing::surface(arch::Format::D24_UNORM_S8_UINT, 256, 256, 0x100000);
    clear->width = width, clear->height = height;
    bench.orders.messages.push_back({.kind = messages::Control::Kind::kClear, .clear = clear});
    bench.sim.run(bench.clock, 2000);
    EXPECT_EQ(bench.done.received.size(), 1u);
    return bench.done.received.at(0).first;
  };
  const Cycle none = cycles(1, 0, 8);
  EXPECT_EQ(cycles(1, 64, 64), none + 64);
  EXPECT_EQ(cycles(16, 64, 64), none + 4);
  EXPECT_EQ(cycles(10, 64, 64), none + 7);
  EXPECT_EQ(cycles(1, 256, 256), none + 256) << "entries there are";
}

}  // namespace
}  // namespace cutaway::boxes::hierarchical_z_test
