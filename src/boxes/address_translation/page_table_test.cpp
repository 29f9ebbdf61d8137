#include "boxes/address_translation/page_table.h"

#include <gtest/gtest.h>

namespace cutaway::boxes {
namespace {

constexpr uint64_t kKilobyte = 1024, kMegabyte = kKilobyte * kKilobyte;

// The frame that two reads of the table give, as a walker reads it.
std::optional<uint64_t> walk(PageTable& table, arch::Address address) {
  const PageFormat& format = table.format();
  const auto entry_at = [&](uint64_t place) {
    uint64_t entry;
    std::memcpy(&entry, &table.bytes()[place], sizeof entry);
    return entry;
  };
  const uint64_t page = format.page_of(address);
  const auto found = PageFormat::place_in(entry_at(format.directory_entry(page)));
  return found ? format.frame_in(entry_at(format.table_entry(*found, page))) : std::nullopt;
}

// OUT-G80-18: an entry of the directory covers 512 MB; a table has 131,072 or 8,192 entries of 8 bytes.
TEST(PageTable, HasTheFormOfG80) {
  EXPECT_EQ(PageFormat::kDirectoryBytes, 2048u * 8);
  for (const PageSize size : {PageSize::k4, PageSize::k64}) {
    const PageFormat format(size);
    const uint64_t pages = 512 * kMegabyte / format.page_bytes();
    EXPECT_EQ(format.page_bytes(), size == PageSize::k4 ? 4096u : 65536u);
    EXPECT_EQ(format.table_bytes(), pages * 8);
    EXPECT_EQ(format.directory_entry(pages - 1), 0u);
    EXPECT_EQ(format.directory_entry(pages), 8u);
    EXPECT_EQ(format.table_entry(0x10000, 3 * pages + 5), 0x10000u + 5 * 8);
    EXPECT_EQ(format.directory_entry(format.page_of((uint64_t{1} << 40) - 1)), 2047u * 8);
  }
}

TEST(PageTable, PutsTheByteOfAPageIntoAFrame) {
  EXPECT_EQ(PageFormat(PageSize::k4).with_frame(0x12345, 0xabcdef), 0x12345defu);
  EXPECT_EQ(PageFormat(PageSize::k64).with_frame(0x12345, 0xabcdef), 0x12345cdefu);
}

TEST(PageTable, HasWhatIsMapped) {
  arch::Memory memory;
  const arch::Address far = 700 * kMegabyte;
  memory.map(0x5000, 0x2000);
  memory.map(far, 0x1000);
  PageTable table(PageSize::k4);
  table.update(memory);
  EXPECT_FALSE(walk(table, 0x4fff));
  EXPECT_EQ(walk(table, 0x5000), 5u);
  EXPECT_EQ(walk(table, 0x6fff), 6u);
  EXPECT_FALSE(walk(table, 0x7000));
  EXPECT_EQ(walk(table, far), far >> 12);
  EXPECT_FALSE(walk(table, 2000 * kMegabyte));
  EXPECT_EQ(table.bytes().size(), PageFormat::kDirectoryBytes + 2 * table.format().table_bytes());
}

TEST(PageTable, FollowsMapAndUnmap) {
  arch::Memory memory;
  PageTable table(PageSize::k4);
  memory.map(0x8000, 0x3000);
  EXPECT_FALSE(table.update(memory, 0x8000, 0x3000));
  EXPECT_EQ(walk(table, 0xa000), 10u);
  memory.unmap(0x9000, 0x1000);
  EXPECT_TRUE(table.update(memory, 0x9000, 0x1000));  // TLBs may hold it
  EXPECT_EQ(walk(table, 0x8000), 8u);
  EXPECT_FALSE(walk(table, 0x9000));
  EXPECT_EQ(walk(table, 0xa000), 10u);
}

// A page of 64 KB is there as long as any 4 KB of it are.
TEST(PageTable, HasLargePagesOfWhichAPartIsMapped) {
  arch::Memory memory;
  PageTable table(PageSize::k64);
  memory.map(0x1f000, 0x1000);
  table.update(memory);
  EXPECT_EQ(walk(table, 0x10000), 1u);
  EXPECT_FALSE(walk(table, 0x20000));
  memory.map(0x12000, 0x1000);
  memory.unmap(0x1f000, 0x1000);
  table.update(memory, 0x1f000, 0x1000);
  EXPECT_EQ(walk(table, 0x10000), 1u);
  memory.unmap(0x12000, 0x1000);
  table.update(memory, 0x12000, 0x1000);
  EXPECT_FALSE(walk(table, 0x10000));
}

constexpr auto kBehind = PageTable::kBehindMemory;

TEST(PageTable, GivesTheFrameOfWhatIsBound) {
  arch::Memory memory;
  PageTable table(PageSize::k4);
  memory.map(0x8000, 0x3000);
  memory.bind(0x100000, 0x4000, {});
  memory.bind(0x101000, 0x1000, 0xa000);
  table.update(memory);
  EXPECT_EQ(walk(table, 0x100000), (kBehind | 0x100000) >> 12);
  EXPECT_EQ(walk(table, 0x101000), 10u);
  EXPECT_EQ(walk(table, 0x103000), (kBehind | 0x103000) >> 12);
  EXPECT_FALSE(walk(table, 0x104000));
  memory.bind(0x101000, 0x1000, 0x8000);
  EXPECT_TRUE(table.update(memory, 0x101000, 0x1000));  // TLBs may hold the page before
  EXPECT_EQ(walk(table, 0x101000), 8u);
  memory.unmap(0x100000, 0x4000);
  EXPECT_TRUE(table.update(memory, 0x100000, 0x4000));
  EXPECT_FALSE(walk(table, 0x101000));
  EXPECT_FALSE(table.in_pieces());
}

TEST(PageTable, HasLargePagesBoundAsAWhole) {
  arch::Memory memory;
  PageTable table(PageSize::k64);
  memory.map(0x30000, 0x20000);
  memory.bind(0x100000, 0x20000, {});
  memory.bind(0x110000, 0x10000, 0x40000);
  table.update(memory);
  EXPECT_EQ(walk(table, 0x100000), (kBehind | 0x100000) >> 16);
  EXPECT_EQ(walk(table, 0x110000), 4u);
  EXPECT_FALSE(table.in_pieces());
  // Another page, and another place in a page.
  for (const arch::Address part : {0x38000, 0x30000}) {
    PageTable parts(PageSize::k64);
    memory.bind(0x118000, 0x1000, part);
    parts.update(memory);
    EXPECT_EQ(parts.in_pieces(), 0x110000u);
    EXPECT_FALSE(walk(parts, 0x110000));
    memory.bind(0x110000, 0x10000, 0x40000);
  }
}

}  // namespace
}  // namespace cutaway::boxes
