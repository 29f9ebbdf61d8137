#include "boxes/address_translation/page_table.h"

namespace cutaway::boxes {

bool PageTable::update(const arch::Memory& memory, arch::Address address, uint64_t bytes) {
  if (!bytes) return false;
  bool gone = false;
  const uint64_t last = format_.page_of(address + bytes - 1);
  for (uint64_t page = format_.page_of(address); page <= last; page++) {
    const arch::Address first = page << format_.page_bits;
    bool mapped = false;
    for (uint64_t offset = 0; offset < format_.page_bytes() && !mapped; offset += arch::kPageBytes)
      mapped = memory.mapped(first + offset);
    if (mapped == is_valid(page)) continue;
    set(page, mapped);
    gone |= !mapped;
  }
  return gone;
}

bool PageTable::is_valid(uint64_t page) const {
  const auto table = PageFormat::place_in(read(format_.directory_entry(page)));
  return table && read(format_.table_entry(*table, page)) & PageFormat::kValid;
}

void PageTable::set(uint64_t page, bool valid) {
  const uint64_t directory = format_.directory_entry(page);
  auto table = PageFormat::place_in(read(directory));
  if (!table) {
    table = bytes_.size();
    bytes_.resize(bytes_.size() + format_.table_bytes());
    write(directory, *table | PageFormat::kValid);
  }
  write(format_.table_entry(*table, page), valid ? page << format_.page_bits | PageFormat::kValid : 0);
}

}  // namespace cutaway::boxes
