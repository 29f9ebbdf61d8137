#pragma once

#include <array>

#include "probe/order.h"

namespace cutaway::probe {

using Color = std::array<uint8_t, 3>;

// The order in steps of equally many fragments: one byte per pixel, the step in which it ended, from 1. 0:
// none ended.
constexpr uint32_t kSteps = 120;
std::vector<uint8_t> steps_of(const Order& order);

// Colors from step 1 to the last: from blue over green to red. Step 0 is black.
Color color_of_step(uint32_t step);

// Duration of each animation step from 0 on, in milliseconds: proportional to the chip's time for the next
// step, up to a limit, so that the animation pauses while a slow fragment stalls all others.
std::vector<uint32_t> step_durations(const Order& order);

// The fragments that had ended before the longest interval in which none ended: the picture of steps up to
// there, and their number. Times must be known.
struct Standstill {
  std::vector<uint8_t> steps;
  uint32_t fragments = 0;
  uint64_t cycles = 0;  // length of the interval
};
Standstill standstill_of(const Order& order);

// The unit that shaded each pixel, as R, G, B, A: units of a cluster have shades of one color.
std::vector<uint8_t> units_picture(const Order& order, uint32_t units_per_cluster);

// The text beside a case's pictures. Their names begin with the case's.
struct Caption {
  std::string name, what, note;
  std::vector<std::string> pictures;  // "order" stands for the file NAME-order.png
};
// A page that shows them, without scripts.
std::string picture_page(std::string_view machine, const std::vector<Caption>& captions);

}  // namespace cutaway::probe
