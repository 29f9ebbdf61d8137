#include "base/object_labels.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace cutaway {
namespace {

struct Labels : ::testing::Test {
  std::string of(unsigned object) {
    char text[DebugGroups::kBytes + 1] = "";
    return labels->find(object, text) ? text : "none";
  }
  std::unique_ptr<ObjectLabels> labels = std::make_unique<ObjectLabels>();
};

TEST_F(Labels, AreThoseGivenLast) {
  EXPECT_TRUE(labels->empty());
  labels->set(3, "glass", -1);
  labels->set(7, "water, cut off", 5);
  EXPECT_EQ(of(3), "glass");
  EXPECT_EQ(of(7), "water");
  EXPECT_EQ(of(4), "none");
  labels->set(3, "ice", -1);
  EXPECT_EQ(of(3), "ice");
}

TEST_F(Labels, EndWithTheirObjectsOrByAnEmptyLabel) {
  for (unsigned object = 1; object < 4; object++) labels->set(object, "glass", -1);
  labels->remove(1);
  labels->set(2, "", -1);
  labels->set(3, nullptr, -1);
  for (unsigned object = 1; object < 4; object++) EXPECT_EQ(of(object), "none");
  EXPECT_TRUE(labels->empty());
  labels->remove(9);
  EXPECT_TRUE(labels->empty());
}

TEST_F(Labels, AreBounded) {
  labels->set(1, std::string(1000, 'a').c_str(), -1);
  EXPECT_EQ(of(1), std::string(DebugGroups::kBytes, 'a'));
  for (unsigned object = 2; object <= ObjectLabels::kMost + 1; object++) labels->set(object, "x", -1);
  EXPECT_EQ(of(ObjectLabels::kMost), "x");
  EXPECT_EQ(of(ObjectLabels::kMost + 1), "none");
  labels->remove(5);
  labels->set(ObjectLabels::kMost + 1, "x", -1);
  EXPECT_EQ(of(ObjectLabels::kMost + 1), "x");
}

}  // namespace
}  // namespace cutaway
