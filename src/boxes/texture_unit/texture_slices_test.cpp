// Tests a texture unit before several slices of the second-level cache.
#include <gtest/gtest.h>

#include "boxes/texture_unit/bench_for_test.h"

namespace cutaway::boxes::texture_slices_test {
namespace {

using namespace texture_unit_test_bench;

using engine::Cycle;
using messages::Control;

constexpr arch::Address kTexture = 0x40000;

// Behind the unit are several slices, each a memory with the sectors of its share.
struct SlicedBench : TextureNeighbours {
  static constexpr structures::Interleave kSlices{3, 128};
  TextureUnit& unit;
  std::vector<messages::testing::MemoryModel*> slices;

  explicit SlicedBench(const TextureUnitSpec& spec = {}, Cycle latency = 10)
      : unit(sim.add<TextureUnit>(clock, "texture", spec, kSlices)) {
    connect(unit);
    for (unsigned i = 0; i < kSlices.units; i++) {
      slices.push_back(&sim.add<messages::testing::MemoryModel>(clock, "slice" + std::to_string(i), latency));
      connect(unit, i, *slices[i]);
      slices[i]->memory.map(kTexture, 1 << 16);
    }
    sim.elaborate();
    // A buffer of words that hold their indices.
    for (uint32_t i = 0; i < 1 << 14; i++)
      slices[kSlices.unit_of(kTexture + 4 * i)]->memory.write(kTexture + 4 * i, &i, 4);
    arch::Surface surface = messages::testing::surface(arch::Format::R32_UINT, 1 << 16, 1, kTexture);
    surface.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
    state->stage[arch::Stage::kFragment].resources[0] = func::make_texture_view(surface);
  }
  // Sends a load of one lane, of the word with this index.
  void load(uint32_t word) {
    auto job = job_of("LDB r0.x, r1.x, t0\nEND\n", 1);
    job->src[0][0][0] = 4 * word;
    send_job(job);
  }
};

TEST(TextureUnit, AsksTheSliceOfTheAddress) {
  SlicedBench bench;
  for (uint32_t i = 0; i < 100; i++) bench.load(i * 37 % 400);
  bench.sim.run(bench.clock, 3000);
  ASSERT_EQ(bench.results.received.size(), 100u);
  for (uint32_t i = 0; i < 100; i++) EXPECT_EQ(bench.jobs[i]->result[0][0], i * 37 % 400);
  size_t asked = 0;
  for (unsigned slice = 0; slice < 3; slice++)
    for (const auto& [cycle, request] : bench.slices[slice]->seen) {
      EXPECT_EQ(SlicedBench::kSlices.unit_of(request.address), slice);
      asked++;
    }
  EXPECT_EQ(asked, 400u * 4 / 64);
}

// A line of 256 bytes has sectors of two or three slices; the one that the load waits for is blamed.
TEST(TextureUnit, BlamesTheSliceThatItWaitsFor) {
  for (const uint32_t word : {0u, 16u, 32u, 64u, 5000u}) {
    SlicedBench bench({}, 300);
    bench.load(word);
    bench.sim.run(bench.clock, 250);
    const engine::Account account = messages::testing::account_of(bench.sim, bench.unit);
    for (unsigned slice = 0; slice < 3; slice++) {
      const bool its = SlicedBench::kSlices.unit_of(kTexture + 4 * word) == slice;
      EXPECT_EQ(account.starved_by("slice" + std::to_string(slice)) > 200, its) << word << ", " << slice;
    }
    EXPECT_EQ(
        account.starved,
        account.starved_by("slice" + std::to_string(SlicedBench::kSlices.unit_of(kTexture + 4 * word))));
  }
}

// One reply per cycle from all slices together.
TEST(TextureUnit, TakesTheRepliesOfItsSlicesInTurn) {
  SlicedBench bench;
  // Four sectors of each slice, one slice after the other; the later slices answer sooner, so that the first
  // replies of all arrive in one cycle, and so on.
  for (uint32_t first = 0; first < 3; first++) {
    bench.slices[SlicedBench::kSlices.unit_of(kTexture + 128 * first)]->latency = 200 - 4 * first;
    for (uint32_t k = 0; k < 4; k++) bench.load(32 * (3 * k + first));
  }
  bench.sim.run(bench.clock, 400);
  ASSERT_EQ(bench.results.received.size(), 12u);
  // The first four loads get every third reply; the others' sectors have arrived by then.
  const Cycle first = bench.results.received[0].first;
  for (size_t i = 0; i < 12; i++)
    EXPECT_EQ(bench.results.received[i].first - first, i < 4 ? 3 * i : 6 + i) << i;
}

}  // namespace
}  // namespace cutaway::boxes::texture_slices_test
