#include "isa/liveness.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cutaway::isa::liveness_test {
namespace {

// Words of temporaries that are live before instruction `pc`, as "r0.x r1.y".
std::string live(std::string_view text, size_t pc = 0) {
  const Live before = live_before(assemble(text))[pc];
  std::string words;
  for (uint32_t n = 0; n < 4 * arch::kTemporaries; ++n)
    if (before.has_word(n)) words += fmt::format("{}r{}.{}", words.empty() ? "" : " ", n / 4, "xyzw"[n % 4]);
  return words;
}

TEST(Liveness, AWordIsLiveFromItsWriteToItsLastRead) {
  const auto text = "MOV r0.xy, c0\nADD r1.x, r0.y, c1\nMOV o0, r1.x\nEND\n";
  EXPECT_EQ(live(text, 0), "");
  EXPECT_EQ(live(text, 1), "r0.y");
  EXPECT_EQ(live(text, 2), "r1.x");
  EXPECT_EQ(live(text, 3), "");
}

TEST(Liveness, AWriteOnOneSideOfAnIfLeavesAWordLiveBeforeIt) {
  EXPECT_EQ(live("IF c0.x\nMOV r0.x, c1.x\nENDIF\nMOV o0, r0.x\nEND\n"), "r0.x");
  EXPECT_EQ(live("IF c0.x\nMOV r0.x, c1.x\nELSE\nMOV r0.x, c2.x\nENDIF\nMOV o0, r0.x\nEND\n"), "");
}

TEST(Liveness, AReadIsLiveAcrossTheEndOfItsLoop) {
  const auto text =
      "MOV r1.x, c0\nLOOP\nBRK r1.x\nMOV r2.x, r0.x\nMOV r0.x, c1\nNEXT\nENDLOOP\nMOV o0, c0\nEND\n";
  EXPECT_EQ(live(text), "r0.x");
  EXPECT_EQ(live(text, 6), "r0.x r1.x");
  EXPECT_EQ(live(text, 7), "");
}

TEST(Liveness, AWriteAfterABreakMayBeSkipped) {
  const auto text = "LOOP\nBRK c0.x\nMOV r0.x, c1\nNEXT\nENDLOOP\nMOV o0, r0.x\nEND\n";
  EXPECT_EQ(live(text), "r0.x");
}

// Lanes that are off keep what they had, and a derivative of others may read it.
TEST(Liveness, NeighboursReadWhatLanesThatAreOffHave) {
  EXPECT_EQ(live("DDX r1.x, r0.x\nMOV o0, r1.x\nEND\n"), "r0.x");
  EXPECT_EQ(live("MOV r0.x, c0\nDDX r1.x, r0.x\nMOV o0, r1.x\nEND\n"), "");
  EXPECT_EQ(live("IF c0.x\nMOV r0.x, c0\nDDX r1.x, r0.x\nMOV o0, r1.x\nENDIF\nEND\n"), "r0.x");
}

TEST(Liveness, HalvesAreWrittenOneByOne) {
  EXPECT_EQ(live("MOV h0.x, c0\nMOV o0, r0.x\nEND\n"), "r0.x");
  EXPECT_EQ(live("MOV h0.x, c0\nMOV h1.x, c0\nMOV o0, r0.x\nEND\n"), "");
  EXPECT_EQ(live("MOV h0.x, c0\nMOV o0, h0.x\nEND\n"), "");
}

TEST(Liveness, InAProgramWithCallsAllIsLive) {
  const Live before = live_before(assemble("CALL 2\nEND\nRET\n"))[0];
  EXPECT_TRUE(before.temporaries.all() && before.outputs.all());
}

TEST(Liveness, TheEndReadsOutputs) {
  const auto unwritten = [](std::string_view text) {
    uint32_t components = 0;
    for (uint32_t c = 0; c < 4; ++c) components |= live_before(assemble(text))[0].outputs[c] << c;
    return components;
  };
  EXPECT_EQ(unwritten("MOV o0.xy, c0\nEND\n"), 0b1100u);
  EXPECT_EQ(unwritten("IF c0.x\nMOV o0, c0\nENDIF\nEND\n"), 0b1111u);
  EXPECT_EQ(unwritten("IF c0.x\nMOV o0, c0\nELSE\nMOV o0, c1\nENDIF\nEND\n"), 0u);
}

}  // namespace
}  // namespace cutaway::isa::liveness_test
