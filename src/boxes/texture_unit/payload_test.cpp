// Tests the width of messages between shader units and the texture unit.
#include "boxes/texture_unit/payload.h"

#include <gtest/gtest.h>

#include "boxes/texture_unit/bench_for_test.h"

namespace cutaway::boxes::payload_test {
namespace {

using namespace texture_unit_test_bench;
using engine::Cycle;

isa::Instruction instruction(const std::string& text) { return isa::assemble(text + "\nEND\n")[0]; }

TEST(TexturePayload, CountsTheWordsThatAnInstructionNeeds) {
  for (const auto& [text, words] : {std::pair{"TEX r0, r1, t0, s0, 1D", 1u},
                                    {"TEX r0, r1, t0, s0, 2D", 2u},
                                    {"TEX r0, r1, t0, s0, CUBE", 3u},
                                    {"TEX r0, r1, t0, s0, CUBEARRAY", 4u},
                                    {"TEX r0, r1, t0, s0, 2D, SHADOW", 3u},
                                    {"TXP r0, r1, t0, s0, 2D", 3u},
                                    {"TXL r0, r1, r2.x, t0, s0, 2D", 3u},
                                    {"TXB r0, r1, r2.x, t0, s0, 3D", 4u},
                                    {"TXD r0, r1, r2, r3, t0, s0, 2D", 6u},
                                    {"TXD r0, r1, r2, r3, t0, s0, 2DARRAY", 7u},
                                    {"TXD r0, r1, r2, r3, t0, s0, CUBE", 9u},
                                    {"TXF r0, r1, r2, t0, 2D", 3u},
                                    {"TXF r0, r1, r2, t0, BUFFER", 1u},
                                    {"TXF r0, r1, r2, t0, 2DMS", 3u},
                                    {"TXQ r0, r1.x, t0, 2D", 1u},
                                    {"LDB r0, r1.x, t0", 1u}})
    EXPECT_EQ(request_words(instruction(text)), words) << text;
}

TEST(TexturePayload, ResultsHaveTheComponentsOfTheMask) {
  EXPECT_EQ(result_words(instruction("TEX r0, r1, t0, s0, 2D")), 4u);
  EXPECT_EQ(result_words(instruction("TEX r0.xz, r1, t0, s0, 2D")), 2u);
  EXPECT_EQ(result_words(instruction("TEX r0.w, r1, t0, s0, 2D")), 1u);
}

// Sends quads that hit; returns the cycles between the last results.
Cycle interval(const TextureUnitSpec& spec, const std::string& text) {
  TextureBench bench(spec);
  bench.memory.memory.map(0x40000, 1 << 18);
  auto& stage = bench.state->stage[arch::Stage::kFragment];
  stage.resources[0] =
      func::make_texture_view(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 0x40000));
  for (uint32_t i = 0; i < 16; i++) bench.send_job(bench.job_of(text + "\nEND\n"));
  bench.sim.run(bench.clock, 400);
  const auto& received = bench.results.received;
  EXPECT_EQ(received.size(), 16u);
  return received.size() < 2 ? 0 : received.back().first - received[received.size() - 2].first;
}

TEST(TexturePayload, WideRequestsTakeSeveralCycles) {
  const std::string gradients = "TXD r0, r1, r2, r3, t0, s0, 2D", level = "TXL r0, r1, r2.x, t0, s0, 2D";
  EXPECT_EQ(interval({}, gradients), 1u);
  EXPECT_EQ(interval({.request_words = 16}, gradients), 1u);
  EXPECT_EQ(interval({.request_words = 4}, gradients), 2u);
  EXPECT_EQ(interval({.request_words = 2}, gradients), 3u);
  EXPECT_EQ(interval({.request_words = 1}, gradients), 6u);
  EXPECT_EQ(interval({.request_words = 1}, level), 3u);
}

TEST(TexturePayload, NarrowResultsTakeFewerCycles) {
  EXPECT_EQ(interval({}, "TEX r0, r1, t0, s0, 2D"), 1u);
  EXPECT_EQ(interval({.result_words = 2}, "TEX r0, r1, t0, s0, 2D"), 2u);
  EXPECT_EQ(interval({.result_words = 1}, "TEX r0, r1, t0, s0, 2D"), 4u);
  EXPECT_EQ(interval({.result_words = 1}, "TEX r0.xy, r1, t0, s0, 2D"), 2u);
  EXPECT_EQ(interval({.result_words = 1}, "TEX r0.w, r1, t0, s0, 2D"), 1u);
}

// The port takes requests while the unit waits for memory, which answers much later.
TEST(TexturePayload, RequestsPassWhileMemoryIsWaitedFor) {
  TextureBench bench({.request_words = 1}, 300);
  bench.memory.memory.map(0x40000, 1 << 18);
  auto& stage = bench.state->stage[arch::Stage::kFragment];
  stage.resources[0] =
      func::make_texture_view(messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 0x40000));
  for (uint32_t i = 0; i < 4; i++) bench.send_job(bench.job_of("TXD r0, r1, r2, r3, t0, s0, 2D\nEND\n"));
  // Taken from cycle 2 on, each in six cycles.
  bench.sim.run(bench.clock, 2 + 3 * 6 - 1);
  EXPECT_EQ(bench.unit.counters.quads, 3u);
  bench.sim.run(bench.clock, 1);
  EXPECT_EQ(bench.unit.counters.quads, 4u);
  EXPECT_TRUE(bench.results.received.empty());
}

// The further cycles of a message are work of the unit, and nothing that it waits for.
TEST(TexturePayload, TransfersAreCountedAsWork) {
  TextureBench bench({.request_words = 1});
  for (uint32_t i = 0; i < 8; i++) bench.send_job(bench.job_of("TXQ r0, r1.x, t0, 2D\nEND\n"));
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.unit.counters.request_cycles, 0u);
  for (uint32_t i = 0; i < 8; i++) bench.send_job(bench.job_of("TXF r0, r1, r2, t0, 2D\nEND\n", 0));
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.unit.counters.request_cycles, 8u * 2);
  EXPECT_EQ(bench.results.received.size(), 16u);
}

}  // namespace
}  // namespace cutaway::boxes::payload_test
