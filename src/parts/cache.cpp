#include "parts/cache.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace cutaway::parts {

// A request's tag: line × sectors + sector.

Cache::Cache(const CacheGeometry& geometry)
    : geometry_(geometry),
      sectors_(geometry.line_bytes / kSectorBytes),
      line_(geometry.line_bytes),
      set_(geometry.lines / geometry.ways),
      addresses_(geometry.lines, kNowhere),
      lines_(geometry.lines),
      bytes_(size_t{geometry.lines} * geometry.line_bytes),
      requests_(geometry.write_backs + geometry.line_bytes / kSectorBytes) {
  CUTAWAY_CHECK(geometry.line_bytes % kSectorBytes == 0 && sectors_ >= 1 && sectors_ <= kMaxSectors);
  CUTAWAY_CHECK(geometry.ways >= 1 && geometry.lines % geometry.ways == 0 &&
                geometry.write_backs >= sectors_);
}

uint32_t Cache::set_of(arch::Address address) const {
  // Tiles of one column of a surface are a power of two apart: fold the upper bits in.
  const uint64_t number = line_.quotient(address), upper = set_.quotient(number);
  return static_cast<uint32_t>(set_.remainder(number ^ upper ^ set_.quotient(upper)));
}

uint32_t Cache::line_of(arch::Address address) const {
  const arch::Address start = line_.floor(address);
  const uint32_t first = set_of(address) * geometry_.ways;
  for (uint32_t way = 0; way < geometry_.ways; way++)
    if (addresses_[first + way] == start) return first + way;
  return kNone;
}

uint32_t Cache::victim(uint32_t set) const {
  uint32_t best = kNone;
  for (uint32_t i = set * geometry_.ways; i < (set + 1) * geometry_.ways; i++) {
    const Line& line = lines_[i];
    if (line.pins || line.pending) continue;
    if (addresses_[i] == kNowhere) return i;
    if (best == kNone || line.used < lines_[best].used) best = i;
  }
  return best;
}

uint32_t Cache::dirty_sectors(const Line& line) const {
  uint32_t count = 0;
  for (uint32_t s = 0; s < sectors_; s++) count += line.dirty[s] != 0;
  return count;
}

ByteMask Cache::readable(uint32_t line) const {
  ByteMask readable = kAllBytes;
  for (uint32_t s = 0; s < sectors_; s++) readable &= lines_[line].valid[s];
  return readable;
}

bool Cache::dirty(uint32_t line) const { return dirty_sectors(lines_[line]) != 0; }

Cache::Outcome Cache::access(arch::Address address, uint32_t fetch, const Origin& origin, uint32_t& result) {
  uint32_t index = line_of(address);
  const bool made = index == kNone;
  const uint32_t room = requests_.capacity() - requests_.size();
  if (index == kNone) {
    if (fetch && waiting_ >= geometry_.misses) return Outcome::kStall;
    index = victim(set_of(address));
    if (index == kNone) return Outcome::kStall;
    if (room < dirty_sectors(lines_[index]) + static_cast<uint32_t>(std::popcount(fetch)))
      return Outcome::kStall;
    if (addresses_[index] != kNowhere) evicted_ = {addresses_[index], index, readable(index)};
    write_back(index, origin);
    lines_[index] = Line{};
    addresses_[index] = line_.floor(address);
  }
  Line& line = lines_[index];
  uint32_t missing = 0;
  for (uint32_t s = 0; s < sectors_; s++)
    if ((fetch >> s & 1) && !(line.pending >> s & 1) && line.valid[s] != kAllBytes) missing |= 1u << s;
  if (requests_.capacity() - requests_.size() < static_cast<uint32_t>(std::popcount(missing)))
    return Outcome::kStall;
  const bool begins_to_wait = missing && !line.pending;
  if (begins_to_wait && waiting_ >= geometry_.misses) return Outcome::kStall;
  waiting_ += begins_to_wait;
  for (uint32_t s = 0; s < sectors_; s++) {
    if (!(missing >> s & 1)) continue;
    requests_.push(
        {.address = addresses_[index] + s * kSectorBytes, .tag = index * sectors_ + s, .origin = origin});
    awaited_++;
  }
  line.pending |= missing;
  line.pins++;
  line.used = ++time_;
  result = index;
  if (missing || made) return Outcome::kMiss;
  return line.pending & fetch ? Outcome::kHitUnderWay : Outcome::kHit;
}

