#pragma once

#include "func/texture/sample.h"

// The texels of bilinear samples of a whole quad: what texture_footprint() finds lane by lane, at once for
// lanes that take the same samples of one plane.
namespace cutaway::func {

// True if 32 bits hold every offset within a level of the view, and elements are powers of two.
bool fits_quads(const TextureView& view);

// The texels of a sample of each lane: four in memory, at 32-bit offsets from a common address.
struct QuadFootprint {
  arch::Address base = 0;
  alignas(16) uint32_t offset[kQuadLanes][4] = {};  // [lane][texel]
  FootprintShape shape[kQuadLanes];

  arch::Address address(uint32_t lane, uint32_t i) const { return base + offset[lane][i]; }
  Footprint of_lane(uint32_t lane) const;
};

// Sample k of the lanes of a plan that is `by_quad`; the mask's lanes are valid. False: a coordinate or a
// wrapping mode needs texture_footprint(), and nothing is said about `footprint`.
bool quad_footprints(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                     uint32_t k, QuadFootprint& footprint);

// Sample k of each of these lanes, of any plan; each of them has that sample. Other footprints are undefined.
void texture_footprints(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                        uint32_t lanes, uint32_t k, Footprint footprint[kQuadLanes]);

}  // namespace cutaway::func
