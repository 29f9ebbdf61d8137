#pragma once

#include <atomic>

#include "base/debug_groups.h"

namespace cutaway {

// Labels that a program gives to OpenGL objects of one kind, by their numbers. Holds kMost at a time; further
// ones are not kept. Contexts are taken to share their objects. Uses nothing of the C++ library.
class ObjectLabels {
 public:
  static constexpr unsigned kMost = 1024;

  // As glObjectLabel: a null or empty label removes it.
  void set(unsigned object, const char* label, int length);
  void remove(unsigned object) { set(object, nullptr, 0); }
  // Copies an object's label; false: it has none.
  bool find(unsigned object, char* label);
  bool empty() const { return count_ == 0; }

 private:
  struct Lock;
  unsigned place_of(unsigned object) const;  // kMost: none

  std::atomic_flag locked_ = ATOMIC_FLAG_INIT;
  std::atomic<unsigned> count_{0};
  unsigned objects_[kMost] = {};  // 0: free
  char labels_[kMost][DebugGroups::kBytes + 1] = {};
};

struct ObjectLabels::Lock {
  explicit Lock(std::atomic_flag& flag) : locked(flag) {
    while (locked.test_and_set(std::memory_order_acquire)) {}
  }
  ~Lock() { locked.clear(std::memory_order_release); }
  Lock(const Lock&) = delete;
  std::atomic_flag& locked;
};

inline unsigned ObjectLabels::place_of(unsigned object) const {
  unsigned place = 0;
  while (place < kMost && objects_[place] != object) place++;
  return place;
}

inline void ObjectLabels::set(unsigned object, const char* label, int length) {
  if (object == 0) return;
  const bool removes = !label || length == 0 || (length < 0 && !*label);
  const Lock lock(locked_);
  unsigned place = place_of(object);
  if (removes) {
    if (place < kMost) objects_[place] = 0, count_--;
    return;
  }
  if (place == kMost && (place = place_of(0)) < kMost) count_++;
  if (place == kMost) return;
  objects_[place] = object;
  copy_debug_name(label, length, labels_[place]);
}

inline bool ObjectLabels::find(unsigned object, char* label) {
  if (object == 0 || empty()) return false;
  const Lock lock(locked_);
  const unsigned place = place_of(object);
  if (place < kMost) copy_debug_name(labels_[place], -1, label);
  return place < kMost;
}

}  // namespace cutaway
