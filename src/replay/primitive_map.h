#pragma once

#include <cstdint>
#include <unordered_map>

#include "arch/gpu.h"
#include "emulator/emulator.h"

namespace cutaway::replay {

// Maps each pixel to the primitive that it shows: records the last writer of the color pixels of all targets.
class PrimitiveMap {
 public:
  void note(const emulator::PixelWrite& write);
  // A picture of the surface. Pixels have equal colors if the same primitive of the same draw was drawn last,
  // if blended over the same ones; black if none was drawn. Red is odd, but even if one of those primitives
  // read a nearest texel that depends on rounding; green is odd, but even if one used an anisotropic sampler;
  // blue is odd. Rarely, different primitives share a color.
  arch::Picture picture(const arch::Surface& surface) const;

 private:
  std::unordered_map<arch::Address, uint32_t> color_;  // by the pixel's address: 24 bits
};

}  // namespace cutaway::replay
