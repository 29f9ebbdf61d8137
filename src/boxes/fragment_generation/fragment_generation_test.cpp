#include "boxes/fragment_generation/fragment_generation.h"

#include <bit>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "func/raster/coverage.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::fragment_generation_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::SetupMessage;
using messages::TileMessage;

SetupMessage message(const messages::PrimitiveRef& primitive) {
  return {.primitive = primitive, .state = primitive->state, .origin = primitive->origin};
}

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state(128, 128);
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  FragmentGeneration& box;
  Source<SetupMessage>& setup = sim.add<Source<SetupMessage>>(clock, "setup");
  Sink<TileMessage>& hz = sim.add<Sink<TileMessage>>(clock, "hz");

  explicit Bench(const FragmentGenerationSpec& spec = {}, unsigned unit = 0)
      : box(sim.add<FragmentGeneration>(clock, "fragments", spec, unit)) {
    hz.per_cycle = spec.tiles_per_cycle;
    sim.connect(setup.out, box.primitives_in[0], {1, 1, 26});
    sim.connect(box.tiles_out, hz.in, {1, spec.tiles_per_cycle, 6});
    sim.elaborate();
  }
};

class FragmentGenerationOf : public ::testing::TestWithParam<FragmentGenerationSpec> {};

TEST_P(FragmentGenerationOf, SendsEveryCoveredTileOnceAndInOrder) {
  std::mt19937 random(5);
  Bench bench(GetParam());
  const auto coordinate = [&] { return static_cast<float>(random() % 40000) / 256 - 14; };
  for (uint32_t i = 0; i < 60; i++) {
    const messages::testing::Corner corner[3] = {
        {coordinate(), coordinate()}, {coordinate(), coordinate()}, {coordinate(), coordinate()}};
    const float area = (corner[1].x - corner[0].x) * (corner[2].y - corner[0].y) -
                       (corner[2].x - corner[0].x) * (corner[1].y - corner[0].y);
    if (area * area < 10000) continue;
    bench.setup.messages.push_back(
        message(messages::testing::triangle(bench.pools, *bench.state, corner, {.draw = 1, .primitive = i})));
  }
  bench.setup.messages.push_back(messages::testing::draw_end<SetupMessage>(*bench.state));
  bench.sim.run(bench.clock, 60 * 256);
  std::map<uint32_t, std::map<std::pair<int32_t, int32_t>, uint64_t>> sent;
  uint32_t last = 0;
  for (const auto& [cycle, tile] : bench.hz.received) {
    if (tile.draw_end) continue;
    EXPECT_GE(tile.origin.primitive, last);
    last = tile.origin.primitive;
    EXPECT_NE(tile.coverage, 0u);
    EXPECT_TRUE(sent[last].emplace(std::pair{tile.x, tile.y}, tile.coverage).second) << "twice";
  }
  EXPECT_TRUE(bench.hz.received.back().second.draw_end);
  uint64_t tiles = 0;
  for (const SetupMessage& m : bench.setup.messages) {
    if (m.draw_end) continue;
    for (int32_t y = 0; y < 128; y += 8)
      for (int32_t x = 0; x < 128; x += 8) {
        const uint64_t coverage = func::tile_coverage(m.primitive->primitive, x, y);
        const auto& of = sent[m.origin.primitive];
        const auto found = of.find({x, y});
        EXPECT_EQ(found == of.end() ? 0 : found->second, coverage);
        tiles += coverage != 0;
      }
  }
  EXPECT_GT(tiles, 500u);
  EXPECT_EQ(bench.box.counters.tiles, tiles);
}

