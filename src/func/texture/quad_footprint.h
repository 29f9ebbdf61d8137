#pragma once

#include "func/texture/sample.h"

// The texels of bilinear samples of a whole quad: what texture_footprint() finds lane by lane, at once for
// lanes that take the same samples of one plane.
namespace cutaway::func {

// True if 32 bits hold every offset within a level of the view, and elements are powers of two.
bool fits_quads(const TextureView& view);

// The shapes of a quad's footprints of four texels in memory. They are written and copied as vectors: the
// host would stall on a read of what was just written in smaller parts.
struct QuadShape {
  alignas(16) uint32_t fractions[kQuadLanes] = {};    // by lane: fraction_u, and from bit 8 on fraction_v
  alignas(16) uint8_t in_block[4 * kQuadLanes] = {};  // [4 lane + texel]

  FootprintShape of_lane(uint32_t lane) const;
};

// The texels of a sample of each lane: four in memory, at 32-bit offsets from a common address.
struct QuadFootprint {
  arch::Address base = 0;
  alignas(16) uint32_t offset[kQuadLanes][4] = {};  // [lane][texel]
  QuadShape shape;

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

// Sample k of all lanes of a plan that is `by_quad` and has all of them. Its texels lie in cache lines.
struct FetchedQuad {
  uint32_t k;
  const QuadShape* shape;
  const std::byte* const* line;  // where each line begins
  const uint8_t* line_of;        // [4 lane + texel]: the line in which the texel lies
  const uint16_t* offset;        // [4 lane + texel]: and its bytes from the line's beginning

  const std::byte* texel(uint32_t i) const { return line[line_of[i]] + offset[i]; }
};

// filter_samples() for all lanes at once.
void filter_quad(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                 const FetchedQuad& quad, std::array<TexelAccumulator, kQuadLanes>& accumulators);

}  // namespace cutaway::func
