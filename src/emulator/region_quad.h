#pragma once

#include <bit>
#include <cstdint>

#include "emulator/emulator.h"
#include "emulator/state.h"
#include "func/raster/primitive.h"
#include "func/raster/samples.h"

namespace cutaway::emulator {

inline uint32_t count(uint32_t mask) { return static_cast<uint32_t>(std::popcount(mask)); }
constexpr uint32_t lanes_in(uint32_t quad_mask) { return 0x4332322132212110ull >> (4 * quad_mask) & 15; }

// A quad on its way through the fragment stage; with sample shading one of a quad's samples.
struct RegionQuad {
  const func::Primitive* primitive;
  uint32_t number;  // place of the primitive in its batch
  int32_t x, y;
  func::QuadSamples covered;      // by the primitive, of the samples that the quad is shaded for
  func::QuadSamples alive;        // covered ones that have passed all tests so far
  uint8_t mask;                   // lanes to shade
  uint8_t sample;                 // with sample shading the one that is shaded
  bool smooth;                    // belongs to a smooth line
  float coverage[4];              // if smooth
  float z[func::kMaxSamples][4];  // at each sample, for the depth test
};

// Quads that one run of the fragment program shades: quad i has lanes 4 * i to 4 * i + 3.
struct QuadGroup {
  RegionQuad quad[kGroupQuads];
  uint32_t quads = 0;
  uint32_t lanes = 0;    // of all quads' masks
  uint32_t sectors = 0;  // bit i: quads i to i + 3 are those of one sector of a tile
  uint64_t tiles = 0;    // bit i: of tile i of the region
  bool smooth = false;   // some quad is
  void clear() { quads = lanes = sectors = 0, tiles = 0, smooth = false; }
};

// True if no two quads of a group lie at one place. Those of one primitive never do.
inline bool at_places_of_their_own(const QuadGroup& group) {
  const RegionQuad* const quad = group.quad;
  if (quad[0].number == quad[group.quads - 1].number) return true;
  for (uint32_t i = 1; i < group.quads; i++)
    for (uint32_t j = 0; j < i; j++)
      if (quad[i].x == quad[j].x && quad[i].y == quad[j].y) return false;
  return true;
}

// Completes the report of a write to the pixel of a lane.
inline PixelWrite pixel_of(const RegionQuad& quad, uint32_t lane, PixelWrite write) {
  write.primitive = quad.primitive->id;
  write.x = static_cast<uint32_t>(quad.x) + (lane & 1);
  write.y = static_cast<uint32_t>(quad.y) + (lane >> 1);
  return write;
}

}  // namespace cutaway::emulator
