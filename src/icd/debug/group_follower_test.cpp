#include "icd/debug/group_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutaway::icd {
namespace {

using ::testing::ElementsAre;

struct Groups : ::testing::Test {
  DebugGroups groups;
  GroupFollower follower;
  LabelTrail trail;
  arch::CommandWriter writer;
  std::map<uint32_t, std::string> texts;
  LabelTree tree{[this](uint32_t id, std::string_view text) { texts.emplace(id, text); }};

  // Records a command behind the groups that are open.
  void command() {
    follower.follow(groups, trail, writer);
    writer.packet(arch::Opcode::kNop, uint32_t{0});
  }
  std::vector<std::string> labels() {
    std::vector<std::string> result;
    for (const uint32_t id : trail.resolve(tree, {}).ids) result.push_back(id ? texts.at(id) : "");
    return result;
  }
};

TEST_F(Groups, NestedGroupsAreNestedLabels) {
  command();
  groups.push("frame", -1);
  groups.push("shadowless", 6);
  command();
  groups.pop();
  groups.push("main", -1);
  command();
  command();  // nothing has changed
  groups.pop();
  groups.pop();
  command();
  EXPECT_THAT(labels(), ElementsAre("frame / shadow", "frame / main", ""));
}

TEST_F(Groups, GroupsWithoutCommandsLeaveNothing) {
  groups.push("empty", -1);
  groups.pop();
  command();
  EXPECT_TRUE(trail.empty());
}

TEST_F(Groups, EachCommandBufferHasItsOwnLabels) {
  groups.push("frame", -1);
  command();
  follower.end(trail, writer);
  EXPECT_THAT(labels(), ElementsAre("frame", ""));
  trail.clear();
  command();
  EXPECT_THAT(labels(), ElementsAre("frame"));
}

TEST_F(Groups, BoundsHold) {
  groups.pop();  // an end without a begin
  EXPECT_EQ(groups.depth, 0u);
  groups.push(std::string(1000, 'a').c_str(), -1);
  EXPECT_EQ(std::string(groups.names[0]), std::string(DebugGroups::kBytes, 'a'));
  groups.push(nullptr, -1);
  for (int i = 0; i < 100; i++) groups.push("deep", 4);
  command();
  for (int i = 0; i < 101; i++) groups.pop();
  command();
  EXPECT_EQ(groups.depth, 1u);
  EXPECT_EQ(labels().back(), std::string(DebugGroups::kBytes, 'a'));
}

}  // namespace
}  // namespace cutaway::icd
