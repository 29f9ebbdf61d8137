#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"

namespace cutaway::parts {

// A queue inside a box: first in, first out, of a fixed size.
template <class T>
class Ring {
 public:
  explicit Ring(uint32_t capacity = 0) { reset(capacity); }

  void reset(uint32_t capacity) {
    slots_ = std::vector<T>(capacity ? capacity : 1);
    capacity_ = capacity;
    head_ = size_ = 0;
  }
  uint32_t capacity() const { return capacity_; }
  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }

  T& front() { return slots_[head_]; }
  const T& front() const { return slots_[head_]; }
  T& back() { return (*this)[size_ - 1]; }
  T& operator[](uint32_t i) { return slots_[index(i)]; }  // 0 is the front
  const T& operator[](uint32_t i) const { return slots_[index(i)]; }

  T& push(T value = T{}) {
    CUTAWAY_CHECK(!full());
    T& slot = slots_[index(size_++)];
    slot = std::move(value);
    return slot;
  }
  T pop() {
    CUTAWAY_CHECK(!empty());
    T value = std::move(slots_[head_]);
    slots_[head_] = T{};
    head_ = index(1);
    size_--;
    return value;
  }

 private:
  uint32_t index(uint32_t i) const {
    const uint32_t at = head_ + i;
    return at >= slots_.size() ? at - static_cast<uint32_t>(slots_.size()) : at;
  }

  std::vector<T> slots_;
  uint32_t capacity_ = 0, head_ = 0, size_ = 0;
};

}  // namespace cutaway::parts
