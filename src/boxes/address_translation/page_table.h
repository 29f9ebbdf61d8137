#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "arch/memory.h"
#include "boxes/address_translation/address_translation_spec.h"

namespace cutaway::boxes {

// The form of page tables, which is G80's (OUT-G80-18) without the attributes of its entries. An address of
// 40 bits is, from the top, 11 bits that choose an entry of the directory, 17 bits that choose an entry of a
// table of pages of 4 KB or 13 bits for pages of 64 KB, and the byte in the page. An entry of either has 8
// bytes; with bit 0 set, its upper bits from bit 12 are those of the table's place or of the page's frame.
struct PageFormat {
  static constexpr uint32_t kEntryBytes = 8, kDirectoryBits = 11;
  static constexpr uint64_t kDirectoryBytes = uint64_t{kEntryBytes} << kDirectoryBits;
  static constexpr uint64_t kPlaceMask = ~uint64_t{0xfff};
  static constexpr uint64_t kValid = 1;

  explicit PageFormat(PageSize size) : page_bits(size == PageSize::k64 ? 16 : 12) {}

  uint64_t page_bytes() const { return uint64_t{1} << page_bits; }
  uint64_t table_bytes() const { return kEntryBytes << table_bits(); }
  uint64_t page_of(arch::Address address) const { return address >> page_bits; }
  arch::Address with_frame(uint64_t frame, arch::Address address) const {
    return frame << page_bits | (address & (page_bytes() - 1));
  }
  // Where a page's entry of the directory is, counted from the directory.
  uint64_t directory_entry(uint64_t page) const { return (page >> table_bits()) * kEntryBytes; }
  // Where its entry of a table at `table` is.
  uint64_t table_entry(uint64_t table, uint64_t page) const {
    return table + (page & ((uint64_t{1} << table_bits()) - 1)) * kEntryBytes;
  }
  // An entry names the place of a table, or a page's frame. Both return nothing if it is not valid.
  static std::optional<uint64_t> place_in(uint64_t entry) {
    return entry & kValid ? std::optional(entry & kPlaceMask) : std::nullopt;
  }
  std::optional<uint64_t> frame_in(uint64_t entry) const {
    return entry & kValid ? std::optional(entry >> page_bits) : std::nullopt;
  }

  uint32_t page_bits;

 private:
  uint32_t table_bits() const { return arch::kAddressBits - kDirectoryBits - page_bits; }
};

// The page table of a context, as the host keeps it in memory that no program can address: the directory,
// and behind it the tables, each made when the first of its pages is mapped. Pages are placed in order: a
// page lies in the frame of its own number. A page of a sparse range lies in the frame of the memory that is
// bound to it, or in one of its own behind all memory: reads return zeros there, and writes are dropped.
class PageTable {
 public:
  explicit PageTable(PageSize size) : format_(size), bytes_(PageFormat::kDirectoryBytes) {}

  static constexpr arch::Address kBehindMemory = arch::Address{1} << (arch::kAddressBits + 1);

  // Makes the entries of pages in a range valid that hold mapped memory or are sparse, and the others not
  // valid. A page of 64 KB holds some as soon as one of its 4 KB are mapped. Returns true if TLBs must forget
  // entries that were valid.
  bool update(const arch::Memory& memory, arch::Address address, uint64_t bytes);
  void update(const arch::Memory& memory);
  // The lowest page that update() could not put in one frame: the parts of its 64 KB lie apart. Its entry is
  // not valid.
  std::optional<arch::Address> in_pieces() const { return in_pieces_; }

  const PageFormat& format() const { return format_; }
  // The memory that holds it. It grows.
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  uint64_t read(uint64_t place) const {
    uint64_t entry;
    std::memcpy(&entry, &bytes_[place], sizeof entry);
    return entry;
  }
  void write(uint64_t place, uint64_t entry) { std::memcpy(&bytes_[place], &entry, sizeof entry); }
  // The entry of a page; 0: not valid.
  uint64_t entry_of(const arch::Memory& memory, uint64_t page);
  uint64_t entry(uint64_t page) const;
  void set(uint64_t page, uint64_t entry);

  PageFormat format_;
  std::vector<std::byte> bytes_;
  std::optional<arch::Address> in_pieces_;
};

}  // namespace cutaway::boxes
