#include "boxes/dac/bench_for_test.h"

namespace cutaway::boxes::dac_test {
namespace {

TEST(Dac, ShowsThePixelsOfSurfacesOfEitherLayout) {
  for (arch::Tiling tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear})
    for (unsigned sectors : {1u, 32u}) {
      Bench bench({.sectors = sectors});
      arch::Surface surface = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 45, 19, 4096);
      surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, tiling);
      const arch::LevelLayout level = arch::level_layout(surface, 0);
      for (uint32_t y = 0; y < 19; y++)
        for (uint32_t x = 0; x < 45; x++) {
          const uint32_t texel = 0xff000000 | y << 8 | x;
          bench.memory.memory.write(arch::element_address(surface, level, x, y, 0, 0), &texel, 4);
        }
      bench.present(surface);
      bench.present(surface);
      bench.sim.run(bench.clock, 10000);
      EXPECT_EQ(bench.done.received.size(), 2u);
      ASSERT_EQ(bench.pictures.size(), 2u);
      const arch::Picture& picture = bench.pictures[1];
      ASSERT_EQ(picture.width, 45u);
      ASSERT_EQ(picture.height, 19u);
      for (uint32_t y = 0; y < 19; y++)
        for (uint32_t x = 0; x < 45; x++) {
          const uint8_t* pixel = &picture.rgba[(y * 45 + x) * 4];
          ASSERT_EQ(pixel[0], x);
          ASSERT_EQ(pixel[1], y);
        }
      EXPECT_EQ(bench.memory.writes, 0u);
    }
}

TEST(Dac, HidesTheLatencyOfMemory) {
  const auto time = [](Cycle latency) {
    Bench bench({.sectors = 128}, latency);
    bench.present(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 128, 128, 4096));
    bench.sim.run(bench.clock, 5000);
    return bench.done.received.at(0).first;
  };
  // 1024 sectors, one per cycle.
  EXPECT_NEAR(static_cast<double>(time(10)), 1024 + 10, 20);
  EXPECT_EQ(time(57) - time(20), 37u);
}

TEST(Dac, BlamesSlowMemory) {
  const auto starved = [](Cycle latency) {
    Bench bench({.sectors = 64}, latency);
    bench.present(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 8, 8, 4096));
    bench.sim.run(bench.clock, 1000);
    return messages::testing::account_of(bench.sim, bench.box).starved_by("memory");
  };
  EXPECT_EQ(starved(57) - starved(20), 37u);
}

TEST(Dac, HasAsManyReadsUnderWayAsDeclared) {
  for (unsigned sectors : {1u, 7u, 32u}) {
    Bench bench({.sectors = sectors}, 100'000);
    bench.present(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 128, 128, 4096));
    bench.sim.run(bench.clock, 500);
    EXPECT_EQ(bench.memory.reads, sectors);
  }
}

TEST(Dac, CountsFramesAndBytes) {
  Bench bench;
  for (int i = 0; i < 3; i++)
    bench.present(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 32, 4096));
  bench.sim.run(bench.clock, 3000);
  EXPECT_EQ(bench.box.counters.frames, 3u);
  EXPECT_EQ(bench.box.counters.bytes, 3u * 64 * 32 * 4);
}

// For a linear surface, only the rows of pixels count, not the rest of the sectors read with them.
TEST(Dac, CountsTheBytesOfTheSurfaceOnly) {
  Bench bench;
  arch::Surface surface = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 45, 19, 4096);
  surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kLinear);
  bench.present(surface);
  bench.sim.run(bench.clock, 3000);
  EXPECT_EQ(bench.box.counters.frames, 1u);
  EXPECT_EQ(bench.box.counters.bytes, 45u * 19 * 4);
}

TEST(DacRefresh, ShowsPicturesFromTheNextRetraceOn) {
  Bench bench(kScreen);
  bench.present(kPicture, 7), bench.present(kPicture, 8);
  bench.sim.run(bench.clock, 40'000);
  ASSERT_EQ(bench.shown.received.size(), 2u);
  EXPECT_EQ(bench.shown.received[0].first, 10'001u);
  EXPECT_EQ(bench.shown.received[0].second.submission, 7u);
  EXPECT_EQ(bench.shown.received[1].first, 20'001u);
  ASSERT_EQ(bench.done.received.size(), 2u);
  EXPECT_EQ(bench.done.received[0].first, 10'000u + 9'500 + 1)
      << "the surface is free when the screen has it";
  EXPECT_EQ(bench.done.received[1].first, 20'000u + 9'500 + 1);
  EXPECT_EQ(bench.pictures.size(), 2u);
  // The first has waited from cycle 1 on, the second since the end of the first.
  EXPECT_EQ(bench.box.counters.retrace_cycles, 9'999u + 499);
}

TEST(DacRefresh, BeginsInTheCycleOfTheRetrace) {
  for (const Cycle early : {0u, 1u}) {
    Bench bench(kScreen);
    bench.sim.run(bench.clock, 9'999 - early);
    bench.present(kPicture);  // there in the cycle after the next
    bench.sim.run(bench.clock, 20'000);
    EXPECT_EQ(bench.shown.received.at(0).first, early ? 10'001u : 20'001u);
  }
}

TEST(DacRefresh, ReadsRowsAtThePaceOfTheScreen) {
  Bench bench(kScreen);
  bench.present(kPicture);
  for (unsigned row = 1; row <= 10; row++) {
    bench.sim.run(bench.clock, 10'000 + row * 950 - 1 - bench.clock.now());
    EXPECT_EQ(bench.memory.reads, row * 32);
  }
}

TEST(DacRefresh, LateRowsDelayTheEnd) {
  const auto done = [](Cycle latency) {
    Bench bench(kScreen, latency);
    bench.present(kPicture);
    bench.sim.run(bench.clock, 60'000);
    return bench.done.received.at(0).first;
  };
  EXPECT_EQ(done(10), done(800));
  EXPECT_GT(done(3000), done(800) + 1000);
}

TEST(DacRefresh, ShowsThePixelsOfTheSurface) {
  Bench bench(kScreen), plain;
  for (Bench* b : {&bench, &plain}) {
    for (arch::Address at = 4096; at < 4096 + 64 * 80 * 4; at += 4) b->memory.memory.write(at, &at, 4);
    b->present(kPicture);
    b->sim.run(b->clock, 30'000);
  }
  EXPECT_EQ(bench.pictures.at(0).rgba, plain.pictures.at(0).rgba);
}

}  // namespace
}  // namespace cutaway::boxes::dac_test
