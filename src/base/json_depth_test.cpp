#include "base/json_depth.h"

#include <gtest/gtest.h>
#include <string>

namespace cutaway {
namespace {

TEST(JsonDepth, AHundredLevelsAreShallow) {
  for (const char open : {'[', '{'}) {
    EXPECT_TRUE(is_shallow_json(std::string(kDeepestJson, open)));
    EXPECT_FALSE(is_shallow_json(std::string(kDeepestJson + 1, open)));
  }
  std::string neighbours;
  for (int i = 0; i < 1000; i++) neighbours += "[{}],";
  EXPECT_TRUE(is_shallow_json(neighbours));
}

TEST(JsonDepth, StringsAreNoLevels) {
  const std::string brackets(1000, '[');
  EXPECT_TRUE(is_shallow_json("\"" + brackets + "\\\"" + brackets + "\""));
  EXPECT_FALSE(is_shallow_json("\"\\\\\"" + brackets));
  EXPECT_TRUE(is_shallow_json("\"\\"));
}

}  // namespace
}  // namespace cutaway
