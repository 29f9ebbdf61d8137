#include "report/unit_words.h"

#include <gtest/gtest.h>

#include "run_record/frame_record.h"

namespace cutaway::report {
namespace {

TEST(UnitWords, AreTheFieldsNames) {
  EXPECT_EQ(words_of("texture"), "texture filtering");
  EXPECT_EQ(words_of("memory_controller"), "memory");
  EXPECT_EQ(words_of("shader"), "shading");
  EXPECT_EQ(words_of(""), "nothing under way");
  EXPECT_EQ(words_of("a_new_box"), "a_new_box");
}

TEST(UnitWords, EveryStageOfProgramsHasItsOwn) {
  for (const char* stage : run_record::kProgramStages) {
    EXPECT_TRUE(words_of("shader", stage).ends_with(" shading")) << stage;
    EXPECT_NE(words_of("shader", stage), words_of("shader")) << stage;
  }
  EXPECT_EQ(words_of("vertex_shader", "vertex"), words_of("shader", "vertex"));
}

}  // namespace
}  // namespace cutaway::report
