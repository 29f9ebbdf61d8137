#include "func/copy/copies_for_test.h"

namespace cutaway::func {
namespace {

using namespace testing;

TEST(CopyBuffer, AnyAlignment) {
  std::mt19937 random(23);
  const arch::Memory before = fresh_memory(1 << 14);
  for (int i = 0; i < 200; i++) {
    arch::CopyBufferPacket p{};
    const uint64_t from = kSource + random() % 200, to = kDestination + random() % 200,
                   bytes = random() % 3000;
    p.source = from;
    p.destination = to;
    p.bytes = bytes;
    arch::Memory after = before;
    EXPECT_EQ(run(p, after, 64).destination_bytes, bytes);
    for (uint64_t j = 0; j < 3300; j++) {
      const Address address = kDestination + j;
      const bool inside = address >= to && address < to + bytes;
      ASSERT_EQ(after.read_as<uint8_t>(address),
                before.read_as<uint8_t>(inside ? from + (address - to) : address));
    }
  }
}

TEST(FillBuffer, RepeatsTheWord) {
  arch::Memory memory = fresh_memory(1 << 14);
  const uint32_t before = memory.read_as<uint32_t>(kDestination + 4 + 1000);
  arch::FillBufferPacket p{};
  p.destination = kDestination + 4;
  p.bytes = uint64_t{1000};
  p.value = 0x12345678;
  EXPECT_EQ(run(p, memory).source_bytes, 0u);
  for (uint64_t i = 0; i < 1000; i += 4)
    ASSERT_EQ(memory.read_as<uint32_t>(kDestination + 4 + i), 0x12345678u);
  EXPECT_EQ(memory.read_as<uint32_t>(kDestination + 1004), before);
}

}  // namespace
}  // namespace cutaway::func
