#include "sweep/plan.h"

#include <gmock/gmock.h>
#include <set>

#include "sweep/testing/sweep_files.h"

namespace cutaway::sweep {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Plan plan(const std::string& text) { return make_plan(read_sweep_file(written("p.toml", text))); }

std::vector<std::string> texts(const Plan& plan) {
  std::vector<std::string> texts;
  for (const Point& point : plan.points) texts.push_back(point.text());
  return texts;
}

TEST(Plan, TheLastAxisChangesFastest) {
  captured("c.cutaway", 2);
  const Plan made = plan(
      "captures = [\"c.cutaway\"]\ngpus = [\"attila\", \"attila-split\"]\n[[vary]]\nmemory.channels = [1, "
      "2]\n"
      "streamer.queue = [8, 9]\n[[vary]]\nwires.z_queue = [4, 8]\n");
  EXPECT_EQ(made.points.size(), 16u);
  EXPECT_THAT(made.varied, ElementsAre("memory.channels", "streamer.queue", "wires.z_queue"));
  const std::vector<std::string> all = texts(made);
  EXPECT_EQ(all[0], "c.cutaway frame 1, attila, memory.channels = 1, streamer.queue = 8, wires.z_queue = 4");
  EXPECT_EQ(all[1], "c.cutaway frame 1, attila, memory.channels = 1, streamer.queue = 8, wires.z_queue = 8");
  EXPECT_EQ(all[2], "c.cutaway frame 1, attila, memory.channels = 2, streamer.queue = 9, wires.z_queue = 4");
  EXPECT_EQ(all[4],
            "c.cutaway frame 1, attila-split, memory.channels = 1, streamer.queue = 8, wires.z_queue = 4");
  EXPECT_EQ(all[8], "c.cutaway frame 2, attila, memory.channels = 1, streamer.queue = 8, wires.z_queue = 4");
}

TEST(Plan, APointIsItsCaptureFrameMachineAndProgram) {
  captured("c.cutaway", 2);
  captured("other.cutaway", 3);
  std::filesystem::copy_file(temporary_folder() / "c.cutaway", temporary_folder() / "copy.cutaway",
                             std::filesystem::copy_options::overwrite_existing);
  const auto hash = [](const std::string& text) { return plan(text).points.at(0).hash; };
  const std::string begin = "captures = [\"c.cutaway\"]\nframes = 1\n", here = hash(begin);
  EXPECT_EQ(here.size(), 16u);
  EXPECT_EQ(hash("captures = [\"copy.cutaway\"]\nframes = 1\n"), here);
  // Repeating the preset's values changes nothing.
  EXPECT_EQ(hash(begin + "gpus = [\"attila\"]\n"), here);
  FieldTable table;
  machine::Config config;
  load_config(config, "attila");
  config.list(table);
  EXPECT_EQ(hash(begin + "set.memory.channels = " + table.get("memory.channels") + "\n"), here);
  std::set<std::string> others = {here};
  for (const std::string text :
       {"captures = [\"other.cutaway\"]\nframes = 1\n", "captures = [\"c.cutaway\"]\nframes = 2\n",
        "captures = [\"c.cutaway\"]\nframes = 1\ngpus = [\"g80\"]\n",
        "captures = [\"c.cutaway\"]\nframes = 1\nset.memory.channels = 1\n",
        "captures = [\"c.cutaway\"]\nframes = 1\nverify = true\n",
        "captures = [\"c.cutaway\"]\nframes = 2\nwarmup = 1\n"})
    EXPECT_TRUE(others.insert(hash(text)).second) << text;
}

TEST(Plan, EqualPointsStandOnce) {
  captured("c.cutaway", 1);
  const Plan made = plan("captures = [\"c.cutaway\"]\n[[vary]]\nmemory.channels = [1, 2, 1]\n");
  EXPECT_EQ(made.points.size(), 2u);
  EXPECT_EQ(made.duplicates, 1u);
}

TEST(Plan, PilotsSimulateFurtherFrames) {
  captured("c.cutaway", 3);
  SweepFile file =
      read_sweep_file(written("p.toml", "captures = [\"c.cutaway\"]\n[[vary]]\nmemory.channels = [1, 2]\n"));
  file.captures[0].pilots = {make_plan(file).points.at(1).machine};
  file.captures[0].pilot_frames = {{1, 2}};
  file.captures[0].frames = {{2, 3}};
  EXPECT_THAT(texts(make_plan(file)), ElementsAre("c.cutaway frame 1, attila, memory.channels = 2",
                                                  "c.cutaway frame 2, attila, memory.channels = 1",
                                                  "c.cutaway frame 2, attila, memory.channels = 2",
                                                  "c.cutaway frame 3, attila, memory.channels = 1",
                                                  "c.cutaway frame 3, attila, memory.channels = 2"));
  file.captures[0].frames = {};  // none, not all
  EXPECT_THAT(texts(make_plan(file)), ElementsAre("c.cutaway frame 1, attila, memory.channels = 2",
                                                  "c.cutaway frame 2, attila, memory.channels = 2"));
}

TEST(Plan, IllegalMachinesAreRefusedOrLeftOut) {
  captured("c.cutaway", 1);
  const std::string text = "captures = [\"c.cutaway\"]\n[[vary]]\ntexture.cache_ways = [4, 5]\n";
  const std::string error = error_of([&] { plan(text); });
  EXPECT_THAT(error, HasSubstr("texture.cache_ways = 5"));
  EXPECT_THAT(error, HasSubstr("cache_lines"));
  const Plan made = plan("illegal = \"skip\"\n" + text);
  EXPECT_EQ(made.points.size(), 1u);
  ASSERT_EQ(made.skipped.size(), 1u);
  EXPECT_THAT(made.skipped[0].point, HasSubstr("texture.cache_ways = 5"));
  EXPECT_THAT(made.skipped[0].reason, ContainsRegex("texture.cache_ways [(]5, .*p.toml:4[)]"));
  // A value that no machine may have is still an error.
  EXPECT_THAT(error_of([&] { plan("illegal = \"skip\"\n" + text + "[[vary]]\nrop.units = [1, 1000]\n"); }),
              HasSubstr("rop.units = 1000"));
}

TEST(Plan, SamplesAreTheSameEverywhere) {
  EXPECT_EQ(draw_sample(5, 5, 1), (std::vector<uint64_t>{0, 1, 2, 3, 4}));
  const std::vector<uint64_t> drawn = draw_sample(1'000'000'000'000, 100, 7);
  EXPECT_EQ(std::set<uint64_t>(drawn.begin(), drawn.end()).size(), 100u);
  EXPECT_LT(drawn.back(), 1'000'000'000'000u);
  EXPECT_EQ(draw_sample(1'000'000'000'000, 100, 7), drawn);
  EXPECT_NE(draw_sample(1'000'000'000'000, 100, 8), drawn);
  // The standard defines every number of mt19937_64, so these never change.
  EXPECT_EQ(draw_sample(1000, 4, 1), (std::vector<uint64_t>{56, 246, 578, 684}));
}

TEST(Plan, ASampleOfAGridThatIsFarTooLarge) {
  captured("c.cutaway", 1);
  const std::string grid =
      "captures = [\"c.cutaway\"]\n[[vary]]\nstreamer.queue = {from = 1, to = 1024, step = 1}\n[[vary]]\n"
      "wires.z_queue = {from = 1, to = 1024, step = 1}\n";
  EXPECT_THAT(error_of([&] { plan(grid); }), HasSubstr("[sample]"));
  const Plan made = plan(grid + "[sample]\npoints = 6\nseed = 3\n");
  EXPECT_EQ(made.points.size(), 6u);
  EXPECT_EQ(texts(made), texts(plan(grid + "[sample]\npoints = 6\nseed = 3\n")));
}

TEST(Plan, AJobHoldsAllOfAPoint) {
  captured("c.cutaway", 2);
  const Point point =
      plan("captures = [\"c.cutaway\"]\nframes = 2\nwarmup = 1\nverify = true\nset.memory.channels = 1\n")
          .points[0];
  Point back = decode_job(encode_job(point), "here");
  EXPECT_EQ(encode_job(back), encode_job(point));
  EXPECT_EQ(identity_hash(back), point.hash);
  Point odd = point;
  odd.capture.path = "/a\xff%41\n/c.cutaway", odd.capture.name = "\xfe", odd.gpu = "./\xc3\xa9\x80.toml";
  back = decode_job(encode_job(odd), "here");
  EXPECT_EQ(back.capture.path, odd.capture.path);
  EXPECT_EQ(back.capture.name, odd.capture.name);
  EXPECT_EQ(back.gpu, odd.gpu);
  EXPECT_THAT(error_of([&] { decode_job("{\"capture\": 3}", "here"); }), HasSubstr("here: not a point"));
}

}  // namespace
}  // namespace cutaway::sweep
