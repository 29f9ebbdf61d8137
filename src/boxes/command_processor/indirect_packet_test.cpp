#include "boxes/command_processor/indirect_packet.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::indirect_packet_test {
namespace {

using Step = IndirectPacket::Step;

TEST(IndirectPacket, ReadsAndLaunchesDrawByDraw) {
  IndirectPacket indirect;
  const arch::IndirectPacket packet{0x1000, 2, 20, 0};
  EXPECT_EQ(indirect.step(), Step::kCount);
  indirect.count(2, 2);
  for (uint32_t i = 0; i < 2; i++) {
    EXPECT_FALSE(indirect.ended());
    EXPECT_EQ(indirect.step(), Step::kArguments);
    EXPECT_EQ(indirect.draw(), i);
    EXPECT_EQ(indirect.address(packet), 0x1000u + 20 * i);
    indirect.read();
    EXPECT_EQ(indirect.step(), Step::kLaunch);
    indirect.next();
  }
  EXPECT_TRUE(indirect.ended());
}

TEST(IndirectPacket, CountInMemoryOnlyReducesDraws) {
  const auto draws = [](uint32_t most, uint32_t asked) {
    IndirectPacket indirect;
    indirect.count(most, asked);
    uint32_t count = 0;
    for (; !indirect.ended(); count++) indirect.read(), indirect.next();
    return count;
  };
  EXPECT_EQ(draws(3, 2), 2u);
  EXPECT_EQ(draws(3, 9), 3u);
  EXPECT_EQ(draws(3, 0), 0u);
}

TEST(IndirectPacket, KeepsItsWords) {
  IndirectPacket indirect;
  indirect.words(5)[4] = 9;
  EXPECT_EQ(indirect.words(5)[4], 9u);
  EXPECT_EQ(indirect.words(3).size(), 3u);
}

}  // namespace
}  // namespace cutaway::boxes::indirect_packet_test
