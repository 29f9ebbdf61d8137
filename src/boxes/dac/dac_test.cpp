#include "boxes/dac/dac.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::dac_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;

struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Dac& box;
  Source<messages::PresentCommand>& presents = sim.add<Source<messages::PresentCommand>>(clock, "presents");
  Sink<messages::PresentDone>& done = sim.add<Sink<messages::PresentDone>>(clock, "done");
  messages::testing::MemoryModel& memory;
  std::vector<arch::Picture> pictures;

  explicit Bench(const DacSpec& spec = {}, Cycle latency = 10)
      : box(sim.add<Dac>(clock, "dac", spec)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)) {
    sim.connect(presents.out, box.presents_in, {1, 1, 2});
    sim.connect(box.done_out, done.in, {1, 1, 2});
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.elaborate();
    memory.memory.map(0, 1 << 20);
    box.on_picture = [this](arch::Picture&& picture) { pictures.push_back(std::move(picture)); };
  }
  void present(const arch::Surface& surface) { presents.messages.push_back({surface, {}}), presents.wake(); }
};

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

}  // namespace
}  // namespace cutaway::boxes::dac_test
