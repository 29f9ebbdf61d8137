#include "boxes/command_processor/state_versions.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::state_versions_test {
namespace {

constexpr unsigned kWidth = offsetof(arch::Registers, raster.width) / 4;

TEST(StateVersions, DrawsShareAVersionUntilSomethingChanges) {
  StateVersions versions({.state_versions = 2});
  versions.begin_submission();
  versions.change_registers(kWidth, 1).raster.width = 7;
  const auto first = versions.take(), second = versions.take();
  EXPECT_TRUE(first.made);
  EXPECT_FALSE(second.made);
  EXPECT_EQ(first.state, second.state);
  EXPECT_EQ(first.state->users, 2u);
  versions.change_registers(kWidth, 1).raster.width = 8;
  const auto third = versions.take();
  EXPECT_TRUE(third.made);
  EXPECT_EQ(first.state->registers.raster.width, 7u);
  EXPECT_EQ(third.state->registers.raster.width, 8u);
}

TEST(StateVersions, WaitUntilAVersionIsReleased) {
  StateVersions versions({.state_versions = 1});
  versions.begin_submission();
  const auto first = versions.take(), second = versions.take();
  versions.change_registers(kWidth, 1).raster.width = 8;
  EXPECT_EQ(versions.take().state, nullptr);
  versions.release(*first.state);
  EXPECT_EQ(versions.take().state, nullptr);
  versions.release(*second.state);
  const auto third = versions.take();
  ASSERT_TRUE(third.state);
  EXPECT_TRUE(third.made);
  EXPECT_EQ(third.state->registers.raster.width, 8u);
}

TEST(StateVersions, EachChangeOfAStageHasItsNumber) {
  StateVersions versions({.state_versions = 2});
  versions.begin_submission();
  versions.change_stage(arch::Stage::kVertex).constants[0][0] = 1;
  const auto first = versions.take();
  versions.change_stage(arch::Stage::kFragment);
  versions.change_stage(arch::Stage::kVertex).constants[0][0] = 2;
  const auto second = versions.take();
  EXPECT_EQ(first.state->vertex().constants[0][0], 1u);
  EXPECT_EQ(second.state->vertex().constants[0][0], 2u);
  EXPECT_NE(first.state->vertex().version, second.state->vertex().version);
}

// A version takes over only the stages that have changed.
TEST(StateVersions, VersionTakesOverEveryChange) {
  StateVersions versions({.state_versions = 1});
  versions.begin_submission();
  for (uint32_t i = 1; i <= 4; i++) {
    versions.change_stage(arch::Stage::kVertex).constants[0][0] = i;
    const auto taken = versions.take();
    ASSERT_TRUE(taken.state);
    EXPECT_EQ(taken.state->vertex().constants[0][0], i);
    versions.release(*taken.state);
  }
}

TEST(StateVersions, DriverWorkIsAnotherVersion) {
  StateVersions versions({.state_versions = 2});
  versions.begin_submission();
  const auto first = versions.take();
  versions.change_driver(false);
  EXPECT_FALSE(versions.take().made);
  versions.change_driver(true);
  const auto driver = versions.take();
  EXPECT_TRUE(driver.made);
  EXPECT_FALSE(first.state->of_driver);
  EXPECT_TRUE(driver.state->of_driver);
}

TEST(StateVersions, SubmissionsBeginWithEmptyState) {
  StateVersions versions({.state_versions = 2});
  versions.begin_submission();
  versions.change_registers(kWidth, 1).raster.width = 7;
  versions.change_stage(arch::Stage::kVertex).constants[0][0] = 1;
  versions.release(*versions.take().state);
  versions.begin_submission();
  const auto taken = versions.take();
  EXPECT_TRUE(taken.made);
  EXPECT_EQ(taken.state->registers.raster.width, 0u);
  EXPECT_EQ(taken.state->vertex().constants[0][0], 0u);
}

// The order of depth writes may give a draw another side than its registers say, and so a version of its own.
TEST(StateVersions, TheOrderOfDepthWritesChoosesTheSide) {
  StateVersions versions({}, "stay_late");
  versions.begin_submission();
  const auto test_at = [&](arch::DepthMode mode) {
    auto& depth = versions.change_registers(kWidth, 1).depth;
    depth.surface.format = static_cast<uint32_t>(arch::Format::D32_SFLOAT);
    depth.depth_test = depth.depth_write = 1;
    depth.mode = static_cast<uint32_t>(mode);
  };
  const auto take = [&] {
    const auto taken = versions.take();
    versions.release(*taken.state);
    return taken;
  };
  test_at(arch::DepthMode::kLate);
  EXPECT_EQ(take().state->depth_mode, arch::DepthMode::kLate);
  test_at(arch::DepthMode::kEarly);
  EXPECT_EQ(take().state->depth_mode, arch::DepthMode::kLate);
  EXPECT_FALSE(take().made);
  versions.drained();
  const auto dispatch = versions.take(StateVersions::Use::kDispatch);
  EXPECT_FALSE(dispatch.made) << "has no depth";
  versions.release(*dispatch.state);
  const auto early = take();
  EXPECT_TRUE(early.made);
  EXPECT_EQ(early.state->depth_mode, arch::DepthMode::kEarly);
  EXPECT_FALSE(take().made);
}

}  // namespace
}  // namespace cutaway::boxes::state_versions_test
