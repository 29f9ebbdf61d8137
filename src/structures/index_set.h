#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/error.h"

namespace cutaway::structures {

// A set of indices below a capacity chosen at construction, at least 1.
class IndexSet {
 public:
  static constexpr uint32_t kNone = ~0u;

  explicit IndexSet(uint32_t capacity) : words_((capacity + 63) / 64), capacity_(capacity) {
    CUTAWAY_CHECK(capacity > 0);
  }

  uint32_t capacity() const { return capacity_; }
  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  bool contains(uint32_t index) const { return words_[index / 64] >> index % 64 & 1; }

  // Does nothing if the index is present; erase() does nothing if it is absent.
  void insert(uint32_t index) {
    size_ += !contains(index);
    words_[index / 64] |= uint64_t{1} << index % 64;
  }
  void erase(uint32_t index) {
    size_ -= contains(index);
    words_[index / 64] &= ~(uint64_t{1} << index % 64);
  }
  void insert_all() {
    for (uint32_t index = 0; index < capacity_; index++) insert(index);
  }

  // The first member for which holds(index) is true, searching upwards from `start`, which is below the
  // capacity, and then from 0. kNone: there is none.
  template <class Predicate>
  uint32_t find_round(uint32_t start, Predicate&& holds) const {
    const uint32_t words = static_cast<uint32_t>(words_.size());
    const uint64_t from_start = ~uint64_t{0} << start % 64;
    uint32_t word = start / 64;
    uint64_t left = words_[word] & from_start;
    for (uint32_t n = 0;; n++) {
      for (; left; left &= left - 1) {
        const uint32_t index = word * 64 + static_cast<uint32_t>(std::countr_zero(left));
        if (holds(index)) return index;
      }
      if (n == words) return kNone;
      word = word + 1 == words ? 0 : word + 1;
      left = words_[word];
      if (n + 1 == words) left &= ~from_start;
    }
  }
  // The first member in that order.
  uint32_t next(uint32_t start) const {
    return find_round(start, [](uint32_t) { return true; });
  }
  uint32_t first() const { return next(0); }

  // In rising order. The function may erase the given index and earlier ones.
  template <class Function>
  void for_each(Function&& function) const {
    for (uint32_t word = 0; word < words_.size(); word++)
      for (uint64_t left = words_[word]; left; left &= left - 1)
        function(word * 64 + static_cast<uint32_t>(std::countr_zero(left)));
  }

 private:
  std::vector<uint64_t> words_;
  uint32_t capacity_, size_ = 0;
};

}  // namespace cutaway::structures
