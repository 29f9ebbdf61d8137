#pragma once

#include <atomic>
#include <cstdint>

namespace cutaway {

// Requests of a live view to the simulating processes, in memory that all of them share. They cannot change a
// figure.
struct LiveControl {
  std::atomic<bool> paused{false};        // machines wait
  std::atomic<uint64_t> record_frame{0};  // the frame for which a timeline is recorded from now on; 0: none
  // Set by the command for the view: the first frame being simulated (0: none), and whether a timeline may be
  // recorded.
  std::atomic<uint64_t> first_frame{0};
  std::atomic<bool> can_record{true};
};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<uint64_t>::is_always_lock_free);

}  // namespace cutaway
