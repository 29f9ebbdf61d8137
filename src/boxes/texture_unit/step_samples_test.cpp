// Tests steps of two bilinear samples per fragment: eight filters behind four addresses.
#include <gtest/gtest.h>

#include "boxes/texture_unit/bench_for_test.h"

namespace cutaway::boxes::step_samples_test {
namespace {

using namespace texture_unit_test_bench;

using engine::Cycle;

constexpr arch::Address kTexture = 0x40000;
constexpr uint32_t kSize = 256;

// Has a texture with all levels, and a trilinear filter.
struct Bench : TextureBench {
  explicit Bench(const TextureUnitSpec& spec) : TextureBench(spec) {
    memory.memory.map(kTexture, 1 << 19);
    auto& stage = state->stage[arch::Stage::kFragment];
    arch::Surface surface = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, kSize, kSize, kTexture);
    surface.levels = surface.level_count = 9;
    stage.resources[0] = func::make_texture_view(surface);
    arch::Sampler& sampler = stage.samplers[0];
    sampler.mag_filter = sampler.min_filter = static_cast<uint32_t>(arch::Filter::kLinear);
    sampler.mip_mode = static_cast<uint32_t>(arch::MipMode::kLinear);
    sampler.max_lod = 1000;
    for (uint32_t level = 0; level < 9; level++) {
      const arch::LevelLayout layout = arch::level_layout(surface, level);
      for (uint32_t y = 0; y < kSize >> level; y++)
        for (uint32_t x = 0; x < kSize >> level; x++) {
          const uint32_t texel = (x * 193 + y * 1543 + level * 50021) * 2654435761u;
          memory.memory.write(arch::element_address(surface, layout, x, y, 0, 0), &texel, 4);
        }
    }
  }
  // Sends fragments at texel (x, y) of level 0, and `right` and `down` texels away.
  void send(float x, float y, float right, float down, std::string_view text, float lod = 0) {
    auto job = job_of(text);
    for (uint32_t lane = 0; lane < 4; lane++) {
      job->src[0][0][lane] = std::bit_cast<uint32_t>((x + static_cast<float>(lane % 2) * right) / kSize);
      job->src[0][1][lane] = std::bit_cast<uint32_t>((y + static_cast<float>(lane / 2) * down) / kSize);
      job->src[1][0][lane] = std::bit_cast<uint32_t>(lod);
    }
    send_job(job);
  }
  void send_lod(float x, float y, float lod) { send(x, y, 1, 1, "TXL r0, r1, r2.x, t0, s0, 2D\nEND\n", lod); }
  // The pixels' footprints are `times` as wide as high.
  void send_wide(float x, float y, float times) { send(x, y, times, 1, "TEX r0, r1, t0, s0, 2D\nEND\n"); }
  uint64_t steps() {
    sim.run(clock, 400);
    EXPECT_EQ(results.received.size(), jobs.size());
    return unit.counters.steps;
  }
};

TextureUnitSpec of_two(unsigned fragments = 4, unsigned lines = 8) {
  return {.step_fragments = fragments,
          .step_samples = 2,
          .step_lines = lines,
          .cache_ways = lines > 8 ? 16u : 8u};
}

// A quad takes 4 / fragments steps per bilinear sample of a fragment, or per two of them.
TEST(TextureStepSamples, TrilinearSamplesTakeAsManyStepsAsBilinearOnes) {
  for (const unsigned fragments : {1u, 2u, 3u, 4u})
    for (const auto& [lod, samples] : {std::pair{0.0f, 1u}, {1.0f, 1u}, {0.5f, 2u}, {2.25f, 2u}}) {
      const unsigned rounds = (3 + fragments) / fragments;
      Bench one({.step_fragments = fragments, .step_lines = 8, .cache_ways = 8});
      one.send_lod(34.5, 18.5, lod);
      EXPECT_EQ(one.steps(), rounds * samples) << fragments << " at " << lod;
      Bench two(of_two(fragments));
      two.send_lod(34.5, 18.5, lod);
      EXPECT_EQ(two.steps(), rounds) << fragments << " at " << lod;
      EXPECT_EQ(two.unit.counters.bilinear_samples, 4 * samples);
      EXPECT_EQ(two.unit.counters.texels, 16 * samples);
    }
}

// One quad per cycle, or per two cycles.
TEST(TextureStepSamples, TrilinearSamplesComeAtTheRateOfBilinearOnes) {
  for (const unsigned samples : {1u, 2u}) {
    TextureUnitSpec spec = of_two();
    spec.step_samples = samples;
    Bench bench(spec);
    bench.send_lod(34.5, 18.5, 0.5);
    bench.steps();
    for (int i = 0; i < 100; i++) bench.send_lod(34.5, 18.5, 0.5);
    bench.steps();
    ASSERT_EQ(bench.results.received.size(), 101u);
    EXPECT_EQ(bench.results.received[100].first - bench.results.received[1].first, 99 * 2 / samples);
  }
}

// Two of n places along a footprint share a step; an odd one has its own.
TEST(TextureStepSamples, PlacesOfAnAnisotropicFootprintPairUp) {
  for (const auto& [wide, places] : {std::pair{2.0f, 2u}, {3.0f, 3u}, {4.0f, 4u}, {7.0f, 7u}}) {
    for (const unsigned samples : {1u, 2u}) {
      TextureUnitSpec spec = of_two(4, 16);
      spec.step_samples = samples;
      Bench bench(spec);
      arch::Sampler& sampler = bench.state->stage[arch::Stage::kFragment].samplers[0];
      sampler.max_anisotropy = 16;
      bench.send_wide(34.5, 18.5, wide);
      EXPECT_EQ(bench.steps(), (places + samples - 1) / samples) << wide;
      EXPECT_EQ(bench.unit.counters.bilinear_samples, 4 * places);
    }
  }
}

// All fragments at the corner of four lines, in either level: eight lines for two samples, four for one. With
// fewer than eight lines the samples follow each other, as without a second filter.
TEST(TextureStepSamples, StepsOfTooManyLinesTakeOneSample) {
  for (const unsigned lines : {4u, 7u, 8u}) {
    Bench bench(of_two(4, lines));
    bench.send(32, 32, 0, 0, "TXL r0, r1, r2.x, t0, s0, 2D\nEND\n", 0.5);
    EXPECT_EQ(bench.steps(), lines < 8 ? 2u : 1u) << lines;
    EXPECT_EQ(bench.unit.counters.bilinear_samples, 8u);
    EXPECT_EQ(bench.unit.counters.cache_misses, 8u);
    EXPECT_EQ(bench.unit.counters.cache_hits, 4u * 8 - 8);
  }
}

// Results have the same bits, whatever a step takes.
TEST(TextureStepSamples, ResultsDoNotDependOnThem) {
  const auto results = [](const TextureUnitSpec& spec) {
    Bench bench(spec);
    arch::Sampler& sampler = bench.state->stage[arch::Stage::kFragment].samplers[0];
    sampler.max_anisotropy = 8;
    for (uint32_t i = 0; i < 60; i++) {
      const float x = static_cast<float>(i * 37 % 256) + 0.3f, y = static_cast<float>(i * 91 % 256) + 0.7f;
      bench.send(x, y, 1, 1, "TXL r0, r1, r2.x, t0, s0, 2D\nEND\n", static_cast<float>(i) / 10);
      bench.send(x, y, static_cast<float>(i % 13), static_cast<float>(i % 5),
                 "TEX r0, r1, t0, s0, 2D\nEND\n");
    }
    bench.sim.run(bench.clock, 10000);
    EXPECT_EQ(bench.results.received.size(), 120u);
    std::vector<uint32_t> bits;
    for (const auto& job : bench.jobs)
      for (const auto& component : job->result) bits.insert(bits.end(), component, component + 4);
    return bits;
  };
  const std::vector<uint32_t> plain = results({});
  for (const unsigned fragments : {1u, 3u, 4u})
    for (const unsigned lines : {4u, 6u, 16u}) EXPECT_EQ(results(of_two(fragments, lines)), plain);
}

}  // namespace
}  // namespace cutaway::boxes::step_samples_test
