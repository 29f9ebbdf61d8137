#include "experiment/transistors.h"

#include <gtest/gtest.h>

namespace cutaway::experiment {
namespace {

double of_machine(const char* gpu, const std::vector<std::string>& sets = {}) {
  machine::Config config;
  load_config(config, gpu, sets);
  return transistors(shader_area(config));
}

TEST(Transistors, FiguresOfThePaper) {
  EXPECT_DOUBLE_EQ(transistors({.vertex_units = 1}), 2.5);
  EXPECT_DOUBLE_EQ(transistors({.shader_units = 1}), 15);
  EXPECT_DOUBLE_EQ(transistors({.shader_units = 1, .simd_alus = 2}), 15 * 1.15);
  EXPECT_DOUBLE_EQ(transistors({.shader_units = 1, .simd_alus = 4}), 15 * 1.45);
  EXPECT_DOUBLE_EQ(transistors({.shader_units = 1, .scalar_alus = 1}), 15 * 1.05);
}

// The estimate's two chips: 6 vertex and 4 shader units against 4 and 2, 160 million against 120. It explains
// 35 of the 40 million.
TEST(Transistors, ExplainMostOfWhatTheTwoChipsDifferIn) {
  const double difference = transistors({.vertex_units = 6, .shader_units = 4}) -
                            transistors({.vertex_units = 4, .shader_units = 2});
  EXPECT_DOUBLE_EQ(difference, 35);
}

TEST(Transistors, OfThePaperMachines) {
  EXPECT_DOUBLE_EQ(of_machine("attila"), 30);
  EXPECT_DOUBLE_EQ(of_machine("attila-split"), 40);
  EXPECT_DOUBLE_EQ(of_machine("attila", {"shader.units=8"}), 120);
  EXPECT_DOUBLE_EQ(of_machine("attila-split", {"shader.units=8"}), 130);
  EXPECT_DOUBLE_EQ(of_machine("attila", {"shader.ways=4"}), 30 * 1.45);
  EXPECT_DOUBLE_EQ(of_machine("attila-split", {"shader.ways=2"}), 10 + 30 * 1.15);
  EXPECT_DOUBLE_EQ(of_machine("attila", {"shader.issue=simd-and-scalar"}), 30 * 1.05);
}

}  // namespace
}  // namespace cutaway::experiment
