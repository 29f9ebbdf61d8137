#include "boxes/hierarchical_z/hs_buffer.h"

#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::boxes::hs_buffer_test {
namespace {

using arch::Compare;
using arch::StencilOp;

constexpr uint32_t kEqual = 2, kAlways = 7;

struct Bench {
  HzMemory memory{64, 1};
  HsBuffer buffer{memory};
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  uint32_t epoch = 0;

  Bench() {
    messages::testing::add_depth(*state, Compare::kLess);
    state->registers.depth.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
    state->registers.depth.stencil_test = 1;
  }
  void clear(uint32_t stencil, arch::CopyAspect aspect = arch::CopyAspect::kAll, uint32_t width = 64) {
    arch::ClearPacket packet{};
    packet.surface = state->registers.depth.surface;
    packet.aspect = static_cast<uint32_t>(aspect);
    packet.width = width, packet.height = 64;
    packet.value[1] = stencil;
    buffer.clear(packet, ++epoch);
  }
  // A draw whose front faces pass at `reference`, and then do `pass`; back faces always pass.
  void draw(uint32_t reference, StencilOp pass = StencilOp::kKeep, StencilOp fail = StencilOp::kKeep,
            uint32_t flags = 0) {
    auto& depth = state->registers.depth;
    depth.front = {static_cast<uint32_t>(fail), 0, static_cast<uint32_t>(pass), kEqual, reference, 15, 255};
    depth.back = {0, 0, 0, kAlways, 0, 255, 255};
    state->registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags = flags;
    state->prepare();
    buffer.begin_draw(state->registers, state->depth, ++epoch);
  }
  bool rejects(int32_t x = 0, bool front = true) { return buffer.rejects(front, x, 0); }
  void report(uint32_t stencil, bool one = true, uint32_t of_epoch = ~0u, uint32_t sample = 0) {
    buffer.update({.surface = messages::testing::kDepthAddress,
                   .epoch = of_epoch == ~0u ? epoch : of_epoch,
                   .sample = sample,
                   .one_stencil = one,
                   .stencil = static_cast<uint8_t>(stencil)});
  }
};

TEST(HsBuffer, RejectsWhatTheClearedValueFails) {
  Bench bench;
  bench.draw(1);
  EXPECT_FALSE(bench.rejects()) << "nothing is known";
  bench.clear(0x11, arch::CopyAspect::kStencil, 32);
  bench.draw(1);
  EXPECT_FALSE(bench.rejects()) << "equal under the mask";
  bench.draw(2);
  EXPECT_TRUE(bench.rejects());
  EXPECT_FALSE(bench.rejects(0, false)) << "back faces pass";
  EXPECT_FALSE(bench.rejects(32)) << "not cleared";
  EXPECT_FALSE(bench.rejects(64)) << "beyond the surface";
  bench.clear(2, arch::CopyAspect::kDepth);
  bench.draw(2);
  EXPECT_TRUE(bench.rejects()) << "a clear of depth changes no stencil";
}

TEST(HsBuffer, DrawsWhoseFragmentsMustBeTestedAreNotRejected) {
  Bench bench;
  bench.clear(0);
  bench.draw(1, StencilOp::kKeep, StencilOp::kZero);
  EXPECT_FALSE(bench.rejects()) << "a failing test changes the stencil";
  bench.clear(0);
  for (const uint32_t flags : {arch::kShaderWritesStencil, arch::kShaderWritesMemory}) {
    bench.draw(1, StencilOp::kKeep, StencilOp::kKeep, flags);
    EXPECT_FALSE(bench.rejects()) << flags;
  }
  bench.draw(1, StencilOp::kKeep, StencilOp::kKeep, arch::kShaderWritesMemory | arch::kShaderEarlyTests);
  EXPECT_TRUE(bench.rejects());
  bench.state->registers.depth.stencil_test = 0;
  bench.draw(1);
  EXPECT_FALSE(bench.rejects());
}

// A draw that may change stencils forgets a tile until a later draw's test reports it.
TEST(HsBuffer, LearnsFromReportsOfLaterDraws) {
  Bench bench;
  bench.clear(1);
  bench.draw(1, StencilOp::kReplace);
  EXPECT_FALSE(bench.rejects());
  bench.report(1);
  bench.draw(2);
  EXPECT_FALSE(bench.rejects()) << "the report is of the draw itself, which may go on to write";
  bench.report(3, false);
  EXPECT_FALSE(bench.rejects()) << "of different values";
  bench.report(3, true, bench.epoch - 1);
  EXPECT_FALSE(bench.rejects()) << "of the draw before";
  bench.report(3);
  EXPECT_TRUE(bench.rejects());
  bench.draw(2, StencilOp::kReplace);
  EXPECT_TRUE(bench.rejects()) << "writes where it passes, which it does not";
  bench.draw(3);
  EXPECT_FALSE(bench.rejects());
}

TEST(HsBuffer, EverySampleMustHaveTheValue) {
  Bench bench;
  bench.state->registers.raster.samples = 4;
  bench.draw(2);
  for (uint32_t sample = 0; sample < 3; sample++) bench.report(1, true, ~0u, sample);
  EXPECT_FALSE(bench.rejects());
  bench.report(7, true, ~0u, 3);
  EXPECT_FALSE(bench.rejects());
  for (uint32_t sample = 0; sample < 4; sample++) bench.report(1, true, ~0u, sample);
  EXPECT_TRUE(bench.rejects());
}

TEST(HsBuffer, ForgetsAnotherSurfaceAndWhatOthersWrite) {
  Bench bench;
  bench.clear(0);
  bench.draw(1);
  EXPECT_TRUE(bench.rejects());
  bench.memory.forget();
  bench.draw(1);
  EXPECT_FALSE(bench.rejects());
  bench.clear(0);
  bench.state->registers.depth.surface.address = messages::testing::kDepthAddress + (1 << 16);
  bench.draw(1);
  EXPECT_FALSE(bench.rejects());
}

}  // namespace
}  // namespace cutaway::boxes::hs_buffer_test
