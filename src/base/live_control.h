#pragma once

#include <atomic>
#include <cstdint>

namespace cutaway {

// What a live view asks of the processes that simulate, in memory that all of them share. None of it can
// change a figure.
struct LiveControl {
  std::atomic<bool> paused{false};        // machines wait
  std::atomic<uint64_t> record_frame{0};  // a timeline of this frame is recorded from now on; 0: of none
  // What the command tells the view: the first frame under way, 0: none; whether a timeline may be recorded.
  std::atomic<uint64_t> first_frame{0};
  std::atomic<bool> can_record{true};
};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<uint64_t>::is_always_lock_free);

}  // namespace cutaway
