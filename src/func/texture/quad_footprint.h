#pragma once

#include "func/texture/sample.h"

// The texels of bilinear samples of a whole quad: what texture_footprint() finds lane by lane, at once for
// lanes that take the same samples of one plane.
namespace cutaway::func {

// True if 32 bits hold every offset within a level of the view, and elements are powers of two.
bool fits_quads(const TextureView& view);

// Sample k of the lanes of a plan that is `by_quad`; the mask's lanes are valid. False: a coordinate or a
// wrapping mode needs texture_footprint(), and nothing is said about `footprint`.
bool quad_footprints(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                     uint32_t k, Footprint footprint[kQuadLanes]);

// Sample k of each of these lanes, of any plan; each of them has that sample. Other footprints are undefined.
void texture_footprints(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                        uint32_t lanes, uint32_t k, Footprint footprint[kQuadLanes]);

}  // namespace cutaway::func
