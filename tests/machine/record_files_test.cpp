// Records that hold differences stand for whole records.
#include "record_files.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <set>
#include <sstream>

#include "records.h"

namespace cutaway::records {
namespace {

using testing::ElementsAre;
using testing::Pair;

using Two = std::array<uint64_t, 2>;

// A box of the core's clock and one of memory's, which has a clock of its own.
const Figures kBase = {{"cycles.core", {10, 20}},
                       {"cycles.memory", {30, 40}},
                       {"gpu.clipper0.blocked.out", {1, 2}},
                       {"gpu.clipper0.busy", {4, 5}},
                       {"gpu.clipper0.idle", {5, 13}},
                       {"gpu.memory_controller.busy", {30, 39}},
                       {"gpu.memory_controller.idle", {0, 1}},
                       {"gpu.memory_controller.reads", {7, 7}}};

TEST(RecordDifferences, LeaveOutIdleCyclesThatFollow) {
  Figures without = kBase;
  without.erase("gpu.clipper0.idle");
  without.erase("gpu.memory_controller.idle");
  EXPECT_EQ(differences(kBase, {}), without);
  EXPECT_EQ(whole_record(without, {}), kBase);
}

TEST(RecordDifferences, KeepIdleCyclesOfABoxOfAnotherClock) {
  Figures other = kBase;
  other["gpu.clipper0.idle"] = {25, 33};  // of memory's 30 and 40
  const Figures lines = differences(other, {});
  EXPECT_EQ(lines.at("gpu.clipper0.idle"), (Two{25, 33}));
  EXPECT_EQ(whole_record(lines, {}), other);
}

TEST(RecordDifferences, KeepIdleCyclesOfABoxThatNeverWorks) {
  Figures other = kBase;
  other["gpu.dac.idle"] = {10, 20};
  const Figures lines = differences(other, {});
  EXPECT_EQ(lines.at("gpu.dac.idle"), (Two{10, 20}));
  EXPECT_EQ(whole_record(lines, {}), other);
}

TEST(RecordDifferences, HoldWhatDiffersFromTheBase) {
  EXPECT_THAT(differences(kBase, kBase), testing::IsEmpty());
  Figures other = kBase;
  other["gpu.memory_controller.reads"] = {7, 8};
  other["gpu.memory_controller.writes"] = {0, 3};
  EXPECT_THAT(differences(other, kBase), ElementsAre(Pair("gpu.memory_controller.reads", Two{7, 8}),
                                                     Pair("gpu.memory_controller.writes", Two{0, 3})));
  EXPECT_EQ(whole_record(differences(other, kBase), kBase), other);
}

TEST(RecordDifferences, SayZeroForWhatTheBaseAloneHas) {
  Figures other = kBase;
  other.erase("gpu.memory_controller.reads");
  EXPECT_THAT(differences(other, kBase), ElementsAre(Pair("gpu.memory_controller.reads", Two{0, 0})));
  EXPECT_EQ(whole_record(differences(other, kBase), kBase), other);
}

TEST(RecordDifferences, SayZeroForBoxesThatTheBaseAloneHas) {
  Figures other = kBase;
  std::erase_if(other, [](const auto& figure) { return figure.first.starts_with("gpu.clipper0."); });
  EXPECT_EQ(whole_record(differences(other, kBase), kBase), other);
}

TEST(RecordDifferences, SurviveTheirText) { EXPECT_EQ(figures_of(text_of(kBase)), kBase); }

// Each file is as short as write() makes it; what is longer, or an edit by hand, is no record.
TEST(RecordFiles, HoldDifferencesOnly) {
  for (const Shape& shape : shapes())
    for (const std::string& scene : scenes_of(shape)) {
      const std::string path = path_of(shape.name, scene);
      std::ifstream file(path);
      std::ostringstream text;
      text << file.rdbuf();
      EXPECT_EQ(text.str(), text_of_file(shape.name, scene, read(shape.name, scene)))
          << path << ": CUTAWAY_WRITE_RECORDS=1 writes it";
    }
}

// Nothing is left of scenes and shapes that have gone.
TEST(RecordFiles, AreThoseOfTheShapes) {
  std::set<std::string> expected, there;
  for (const Shape& shape : shapes())
    for (const std::string& scene : scenes_of(shape)) expected.insert(path_of(shape.name, scene));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CUTAWAY_RECORDS))
    if (entry.is_regular_file()) there.insert(entry.path());
  EXPECT_EQ(there, expected);
}

}  // namespace
}  // namespace cutaway::records
