#include "messages/touched_lines.h"

#include <algorithm>

#include "base/error.h"

namespace cutaway::messages {

void TouchedLines::touch(uint32_t work, uint32_t cache, arch::Address line, uint32_t bytes) {
  CUTAWAY_CHECK(work >= first_, "work {} is over", work);
  const uint64_t number = line / 64 + 1;
  if (!insert({number, work, cache})) return;
  const size_t index = work - first_;
  if (index >= footprints_.size()) footprints_.resize(index + 1);
  Footprint& footprint = footprints_[index];
  if (cache >= footprint.cache_bytes.size()) footprint.cache_bytes.resize(cache + 1);
  footprint.cache_bytes[cache] += bytes;
  footprint.first_touches++;
  if (!insert({number, work, kAll})) return;
  footprint.bytes += bytes;
  if (insert({number, kAll, kAll - space_})) bytes_ += bytes;
}

const TouchedLines::Footprint& TouchedLines::of(uint32_t work) const {
  static const Footprint none;
  return work >= first_ && work - first_ < footprints_.size() ? footprints_[work - first_] : none;
}

void TouchedLines::clear(uint32_t next) {
  first_ = next;
  footprints_.clear();
  bytes_ = 0;
  std::fill(keys_.begin(), keys_.end(), Key{});
  used_ = 0;
}

TouchedLines::Key& TouchedLines::place_of(const Key& key) {
  const uint64_t mixed =
      (key.line ^ (uint64_t{key.work} << 32 | key.cache) * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
  size_t at = (mixed >> 32) & (keys_.size() - 1);
  while (keys_[at].line && keys_[at] != key) at = (at + 1) & (keys_.size() - 1);
  return keys_[at];
}

bool TouchedLines::insert(const Key& key) {
  if (2 * used_ >= keys_.size()) grow();
  Key& place = place_of(key);
  if (place.line) return false;
  place = key;
  used_++;
  return true;
}

void TouchedLines::grow() {
  std::vector<Key> before(2 * keys_.size());
  before.swap(keys_);
  for (const Key& key : before)
    if (key.line) place_of(key) = key;
}

}  // namespace cutaway::messages
