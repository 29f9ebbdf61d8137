#include "boxes/texture_unit/texture_unit.h"

#include <gtest/gtest.h>

#include "boxes/texture_unit/bench_for_test.h"

namespace cutaway::boxes::texture_unit_test {
namespace {

using namespace texture_unit_test_bench;

using engine::Cycle;
using messages::Control;

constexpr arch::Address kTexture = 0x40000;

struct Bench : TextureBench {
  explicit Bench(const TextureUnitSpec& spec = {}, Cycle latency = 10) : TextureBench(spec, latency) {
    memory.memory.map(kTexture, 1 << 18);
    // Texel (x, y) of 256 × 256: x in red, y in green.
    auto& stage = state->stage[arch::Stage::kFragment];
    const arch::Surface surface =
        messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 256, 256, kTexture);
    stage.resources[0] = func::make_texture_view(surface);
    stage.samplers[0].max_lod = 1000;
    const arch::LevelLayout level = arch::level_layout(surface, 0);
    for (uint32_t y = 0; y < 256; y++)
      for (uint32_t x = 0; x < 256; x++) {
        const uint32_t texel = 0xff000000 | y << 8 | x;
        memory.memory.write(arch::element_address(surface, level, x, y, 0, 0), &texel, 4);
      }
  }
  void linear() {
    state->stage[arch::Stage::kFragment].samplers[0].mag_filter =
        state->stage[arch::Stage::kFragment].samplers[0].min_filter =
            static_cast<uint32_t>(arch::Filter::kLinear);
  }
  // Sends the four texels from (x, y), at their centres.
  void send(uint32_t x, uint32_t y, std::string_view text = "TEX r0, r1, t0, s0, 2D\nEND\n") {
    auto job = job_of(text);
    for (uint32_t lane = 0; lane < 4; lane++) {
      job->src[0][0][lane] = std::bit_cast<uint32_t>((static_cast<float>(x + lane % 2) + 0.5f) / 256);
      job->src[0][1][lane] = std::bit_cast<uint32_t>((static_cast<float>(y + lane / 2) + 0.5f) / 256);
    }
    send_job(job);
  }
  // Sends the corner of texel (x, y), and those `apart` texels to the right, below, and both.
  void spread(uint32_t x, uint32_t y, uint32_t apart) {
    send(x, y);
    for (uint32_t lane = 0; lane < 4; lane++) {
      const auto at = [](uint32_t texel) { return std::bit_cast<uint32_t>(static_cast<float>(texel) / 256); };
      jobs.back()->src[0][0][lane] = at(x + lane % 2 * apart);
      jobs.back()->src[0][1][lane] = at(y + lane / 2 * apart);
    }
  }
  void run(Cycle cycles) { sim.run(clock, cycles); }
};

TEST(TextureUnit, ReadsTheTexelsOfAQuad) {
  Bench bench;
  bench.send(10, 20);
  bench.run(60);
  ASSERT_EQ(bench.results.received.size(), 1u);
  for (uint32_t lane = 0; lane < 4; lane++) {
    EXPECT_EQ(std::bit_cast<float>(bench.jobs[0]->result[0][lane]), static_cast<float>(10 + lane % 2) / 255);
    EXPECT_EQ(std::bit_cast<float>(bench.jobs[0]->result[1][lane]), static_cast<float>(20 + lane / 2) / 255);
  }
  EXPECT_EQ(bench.unit.counters.bilinear_samples, 4u);
}

// Arrives in 2, looked up in 3 and filtered a cycle later, 4 cycles of filter, a wire of 1. Each further step
// takes a cycle.
TEST(TextureUnit, AHitTakesItsStepsAndTheFilter) {
  for (unsigned fragments : {1u, 2u, 3u, 4u})
    for (unsigned latency : {1u, 4u, 10u}) {
      Bench bench({.step_fragments = fragments, .filter_latency = latency});
      bench.send(0, 0);
      bench.run(100);
      bench.results.received.clear();
      bench.send(0, 0);  // sent in 101
      const unsigned steps = (3 + fragments) / fragments;
      const Cycle expected = 102 + steps + 1 + latency + 1;
      bench.run(expected - 1 - 100);
      EXPECT_TRUE(bench.results.received.empty());
      bench.run(1);
      EXPECT_EQ(bench.results.received.size(), 1u) << latency;
      EXPECT_EQ(bench.unit.counters.steps, 2 * steps);
    }
}

TEST(TextureUnit, AMissTakesAsMuchLongerAsMemory) {
  const auto arrival = [](Cycle latency) {
    Bench bench({}, latency);
    bench.send(0, 0);
    bench.run(500);
    return bench.results.received.at(0).first;
  };
  EXPECT_EQ(arrival(137) - arrival(100), 37u);
}

TEST(TextureUnit, FiltersAQuadPerCycleAndHidesMisses) {
  for (Cycle latency : {10u, 25u}) {
    Bench bench({.queue = 64}, latency);
    bench.linear();
    for (uint32_t y = 0; y < 64; y += 2)
      for (uint32_t x = 0; x < 64; x += 2) bench.send(x, y);
    bench.run(100);
    const uint64_t before = bench.unit.counters.bilinear_samples;
    bench.run(500);
    EXPECT_GE(bench.unit.counters.bilinear_samples - before, 4 * 490u) << latency;
  }
}

// Each of the four fragments' texels is in its own line; two fragments share one if they are 1 apart.
TEST(TextureUnit, AStepReadsAsManyLinesAsDeclared) {
  for (unsigned lines : {4u, 6u, 8u}) {
    Bench bench({.step_lines = lines, .cache_ways = 8});
    bench.linear();
    // Each fragment reads the corner of four lines of 8x8 texels: 16 lines for the quad.
    bench.spread(8, 8, 32);
    bench.run(300);
    EXPECT_EQ(bench.unit.counters.bilinear_samples, 4u);
    EXPECT_EQ(bench.unit.counters.steps, lines < 8 ? 4u : 2u);
    EXPECT_EQ(bench.unit.counters.cache_misses, 16u);
    // The same corner for all fragments: four lines.
    bench.spread(8, 8, 0);
    bench.run(300);
    EXPECT_EQ(bench.unit.counters.steps, (lines < 8 ? 4u : 2u) + 1);
    EXPECT_EQ(bench.unit.counters.cache_hits, 16u);
    for (uint32_t lane = 0; lane < 4; lane++)
      EXPECT_EQ(std::bit_cast<float>(bench.jobs[1]->result[0][lane]), 7.5f / 255);
  }
}

TEST(TextureUnit, LinesOfOneBankAreLookedUpOneACycle) {
  for (const auto& [banks, conflicts] : {std::pair(0u, 0u), {1u, 3u}, {64u, 0u}}) {
    Bench bench({.cache_banks = banks});
    bench.linear();
    bench.spread(8, 8, 0);  // all fragments read the corner of four lines
    bench.run(100);
    const uint64_t before = bench.unit.counters.bank_conflicts;
    bench.results.received.clear();
    bench.spread(8, 8, 0);  // sent in 101, arrives in 102, looked up from 103 on
    bench.run(100);
    ASSERT_EQ(bench.results.received.size(), 1u);
    EXPECT_EQ(bench.results.received[0].first, 101 + 1 + 1 + conflicts + 1 + 4 + 1) << banks;
    EXPECT_EQ(bench.unit.counters.bank_conflicts, before + conflicts) << banks;
  }
}

// Steps looked up in one cycle share its banks, even if they read the same line.
TEST(TextureUnit, StepsOfACycleShareTheBanks) {
  for (const unsigned banks : {0u, 1u}) {
    Bench bench({.steps_per_cycle = 4, .step_fragments = 1, .cache_banks = banks});
    bench.send(0, 0);
    bench.run(100);
    bench.results.received.clear();
    const uint64_t before = bench.unit.counters.bank_conflicts;
    for (int i = 0; i < 50; i++) bench.send(0, 0);
    bench.run(300);
    ASSERT_EQ(bench.results.received.size(), 50u);
    EXPECT_EQ(bench.results.received[49].first - bench.results.received[0].first, banks ? 4u * 49 : 49u);
    EXPECT_EQ(bench.unit.counters.bank_conflicts - before, banks ? 4u * 50 - 1 : 0u);  // all except the first
  }
}

TEST(TextureUnit, ResultsKeepTheOrderOfTheirJobs) {
  Bench bench({}, 60);
  bench.send(0, 0);
  bench.run(100);
  bench.results.received.clear(), bench.jobs.clear();
  for (uint32_t i = 0; i < 20; i++) bench.send(i % 3 ? 0 : 8 * i, 0);  // hits behind misses
  bench.run(1000);
  ASSERT_EQ(bench.results.received.size(), 20u);
  for (size_t i = 0; i < 20; i++) EXPECT_TRUE(bench.results.received[i].second.job == bench.jobs[i]) << i;
}

// Quads of two pieces of work alternate over more lines than the cache holds: each line counts once per
// piece.
TEST(TextureUnit, NotesEachLineOnceForEachPieceOfWork) {
  TextureUnitSpec spec;
  spec.cache_lines = 4;
  Bench bench(spec);
  messages::TouchedLines lines;
  bench.state->touched_lines = &lines;
  for (int again = 0; again < 3; again++)
    for (uint32_t x = 0; x < 8; x++)
      for (uint32_t work = 0; work < 2; work++) {
        bench.send(8 * x, 0);
        bench.jobs.back()->origin.work = 5 + work;
        if (work) bench.send(8 * x, 8), bench.jobs.back()->origin.work = 6;
      }
  bench.run(5000);
  ASSERT_EQ(bench.results.received.size(), bench.jobs.size());
  EXPECT_EQ(lines.of(5).bytes, 8u * 256);
  EXPECT_EQ(lines.of(6).bytes, 16u * 256);
  EXPECT_EQ(lines.of(6).first_touches, 16u);
  EXPECT_EQ(lines.bytes(), 16u * 256);
  EXPECT_GT(bench.unit.counters.cache_misses, 24u);
}

TEST(TextureUnit, WorksWithTheSmallestCache) {
  Bench bench({.queue = 1, .step_queue = 1, .cache_lines = 4, .cache_ways = 4, .line_bytes = 64});
  bench.linear();
  for (uint32_t i = 0; i < 50; i++) bench.send(i * 37 % 255, i * 91 % 255);
  bench.run(20000);
  ASSERT_EQ(bench.results.received.size(), 50u);
  EXPECT_EQ(bench.unit.why_busy(), "");
}

TEST(TextureUnit, InvalidateForgetsWhatMemoryHeldBefore) {
  Bench bench;
  const auto red = [&] {
    bench.send(0, 0);
    bench.run(100);
    return std::bit_cast<float>(bench.jobs.back()->result[0][0]);
  };
  EXPECT_EQ(red(), 0);
  const uint32_t changed = 0xffffffff;
  bench.memory.memory.write(kTexture, &changed, 4);
  EXPECT_EQ(red(), 0);
  bench.orders.messages.push_back({Control::Kind::kInvalidate, {}}), bench.orders.wake();
  bench.run(10);
  EXPECT_EQ(bench.done.received.size(), 1u);
  EXPECT_EQ(red(), 1);
}

// Quads of another queue may come while an order waits: those before it end, those behind it see its effect.
TEST(TextureUnit, AnOrderComesBetweenQuads) {
  Bench bench;
  bench.send(0, 0);
  bench.run(100);
  for (uint32_t i = 0; i < 8; i++) bench.send(0, 0);
  bench.run(4);
  const uint32_t changed = 0xffffffff;
  bench.memory.memory.write(kTexture, &changed, 4);
  bench.orders.messages.push_back({Control::Kind::kInvalidate, {}}), bench.orders.wake();
  for (uint32_t i = 0; i < 8; i++) bench.send(0, 0);
  bench.run(400);
  ASSERT_EQ(bench.done.received.size(), 1u);
  ASSERT_EQ(bench.results.received.size(), 17u);
  EXPECT_EQ(std::bit_cast<float>(bench.jobs[1]->result[0][0]), 0);
  EXPECT_EQ(std::bit_cast<float>(bench.jobs.back()->result[0][0]), 1);
  // Between the last result before the order and the first one behind it.
  size_t before = 0;
  while (before < 17 && bench.results.received[before].first <= bench.done.received[0].first) before++;
  EXPECT_LT(before, 17u);
  for (size_t i = 0; i < 17; i++)
    EXPECT_EQ(std::bit_cast<float>(bench.jobs[i]->result[0][0]), i < before ? 0 : 1) << i;
}

TEST(TextureUnit, BlamesAShaderThatDoesNotTakeItsResults) {
  const auto blame = [](Cycle k) {
    Bench bench;
    for (uint32_t i = 0; i < 40; i++) bench.send(0, 0);
    bench.results.interval = k;
    bench.run(3000);
    EXPECT_EQ(bench.results.received.size(), 40u);
    return messages::testing::account_of(bench.sim, bench.unit).blocked_by("results");
  };
  // Only the samples of later jobs keep the unit busy.
  const Cycle at_40 = blame(40);
  EXPECT_GT(at_40, 0u);
  EXPECT_EQ(blame(47) - at_40, 7 * 35u);
}

TEST(TextureUnit, HoldsAsManyJobsAndStepsAsDeclared) {
  for (unsigned size : {1u, 6u, 16u}) {
    Bench jobs({.queue = size});
    jobs.results.refuse = true;
    for (uint32_t i = 0; i < 60; i++) jobs.send(0, 0);
    jobs.run(500);
    EXPECT_EQ(jobs.unit.counters.quads, size + 4);
    EXPECT_EQ(jobs.shader.sent.size(), 4 + size + 4);

    Bench steps({.step_queue = size}, 100'000);
    for (uint32_t i = 0; i < 60; i++) steps.send(0, 0);
    steps.run(500);
    EXPECT_EQ(steps.unit.counters.steps, size);
    EXPECT_EQ(steps.unit.counters.texels, 0u);
    EXPECT_GT(messages::testing::account_of(steps.sim, steps.unit).starved_by("memory"), 400u);
  }
}

TEST(TextureUnit, FiltersAsManyStepsPerCycleAsDeclared) {
  for (unsigned rate : {1u, 2u, 4u}) {
    const auto last = [&](uint32_t quads) {
      Bench bench({.steps_per_cycle = rate, .step_fragments = 1});
      bench.send(0, 0);
      bench.run(100);
      for (uint32_t i = 0; i < quads; i++) bench.send(0, 0);
      bench.run(600);
      EXPECT_EQ(bench.results.received.size(), quads + 1);
      EXPECT_EQ(bench.unit.counters.bilinear_samples, 4 * (quads + 1));
      EXPECT_EQ(bench.unit.counters.texels, 4 * (quads + 1));
      EXPECT_EQ(bench.unit.counters.cache_misses, 1u);
      EXPECT_EQ(bench.unit.counters.cache_hits, 4 * quads + 3);
      return bench.results.received.back().first;
    };
    EXPECT_EQ(last(80) - last(40), 40 * 4 / rate);
  }
}

// Buffer loads and lanes without samples take the filter's time from their planning on.
TEST(TextureUnit, ABufferLoadBeyondItsEndTakesTheFilterAlone) {
  for (unsigned latency : {1u, 9u}) {
    Bench bench({.filter_latency = latency});
    bench.state->stage[arch::Stage::kFragment].resources[0] = func::make_texture_view(arch::Surface{});
    bench.send(200, 0, "LDB r0, r1.x, t0\nEND\n");
    bench.run(60);
    ASSERT_EQ(bench.results.received.size(), 1u);
    EXPECT_EQ(bench.results.received[0].first, 2 + latency + 1);
    EXPECT_EQ(bench.unit.counters.bilinear_samples, 0u);
  }
}

}  // namespace
}  // namespace cutaway::boxes::texture_unit_test
