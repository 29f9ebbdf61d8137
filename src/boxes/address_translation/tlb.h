#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/divisor.h"
#include "structures/replacement/replacement.h"

namespace cutaway::boxes {

// A translation lookaside buffer: pages with the frames of memory that they lie in, in sets by the page's
// number.
class Tlb {
 public:
  // ways: of a set; a divisor of `entries`.
  Tlb(unsigned entries, unsigned ways, structures::ReplacementName replacement)
      : ways_(ways),
        set_count_(entries / ways),
        replacement_(structures::ReplacementPolicies::make(replacement, entries / ways, ways)),
        entries_(entries) {}

  // The frame of a page, which counts as used; nothing if it is not held.
  std::optional<uint64_t> find(uint64_t page) {
    const auto set = static_cast<uint32_t>(set_count_.remainder(page));
    for (uint32_t way = 0; way < ways_; way++) {
      const Entry& entry = entries_[set * ways_ + way];
      if (!entry.valid || entry.page != page) continue;
      replacement_->used(set, way);
      return entry.frame;
    }
    return {};
  }

  // Holds a page from now on, in the place of another one if its set is full.
  void fill(uint64_t page, uint64_t frame) {
    const auto set = static_cast<uint32_t>(set_count_.remainder(page));
    const uint32_t way = place_in(set, page);
    entries_[set * ways_ + way] = {page, frame, true};
    replacement_->filled(set, way);
  }

  void forget_all() {
    for (Entry& entry : entries_) entry.valid = false;
  }

 private:
  struct Entry {
    uint64_t page = 0, frame = 0;
    bool valid = false;
  };

  // The way that holds the page, or a free one, or that of the victim.
  uint32_t place_in(uint32_t set, uint64_t page) {
    uint32_t free = ways_;
    for (uint32_t way = 0; way < ways_; way++) {
      const Entry& entry = entries_[set * ways_ + way];
      if (entry.valid && entry.page == page) return way;
      if (!entry.valid && free == ways_) free = way;
    }
    if (free != ways_) return free;
    const uint64_t all = ways_ == 64 ? ~uint64_t{0} : (uint64_t{1} << ways_) - 1;
    const uint32_t victim = replacement_->victim(set, all);
    replacement_->evicted(set, victim);
    return victim;
  }

  uint32_t ways_;
  Divisor set_count_;
  std::unique_ptr<structures::Replacement> replacement_;
  std::vector<Entry> entries_;  // by set and way
};

}  // namespace cutaway::boxes
