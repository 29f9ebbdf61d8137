#pragma once

#include <array>
#include <cstdint>

#include "structures/cache.h"
#include "structures/quad_plan.h"

namespace cutaway::structures {

// Consecutive bytes of an element.
struct ElementPart {
  uint8_t first = 0, bytes = 0;
};

// Access to a quad's pixels in a cache: pins the lines one by one, then reads and writes pixel by pixel.
class QuadAccess {
 public:
  QuadAccess() = default;
  // One sample of a quad's pixels.
  QuadAccess(const func::TargetView& view, int32_t x, int32_t y, uint32_t mask, uint32_t line_bytes,
             uint32_t sample = 0)
      : plan_(plan_quad(view, x, y, mask, line_bytes, sample)),
        bytes_(static_cast<uint8_t>(view.bytes)),
        mask_(static_cast<uint8_t>(mask)),
        used_{0, bytes_} {}

  // Restricts what is read to a part of each element; elements must fill sectors evenly.
  void use(ElementPart part) {
    used_ = part;
    needed_ = part.bytes == bytes_ ? messages::kAllBytes : of_each_element(part);
  }
  ElementPart used() const { return used_; }

  // Pins every line; `fetch`: the pixels' present values are needed. Returns false, with no line pinned, if
  // the cache stalls: two quads that each held lines that the other needs would deadlock.
  bool acquire(Cache& cache, bool fetch, const messages::Origin& origin, uint64_t& hits, uint64_t& merged,
               uint64_t& misses, const Packing& packing = {}) {
    while (pinned_ < plan_.pieces) {
      const QuadPlan::Piece& piece = plan_.piece[pinned_];
      const Cache::Outcome outcome =
          cache.access(piece.address, fetch ? piece.sectors : 0, origin, line_[pinned_], packing, needed_);
      if (outcome == Cache::Outcome::kStall) {
        release(cache);
        return false;
      }
      if (pinned_++ < counted_) continue;
      counted_++;
      (outcome == Cache::Outcome::kMiss ? misses : hits)++;
      merged += outcome == Cache::Outcome::kHitUnderWay;
    }
    return true;
  }
  // Requests the pixels' present values, and pins no line. Counts the lines in `requested`. Returns false if
  // `most` accesses to memory are under way, or if the cache has no room.
  bool prefetch(Cache& cache, uint32_t most, const messages::Origin& origin, uint64_t& requested,
                const Packing& packing) {
    uint64_t hits = 0, merged = 0;
    const bool has_room =
        cache.outstanding() < most && acquire(cache, true, origin, hits, merged, requested, packing);
    release(cache);
    return has_room;
  }
  bool acquired() const { return pinned_ == plan_.pieces; }
  bool ready(const Cache& cache) const {
    bool whole = true;  // mostly
    for (uint32_t i = 0; i < plan_.pieces; i++) whole &= cache.whole(line_[i], plan_.piece[i].sectors);
    if (whole) return true;
    for (uint32_t lane = 0; lane < 4; lane++)
      if ((mask_ >> lane & 1) && !here(cache, lane, used_)) return false;
    return true;
  }
  // All bytes of a lane's element can be read.
  bool whole(const Cache& cache, uint32_t lane) const { return here(cache, lane, {0, bytes_}); }
  const std::byte* pixel(const Cache& cache, uint32_t lane) const {
    return cache.data(line_[plan_.lane_piece[lane]]) + plan_.lane_offset[lane];
  }
  void write(Cache& cache, uint32_t lane, const void* element) const {
    write(cache, lane, element, 0, bytes_);
  }
  // Writes `bytes` of the element, from byte `first`.
  void write(Cache& cache, uint32_t lane, const void* element, uint32_t first, uint32_t bytes) const {
    cache.write(line_[plan_.lane_piece[lane]], plan_.lane_offset[lane] + first,
                static_cast<const std::byte*>(element) + first, bytes);
  }
  void release(Cache& cache) {
    for (uint32_t i = 0; i < pinned_; i++) cache.unpin(line_[i]);
    pinned_ = 0;
  }
  uint32_t lines() const { return plan_.pieces; }
  uint32_t line(uint32_t i) const { return line_[i]; }

 private:
  bool here(const Cache& cache, uint32_t lane, ElementPart part) const {
    return cache.ready(line_[plan_.lane_piece[lane]], plan_.lane_offset[lane] + part.first, part.bytes);
  }
  // That part of each element of a sector.
  messages::ByteMask of_each_element(ElementPart part) const {
    messages::ByteMask bytes = messages::byte_mask(part.first, part.bytes);
    for (uint32_t elements = bytes_; elements < messages::kSectorBytes; elements *= 2)
      bytes |= bytes << elements;
    return bytes;
  }

  QuadPlan plan_;
  std::array<uint32_t, 4> line_{};
  uint8_t pinned_ = 0, bytes_ = 0, mask_ = 0;
  ElementPart used_;                                 // of an element: what is read
  messages::ByteMask needed_ = messages::kAllBytes;  // of a sector
  uint8_t counted_ = 0;                              // lines whose hit or miss has been counted
};

}  // namespace cutaway::structures
