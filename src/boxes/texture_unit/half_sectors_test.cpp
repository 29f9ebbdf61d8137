// A texture unit before memory that moves 32 bytes at once: loads ask for halves of sectors.
#include <gtest/gtest.h>

#include "boxes/texture_unit/bench_for_test.h"

namespace cutaway::boxes::half_sectors_test {
namespace {

using namespace texture_unit_test_bench;

using messages::byte_mask;

constexpr arch::Address kBuffer = 0x40000;

// Has a buffer of words that hold their indices.
struct Bench : TextureBench {
  static TextureUnitSpec of_halves(TextureUnitSpec spec) {
    spec.load_bytes = 32;
    return spec;
  }

  explicit Bench(const TextureUnitSpec& spec = {}) : TextureBench(of_halves(spec)) {
    memory.memory.map(kBuffer, 1 << 16);
    for (uint32_t i = 0; i < 1 << 14; i++) memory.memory.write(kBuffer + 4 * i, &i, 4);
    arch::Surface surface = messages::testing::surface(arch::Format::R32_UINT, 1 << 16, 1, kBuffer);
    surface.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
    state->stage[arch::Stage::kFragment].resources[0] = func::make_texture_view(surface);
  }
  // Sends a load of one lane: four words from this one on.
  void load(uint32_t word) {
    auto job = job_of("LDB r0, r1.x, t0\nEND\n", 1);
    job->src[0][0][0] = 4 * word;
    send_job(job);
    sim.run(clock, 100);
  }
  // The same of the texel with this number, of the buffer as an image of a row.
  void fetch_texel(uint32_t texel) {
    arch::Surface surface = messages::testing::surface(arch::Format::R32_UINT, 1 << 10, 1, kBuffer);
    state->stage[arch::Stage::kFragment].resources[0] = func::make_texture_view(surface);
    auto job = job_of("TXF r0, r1, r2, t0, 2D\nEND\n", 1);
    job->src[0][0][0] = texel;
    send_job(job);
    sim.run(clock, 100);
  }
  const messages::MemoryRequest& request(size_t n) const { return memory.seen.at(n).second; }
  void expect(uint32_t word) const {
    for (uint32_t c = 0; c < 4; c++) EXPECT_EQ(jobs.back()->result[c][0], word + c);
  }
};

TEST(TextureHalfSectors, ALoadAsksForTheHalvesThatItReads) {
  Bench bench;
  bench.load(4);
  ASSERT_EQ(bench.memory.seen.size(), 1u);
  EXPECT_EQ(bench.request(0).mask, byte_mask(0, 32));
  bench.expect(4);
  bench.load(0);  // present
  EXPECT_EQ(bench.memory.seen.size(), 1u);
  bench.expect(0);
  bench.load(6);  // both halves, one of which is present
  ASSERT_EQ(bench.memory.seen.size(), 2u);
  EXPECT_EQ(bench.request(1).address, kBuffer);
  EXPECT_EQ(bench.request(1).mask, byte_mask(32, 32));
  bench.expect(6);
  bench.load(38);  // both halves, neither of which is present
  ASSERT_EQ(bench.memory.seen.size(), 3u);
  EXPECT_EQ(bench.request(2).address, kBuffer + 128);
  EXPECT_EQ(bench.request(2).mask, messages::kAllBytes);
  bench.expect(38);
}

// Neighbours of a texel are wanted soon, so its whole sector is asked for.
TEST(TextureHalfSectors, ATexelAsksForItsSector) {
  Bench bench;
  bench.fetch_texel(1);
  ASSERT_EQ(bench.memory.seen.size(), 1u);
  EXPECT_EQ(bench.request(0).mask, messages::kAllBytes);
  EXPECT_EQ(bench.jobs.back()->result[0][0], 1u);
}

// The last half of the longest line.
TEST(TextureHalfSectors, ALineMayHaveSixteen) {
  Bench bench({.line_bytes = 512});
  bench.load(124);
  ASSERT_EQ(bench.memory.seen.size(), 1u);
  EXPECT_EQ(bench.request(0).address, kBuffer + 448);
  EXPECT_EQ(bench.request(0).mask, byte_mask(32, 32));
  bench.expect(124);
}

}  // namespace
}  // namespace cutaway::boxes::half_sectors_test
