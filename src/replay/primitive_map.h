#pragma once

#include <cstdint>
#include <unordered_map>

#include "arch/gpu.h"
#include "emulator/emulator.h"

namespace cutaway::replay {

// Which primitive each pixel shows: remembers who wrote the color pixels of all targets last.
class PrimitiveMap {
 public:
  void note(const emulator::PixelWrite& write);
  // A picture of the surface: equal colors where the same primitive of the same draw was drawn last, over the
  // same ones where it was blended; black where none was. Red is odd, but even where one of those read a
  // nearest texel that is a matter of rounding; green is odd, but even where one had an
  // anisotropic sampler; blue is odd. Different primitives may, rarely, share a color.
  arch::Picture picture(const arch::Surface& surface) const;

 private:
  std::unordered_map<arch::Address, uint32_t> color_;  // by address of the pixel: 24 bits
};

}  // namespace cutaway::replay
