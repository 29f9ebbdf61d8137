#pragma once

#include <cstdint>
#include <utility>

namespace cutaway::boxes {

// FLUSH, INVALIDATE and WAIT_IDLE packets that have been taken and not carried out: they are, in this order,
// before the first work that needs them (MemoryWatch), and at the end of the submissions.
class OwedBarriers {
 public:
  void owe_wait() { wait_ = true; }
  void owe_flush(uint32_t caches) { wait_ = true, flush_ |= caches; }
  void owe_invalidate(uint32_t caches) { wait_ = true, invalidate_ |= caches; }

  bool any() const { return wait_; }
  // Orders have been sent that are not paid. Work that came between would count as before them.
  bool begun() const { return (flushed_ | invalidated_) != 0; }
  uint32_t invalidates() const { return invalidate_; }

  // Once the work before them has ended: the caches of the order to send next, or 0.
  uint32_t take_flush() { return take(flush_, flushed_); }
  uint32_t take_invalidate() { return take(invalidate_, invalidated_); }
  // The orders have been answered.
  struct Paid {
    uint32_t flushed = 0, invalidated = 0;  // caches
  };
  Paid paid() {
    wait_ = false;
    return {std::exchange(flushed_, 0), std::exchange(invalidated_, 0)};
  }

 private:
  static uint32_t take(uint32_t& owed, uint32_t& taken) {
    taken |= owed;
    return std::exchange(owed, 0);
  }

  bool wait_ = false;
  uint32_t flush_ = 0, invalidate_ = 0;     // owed
  uint32_t flushed_ = 0, invalidated_ = 0;  // sent
};

}  // namespace cutaway::boxes