// Two triangles that share an edge cover each pixel of the square once.
TEST_P(FragmentGenerationOf, PixelsOnASharedEdgeAreDrawnOnce) {
  std::mt19937 random(7);
  for (int i = 0; i < 40; i++) {
    const auto coordinate = [&] { return static_cast<float>(random() % (128 * 16)) / 16; };
    const messages::testing::Corner a{coordinate(), coordinate()}, b{coordinate(), coordinate()};
    Bench bench(GetParam());
    // The edge from a to b, with a triangle on each side.
    const float x = b.x - a.x, y = b.y - a.y;
    if (x * x + y * y < 64) continue;
    const messages::testing::Corner left{a.x - 300 * y, a.y + 300 * x}, right{a.x + 300 * y, a.y - 300 * x};
    bench.setup.messages = {message(messages::testing::triangle(bench.pools, *bench.state, {a, b, left})),
                            message(messages::testing::triangle(bench.pools, *bench.state, {a, b, right})),
                            messages::testing::draw_end<SetupMessage>(*bench.state)};
    const func::Primitive primitives[2] = {bench.setup.messages[0].primitive->primitive,
                                           bench.setup.messages[1].primitive->primitive};
    bench.sim.run(bench.clock, 2000);
    ASSERT_TRUE(bench.hz.received.back().second.draw_end);
    std::map<std::pair<int32_t, int32_t>, uint64_t> drawn, expected;
    for (const auto& [cycle, tile] : bench.hz.received) {
      if (tile.draw_end) continue;
      uint64_t& pixels = drawn[{tile.x, tile.y}];
      EXPECT_EQ(pixels & tile.coverage, 0u) << "twice";
      pixels |= tile.coverage;
    }
    for (int32_t ty = 0; ty < 128; ty += 8)
      for (int32_t tx = 0; tx < 128; tx += 8)
        if (const uint64_t pixels =
                func::tile_coverage(primitives[0], tx, ty) | func::tile_coverage(primitives[1], tx, ty))
          expected[{tx, ty}] = pixels;
    EXPECT_EQ(drawn, expected);
  }
}

const FragmentGenerationSpec kOrders[] = {
    {.order = "serpentine"},
    {.order = "serpentine", .found_tiles = 3},
    {.tile = 16, .order = "tile-rows", .scan_rows = 2},
    {.order = "recursive", .block = 16},
    {.order = "recursive", .block = 64, .found_tiles = 8},
    {.order = "recursive", .block = 4096, .level_cycles = 3, .found_tiles = 1},
    {.order = "recursive", .tiles_per_cycle = 3, .tests_per_cycle = 7, .found_tiles = 2},
};
INSTANTIATE_TEST_SUITE_P(Orders, FragmentGenerationOf, ::testing::ValuesIn(kOrders));

// A rectangle of 8 × 8 whole tiles, except for the diagonal: two tiles per cycle (ATT-3).
TEST(FragmentGeneration, SendsTwoTilesPerCycle) {
  Bench bench;
  bench.setup.messages.push_back(message(messages::testing::cover(bench.pools, *bench.state)));
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.hz.received.size(), 256u);
  EXPECT_EQ(bench.hz.received[0].first, 3u);
  EXPECT_EQ(bench.hz.received[255].first, 3u + 127);
}

// A thin triangle from corner to corner: its bounding box takes a cycle per four tiles.
TEST(FragmentGeneration, LooksAtFourTilesPerCycle) {
  for (unsigned tests : {1u, 4u, 16u}) {
    Bench bench({.tiles_per_cycle = 16, .tests_per_cycle = tests});
    bench.setup.messages = {
        message(messages::testing::triangle(bench.pools, *bench.state, {{0, 0}, {128, 127}, {128, 128}})),
        messages::testing::draw_end<SetupMessage>(*bench.state)};
    bench.sim.run(bench.clock, 400);
    ASSERT_TRUE(bench.hz.received.back().second.draw_end);
    EXPECT_EQ(bench.box.counters.tiles_tested, 256u);
    // Taken in 2; 256 / tests cycles; then the draw end over a wire of 1.
    EXPECT_EQ(bench.hz.received.back().first, 2 + 256 / tests + 1);
  }
}

// A rectangle of 16 x 16 tiles, then a small triangle, which waits until the last tile has been scanned.
TEST(FragmentGeneration, ScansATileInTheDeclaredCycles) {
  for (unsigned cycles : {2u, 4u, 16u}) {
    Bench bench({.tile_cycles = cycles});
    bench.setup.messages = {
        message(messages::testing::cover(bench.pools, *bench.state)),
        message(messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}}))};
    bench.sim.run(bench.clock, 256 * cycles + 10);
    ASSERT_EQ(bench.hz.received.size(), 257u);
    for (uint32_t tile = 0; tile < 257; tile++)
      ASSERT_EQ(bench.hz.received[tile].first, 3u + tile * cycles) << tile;
    EXPECT_EQ(bench.box.why_busy(), "");
  }
}

