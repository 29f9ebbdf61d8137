#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "icd/debug/label_trail.h"

namespace cutaway::icd {
namespace {

using ::testing::ElementsAre;

struct Labels : ::testing::Test {
  std::map<uint32_t, std::string> texts;
  LabelTree tree{[this](uint32_t id, std::string_view text) { texts.emplace(id, text); }};

  std::string text(LabelTree::Stack stack) {
    const uint32_t marker = tree.marker(stack);
    return marker ? texts.at(marker) : "";
  }
};

TEST_F(Labels, AStackIsShownWithAllItsLabels) {
  const auto frame = tree.push(0, "frame");
  const auto pass = tree.push(frame, "shadow pass");
  EXPECT_EQ(text(pass), "frame / shadow pass");
  EXPECT_EQ(tree.pop(pass), frame);
  EXPECT_EQ(tree.pop(frame), 0u);
  EXPECT_EQ(tree.pop(0), 0u);  // an end without a begin
}

TEST_F(Labels, EqualStacksAreOne) {
  for (int frame = 0; frame < 1000; frame++) EXPECT_EQ(tree.push(tree.push(0, "frame"), "pass"), 2u);
  EXPECT_EQ(texts.size(), 2u);
  EXPECT_NE(tree.push(0, "pass"), 2u);
}

TEST_F(Labels, ALongLabelIsCutBetweenCharacters) {
  std::string label(LabelTree::kLabelBytes - 1, 'a');
  EXPECT_EQ(text(tree.push(0, label + "bc")), label + "b");
  EXPECT_EQ(text(tree.push(0, label + "\xc3\xa9")), label);
}

TEST_F(Labels, DeepStacksShowTheirOuterLabels) {
  LabelTree::Stack stack = 0;
  for (uint32_t i = 0; i < LabelTree::kDepth + 100; i++) stack = tree.push(stack, "x");
  EXPECT_EQ(texts.size(), LabelTree::kDepth);
  EXPECT_EQ(text(stack), texts.at(LabelTree::kDepth));
  for (uint32_t i = 0; i < LabelTree::kDepth + 99; i++) stack = tree.pop(stack);
  EXPECT_EQ(text(stack), "x");
}

TEST_F(Labels, StacksBeyondTheLastAreShownAsTheOneAround) {
  LabelTree few([this](uint32_t id, std::string_view text) { texts.emplace(id, text); }, 3);
  const auto frame = few.push(0, "frame");
  few.push(frame, "a");
  few.push(frame, "b");
  EXPECT_EQ(few.push(frame, "c"), frame);
  EXPECT_EQ(texts.at(few.marker(few.push(frame, "b"))), "frame / b");
  EXPECT_EQ(texts.size(), 3u);
}

struct Trails : Labels {
  LabelTrail trail;
  arch::CommandWriter writer;

  void draw() { writer.packet(arch::Opcode::kWaitIdle); }
  std::vector<std::string> shown(const LabelTrail::Resolved& resolved) {
    std::vector<std::string> result;
    for (const uint32_t id : resolved.ids) result.push_back(id ? texts.at(id) : "");
    return result;
  }
};

TEST_F(Trails, MarkersStandWhereLabelsChange) {
  trail.begin("frame", writer);
  trail.begin("pass", writer);  // nothing in between: one marker
  draw();
  trail.insert("lamp", writer);
  draw();
  trail.end(writer);
  draw();
  trail.end(writer);
  const auto resolved = trail.resolve(tree, {});
  EXPECT_THAT(shown(resolved), ElementsAre("frame / pass", "frame / pass / lamp", "frame", ""));
  EXPECT_EQ(resolved.after, LabelPlace{});
  ASSERT_EQ(trail.markers().size(), 4u);
  for (const LabelTrail::Marker& marker : trail.markers())
    EXPECT_EQ(writer.commands()[marker.word - 1], arch::packet_header(arch::Opcode::kMarker, 1));
}

TEST_F(Trails, EnclosingLabelsComeFromTheQueue) {
  trail.end(writer);
  draw();
  trail.begin("pass", writer);
  draw();
  const auto alone = trail.resolve(tree, {});
  EXPECT_THAT(shown(alone), ElementsAre("", "pass"));
  const auto frame = tree.push(0, "frame"), setup = tree.push(frame, "setup");
  const auto inside = trail.resolve(tree, {setup, setup});
  EXPECT_THAT(shown(inside), ElementsAre("frame", "frame / pass"));
  EXPECT_EQ(text(inside.parts[0].first), "frame / setup");
  EXPECT_EQ(text(inside.parts[0].last), "frame / pass");
  EXPECT_EQ(text(inside.after.stack), "frame / pass");
}

TEST_F(Trails, InsertedLabelsEndWithLabelOrCommandBuffer) {
  trail.insert("lamp", writer);
  draw();
  trail.begin("pass", writer);
  draw();
  trail.insert("lamp", writer);
  draw();
  trail.end_commands(writer);
  const auto resolved = trail.resolve(tree, {});
  EXPECT_THAT(shown(resolved), ElementsAre("lamp", "pass", "pass / lamp", "pass"));
  EXPECT_EQ(resolved.after.shown, resolved.after.stack);
}

TEST_F(Trails, PartsBeginWithWhatTheOneBeforeEndedWith) {
  trail.next_part();
  trail.begin("pass", writer);
  trail.next_part();
  writer = {};
  trail.next_part();
  trail.end(writer);
  const auto frame = tree.push(0, "frame");
  const auto resolved = trail.resolve(tree, {frame, frame});
  ASSERT_EQ(resolved.parts.size(), 4u);
  const auto part = [&](size_t i) {
    return text(resolved.parts[i].first) + ", " + text(resolved.parts[i].last);
  };
  EXPECT_EQ(part(0), "frame, frame");
  EXPECT_EQ(part(1), "frame, frame / pass");
  EXPECT_EQ(part(2), "frame / pass, frame / pass");
  EXPECT_EQ(part(3), "frame / pass, frame");
}

}  // namespace
}  // namespace cutaway::icd
