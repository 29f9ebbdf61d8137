#include "report/unit_words.h"

#include <gtest/gtest.h>

#include "run_record/frame_record.h"

namespace cutaway::report {
namespace {

TEST(UnitWords, AreTheNamesOfUnits) {
  EXPECT_EQ(words_of("streamer"), "streamer");
  EXPECT_EQ(words_of("color_write"), "color write");
  EXPECT_EQ(words_of("memory_controller"), "memory");
  EXPECT_EQ(words_of("shader"), "shader");
  EXPECT_EQ(words_of("shader", "tessellation_control"), "tessellation control shading");
  EXPECT_EQ(words_of(""), "nothing under way");
}

TEST(UnitWords, EveryStageOfProgramsHasItsOwn) {
  for (const char* stage : run_record::kProgramStages) {
    EXPECT_TRUE(words_of("shader", stage).ends_with(" shading")) << stage;
    EXPECT_NE(words_of("shader", stage), words_of("shader")) << stage;
  }
  EXPECT_NE(words_of("geometry_shading"), words_of("shader", "geometry"));
  EXPECT_EQ(words_of("vertex_shader", "vertex"), words_of("shader", "vertex"));
}

}  // namespace
}  // namespace cutaway::report
