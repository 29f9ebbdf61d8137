#include "report/what_ifs.h"

#include <gmock/gmock.h>

namespace cutaway::report {
namespace {

using ::testing::ElementsAre;

TEST(WhatIfs, AreTheHelpfulValuesOfTheEvidenceThatIsTold) {
  Explanation explanation;
  explanation.causes = {
      {.kind = "texture",
       .share = 0.6,
       .evidence = {{.sentence = "a",
                     .levers = {{"texture.units", "16", "4"}, {"texture.cache_lines", "", "8"}}},
                    {.sentence = "b",
                     .levers = {{"memory.channels", "8", "2"}, {"texture.units", "32", "4"}}}}},
      {.kind = "shader",
       .share = 0.05,
       .evidence = {{.sentence = "c", .levers = {{"shader.units", "4", "1"}}}}},
      {.kind = "streamer",
       .share = 0.049,
       .evidence = {{.sentence = "d", .levers = {{"streamer.queue", "8", "2"}}}}}};
  EXPECT_THAT(what_ifs(explanation), ElementsAre("texture.units=16", "memory.channels=8", "shader.units=4"));
}

TEST(WhatIfs, QuoteTheRunForAShell) {
  EXPECT_EQ(what_if_command("it's", 3, "memory.channels=8"),
            "cutaway explain 'it'\\''s' --frame 3 --try memory.channels=8");
}

}  // namespace
}  // namespace cutaway::report
