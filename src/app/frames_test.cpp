#include "app/frames.h"

#include <gtest/gtest.h>

#include "app/text.h"
#include "base/error.h"

namespace cutaway::app {
namespace {

TEST(Frames, AreParsedAndWrittenAlike) {
  EXPECT_EQ(parse_frames("3"), (FrameRange{3, 3}));
  EXPECT_EQ(parse_frames("2..4"), (FrameRange{2, 4}));
  EXPECT_EQ(parse_frames("5.."), (FrameRange{5, FrameRange::kLast}));
  for (const char* text : {"3", "2..4", "5.."}) EXPECT_EQ(parse_frames(text).text(), text);
}

TEST(Frames, BadOnesAreRefused) {
  for (const char* text :
       {"", "0", "0..2", "..", "..3", "4..3", "a", "1..b", "1...3", "-1", "1 ", "+2", "99999999999999999999"})
    EXPECT_THROW(parse_frames(text), UserError) << text;
}

TEST(Text, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(bytes_text(812), "812 bytes");
  EXPECT_EQ(bytes_text(1400000), "1.4 MB");
}

}  // namespace
}  // namespace cutaway::app
