#pragma once

#include <cstdint>
#include <cstring>

#include "arch/surface.h"
#include "func/format/block.h"
#include "func/shader/micro_op.h"
#include "func/texture/texture_view.h"
#include "isa/instruction.h"

// Texture instructions of 32 lanes at once, for the accesses that programs make most: TEX and TXP on a 2D
// texture without offset or comparison, anisotropic or not, and TXL where no level of detail counts. The same
// phases as sample.h has, and the same bits; what is not possible here goes there, whole instructions
// (make_wide_texture) or single quads (WidePlan::planned):
//   plan_wide       levels and probes of every quad
//   footprint_wide  sample after sample: where its texels lie
//   filter_wide     its fetched texels into the accumulator
//   finish_wide     swizzle
namespace cutaway::func {

constexpr uint32_t kWideLanes = 32, kWideQuads = kWideLanes / 4;

// What is fetched of a texel.
enum class WideTexel : uint8_t {
  kUnorm8,   // a word: four channels of 8 bits, filtered as integers
  kBytes,    // a word: R, G, B and A as codes of 8-bit unorm, filtered as floats
  kHalves,   // two words: R and G, B and A
  kBc1,      // two words: its block of BC1
  kDecoded,  // four words: decode_texel or decode_block_texel
};

// What one texture instruction of a program reads, found once for a draw.
struct WideTexture {
  bool possible = false;
  WideTexel texel = WideTexel::kDecoded;
  bool bgra = false;         // kUnorm8: blue is in the lowest byte
  bool opaque = false;       // kBc1: without alpha
  bool projective = false;   // TXP
  bool texel_units = false;  // coordinates count texels
  bool needs_lod = false, mip_linear = false, mip_nearest = false;
  bool linear[2]{};  // magnification, minification
  bool tiled = false, block_format = false;
  struct Axis {
    uint32_t wrap = 0;           // arch::Wrap
    bool powers_of_two = false;  // the sizes of all levels
  };
  Axis axis[2];  // u, v
  uint32_t levels = 0;
  uint32_t max_anisotropy = 1;  // 1 to 16
  double lod_bias = 0, min_lod = 0, max_lod = 0;
  uint32_t element_bytes = 0;  // of a texel or block
  arch::Address address = 0;   // of the first level
  uint64_t bytes = 0;          // that offsets stay below
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

// Each quad takes `probes` bilinear samples of a level and, where `fraction` is not 0, as many of the next.
struct WidePlan {
  alignas(64) float u[kWideLanes], v[kWideLanes];  // after the division of TXP
  float du[kWideQuads], dv[kWideQuads];            // across the pixel's longer axis, if probes > 1
  int32_t probes[kWideQuads];
  int32_t level[kWideQuads], fraction[kWideQuads];  // fraction: weight of the next level, in 1/256
  bool linear[kWideQuads];
  uint32_t levels = 1, most_probes = 1;  // of any quad
  uint32_t texels = 4;                   // of a sample; 1: all nearest
  uint32_t planned = 0;                  // lanes; footprint_wide() takes some away
  uint32_t samples_of(uint32_t lane) const {
    return static_cast<uint32_t>(probes[lane / 4] << (fraction[lane / 4] ? 1 : 0));
  }
};

struct WideFootprint {
  alignas(64) uint32_t offset[4][kWideLanes];    // [texel][lane]: bytes from WideTexture::address
  alignas(64) uint32_t in_block[4][kWideLanes];  // of a block format: 4 y + x
  alignas(64) uint32_t fraction_u[kWideLanes], fraction_v[kWideLanes];
  uint32_t quads = 0;  // that take the sample: bit 4 q; nothing is said of the others
};

// Words of the texels that were fetched: [word][texel][lane].
struct WideTexels {
  alignas(64) uint32_t word[4][4][kWideLanes];
};

struct WideAccumulator {
  alignas(64) float value[4][kWideLanes];  // [component][lane], of the levels that are done
  alignas(64) float mean[4][kWideLanes];   // of the probes of the level under way
};

// Coordinates: bits of floats; q only with TXP. Every lane of a quad counts for its level of detail.
void plan_wide(const WideTexture& texture, const uint32_t* u, const uint32_t* v, const uint32_t* q,
               WidePlan& plan);

// level 0 or 1 and probe: counted from the first. Samples are taken by level, then by probe.
void footprint_wide(const WideTexture& texture, uint32_t level, uint32_t probe, WidePlan& plan,
                    WideFootprint& footprint);

void filter_wide(const WideTexture& texture, const WidePlan& plan, uint32_t level, uint32_t probe,
                 const WideFootprint& footprint, const WideTexels& texels, WideAccumulator& accumulator);

// Results [component][lane] of every lane that is still planned.
void finish_wide(const WideTexture& texture, const WideAccumulator& accumulator,
                 uint32_t result[4][kWideLanes]);

// The same with the instruction set named, for tests.
struct WideFunctions {
  decltype(&plan_wide) plan;
  decltype(&footprint_wide) footprint;
  decltype(&filter_wide) filter;
  decltype(&finish_wide) finish;
};
const WideFunctions& wide_functions(AluPath path);

// What filter_wide() needs of a texel, from the bytes of its element; `kind` is texture.texel.
template <WideTexel kind>
void fetch_wide(const TextureView& view, const std::byte* element, uint32_t in_block, uint32_t texel,
                uint32_t lane, WideTexels& texels) {
  uint32_t& first = texels.word[0][texel][lane];
  if constexpr (kind == WideTexel::kUnorm8) {
    std::memcpy(&first, element, 4);
  } else if constexpr (kind == WideTexel::kBytes) {
    if (view.block_format) {
      first = decode_block_bytes(view.layout, element, in_block);
    } else {
      const uint32_t green = view.texel_bytes > 1 ? static_cast<uint32_t>(element[1]) << 8 : 0;
      first = static_cast<uint32_t>(element[0]) | green | 0xff000000;
    }
  } else if constexpr (kind == WideTexel::kBc1 || kind == WideTexel::kHalves) {
    std::memcpy(&first, element, 4);
    std::memcpy(&texels.word[1][texel][lane], element + 4, 4);
  } else {
    uint32_t value[4];
    if (view.block_format) decode_block_texel(*view.format, view.layout, element, in_block, value);
    else decode_texel(*view.format, view.layout, element, value);
    for (uint32_t c = 0; c < 4; c++) texels.word[c][texel][lane] = value[c];
  }
}

}  // namespace cutaway::func
