#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/prefetch.h"

namespace cutaway::structures {

// A first-in first-out queue of fixed size inside a box.
template <class T>
class Ring {
 public:
  explicit Ring(uint32_t capacity = 0) { reset(capacity); }

  void reset(uint32_t capacity) {
    capacity_ = capacity;
    const uint32_t places = std::bit_ceil(capacity);
    slots_ = std::vector<T>(places);
    mask_ = places - 1;
    head_ = size_ = 0;
  }
  uint32_t capacity() const { return capacity_; }
  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }

  T& front() { return slots_[head_]; }
  const T& front() const { return slots_[head_]; }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }
  T& operator[](uint32_t i) { return slots_[index(i)]; }  // 0 is the front
  const T& operator[](uint32_t i) const { return slots_[index(i)]; }

  // Appends a value in its initial state T{}.
  T& push() {
    T& slot = next();
    slot = T{};
    return slot;
  }
  // Appends a slot that holds what it held before, but no resources: the caller sets all that it will read.
  T& push_stale() { return next(); }
  T& push(const T& value) { return next() = value; }
  T& push(T&& value) { return next() = std::move(value); }
  T pop() {
    CUTAWAY_CHECK(!empty());
    T value = std::move(slots_[head_]);  // which leaves no resources behind
    drop_stale();
    return value;
  }
  // Removes element i; those before it move up.
  void erase(uint32_t i) {
    CUTAWAY_CHECK(i < size_);
    for (; i > 0; i--) (*this)[i] = std::move((*this)[i - 1]);
    drop();
  }
  void drop() {
    CUTAWAY_CHECK(!empty());
    if constexpr (!kPlain) {
      [[maybe_unused]] const T dropped = std::move(slots_[head_]);  // releases its resources
    }
    drop_stale();
  }
  // The slot keeps what it holds, for push_stale(): the caller has released its resources.
  void drop_stale() {
    CUTAWAY_CHECK(!empty());
    head_ = index(1);
    size_--;
    prefetch_on_host(slots_[index(1)]);  // mostly it left the host's caches long ago
  }

 private:
  // True if the type holds no resources to release.
  static constexpr bool kPlain = std::is_trivially_copyable_v<T>;

  T& next() {
    CUTAWAY_CHECK(!full());
    T& slot = slots_[index(size_++)];
    prefetch_on_host(slots_[index(size_)]);
    return slot;
  }
  uint32_t index(uint32_t i) const { return (head_ + i) & mask_; }

  std::vector<T> slots_;  // as many as a power of two
  uint32_t capacity_ = 0, mask_ = 0, head_ = 0, size_ = 0;
};

}  // namespace cutaway::structures
