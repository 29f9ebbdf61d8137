#include "settings/node.h"

#include <fstream>
#include <gmock/gmock.h>

#include "base/error.h"
#include "base/testing/temporary_folder.h"

namespace cutaway::settings::node_test {
namespace {

using ::testing::HasSubstr;
using Kind = Node::Kind;

std::string written(const std::string& text) {
  const std::string path = temporary_folder() / "file.toml";
  std::ofstream(path) << text;
  return path;
}

std::string error_of(const std::string& path, uint64_t most_bytes = 1000) {
  try {
    read_file(path, "a test", most_bytes);
  } catch (const UserError& error) { return error.what(); }
  return "";
}

TEST(Node, KeepsKindsAndPlaces) {
  const std::string path =
      written("title = \"a\\nb\"\nyes = true\n[table]\nlist = [1, 2.5]\nwhen = 2020-01-01\n");
  const Node file = read_file(path, "a test");
  EXPECT_EQ(file.find("title")->text, "a\nb");
  EXPECT_TRUE(file.find("yes")->truth);
  EXPECT_EQ(file.find("yes")->text, "true");
  const Node& list = *file.find("table")->find("list");
  EXPECT_EQ(list.at(), path + ":4");
  ASSERT_EQ(list.entries.size(), 2u);
  EXPECT_EQ(list.entries[0].value.kind, Kind::kWhole);
  EXPECT_EQ(list.entries[0].value.whole, 1);
  EXPECT_EQ(list.entries[1].value.kind, Kind::kReal);
  EXPECT_EQ(list.entries[1].value.text, "2.5");
  EXPECT_EQ(file.find("table")->find("when")->kind, Kind::kDate);
  EXPECT_EQ(file.find("none"), nullptr);
  EXPECT_EQ(list.find("none"), nullptr);
}

TEST(Node, ListsKeysByNameAndInFileOrder) {
  const Node file = read_file(written("b = 1\nc = 2\na = 3\n\"d\\u0001\" = 4\n"), "a test");
  EXPECT_EQ(file.entries.front().key, "a");
  const auto ordered = in_file_order(file);
  ASSERT_EQ(ordered.size(), 4u);
  EXPECT_EQ(ordered.front()->key, "b");
  EXPECT_EQ(ordered[2]->key, "a");
  EXPECT_EQ(ordered.back()->key, "d\\x01");
}

TEST(Node, RefusesWhatIsNoSuchFile) {
  EXPECT_THAT(error_of(temporary_folder() / "none.toml"), HasSubstr("none.toml: no such file"));
  EXPECT_THAT(error_of(temporary_folder()),
              HasSubstr("not a file but a folder: name a TOML file that holds a test"));
  EXPECT_THAT(error_of(written("a = 1\n"), 5), HasSubstr("more than 5 bytes"));
  EXPECT_EQ(error_of(written("a = 1\n"), 6), "");
  EXPECT_THAT(error_of(written("a = 1\nb = [\n")), HasSubstr("file.toml:"));
}

}  // namespace
}  // namespace cutaway::settings::node_test