// A tile takes a cycle for each block with fragments, and one with a few pixels no more than one.
TEST(FragmentGeneration, DrawsABlockPerCycle) {
  for (unsigned pixels : {4u, 8u, 16u, 32u}) {
    Bench bench({.pixels_per_cycle = pixels});
    bench.setup.messages = {
        message(messages::testing::cover(bench.pools, *bench.state)),
        message(messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}})),
        message(messages::testing::triangle(bench.pools, *bench.state, {{8, 8}, {10, 8}, {8, 10}})),
        message(messages::testing::triangle(bench.pools, *bench.state, {{8, 8}, {10, 8}, {8, 10}}))};
    const unsigned cycles = 64 / pixels;
    bench.sim.run(bench.clock, 256 * cycles + 20);
    ASSERT_EQ(bench.hz.received.size(), 259u);
    for (uint32_t tile = 0; tile < 257; tile++)
      ASSERT_EQ(bench.hz.received[tile].first, 3u + tile * cycles) << tile;
    // Pixels (1, 1) to (2, 2) are in three blocks of 2x2, in two of 4x2.
    const unsigned first = pixels == 4 ? 3 : pixels == 8 ? 2 : 1;
    EXPECT_EQ(bench.hz.received[257].first - bench.hz.received[256].first, first);
    EXPECT_EQ(bench.hz.received[258].first - bench.hz.received[257].first, 1u);
  }
}

// Tiles that wait are sent as the scan allows while a descent takes longer for its next block.
TEST(FragmentGeneration, SendsWhileItDescends) {
  Bench bench({.order = "recursive", .level_cycles = 16, .tile_cycles = 2, .found_tiles = 8});
  bench.setup.messages.push_back(message(messages::testing::cover(bench.pools, *bench.state)));
  bench.sim.run(bench.clock, 400);
  ASSERT_GT(bench.hz.received.size(), 8u);
  for (uint32_t tile = 1; tile < 4; tile++)
    EXPECT_EQ(bench.hz.received[tile].first - bench.hz.received[0].first, 2 * tile) << tile;
}

TEST(FragmentGeneration, TakesATrianglePerCycle) {
  for (const FragmentGenerationSpec& spec : kOrders) {
    Bench bench(spec);
    const auto tiny = messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}});
    bench.setup.messages.assign(50, message(tiny));
    bench.sim.run(bench.clock, 60);
    ASSERT_EQ(bench.hz.received.size(), 50u);
    EXPECT_EQ(bench.hz.received[49].first - bench.hz.received[0].first, 49u);
  }
}

// One test of four finds two tiles on both sides of the edge of largest blocks.
TEST(FragmentGeneration, TakesASmallTriangleAnywherePerCycle) {
  Bench bench({.order = "recursive", .found_tiles = 2});
  const auto small = messages::testing::triangle(bench.pools, *bench.state, {{60, 1}, {69, 1}, {60, 4}});
  bench.setup.messages.assign(50, message(small));
  bench.sim.run(bench.clock, 80);
  ASSERT_EQ(bench.hz.received.size(), 100u);
  EXPECT_EQ(bench.hz.received[99].first - bench.hz.received[0].first, 49u);
}

// Cycles from the arrival of the first tile to that of the last, and to the draw end.
struct Times {
  Cycle first = 0, last = 0, end = 0;
};
Times times_of(const FragmentGenerationSpec& spec, const std::vector<messages::testing::Corner>& corners) {
  Bench bench(spec);
  bench.hz.per_cycle = 16;
  const messages::testing::Corner c[3] = {corners[0], corners[1], corners[2]};
  bench.setup.messages = {message(messages::testing::triangle(bench.pools, *bench.state, c)),
                          messages::testing::draw_end<SetupMessage>(*bench.state)};
  bench.sim.run(bench.clock, 4000);
  const auto& received = bench.hz.received;
  EXPECT_TRUE(received.back().second.draw_end);
  return {received.front().first, received[received.size() - 2].first, received.back().first};
}
const std::vector<messages::testing::Corner> kWhole = {{0, 0}, {512, 0}, {0, 512}};

// The first tile follows the tests of the block, of a quarter, and so on; then two tiles per cycle, while
// others are being found.
TEST(FragmentGeneration, DescendsAheadOfSending) {
  for (const unsigned block : {16u, 32u, 64u, 128u, 256u})
    for (const unsigned cycles : {1u, 4u}) {
      const Times times = times_of(
          {.order = "recursive", .block = block, .level_cycles = cycles, .found_tiles = 16 * cycles}, kWhole);
      // 256 tiles in 128 cycles. A block of 128 pixels has three levels of larger blocks than tiles.
      const auto levels = static_cast<Cycle>(std::countr_zero(std::min(block, 128u)) - 4);
      EXPECT_EQ(times.first, 3 + levels * cycles) << block;
      if (cycles == 1) { EXPECT_EQ(times.last, times.first + 127) << block; }
    }
}

