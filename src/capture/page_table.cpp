#include "capture/page_table.h"

#include <xxhash.h>

namespace cutaway::capture {

PageTable::Found PageTable::find(std::span<const std::byte> page) {
  const XXH128_hash_t hash = XXH3_128bits(page.data(), page.size());
  const auto [entry, fresh] = numbers_.try_emplace({hash.low64, hash.high64}, numbers_.size());
  return {entry->second, fresh};
}

}  // namespace cutaway::capture
