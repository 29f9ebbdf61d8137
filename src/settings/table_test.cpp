#include "settings/table.h"

#include <fstream>
#include <gmock/gmock.h>

#include "base/error.h"
#include "base/testing/temporary_folder.h"

namespace cutaway::settings {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

enum class Order { kOldest, kNewest, kRandom };
constexpr EnumName<Order> kOrderNames[] = {
    {Order::kOldest, "oldest"}, {Order::kNewest, "newest"}, {Order::kRandom, "random"}};

struct Thing {
  std::string title, about;
  std::vector<std::string> tags;
  bool on = false;
  uint64_t points = 7;
  double share = 0.5;
  std::optional<double> top;
  Order order = Order::kOldest;
};

Node parsed(const std::string& text) {
  const std::string path = temporary_folder() / "t.toml";
  std::ofstream(path) << text;
  return read_file(path, "a test");
}

Thing thing(const std::string& text) {
  Thing thing;
  read_table(parsed(text), "a thing",
             {required(settings::text("title", thing.title, "one line")), paragraph("about", thing.about, ""),
              texts("tags", thing.tags, ""), truth("on", thing.on, ""), count("points", thing.points, 2, ""),
              number("share", thing.share, ""), number("top", thing.top, ""),
              choice("order", thing.order, kOrderNames, "")});
  return thing;
}

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const UserError& error) { return error.what(); }
  return "";
}
std::string error(const std::string& text) {
  return error_of([&] { thing(text); });
}

TEST(Table, FillsWhatIsDeclared) {
  const Thing all = thing(
      "title = \"t\"\nabout = \" a\\nb \"\ntags = [\"x\", \"y\"]\non = true\npoints = 2\nshare = 1\ntop = "
      "2.5\n"
      "order = \"newest\"\n");
  EXPECT_EQ(all.title, "t");
  EXPECT_EQ(all.about, "a b");
  EXPECT_THAT(all.tags, ElementsAre("x", "y"));
  EXPECT_TRUE(all.on);
  EXPECT_EQ(all.points, 2u);
  EXPECT_EQ(all.share, 1);
  EXPECT_EQ(all.top, 2.5);
  EXPECT_EQ(all.order, Order::kNewest);
  EXPECT_THAT(thing("title = \"t\"\ntags = \"x\"\n").tags, ElementsAre("x"));
}

TEST(Table, LeavesWhatIsMissing) {
  const Thing little = thing("title = \"t\"\n");
  EXPECT_EQ(little.points, 7u);
  EXPECT_EQ(little.share, 0.5);
  EXPECT_FALSE(little.top);
}

TEST(Table, RefusesUnknownAndMissingKeys) {
  EXPECT_THAT(error("title = \"t\"\npoint = 3\n"),
              EndsWith("t.toml:2: a thing has no 'point'; did you mean points?"));
  EXPECT_THAT(error("title = \"t\"\nxyz = 3\n"),
              EndsWith("there are: title, about, tags, on, points, share, top, order"));
  EXPECT_THAT(error("on = true\n"), HasSubstr("a thing without title (one line)"));
}

TEST(Table, RefusesValuesOfAnotherKindOrOutOfRange) {
  const std::string title = "title = \"t\"\n";
  EXPECT_THAT(error("title = 3\n"), EndsWith(":1: title must be a text in quotation marks"));
  EXPECT_THAT(error("title = \"\"\n"), EndsWith(":1: title must be a text in quotation marks"));
  EXPECT_THAT(error(title + "tags = []\n"), EndsWith(":2: the list tags is empty"));
  EXPECT_THAT(error(title + "on = 1\n"), EndsWith(":2: on must be true or false"));
  for (const char* points : {"1", "-1", "2.0", "\"2\""})
    EXPECT_THAT(error(title + "points = " + points + "\n"),
                EndsWith("points must be a whole number, 2 at least"));
  for (const char* share : {"nan", "inf", "\"1\""})
    EXPECT_THAT(error(title + "share = " + share + "\n"), EndsWith("share must be a number"));
  EXPECT_THAT(error(title + "order = \"old\"\n"),
              EndsWith("order must be \"oldest\", \"newest\" or \"random\""));
}

TEST(Table, ReadsTablesOfTables) {
  std::vector<std::string> read;
  const auto note = [&](const Node& node) { read.push_back(node.find("i")->text); };
  const auto named = [&](const std::string& key, const Node&) { read.push_back(key); };
  const Node file = parsed("[[each]]\ni = 1\n[[each]]\ni = 2\n[one]\ni = 3\n[by.z]\n[by.a]\n");
  read_table(file, "a file",
             {tables("each", note, ""), table("one", note, ""), named_tables("by", named, "")});
  EXPECT_THAT(read, ElementsAre("1", "2", "3", "z", "a"));
  const auto refusal = [&](const std::string& text) {
    return error_of([&] {
      read_table(parsed(text), "a file", {tables("each", note, ""), table("one", note, "")});
    });
  };
  EXPECT_THAT(refusal("each = 3\n"), HasSubstr("write [[each]] before each"));
  EXPECT_THAT(refusal("one = 3\n"), HasSubstr("one must be a table: [one]"));
}

TEST(Table, ReadsParametersOfMachines) {
  std::vector<std::string> read;
  const auto note = [&](const std::string& path, const Node& node) {
    read.push_back(path + "=" + value_in(node, path));
  };
  read_table(parsed("name = \"n\"\nrop.units = 2\n\"dac.x\" = [0, 1]\n"), "an axis",
             {any(
                 "name", [](const Node&) {}, "")},
             parameters(note));
  EXPECT_THAT(read, ElementsAre("dac.x=0,1", "rop.units=2"));
  EXPECT_THAT(error_of([&] { read_table(parsed("units = 2\n"), "an axis", {}, parameters(note)); }),
              HasSubstr("UNIT.PARAM"));
}

TEST(ParameterText, IsWhatSetTakes) {
  const auto text = [](const std::string& value) {
    return parameter_text(*parsed("v = " + value + "\n").find("v"));
  };
  EXPECT_EQ(text("true"), "true");
  EXPECT_EQ(text("[\"a\", \"b\"]"), "a,b");
  for (const char* none : {"[]", "[0.5]", "[0, \"1\"]", "[[0]]", "{}", "2020-01-01"})
    EXPECT_EQ(text(none), "") << none;
}

}  // namespace
}  // namespace cutaway::settings
