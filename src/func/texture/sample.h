#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "arch/surface.h"
#include "func/texture/texture_view.h"
#include "isa/instruction.h"

// Executes texture instructions of a quad (Vulkan "Image Operations") in phases:
//   plan_texture       coordinates, level of detail, number of bilinear samples of each lane
//   texture_footprint  addresses of the texels of a lane's sample k
//   filter_samples     adds fetched samples to their lanes' accumulators, each lane's in the order of k
//   finish_texture     swizzle
// Lanes of a quad: 0 upper left, 1 upper right, 2 lower left, 3 lower right.
//
// A 3D texture's linear filter takes two bilinear samples per level, one per slice. Anisotropic filtering
// takes N samples per level along the longer axis of the pixel's footprint (footprint.cpp) and averages them.
//
// Precision: an implicit level of detail is one per quad, from the gradients at lane 0. Coordinates times the
// size are rounded to floats. Linear filters round them to 1/256 texel (subTexelPrecisionBits 8), linear
// mipmapping rounds the level of detail to 1/256 (mipmapPrecisionBits 8); nearest filters use the floor of
// the unrounded product. Equal texels give exactly that texel, whatever the weights.
//
// A shadow access compares each texel's red with the reference and filters the outcomes (Vulkan "Depth
// Compare Operation"); with a sampler that does not compare it reads like any other access.
namespace cutaway::func {

constexpr uint32_t kQuadLanes = 4;
constexpr float kMaxLodBias = 16;
constexpr uint32_t kMaxAnisotropy = 16;

using QuadOperands = uint32_t[3][4][kQuadLanes];  // [source][component][lane]

struct QuadResult {
  uint32_t value[4][kQuadLanes];  // [component][lane]
};

// One lane's access. It is small so that it can wait in a queue; addresses are computed when they are needed.
// kImmediate: u, v, w and layer are the four components of the result.
struct LanePlan {
  uint32_t u = 0, v = 0, w = 0;  // kFiltered: bits of floats, normalised or in texels; kFetch: integers
  uint32_t layer = 0;            // within the view; of a cube: including its face
  float reference = 0;           // of a comparison, before clamping
  float du = 0, dv = 0;          // change of u and v across the pixel's longer axis, if probes > 1
  uint8_t probes = 1;            // number of probes along that axis
  uint8_t samples = 0;           // bilinear samples: per level one per probe, or two of a 3D texture
  uint8_t level = 0;             // the first level, within the view
  uint8_t level_fraction = 0;    // weight of the next level, in 1/256; 0: it is not read
  uint8_t sample_index = 0;      // of a multisample texture
  bool linear = false;           // 2×2 texels per sample; otherwise 1
  std::array<int8_t, 3> offset{};
};

struct TexturePlan {
  enum class Kind : uint8_t { kFiltered, kFetch, kImmediate };
  Kind kind = Kind::kImmediate;    // the result is known without memory access
  bool texel_coordinates = false;  // u and v are in texels
  uint8_t dimensions = 2;          // number of coordinates; of a cube: 2, on a face
  bool seamless = false;           // a cube whose filter crosses the edges of faces
  bool gather = false;             // four texels of one component, in Vulkan's order
  uint8_t component = 0;           // of the gather
  uint8_t compare = 0;             // 0: no comparison; otherwise arch::Compare + 1
  uint8_t lane_mask = 0;
  bool by_quad = false;  // the mask's lanes take linear samples of the same levels of one plane, and 32 bits
                         // hold its offsets (quad_footprint.h)
  std::array<LanePlan, kQuadLanes> lane;

  // Number of bilinear samples at one place of one level: 2 for the two slices nearest to w.
  uint32_t slices(uint32_t n) const { return dimensions == 3 && lane[n].linear ? 2 : 1; }
  uint32_t samples() const {  // over all lanes: cycles that a unit with one bilinear sample per cycle needs
    return lane[0].samples + lane[1].samples + lane[2].samples + lane[3].samples;
  }
};

// Plans an instruction that isa::valid() accepts. Never fails on values: NaN coordinates read as 0, infinite
// ones as very large. An invalid view gives zeros without memory access. Sources are as in isa/opcode.h;
// source 1 of TXG, its offsets, must be zero if the instruction has none.
void plan_texture(const TextureView& view, const arch::Sampler& sampler, const isa::Access& access,
                  isa::Opcode op, const QuadOperands& operands, uint32_t lane_mask, TexturePlan& plan);

constexpr uint8_t kNoTexel = 4;

// The weights of the texels of one bilinear sample, and which of them are in memory. Texel i is in column
// i & 1 and row i >> 1. Texels beyond the edge of a cube's face belong to the adjacent face (Vulkan "Cube Map
// Edge Handling"); beyond a corner there is none, and the mean of the other three replaces it.
struct FootprintShape {
  uint8_t fraction_u = 0, fraction_v = 0;  // weight of the second column and row, in 1/256
  uint8_t fraction_w = 0;                  // weight of the second slice
  uint8_t texels = 0;                      // 1 or 4
  uint8_t border = 0;                      // bit i: texel i is a border texel or missing, so not in memory
  uint8_t missing = kNoTexel;              // the texel beyond a cube's corner
  std::array<uint8_t, 4> in_block{};       // of a block format: 4 y + x, the texel in its block

  bool in_memory(uint32_t i) const { return !(border >> i & 1); }
};

// The texels of one bilinear sample.
struct Footprint : FootprintShape {
  std::array<arch::Address, 4> location{};

  arch::Address address(uint32_t i) const { return location[i]; }
};

// k < plan.lane[lane].samples: by level, then by probe, then by slice. The caller fetches view.texel_bytes
// bytes at each address.
Footprint texture_footprint(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                            uint32_t lane, uint32_t k);

struct TexelAccumulator {
  uint32_t value[4] = {0, 0, 0, 0};
  uint32_t first_slice[4] = {0, 0, 0, 0};  // of the current probe
  uint32_t mean[4] = {0, 0, 0, 0};         // of the probes of the current level
};

// Sample k of a lane. texel[i]: the bytes of texel i of the footprint; ignored for border texels.
struct FetchedSample {
  uint32_t lane, k;
  const FootprintShape* shape;
  const std::byte* texel[4];
};

// Samples of a lane must be added in the order of k.
void filter_samples(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                    std::span<const FetchedSample> samples,
                    std::array<TexelAccumulator, kQuadLanes>& accumulators);

// Lanes outside the plan's mask become zero.
void finish_texture(const TextureView& view, const TexturePlan& plan,
                    const std::array<TexelAccumulator, kQuadLanes>& accumulators, QuadResult& result);

// Performs all phases after the plan, for a memory that answers at once: fetch(address, bytes, destination).
template <class Fetch>
void run_texture(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan,
                 Fetch&& fetch, QuadResult& result) {
  std::array<TexelAccumulator, kQuadLanes> accumulators;
  std::byte bytes[4][kMaxTexelBytes];
  for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
    for (uint32_t k = 0; k < plan.lane[lane].samples; k++) {
      const Footprint footprint = texture_footprint(view, sampler, plan, lane, k);
      for (uint32_t i = 0; i < footprint.texels; i++)
        if (footprint.in_memory(i)) fetch(footprint.address(i), view.texel_bytes, bytes[i]);
      const FetchedSample sample{lane, k, &footprint, {bytes[0], bytes[1], bytes[2], bytes[3]}};
      filter_samples(view, sampler, plan, {&sample, 1}, accumulators);
    }
  }
  finish_texture(view, plan, accumulators, result);
}

}  // namespace cutaway::func
