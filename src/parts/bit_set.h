#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace cutaway::parts {

// A set of numbers below a size that is fixed when it is made: who waits, among any number of units.
class BitSet {
 public:
  explicit BitSet(uint32_t size = 0) : words_((size + 63) / 64) {}

  void insert(uint32_t i) { words_[i / 64] |= uint64_t{1} << i % 64; }
  void erase(uint32_t i) { words_[i / 64] &= ~(uint64_t{1} << i % 64); }
  bool contains(uint32_t i) const { return words_[i / 64] >> i % 64 & 1; }
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](uint64_t word) { return word == 0; });
  }

  // The least member that is not below `from`, which is below the size; where there is none, the least of
  // all. The set is not empty.
  uint32_t next(uint32_t from) const {
    size_t word = from / 64;
    uint64_t bits = words_[word] & ~uint64_t{0} << from % 64;
    while (!bits) bits = words_[word = word + 1 == words_.size() ? 0 : word + 1];
    return static_cast<uint32_t>(64 * word) + static_cast<uint32_t>(std::countr_zero(bits));
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace cutaway::parts
