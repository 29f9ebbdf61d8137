#include "report/roll_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutaway::report {
namespace {

using ::testing::HasSubstr;

RunReader::Work work(std::string label, uint64_t cycles, uint32_t pass = 0, std::string kind = "draw") {
  RunReader::Work result;
  result.label = std::move(label), result.marginal_cycles = cycles, result.pass = pass;
  result.kind = std::move(kind);
  return result;
}

std::string told(const std::vector<RollUpRow>& rows) {
  std::string text;
  for (const RollUpRow& row : rows)
    text += std::string(row.depth, '>') + row.name + " " + std::to_string(row.cycles) + " " +
            std::to_string(row.draws) + "\n";
  return text;
}

TEST(RollUp, LabelsMakeATreeWhoseRootsSumToTheFrame) {
  const std::vector<RunReader::Work> frame = {work("", 5),
                                              work("frame / shadow", 10, 0, "copy"),
                                              work("frame / shadow / lamp", 20),
                                              work("frame / main", 30, 1),
                                              work("frame", 1, 1),
                                              work("frame / shadow", 4, 2)};
  EXPECT_EQ(told(by_label(frame)), "(no label) 5 1\nframe 65 4\n>shadow 34 2\n>>lamp 20 1\n>main 30 1\n");
  EXPECT_EQ(told(by_pass(frame)),
            "pass 0, 'frame / shadow / lamp' 35 2\npass 1, 'frame' 31 2\npass 2, 'frame / shadow' 4 1\n");
}

TEST(RollUp, TextHasTimesAndShares) {
  const std::vector<RunReader::Work> frame = {work("a", 250), work("b", 750)};
  const std::string text = roll_up_text(by_label(frame), 1000, 4e-3, 10);
  EXPECT_THAT(text, HasSubstr("25.0 %"));
  EXPECT_THAT(text, HasSubstr("3.00 ms"));
  EXPECT_THAT(roll_up_text(by_label(frame), 1000, 4e-3, 1), HasSubstr("and 1 more"));
}

TEST(RollUp, ManyFramesAreAFewLines) {
  std::vector<RunReader::Frame> frames(1000);
  for (uint64_t i = 0; i < 1000; i++) frames[i].frame = i, frames[i].cycles = 1000 + (i * 7) % 1000;
  const std::string text = frames_text(frames, 1.0);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 30);
  EXPECT_THAT(text, HasSubstr("1000 frames"));
  EXPECT_THAT(text, HasSubstr("worst of 42 frames"));
  EXPECT_THAT(text, HasSubstr("1,999"));  // the worst
  EXPECT_THAT(text, HasSubstr("1,499"));  // the median
}

}  // namespace
}  // namespace cutaway::report
