#include "launch/program_messages.h"

#include <gtest/gtest.h>

namespace cutaway::launch {
namespace {

TEST(DriverLines, AreTakenWholeHoweverTheyComeInPieces) {
  const std::string_view text =
      "frame 1\nerror no doubles\nframe 12\nlost it stopped\nfailed disk full\ndone\n";
  for (size_t piece : {size_t{1}, size_t{5}, text.size()}) {
    DriverLines lines;
    for (size_t at = 0; at < text.size(); at += piece) lines.take(text.substr(at, piece));
    EXPECT_EQ(lines.frames, 12u);
    EXPECT_EQ(lines.errors, std::vector<std::string>{"no doubles"});
    EXPECT_EQ(lines.lost, "it stopped");
    EXPECT_EQ(lines.failed, "disk full");
    EXPECT_TRUE(lines.done);
  }
  DriverLines half;
  half.take("frame 1\nframe 2");
  EXPECT_EQ(half.frames, 1u);
}

TEST(ErrorOutput, RemembersTheLastLineThatExplains) {
  ErrorOutput output;
  output.take("loading\nMESA: error: first\nMESA: error: sec");
  EXPECT_EQ(output.explanation(), "MESA: error: first");
  output.take("ond\nlibEGL warning: slow\nscore 3\n");
  EXPECT_EQ(output.explanation(), "MESA: error: second");
}

TEST(ErrorOutput, RemembersTheExtensionThatTheLoaderMisses) {
  constexpr std::string_view kMissing =
      "ERROR:            loader_validate_device_extensions: Device extension VK_KHR_ray_query not supported by "
      "selected physical device or enabled layers.";
  ErrorOutput output;
  output.take(kMissing);
  output.take("\nERROR:            vkCreateDevice: Failed to validate extensions in list\n");
  EXPECT_EQ(output.explanation(), kMissing);
}

}  // namespace
}  // namespace cutaway::launch
