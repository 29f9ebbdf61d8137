#pragma once

#include <array>

#include "probe/order.h"

namespace cutaway::probe {

using Color = std::array<uint8_t, 3>;

// The order in steps, each of as many fragments: a picture of one byte for each pixel, the step in which it
// came, from 1. 0: none did.
constexpr uint32_t kSteps = 120;
std::vector<uint8_t> steps_of(const Order& order);

// Of step 1 to the last: from blue over green to red. Step 0 is black.
Color color_of_step(uint32_t step);

// How long an animation shows what there is after each step from 0 on, in milliseconds: in proportion to what
// the chip took for the next, up to a limit, so that it stands still while a slow fragment holds all others
// up.
std::vector<uint32_t> step_durations(const Order& order);

// What had ended before the longest time in which no fragment did: the picture of steps up to there, and how
// many fragments. Times are known.
struct Standstill {
  std::vector<uint8_t> steps;
  uint32_t fragments = 0;
  uint64_t cycles = 0;  // that it lasted
};
Standstill standstill_of(const Order& order);

// Who shaded each pixel, as R, G, B, A: units of a cluster in shades of one color.
std::vector<uint8_t> units_picture(const Order& order, uint32_t units_per_cluster);

// What is written of a case beside its pictures, whose names begin with that of the case.
struct Caption {
  std::string name, what, note;
  std::vector<std::string> pictures;  // "order": of the file NAME-order.png
};
// A page that shows them, without scripts.
std::string picture_page(std::string_view machine, const std::vector<Caption>& captions);

}  // namespace cutaway::probe
