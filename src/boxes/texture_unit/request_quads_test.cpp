// Requests of several quads (DX-4: 16 threads).
#include <gtest/gtest.h>

#include "boxes/texture_unit/bench_for_test.h"

namespace cutaway::boxes::request_quads_test {
namespace {

using namespace texture_unit_test_bench;

constexpr arch::Address kTexture = 0x40000;

struct Bench : TextureBench {
  Bench(const TextureUnitSpec& spec, uint32_t quads) : TextureBench(spec, 10, {1, quads, 4 * quads}) {
    shader.per_cycle = results.per_cycle = quads;
    memory.memory.map(kTexture, 1 << 16);
    state->stage[arch::Stage::kFragment].resources[0] =
        func::make_texture_view(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, kTexture));
  }
  // A request for quads at the beginning of rows of 8x8 tiles: those of one `y` read the same line.
  void request(std::initializer_list<uint32_t> y) {
    for (const uint32_t row : y) {
      auto job = job_of("TXF r0, r1, r2, t0, 2D\nEND\n");
      for (uint32_t lane = 0; lane < 4; lane++) job->src[0][1][lane] = row;
      job->request_quads = static_cast<uint32_t>(y.size());
      send_job(job);
    }
  }
  engine::Cycle answered(size_t n) const { return results.received.at(n).first; }
};

// The quad that misses holds up the three that hit: all leave in one cycle.
TEST(RequestQuads, AnswersLeaveTogether) {
  Bench bench({}, 4);
  bench.request({0});
  bench.sim.run(bench.clock, 100);
  bench.request({0, 0, 0, 8});
  bench.request({0});
  bench.sim.run(bench.clock, 100);
  ASSERT_EQ(bench.results.received.size(), 6u);
  for (size_t n = 2; n < 5; n++) EXPECT_EQ(bench.answered(n), bench.answered(1));
  EXPECT_EQ(bench.answered(5), bench.answered(4) + 1);
}

// A unit that filters four quads a cycle is fed by a port of four quads, and starved by one of a quad.
TEST(RequestQuads, KeepAFilterOfSeveralQuadsBusy) {
  constexpr uint32_t kRequests = 40;
  const auto cycles = [](uint32_t quads) {
    Bench bench({.queue = 64, .steps_per_cycle = 4}, quads);
    bench.request({0});
    bench.sim.run(bench.clock, 100);
    for (uint32_t n = 0; n < kRequests * 4 / quads; n++)
      quads == 4 ? bench.request({0, 0, 0, 0}) : bench.request({0});
    bench.sim.run(bench.clock, 400);
    EXPECT_EQ(bench.results.received.size(), 1 + kRequests * 4);
    return bench.results.received.back().first - bench.answered(1) + 1;
  };
  EXPECT_EQ(cycles(1), kRequests * 4);
  EXPECT_EQ(cycles(4), kRequests);
}

// A request is taken as a whole: it waits until the queue has room for all of its quads.
TEST(RequestQuads, WaitForRoomForAllOfThem) {
  Bench bench({.queue = 6}, 4);
  bench.request({0, 8, 16, 24});
  bench.request({0, 8, 16, 24});
  bench.sim.run(bench.clock, 8);
  EXPECT_EQ(bench.unit.counters.quads, 4u);
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.unit.counters.quads, 8u);
  EXPECT_EQ(bench.results.received.size(), 8u);
}

}  // namespace
}  // namespace cutaway::boxes::request_quads_test
