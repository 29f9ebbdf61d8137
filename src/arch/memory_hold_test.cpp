#include <algorithm>
#include <gtest/gtest.h>

#include "arch/memory.h"

namespace cutaway::arch {
namespace {

constexpr Address kStart = 3 * kPageBytes;

class MemoryHold : public ::testing::Test {
 protected:
  MemoryHold() {
    memory_.map(kStart, 3 * kPageBytes);
    memory_.write_as<uint32_t>(kStart, 1);
    memory_.write_as<uint32_t>(kStart + kPageBytes, 2);  // the third page stays fresh
  }
  Memory memory_;
};

TEST_F(MemoryHold, IsCurrentUntilAPageOfItIsWritten) {
  for (const Address written : {kStart, kStart + kPageBytes, kStart + 2 * kPageBytes}) {
    const auto hold = memory_.hold(kStart, 3 * kPageBytes);
    ASSERT_TRUE(hold);
    EXPECT_TRUE(hold->is_current(memory_));
    memory_.write_as<uint32_t>(written, 7);
    EXPECT_FALSE(hold->is_current(memory_)) << written;
  }
}

TEST_F(MemoryHold, KeepsTheBytes) {
  const auto hold = memory_.hold(kStart, 3 * kPageBytes);
  for (uint64_t page = 0; page < 3; page++) memory_.write_as<uint32_t>(kStart + page * kPageBytes, 7);
  EXPECT_EQ(std::to_integer<int>(hold->bytes(0)[0]), 1);
  EXPECT_EQ(std::to_integer<int>(hold->bytes(1)[0]), 2);
  EXPECT_EQ(std::to_integer<int>(hold->bytes(2)[0]), 0);
}

TEST_F(MemoryHold, OtherPagesMayBeWritten) {
  const auto hold = memory_.hold(kStart + 16, kPageBytes);  // two pages
  memory_.write_as<uint32_t>(kStart + 2 * kPageBytes, 7);
  memory_.place(kStart, kPageBytes, Placement::kSystem);
  EXPECT_TRUE(hold->is_current(memory_));
  memory_.write_as<uint32_t>(kStart + kPageBytes + 8, 7);
  EXPECT_FALSE(hold->is_current(memory_));
}

TEST_F(MemoryHold, NeedsMappedPages) {
  EXPECT_FALSE(memory_.hold(kStart, 4 * kPageBytes));
  const auto hold = memory_.hold(kStart, 3 * kPageBytes);
  memory_.unmap(kStart + kPageBytes, kPageBytes);
  EXPECT_FALSE(hold->is_current(memory_));
  memory_.map(kStart + kPageBytes, kPageBytes);
  EXPECT_FALSE(hold->is_current(memory_));
}

TEST_F(MemoryHold, WritesInPlaceWhenItEnds) {
  const Page* const page = memory_.page(kStart);
  { const auto hold = memory_.hold(kStart, kPageBytes); }
  memory_.write_as<uint32_t>(kStart, 5);
  EXPECT_EQ(memory_.page(kStart), page);
}

// The changes of an interval have the writes before a hold and after it.
TEST_F(MemoryHold, KeepsTheChangesOfAnInterval) {
  memory_.note_changes();
  memory_.write_as<uint32_t>(kStart, 10);
  const auto hold = memory_.hold(kStart, kPageBytes);
  EXPECT_TRUE(hold->is_current(memory_));
  memory_.write_as<uint32_t>(kStart + 4, 11);
  EXPECT_FALSE(hold->is_current(memory_));
  const auto changes = memory_.changes();
  const auto first = std::find_if(changes.begin(), changes.end(), [](const Memory::Change& change) {
    return change.address == kStart && (*change.before)[0] == std::byte{1};
  });
  EXPECT_NE(first, changes.end());
  memory_.note_changes();
  EXPECT_TRUE(memory_.changes().empty());
  EXPECT_EQ(memory_.read_as<uint32_t>(kStart), 10u);
  EXPECT_EQ(memory_.read_as<uint32_t>(kStart + 4), 11u);
}

}  // namespace
}  // namespace cutaway::arch
