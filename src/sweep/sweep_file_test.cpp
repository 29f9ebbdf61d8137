#include "sweep/sweep_file.h"

#include <gmock/gmock.h>

#include "sweep/testing/sweep_files.h"

namespace cutaway::sweep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SweepFile read(const std::string& text) { return read_sweep_file(written("s.toml", text)); }

std::vector<std::string> values(const std::string& text) {
  return read("captures = [\"c\"]\n[[vary]]\nmemory.channels = " + text + "\n").axes.at(0).values.at(0);
}

std::string error(const std::string& text) {
  return error_of([&] { read(text); });
}

TEST(SweepFile, RangesAndLists) {
  EXPECT_THAT(values("[3, 1, 2]"), ElementsAre("3", "1", "2"));
  EXPECT_THAT(values("{from = 2, to = 9, step = 3}"), ElementsAre("2", "5", "8"));
  EXPECT_THAT(values("{from = 2, to = 8, step = 3}"), ElementsAre("2", "5", "8"));
  EXPECT_THAT(values("{from = 7, to = 7, step = 1}"), ElementsAre("7"));
  EXPECT_THAT(values("{from = 1, to = 8, factor = 2}"), ElementsAre("1", "2", "4", "8"));
  EXPECT_THAT(values("{from = 1, to = 7, factor = 2}"), ElementsAre("1", "2", "4"));
  EXPECT_THAT(values("{from = 1, to = 1000, factor = 10}"), ElementsAre("1", "10", "100", "1000"));
  EXPECT_THAT(values("{from = 0.1, to = 0.5, step = 0.1}"), ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(values("[\"oldest\", true, 0.5, [0, 2, 1]]"), ElementsAre("oldest", "true", "0.5", "0,2,1"));
}

TEST(SweepFile, ParametersThatChangeTogether) {
  const SweepFile file = read(
      "captures = [\"c\"]\n[[vary]]\nrop.units = [1, 2]\nmemory.channels = [4, "
      "8]\n[[vary]]\n\"shader.units\" = [1]\n");
  ASSERT_EQ(file.axes.size(), 2u);
  EXPECT_THAT(file.axes[0].paths, ElementsAre("memory.channels", "rop.units"));
  EXPECT_THAT(file.axes[0].values, ElementsAre(ElementsAre("4", "8"), ElementsAre("1", "2")));
  EXPECT_THAT(file.axes[1].paths, ElementsAre("shader.units"));
}

TEST(SweepFile, Options) {
  const SweepFile file = read(
      "captures = [\"a.cutaway\", {file = \"/b.cutaway\", frames = [1, \"4..\"]}]\nframes = \"2..3\"\n"
      "gpus = [\"g80\", \"mine.toml\"]\nwarmup = 1\nverify = true\nillegal = \"skip\"\n"
      "set.rop.units = 2\n[sample]\npoints = 5\nseed = 9\n[slurm]\noptions = [\"--mem=1G\"]\n"
      "[[plot]]\nx = \"frame\"\ny = \"cycles\"\n");
  ASSERT_EQ(file.captures.size(), 2u);
  EXPECT_EQ(file.captures[0].path, temporary_folder() / "a.cutaway");
  EXPECT_THAT(file.captures[0].frames, ElementsAre(FrameRange{2, 3}));
  EXPECT_EQ(file.captures[1].path, "/b.cutaway");
  EXPECT_THAT(file.captures[1].frames, ElementsAre(FrameRange{1, 1}, FrameRange{4, FrameRange::kLast}));
  EXPECT_THAT(file.gpus, ElementsAre("g80", (temporary_folder() / "mine.toml").string()));
  EXPECT_EQ(file.warmup, 1u);
  EXPECT_TRUE(file.verify && file.skip_illegal);
  EXPECT_THAT(file.sets, ElementsAre(std::pair<std::string, std::string>("rop.units", "2")));
  EXPECT_EQ(file.sample->points, 5u);
  EXPECT_EQ(file.sample->seed, 9u);
  EXPECT_THAT(file.sbatch_options, ElementsAre("--mem=1G"));
  EXPECT_EQ(file.plots.at(0).title, "cycles by frame");
}

TEST(SweepFile, ErrorsNameTheLine) {
  EXPECT_THAT(error("captures = [\"c\"]\nframes = \"4..2\"\n"), HasSubstr("s.toml:2: frames 4..2"));
  EXPECT_THAT(error("captures = [\"c\"]\n\nverfy = true\n"), HasSubstr("s.toml:3"));
  EXPECT_THAT(error("captures = [\"c\"]\n[vary]\nmemory.channels = [1]\n"), HasSubstr("[[vary]]"));
  EXPECT_THAT(error("captures = [\"c\"]\n[[vary]]\n"), HasSubstr("without a parameter"));
  EXPECT_THAT(error("captures = [\"c\"]\n[[vary]]\nchannels = [1]\n"), HasSubstr("UNIT.PARAM"));
  EXPECT_THAT(error("captures = [\"c\"]\n[sample]\npoints = 0\nseed = 1\n"), HasSubstr("1 at least"));
  EXPECT_THAT(error("captures = [\"c\"]\n[sample]\npoints = 2\n"), HasSubstr("without seed"));
  EXPECT_THAT(error("captures = [\"c\"]\n[slurm]\noptions = [\"; rm\"]\n"), HasSubstr("an option of sbatch"));
  EXPECT_THAT(error("captures = [\"c\"]\n[[plot]]\nx = \"frame\"\n"), HasSubstr("without y"));
  EXPECT_THAT(error("captures = [\"c\"]\n[[vary]]\nmemory.channels = {from = 1, to = 1e9, step = 1}\n"),
              HasSubstr("million"));
}

}  // namespace
}  // namespace cutaway::sweep
