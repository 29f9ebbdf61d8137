#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cutaway::structures {

// A time stamp for each line of a cache. Time passes with every stamp.
class LineStamps {
 public:
  LineStamps(uint32_t sets, uint32_t ways) : ways_(ways), stamp_(size_t{sets} * ways) {}

  void stamp(uint32_t set, uint32_t way) { stamp_[size_t{set} * ways_ + way] = ++time_; }
  // The candidate that was stamped longest ago. candidates: bit per way, not 0.
  uint32_t oldest(uint32_t set, uint64_t candidates) const {
    const uint64_t* of_set = &stamp_[size_t{set} * ways_];
    auto best = static_cast<uint32_t>(std::countr_zero(candidates));
    for (candidates &= candidates - 1; candidates; candidates &= candidates - 1) {
      const auto way = static_cast<uint32_t>(std::countr_zero(candidates));
      if (of_set[way] < of_set[best]) best = way;
    }
    return best;
  }

 private:
  uint32_t ways_;
  std::vector<uint64_t> stamp_;
  uint64_t time_ = 0;
};

}  // namespace cutaway::structures
