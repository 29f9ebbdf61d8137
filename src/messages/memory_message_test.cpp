#include "messages/memory_message.h"

#include <gtest/gtest.h>
#include <random>

namespace cutaway::messages {
namespace {

Sector numbered(uint8_t first) {
  Sector sector;
  for (uint32_t i = 0; i < kSectorBytes; i++) sector[i] = static_cast<std::byte>(first + i);
  return sector;
}

TEST(CopyBytes, CopiesTheBytesOfTheMaskAndNoOthers) {
  std::mt19937_64 random(1);
  const Sector from = numbered(100);
  for (int n = 0; n < 2000; n++) {
    ByteMask mask = random();
    if (n % 4 == 0) mask &= random() & random();                  // few bytes
    if (n % 4 == 1) mask |= random() | random();                  // most
    if (n % 4 == 2) mask = byte_mask(random() % 64, n % 64 + 1);  // a run
    if (n < 2) mask = n ? kAllBytes : 0;
    Sector to = numbered(0);
    copy_bytes(mask, from.data(), to.data());
    for (uint32_t i = 0; i < kSectorBytes; i++)
      ASSERT_EQ(to[i], (mask >> i & 1 ? from : numbered(0))[i]) << "byte " << i << " of " << mask;
  }
}

TEST(MemoryReply, BringsZerosForOtherBytes) {
  MemoryReply reply;
  reply.data = numbered(1);
  reply.bring(byte_mask(3, 30));
  EXPECT_EQ(reply.mask, byte_mask(3, 30));
  for (uint32_t i = 0; i < kSectorBytes; i++)
    EXPECT_EQ(reply.data[i], i >= 3 && i < 33 ? numbered(1)[i] : std::byte{0});
}

}  // namespace
}  // namespace cutaway::messages
