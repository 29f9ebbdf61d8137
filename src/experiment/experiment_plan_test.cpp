#include "experiment/experiment_plan.h"

#include <gmock/gmock.h>
#include <set>

#include "sweep/testing/sweep_files.h"

namespace cutaway::experiment {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class PlanTest : public ::testing::Test {
 protected:
  ExperimentPlan plan(const std::string& text, std::optional<FrameRange> frames = {}) {
    file_ = read_experiment_file(sweep::written("p.toml", "title = \"T\"\n" + text));
    return make_experiment_plan(file_, capture_, frames);
  }
  std::string error(const std::string& text, std::optional<FrameRange> frames = {}) {
    return sweep::error_of([&] { plan(text, frames); });
  }
  std::filesystem::path capture_ = sweep::captured("plan.cutaway", 3);
  ExperimentFile file_;
};

TEST_F(PlanTest, EveryFrameOnEveryConfiguration) {
  const ExperimentPlan made = plan(
      "frames = 2\n[[axis]]\nname = \"machine\"\ngpu = [\"attila-split\", \"attila\"]\n"
      "[[axis]]\nname = \"units\"\nshader.units = [2, 4]\n");
  EXPECT_EQ(made.frames, (FrameRange{1, 2}));
  ASSERT_THAT(made.configurations, SizeIs(4));
  EXPECT_THAT(made.plan.points, SizeIs(8));
  EXPECT_DOUBLE_EQ(made.configurations[0].transistors, 40);
  EXPECT_DOUBLE_EQ(made.configurations[3].transistors, 60);
  std::set<std::string> hashes;
  for (const auto& point : made.plan.points) {
    hashes.insert(point.hash);
    EXPECT_EQ(point.record_interval, kInterval);
  }
  EXPECT_THAT(hashes, SizeIs(8));
  for (const auto& configuration : made.configurations)
    for (const std::string& point : configuration.points) EXPECT_TRUE(hashes.contains(point));
  EXPECT_EQ(plan("", FrameRange{2, 2}).plan.points.at(0).frame, 2u);
}

// The preset itself has 2 units.
TEST_F(PlanTest, TheSameMachineIsRunOnce) {
  const ExperimentPlan made =
      plan("[[axis]]\nname = \"units\"\nlabels = [\"a\", \"b\"]\nshader.units = [2, 2]\n");
  EXPECT_THAT(made.plan.points, SizeIs(1));
  EXPECT_EQ(made.plan.duplicates, 1u);
  EXPECT_EQ(made.configurations[0].points, made.configurations[1].points);
}

TEST_F(PlanTest, Errors) {
  EXPECT_THAT(error("[[axis]]\nname = \"u\"\nshader.unit = [2]\n"), HasSubstr("p.toml: u 2: "));
  EXPECT_THAT(error("gpu = \"attilla\"\n"), HasSubstr("attilla"));
  EXPECT_THAT(error("[[axis]]\nname = \"u\"\nshader.units = [0]\n"), HasSubstr("u 0"));
  EXPECT_THAT(error("", FrameRange{3, 4}), HasSubstr("plan.cutaway holds frames 1..3"));
}

}  // namespace
}  // namespace cutaway::experiment
