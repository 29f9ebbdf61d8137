#include "boxes/address_translation/page_table.h"

#include <algorithm>

namespace cutaway::boxes {
namespace {

// The place of 4 KB in memory; nothing: they are not mapped.
std::optional<arch::Address> frame_of(const arch::Memory& memory, arch::Address address) {
  if (memory.mapped(address)) return memory.target_of(address);
  if (memory.sparse(address)) return PageTable::kBehindMemory | address;
  return {};
}

}  // namespace

bool PageTable::update(const arch::Memory& memory, arch::Address address, uint64_t bytes) {
  if (!bytes) return false;
  bool changed = false;
  const uint64_t last = format_.page_of(address + bytes - 1);
  for (uint64_t page = format_.page_of(address); page <= last; page++) {
    const uint64_t now = entry_of(memory, page), before = entry(page);
    if (now == before) continue;
    set(page, now);
    changed |= PageFormat::place_in(before).has_value();
  }
  return changed;
}

void PageTable::update(const arch::Memory& memory) {
  uint64_t seen = ~uint64_t{0};
  memory.for_each_page([&](arch::Address address, const arch::Page&) {
    const uint64_t page = format_.page_of(address);
    if (page != seen) set(page, entry_of(memory, page));
    seen = page;
  });
  for (const arch::Memory::Binding& binding : memory.bindings())
    if (!binding.target) update(memory, binding.address, binding.bytes);
}

// All 4 KB of a page must lie at one distance from their addresses.
uint64_t PageTable::entry_of(const arch::Memory& memory, uint64_t page) {
  const arch::Address first = page << format_.page_bits;
  std::optional<arch::Address> frame;
  for (uint64_t offset = 0; offset < format_.page_bytes(); offset += arch::kPageBytes) {
    const auto part = frame_of(memory, first + offset);
    if (!part) continue;
    const arch::Address start = *part - offset;
    if (start % format_.page_bytes() || (frame && *frame != start)) {
      in_pieces_ = std::min(in_pieces_.value_or(first), first);
      return 0;
    }
    frame = start;
  }
  return frame ? *frame | PageFormat::kValid : 0;
}

uint64_t PageTable::entry(uint64_t page) const {
  const auto table = PageFormat::place_in(read(format_.directory_entry(page)));
  return table ? read(format_.table_entry(*table, page)) : 0;
}

void PageTable::set(uint64_t page, uint64_t entry) {
  const uint64_t directory = format_.directory_entry(page);
  auto table = PageFormat::place_in(read(directory));
  if (!table) {
    table = bytes_.size();
    bytes_.resize(bytes_.size() + format_.table_bytes());
    write(directory, *table | PageFormat::kValid);
  }
  write(format_.table_entry(*table, page), entry);
}

}  // namespace cutaway::boxes
