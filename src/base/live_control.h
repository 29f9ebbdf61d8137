#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cutaway {

// The frames that machines run, in memory that processes share: one process changes them, others ask. Frames
// count from 1.
class FramesOnClock {
 public:
  static constexpr size_t kMost = 1024;  // as many as --jobs may be; more are left out

  // A frame that stays is held at all times between.
  void set(std::span<const uint64_t> frames) {
    for (std::atomic<uint64_t>& place : places_)
      if (place && std::find(frames.begin(), frames.end(), place) == frames.end()) place = 0;
    for (const uint64_t frame : frames)
      if (!holds(frame))
        if (const auto free = std::find(places_.begin(), places_.end(), 0); free != places_.end())
          *free = frame;
  }
  bool holds(uint64_t frame) const {
    return std::find(places_.begin(), places_.end(), frame) != places_.end();
  }

 private:
  std::array<std::atomic<uint64_t>, kMost> places_{};
};

// Requests of a live view to the simulating processes, in memory that all of them share. They cannot change a
// figure.
struct LiveControl {
  std::atomic<bool> paused{false};        // machines wait
  std::atomic<uint64_t> record_frame{0};  // the frame for which a timeline is recorded from now on; 0: none
  // Set by the command for the view: the first frame being simulated (0: none), all of them, and whether a
  // timeline may be recorded.
  std::atomic<uint64_t> first_frame{0};
  FramesOnClock on_clock;
  std::atomic<bool> can_record{true};
};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<uint64_t>::is_always_lock_free);

}  // namespace cutaway
