#pragma once

#include <cstdint>

#include "base/field.h"
#include "boxes/dac/refresh.h"

namespace cutaway::boxes {

// When a picture comes to a screen that refreshes itself: Vulkan's VkPresentModeKHR.
enum class PresentMode : uint8_t { kFifo, kFifoRelaxed, kImmediate, kMailbox };
inline constexpr EnumName<PresentMode> kPresentModeNames[] = {{PresentMode::kFifo, "fifo"},
                                                              {PresentMode::kFifoRelaxed, "fifo-relaxed"},
                                                              {PresentMode::kImmediate, "immediate"},
                                                              {PresentMode::kMailbox, "mailbox"}};

// True if a picture replaces the one that waits for the screen; false: they wait in a queue.
inline bool replaces(PresentMode mode) {
  return mode == PresentMode::kMailbox || mode == PresentMode::kImmediate;
}

// The place where a picture begins that waits from `now` on. rows: of its tiles. shown: the retrace of the
// refresh in which the latest picture began.
inline Refresh::Place next_place(PresentMode mode, const Refresh& refresh, engine::Cycle now, uint32_t rows,
                                 engine::Cycle shown) {
  const bool late = mode == PresentMode::kFifoRelaxed && refresh.last(now) > shown;
  return mode == PresentMode::kImmediate || late ? refresh.next_row(now, rows) : refresh.next_picture(now);
}

}  // namespace cutaway::boxes
