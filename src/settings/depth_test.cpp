#include "settings/depth.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace cutaway::settings {
namespace {

using ::testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    check_depth(text, "f.toml");
  } catch (const UserError& error) { return error.what(); }
  return "";
}

std::string repeated(const std::string& text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; i++) result += text;
  return result;
}

// Texts that nest `levels` deep, each in another way.
std::vector<std::string> nested(size_t levels) {
  return {"a = " + repeated("[", levels) + repeated("]", levels) + "\n",
          "a = " + repeated("{b = ", levels) + "1" + repeated("}", levels) + "\n",
          "a" + repeated(".a", levels) + " = 1\n",
          "[a" + repeated(".a", levels - 1) + "]\nx = 1\n",
          "[[a" + repeated(".a", levels - 2) + "]]\nx = 1\n",
          "[a" + repeated(".a", levels / 2 - 1) + "]\nb" + repeated(".b", levels - levels / 2) + " = 1\n",
          "a = {b" + repeated(".b", levels - 2) + " = [1, 2]}\n"};
}

TEST(Depth, AHundredLevelsAreReadAndNoMore) {
  for (const std::string& text : nested(kDeepest)) EXPECT_EQ(error_of(text), "") << text;
  for (const std::string& text : nested(kDeepest + 1))
    EXPECT_THAT(error_of("\n" + text), HasSubstr("f.toml:")) << text;
  for (const std::string& text : nested(1'000'000))
    EXPECT_THAT(error_of(text), HasSubstr("nested more than 100 deep"));
}

TEST(Depth, StringsCommentsAndNeighboursAreNoLevels) {
  const std::string dots = repeated(".[{", 1000);
  EXPECT_EQ(error_of("# " + dots + "\na = \"" + dots + "\\\"" + dots + "\"\nb = '" + dots + "'\n"), "");
  EXPECT_EQ(error_of("a = \"\"\"\n" + dots + "\n\"" + dots + "\"\"\"\nb = '''\n" + dots + "\n'''\n"), "");
  EXPECT_EQ(error_of("a = [" + repeated("1.5, [2.5],\n", 1000) + "]\n"), "");
  EXPECT_EQ(error_of(repeated("[a.b]\nc.d = 1.5\n", 1000)), "");
}

TEST(Depth, NamesTheLine) {
  EXPECT_THAT(error_of("a = '''\n\n'''\n" + nested(1000)[0]), HasSubstr("f.toml:4: "));
}

TEST(Depth, EndsAtTextsThatAreCutOff) {
  for (const char* text : {"", "[", "a = \"", "a = \"\\", "a = '''", "[\"a", "a = [1, ", "\"\"\"\\"})
    EXPECT_EQ(error_of(text), "") << text;
}

}  // namespace
}  // namespace cutaway::settings