// Without room for found tiles, tests overlap the sending of two tiles per cycle only in part.
TEST(FragmentGeneration, SendsAsItFindsWithoutRoomForMore) {
  const auto last = [](unsigned block, unsigned tests) {
    return times_of({.order = "recursive", .block = block, .tests_per_cycle = tests}, kWhole).last;
  };
  EXPECT_EQ(last(16, 2), 3u + 127);
  // 16 blocks of 32: two cycles of tests before the 8 cycles of tiles of each.
  EXPECT_EQ(last(32, 2), 3u + 16 * 10 - 1);
  EXPECT_EQ(last(32, 4), 4u + 127);
}

// A thin triangle from corner to corner: the scanner tests all 256 tiles of its bounding box. The descent
// enters the blocks on the diagonal, and those above that it touches where two of them meet.
TEST(FragmentGeneration, DescentSkipsWhatAThinTriangleLeavesOut) {
  const std::vector<messages::testing::Corner> thin = {{0, 0}, {128, 127}, {128, 128}};
  const Times scanned = times_of({.tiles_per_cycle = 16}, thin);
  EXPECT_EQ(scanned.end, 2u + 256 / 4 + 1);
  const Times found = times_of({.order = "recursive", .block = 128, .tiles_per_cycle = 16}, thin);
  // Blocks of 128, 64, 32 and 16 pixels take a cycle each.
  EXPECT_EQ(found.end, 2u + (1 + (2 + 1) + (4 + 3) + (8 + 7)) + 1);
}

TEST(FragmentGeneration, BlamesHierarchicalZWhenItIsSlow) {
  const auto blame = [](Cycle k) {
    Bench bench;
    const auto tiny = messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}});
    bench.setup.messages.assign(40, message(tiny));
    bench.hz.per_cycle = 1;
    bench.hz.interval = k;
    bench.sim.run(bench.clock, 2000);
    EXPECT_EQ(bench.hz.received.size(), 40u);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("hz");
  };
  messages::testing::expect_blame_per_item(blame, 33);  // one is taken at once, six wait on the wire
}

TEST(FragmentGeneration, SendsAsManyTilesPerCycleAsDeclared) {
  for (unsigned tiles : {1u, 2u, 3u}) {
    Bench bench({.tiles_per_cycle = tiles, .tests_per_cycle = 16});
    bench.hz.per_cycle = 16;
    bench.setup.messages.push_back(message(messages::testing::cover(bench.pools, *bench.state)));
    bench.sim.run(bench.clock, 400);
    ASSERT_EQ(bench.hz.received.size(), 256u);
    EXPECT_EQ(bench.hz.received[255].first - bench.hz.received[0].first, (256 + tiles - 1) / tiles - 1)
        << tiles;
    EXPECT_EQ(bench.box.counters.tiles, 256u);
    EXPECT_EQ(bench.box.counters.fragments, 128u * 128);
    EXPECT_EQ(bench.box.counters.primitives, 1u);
  }
}

// Tests exactly its own tiles in the bounding box, each once, in any order.
TEST(FragmentGeneration, LooksAtTheTilesThatItOwns) {
  for (auto order : {"serpentine", "tile-rows"})
    for (unsigned units : {1u, 2u, 5u}) {
      FragmentGenerationSpec spec{.units = units, .tile = 16, .order = order, .scan_rows = 2};
      if (units == 5) spec.map = {0, 2, 4, 1, 3, 3};
      std::set<std::pair<int32_t, int32_t>> sent;
      for (unsigned unit = 0; unit < units; unit++) {
        Bench bench(spec, unit);
        // Its bounds are (8, 16) to (120, 112).
        bench.setup.messages = {message(messages::testing::triangle(bench.pools, *bench.state,
                                                                    {{120, 16}, {120, 112}, {8, 112}})),
                                messages::testing::draw_end<SetupMessage>(*bench.state)};
        bench.sim.run(bench.clock, 400);
        uint64_t owned = 0;
        for (int32_t y = 16; y < 112; y += 8)
          for (int32_t x = 8; x < 120; x += 8) owned += spec.tile_map().owner(x, y) == unit;
        EXPECT_EQ(bench.box.counters.tiles_tested, owned);
        ASSERT_TRUE(bench.hz.received.back().second.draw_end);
        for (const auto& [cycle, tile] : bench.hz.received) {
          if (tile.draw_end) continue;
          EXPECT_EQ(spec.tile_map().owner(tile.x, tile.y), unit);
          EXPECT_TRUE(sent.emplace(tile.x, tile.y).second) << "twice";
        }
      }
      size_t covered = 0;
      Bench bench;
      const auto primitive =
          messages::testing::triangle(bench.pools, *bench.state, {{120, 16}, {120, 112}, {8, 112}});
      for (int32_t y = 0; y < 128; y += 8)
        for (int32_t x = 0; x < 128; x += 8) covered += func::tile_coverage(primitive->primitive, x, y) != 0;
      EXPECT_EQ(sent.size(), covered) << units;
    }
}

