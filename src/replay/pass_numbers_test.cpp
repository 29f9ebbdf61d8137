#include "replay/pass_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutaway::replay {
namespace {

using ::testing::ElementsAre;

struct Passes : ::testing::Test {
  run_record::FrameRecord record;

  void draw(uint32_t pass, uint32_t marker = 0) {
    record.states.push_back({});
    record.states.back().pass = pass;
    record.work.push_back({.kind = "draw", .packet = "DRAW", .marker = marker});
    record.work.back().state = static_cast<int32_t>(record.states.size()) - 1;
  }
  void other(const char* packet, uint32_t marker = 0) {
    record.work.push_back({.kind = "copy", .packet = packet, .marker = marker});
  }
  // Gives the last piece of work to a context.
  void of(uint32_t context) { record.work.back().context = context; }
  std::vector<uint32_t> numbers() {
    number_passes(record);
    std::vector<uint32_t> result;
    for (const run_record::WorkRecord& work : record.work) result.push_back(work.pass);
    return result;
  }
};

TEST_F(Passes, AClearBelongsToThePassThatItBegins) {
  other("CLEAR");
  draw(0);
  other("FLUSH");
  other("CLEAR");
  other("WAIT_IDLE");
  draw(1);
  other("CLEAR");  // within the pass
  draw(1);
  EXPECT_THAT(numbers(), ElementsAre(0, 0, 0, 1, 1, 1, 1, 1));
}

TEST_F(Passes, AClearBelongsToThePassWhoseLabelItCarries) {
  draw(0, 1);
  other("CLEAR", 1);
  other("CLEAR", 2);
  draw(1, 2);
  EXPECT_THAT(numbers(), ElementsAre(0, 0, 1, 1));
}

TEST_F(Passes, AClearOfAPassThatBeginsBeforeAnInnerLabelBelongsToIt) {
  draw(0, 1);
  other("CLEAR", 2);
  draw(1, 3);
  EXPECT_THAT(numbers(), ElementsAre(0, 1, 1));
}

TEST_F(Passes, APassIsOfOneContext) {
  draw(0);
  other("FLUSH");
  other("COPY_BUFFER"), of(1);
  draw(1), of(1);
  other("COPY_BUFFER"), of(2);  // it draws nothing
  draw(2), of(1);
  EXPECT_THAT(numbers(), ElementsAre(0, 0, 1, 1, 2, 3));
  EXPECT_EQ(record.states[2].pass, 3u);
  EXPECT_THAT(number_passes(record), ElementsAre(0, 1, 2, 3));
}

TEST_F(Passes, OtherWorkBelongsToThePassBeforeIt) {
  draw(0);
  other("COPY_BUFFER");
  draw(1);
  other("CLEAR");
  EXPECT_THAT(numbers(), ElementsAre(0, 0, 1, 1));
}

}  // namespace
}  // namespace cutaway::replay
