#pragma once

#include <bit>
#include <cstdint>

namespace cutaway::boxes {

// Groups of fragments that keep their places until all that came in before them have left: a unit has at most
// so many places.
class FragmentWindow {
 public:
  static constexpr uint32_t kMostPlaces = 64;

  // places: 0 for no limit.
  explicit FragmentWindow(uint32_t places) : places_(places) {}

  bool has_room() const { return !places_ || next_ - oldest_ < places_; }
  // The number of a group that comes in.
  uint32_t enter() { return next_++; }
  void leave(uint32_t number) {
    if (!places_) return;
    left_ |= uint64_t{1} << (number - oldest_);
    const int gone = std::countr_one(left_);
    left_ = gone == 64 ? 0 : left_ >> gone;
    oldest_ += static_cast<uint32_t>(gone);
  }

 private:
  uint32_t places_;
  uint32_t next_ = 0, oldest_ = 0;
  uint64_t left_ = 0;  // of those from the oldest on that are inside, bit each
};

}  // namespace cutaway::boxes