// A descent also tests blocks of other rasterisers, but sends none of their tiles.
TEST(FragmentGeneration, DescentSendsTheTilesThatItOwns) {
  for (const unsigned tile : {8u, 16u, 64u}) {
    FragmentGenerationSpec spec{
        .units = 3, .tile = tile, .order = "recursive", .block = 32, .found_tiles = 4};
    std::set<std::pair<int32_t, int32_t>> sent, covered;
    uint64_t tests = 0;
    for (unsigned unit = 0; unit < 3; unit++) {
      Bench bench(spec, unit);
      const auto primitive =
          messages::testing::triangle(bench.pools, *bench.state, {{120, 16}, {120, 112}, {8, 112}});
      bench.setup.messages = {message(primitive), messages::testing::draw_end<SetupMessage>(*bench.state)};
      bench.sim.run(bench.clock, 400);
      ASSERT_TRUE(bench.hz.received.back().second.draw_end);
      tests += bench.box.counters.blocks_tested;
      for (const auto& [cycle, message] : bench.hz.received) {
        if (message.draw_end) continue;
        EXPECT_EQ(spec.tile_map().owner(message.x, message.y), unit);
        EXPECT_TRUE(sent.emplace(message.x, message.y).second) << "twice";
      }
      for (int32_t y = 0; y < 128; y += 8)
        for (int32_t x = 0; x < 128; x += 8)
          if (func::tile_coverage(primitive->primitive, x, y)) covered.emplace(x, y);
    }
    EXPECT_EQ(sent, covered);
    // 16 blocks of 32 with four quarters each: all of them, because each rasteriser owns part of each.
    EXPECT_EQ(tests, 3u * 16 * 4);
  }
}

// Other rasterisers' tiles take no time: half of 256 tiles, four per cycle.
TEST(FragmentGeneration, SkipsForeignTilesAtOnce) {
  Bench bench({.units = 2, .tiles_per_cycle = 16}, 1);
  bench.setup.messages = {
      message(messages::testing::triangle(bench.pools, *bench.state, {{0, 0}, {128, 127}, {128, 128}})),
      messages::testing::draw_end<SetupMessage>(*bench.state)};
  bench.sim.run(bench.clock, 400);
  EXPECT_EQ(bench.box.counters.tiles_tested, 128u);
  EXPECT_EQ(bench.hz.received.back().first, 2u + 128 / 4 + 1);
}

TEST(FragmentGeneration, ForeignPrimitiveTakesOneCycle) {
  Bench bench({.units = 2}, 1);
  bench.setup.messages = {
      message(messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}})),
      messages::testing::draw_end<SetupMessage>(*bench.state)};
  bench.sim.run(bench.clock, 40);
  EXPECT_EQ(bench.box.counters.tiles_tested, 0u);
  ASSERT_EQ(bench.hz.received.size(), 1u);
  EXPECT_EQ(bench.hz.received[0].first, 2u + 1 + 1);
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).blocked, 0u);
}

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

TEST(FragmentGeneration, WalksInTheOrderOfItsPolicy) {
  const auto walked = [](const FragmentGenerationSpec& spec) {
    Bench bench(spec);
    bench.setup.messages = {message(messages::testing::cover(bench.pools, *bench.state))};
    bench.sim.run(bench.clock, 400);
    std::vector<std::pair<int32_t, int32_t>> tiles;
    for (const auto& [cycle, tile] : bench.hz.received) tiles.emplace_back(tile.x, tile.y);
    return tiles;
  };
  const auto serpentine = walked({});
  const auto rows = walked({.tile = 16, .order = "tile-rows", .scan_rows = 2});
  ASSERT_EQ(serpentine.size(), 256u);
  EXPECT_EQ(serpentine[15], (std::pair{120, 0}));
  EXPECT_EQ(serpentine[16], (std::pair{120, 8}));
  ASSERT_EQ(rows.size(), 256u);
  EXPECT_EQ(rows[7], (std::pair{8, 24}));
  EXPECT_EQ(rows[8], (std::pair{16, 0}));
  EXPECT_EQ(rows[64], (std::pair{0, 32}));
}

}  // namespace
}  // namespace cutaway::boxes::fragment_generation_test
