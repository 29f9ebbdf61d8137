#include "func/geometry/emitted_strips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutaway::func {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint8_t kCut = 0x80;

TEST(EmittedStrips, KeepTheOrderOfVerticesAndEnds) {
  EmittedStrips strips;
  EXPECT_TRUE(strips.emit(0, 3));
  strips.add_word(7);
  strips.cut(0);
  EXPECT_TRUE(strips.emit(2, 3));
  strips.add_word(8);
  EXPECT_EQ(strips.vertices(), 2u);
  EXPECT_THAT(strips.events(), ElementsAre(0, kCut, 2));
  EXPECT_THAT(strips.words(), ElementsAre(7, 8));
  EXPECT_TRUE(EmittedStrips::is_cut(strips.events()[1]));
  EXPECT_FALSE(EmittedStrips::is_cut(strips.events()[2]));
  EXPECT_EQ(EmittedStrips::event_stream(2 | kCut), 2u);
  strips.clear();
  EXPECT_EQ(strips.vertices(), 0u);
  EXPECT_THAT(strips.events(), IsEmpty());
  EXPECT_THAT(strips.words(), IsEmpty());
}

TEST(EmittedStrips, DropVerticesBeyondTheMost) {
  EmittedStrips strips;
  EXPECT_FALSE(strips.emit(0, 0));
  EXPECT_TRUE(strips.emit(0, 2));
  EXPECT_TRUE(strips.emit(1, 2));
  EXPECT_FALSE(strips.emit(0, 2));
  EXPECT_THAT(strips.events(), ElementsAre(0, 1));
}

// A program that ends strips endlessly stores no more than its vertices.
TEST(EmittedStrips, EndAStripOnce) {
  EmittedStrips strips;
  strips.cut(0);  // ends no strip
  EXPECT_THAT(strips.events(), IsEmpty());
  strips.emit(0, 9);
  strips.emit(1, 9);
  strips.cut(0), strips.cut(0);
  strips.cut(1), strips.cut(0), strips.cut(1);
  EXPECT_THAT(strips.events(), ElementsAre(0, 1, kCut, 1 | kCut));
  strips.emit(0, 9);
  strips.cut(1);
  strips.cut(0);
  EXPECT_THAT(strips.events(), ElementsAre(0, 1, kCut, 1 | kCut, 0, kCut));
}

}  // namespace
}  // namespace cutaway::func