void Cache::unpin(uint32_t line) {
  CUTAWAY_CHECK(lines_[line].pins > 0);
  lines_[line].pins--;
}

bool Cache::ready(uint32_t line, uint32_t offset, uint32_t bytes) const {
  while (bytes) {
    const uint32_t inside = offset % kSectorBytes, part = std::min(bytes, kSectorBytes - inside);
    const ByteMask wanted = byte_mask(inside, part);
    if ((lines_[line].valid[offset / kSectorBytes] & wanted) != wanted) return false;
    offset += part, bytes -= part;
  }
  return true;
}

bool Cache::settled(uint32_t line, uint32_t sectors) const { return (lines_[line].pending & sectors) == 0; }

void Cache::write(uint32_t line, uint32_t offset, const void* from, uint32_t bytes) {
  std::memcpy(&bytes_[size_t{line} * geometry_.line_bytes + offset], from, bytes);
  const bool drop = drop_write_ && --drop_write_ == 0;
  while (bytes) {
    const uint32_t inside = offset % kSectorBytes, part = std::min(bytes, kSectorBytes - inside);
    const ByteMask mask = byte_mask(inside, part);
    lines_[line].valid[offset / kSectorBytes] |= mask;
    if (!drop) lines_[line].dirty[offset / kSectorBytes] |= mask;
    offset += part, bytes -= part;
  }
}

void Cache::write_back(uint32_t index, const Origin& origin) {
  Line& line = lines_[index];
  for (uint32_t s = 0; s < sectors_; s++) {
    if (!line.dirty[s]) continue;
    MemoryRequest& request = requests_.push({.address = addresses_[index] + s * kSectorBytes,
                                             .tag = index * sectors_ + s,
                                             .write = true,
                                             .mask = line.dirty[s],
                                             .origin = origin});
    std::memcpy(request.data.data(), data(index) + s * kSectorBytes, kSectorBytes);
    line.dirty[s] = 0;
    awaited_++;
  }
}

void Cache::reply(const MemoryReply& reply) {
  CUTAWAY_CHECK(awaited_ > 0);
  awaited_--;
  if (reply.write) return;
  const uint32_t index = reply.tag / sectors_, sector = reply.tag % sectors_;
  Line& line = lines_[index];
  std::byte* to = &bytes_[size_t{index} * geometry_.line_bytes + sector * kSectorBytes];
  for (uint32_t i = 0; i < kSectorBytes; i++)
    if (!(line.valid[sector] >> i & 1)) to[i] = reply.data[i];
  line.valid[sector] = kAllBytes;
  line.pending &= ~(1u << sector);
  waiting_ -= line.pending == 0;
}

bool Cache::flush(const Origin& origin) {
  while (flush_line_ < lines_.size()) {
    const Line& line = lines_[flush_line_];
    if (requests_.capacity() - requests_.size() < dirty_sectors(line)) return false;
    write_back(flush_line_, origin);
    flush_line_++;
  }
  if (!idle()) return false;
  flush_line_ = 0;
  return true;
}

void Cache::invalidate() {
  for (size_t i = 0; i < lines_.size(); i++) {
    Line& line = lines_[i];
    CUTAWAY_CHECK(line.pins == 0 && line.pending == 0);
    if (dirty_sectors(line)) {
      std::copy(std::begin(line.dirty), std::end(line.dirty), line.valid);
    } else {
      line = Line{};
      addresses_[i] = kNowhere;
    }
  }
}

}  // namespace cutaway::parts
