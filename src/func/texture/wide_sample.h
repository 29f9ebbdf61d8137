#pragma once

#include <cstdint>

#include "arch/surface.h"
#include "func/shader/micro_op.h"
#include "func/texture/texture_view.h"
#include "isa/instruction.h"

// Texture instructions of 32 lanes at once, for the accesses that programs make most: TEX and TXP on a 2D
// texture without offset, comparison or anisotropy. The same phases as sample.h has, and the same bits; what
// is not possible here goes there, whole instructions (make_wide_texture) or single quads
// (WidePlan::planned).
namespace cutaway::func {

constexpr uint32_t kWideLanes = 32;

// What one texture instruction of a program reads, found once for a draw.
struct WideTexture {
  bool possible = false;
  bool unorm8 = false;  // four channels of 8 bits: filter_wide_unorm8, else filter_wide
  bool bgra = false;
  bool projective = false;  // TXP
  bool needs_lod = false, mip_linear = false, mip_nearest = false;
  bool linear[2]{};  // magnification, minification
  bool tiled = false;
  struct Axis {
    uint32_t wrap = 0;           // arch::Wrap
    bool powers_of_two = false;  // the sizes of all levels
  };
  Axis axis[2];  // u, v
  uint32_t levels = 0;
  double lod_bias = 0, min_lod = 0, max_lod = 0;
  uint32_t texel_bytes = 0;
  arch::Address address = 0;  // of the first level
  uint64_t bytes = 0;         // that offsets stay below
  uint32_t swizzle = 0;
  struct Level {
    float width_float = 0, height_float = 0;
    int32_t width = 0, height = 0;
    uint32_t offset = 0, pitch = 0;
  };
  Level level[kMaxLevels];
};
WideTexture make_wide_texture(const TextureView& view, const arch::Sampler& sampler,
                              const isa::Access& access, isa::Opcode op);

// Bilinear samples of all lanes: first of one level, then, where level_weight is not 0, of the next.
struct WidePlan {
  alignas(64) uint32_t offset[2][4][kWideLanes];  // [sample][texel][lane]: bytes from WideTexture::address
  alignas(64) uint32_t fraction_u[2][kWideLanes], fraction_v[2][kWideLanes];
  alignas(64) uint32_t level_weight[kWideLanes];  // of the second sample, in 1/256
  uint32_t samples = 1;                           // 1 or 2; lanes that need one repeat it
  uint32_t texels = 4;                            // 1: all nearest
  uint32_t planned = 0;                           // lanes
};

// Coordinates: bits of floats; q only with TXP. Every lane of a quad counts for its level of detail.
void plan_wide(const WideTexture& texture, const uint32_t* u, const uint32_t* v, const uint32_t* q,
               WidePlan& plan);

// Elements that were fetched, [sample][texel][lane], to results [component][lane] in every lane.
void filter_wide_unorm8(const WideTexture& texture, const WidePlan& plan,
                        const uint32_t texel[2][4][kWideLanes], uint32_t result[4][kWideLanes]);
// Decoded ones: [sample][texel][component][lane].
void filter_wide(const WideTexture& texture, const WidePlan& plan, const uint32_t texel[2][4][4][kWideLanes],
                 uint32_t result[4][kWideLanes]);

// The same with the instruction set named, for tests.
struct WideFunctions {
  decltype(&plan_wide) plan;
  decltype(&filter_wide_unorm8) filter_unorm8;
  decltype(&filter_wide) filter;
};
const WideFunctions& wide_functions(AluPath path);

}  // namespace cutaway::func
