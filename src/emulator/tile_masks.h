#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "arch/surface.h"
#include "func/raster/coverage.h"

// Masks of the pixels of an 8x8 tile in quad order (func/raster/coverage.h), and where the elements of its
// quads lie.
namespace cutaway::emulator {

constexpr uint32_t kTileElements = 64;

// Bit 4 q for each quad q with a pixel in the mask.
constexpr uint64_t quads_with(uint64_t pixels) {
  pixels |= pixels >> 1, pixels |= pixels >> 2;
  return pixels & 0x1111111111111111;
}
// Bits of such a mask. std::popcount calls a library where the base instruction set has none.
constexpr uint32_t number_of(uint64_t quads) {
  quads = (quads + (quads >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<uint32_t>(quads * 0x0101010101010101 >> 56);
}
constexpr uint32_t pixels_of(uint64_t mask) {
  mask -= mask >> 1 & 0x5555555555555555;
  mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333);
  return number_of(mask);
}
static_assert(number_of(0x1111111111111111) == 16 && pixels_of(~uint64_t{0}) == 64 && pixels_of(0x8001) == 2);

// Bit 16 s for each sector s of the tile all of whose quads have a pixel in the mask.
constexpr uint32_t kSectorQuads = 4;
constexpr uint64_t whole_sectors(uint64_t pixels) {
  uint64_t quads = quads_with(pixels);
  quads &= quads >> 4, quads &= quads >> 8;
  return quads & 0x0001000100010001;
}

constexpr uint32_t lanes_of(uint64_t pixels, uint32_t quad) { return pixels >> 4 * quad & 15; }

// visit(quad, place): the quads of a mask of quads_with() in order, place counting from 0.
template <class Visit>
void each_quad(uint64_t quads, Visit&& visit) {
  for (uint32_t place = 0; quads; quads &= quads - 1, place++)
    visit(static_cast<uint32_t>(std::countr_zero(quads)) / 4, place);
}

// Elements from the tile's first to the quad's.
constexpr uint32_t element_place(uint32_t quad) {
  return static_cast<uint32_t>(arch::tiled_offset(static_cast<uint32_t>(func::quad_x(quad)),
                                                  static_cast<uint32_t>(func::quad_y(quad)), 0, 1));
}

}  // namespace cutaway::emulator
