#include "base/frames.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cutaway {
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

}  // namespace
}  // namespace cutaway
