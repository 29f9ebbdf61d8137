// Tests which samples a step takes, and the lines that it reads, without a simulator.
#include "boxes/texture_unit/step_maker.h"

#include <bit>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "messages/testing/draws.h"

namespace cutaway::boxes {
namespace {

constexpr arch::Address kTexture = 0x40000;
constexpr uint32_t kSize = 64;  // texels of four bytes: 256 bytes a row of a linear surface

// A quad that samples a bilinear texture.
struct Quad {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  TextureUnitSpec spec;
  TextureWork work;

  Quad() {
    auto& stage = state->stage[arch::Stage::kFragment];
    arch::Surface surface = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, kSize, kSize, kTexture);
    stage.resources[0] = func::make_texture_view(surface);
    arch::Sampler& sampler = stage.samplers[0];
    sampler.mag_filter = sampler.min_filter = static_cast<uint32_t>(arch::Filter::kLinear);
  }
  // Places the lanes at (x, y), with `right` and `down` texels between them.
  void sample(float x, float y, float right, float down, uint8_t lane_mask = 15) {
    auto job = pools.texture_jobs.allocate();
    *job = {};
    job->instruction = isa::assemble("TXL r0, r1, r2.x, t0, s0, 2D\nEND\n")[0];
    job->state = state.get();
    job->stage = arch::Stage::kFragment;
    job->lane_mask = lane_mask;
    for (uint32_t lane = 0; lane < 4; lane++) {
      job->src[0][0][lane] = std::bit_cast<uint32_t>((x + static_cast<float>(lane % 2) * right) / kSize);
      job->src[0][1][lane] = std::bit_cast<uint32_t>((y + static_cast<float>(lane / 2) * down) / kSize);
    }
    work.begin(std::move(job));
  }
  // Makes all steps of the quad.
  std::vector<TextureStep> steps() {
    StepMaker maker(spec);
    std::vector<TextureStep> steps;
    while (!work.looked_up && steps.size() < 16) maker.make(work, 7, steps.emplace_back());
    return steps;
  }
};

TEST(StepMaker, AQuadOfOneLineIsOneStep) {
  Quad quad;
  quad.sample(1, 1, 1, 1);
  EXPECT_EQ(quad.work.samples_left, 4u);
  const auto steps = quad.steps();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].work, 7u);
  EXPECT_EQ(steps[0].reads, 4u);
  ASSERT_EQ(steps[0].lines, 1u);
  EXPECT_EQ(steps[0].line[0].address, kTexture);
  EXPECT_EQ(steps[0].line[0].readers, 4);
  EXPECT_EQ(steps[0].pinned, 0u);
}

// Far apart, each lane reads a line of its own: four lines, then two steps of two.
TEST(StepMaker, AStepReadsNoMoreLinesThanItsLimit) {
  Quad quad;
  quad.sample(2, 2, 32, 32);
  ASSERT_EQ(quad.steps().size(), 1u);

  Quad divided;
  divided.spec.step_fragments = 2;
  divided.sample(2, 2, 32, 32);
  const auto steps = divided.steps();
  ASSERT_EQ(steps.size(), 2u);
  for (const TextureStep& step : steps) EXPECT_EQ(step.reads, 2u);
  EXPECT_EQ(steps[0].read[0].lane, 0);
  EXPECT_EQ(steps[1].read[0].lane, 2);
}

// A bilinear sample between four tiles reads four lines: with all lanes there, the step has no room for a
// second lane whose lines are others.
TEST(StepMaker, ASampleThatDoesNotFitLeavesTheStepUnchanged) {
  Quad quad;
  quad.sample(16, 16, 16, 16);
  const auto steps = quad.steps();
  ASSERT_GT(steps.size(), 1u);
  uint32_t reads = 0;
  for (const TextureStep& step : steps) {
    EXPECT_LE(step.lines, quad.spec.step_lines);
    for (uint32_t i = 0; i < step.lines; i++) {
      EXPECT_NE(step.line[i].grains, 0);
      EXPECT_GT(step.line[i].readers, 0);
    }
    reads += step.reads;
  }
  EXPECT_EQ(reads, 4u);
}

TEST(StepMaker, LanesThatTheMaskLeavesOutAreNotSampled) {
  Quad quad;
  quad.sample(1, 1, 1, 1, 0b0101);
  const auto steps = quad.steps();
  ASSERT_EQ(steps.size(), 1u);
  ASSERT_EQ(steps[0].reads, 2u);
  EXPECT_EQ(steps[0].read[0].lane, 0);
  EXPECT_EQ(steps[0].read[1].lane, 2);
}

}  // namespace
}  // namespace cutaway::boxes
