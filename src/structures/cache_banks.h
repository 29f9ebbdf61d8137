#pragma once

#include <cstdint>

namespace cutaway::structures {

// The banks of a cache that have been looked up in a cycle: one line each. A box with several look-ups in a
// cycle asks before each; those whose bank is taken wait, and what is behind them in order.
class CacheBanks {
 public:
  static constexpr uint32_t kMost = 64;

  // 0: any lines can be looked up together.
  explicit CacheBanks(uint32_t banks) : banks_(banks) {}

  bool any() const { return banks_ != 0; }
  void begin_cycle() { taken_ = 0, conflict_ = false; }
  // False: the set's bank is taken, and no look-up behind this one goes first in this cycle.
  bool free(uint32_t set) {
    conflict_ |= banks_ && (taken_ >> set % banks_ & 1);
    return !conflict_;
  }
  void take(uint32_t set) {
    if (banks_) taken_ |= uint64_t{1} << set % banks_;
  }
  bool conflict() const { return conflict_; }  // in this cycle

 private:
  uint32_t banks_;
  uint64_t taken_ = 0;
  bool conflict_ = false;
};

}  // namespace cutaway::structures
