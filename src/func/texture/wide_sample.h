#pragma once

#include <cstdint>
#include <cstring>

#include "arch/surface.h"
#include "func/format/block.h"
#include "func/shader/micro_op.h"
#include "func/texture/texture_view.h"
#include "isa/instruction.h"

// Texture instructions of 32 lanes at once: TEX, TXP, TXB, TXL, TXD and TXF on 1D, 2D and 3D textures, cubes,
// arrays and texel buffers, with comparison, offset and anisotropy. It has the phases of sample.h and gives
// the same bits. Unsupported cases go to sample.h: whole instructions (make_wide_texture: gathers, queries,
// filtered integers, several samples) or single quads (WidePlan::planned: NaN and very large coordinates,
// border texels, corners of cubes).
//   plan_wide       levels and probes of every quad, or of every lane
//   footprint_wide  addresses of the texels, sample after sample
//   fetch_words     gathers the texels (words; fetch_wide converts other texels one by one)
//   filter_wide     adds the fetched texels to the accumulator
//   finish_wide     swizzle
// After plan_wide, sample_bilinear does the rest at once for the most frequent textures.
namespace cutaway::func {

constexpr uint32_t kWideLanes = 32, kWideQuads = kWideLanes / 4;
constexpr uint32_t kLevelSlots = 16;  // of a table by level: a vector of the widest path
static_assert(kMaxLevels <= kLevelSlots);

// The fetched representation of a texel.
enum class WideTexel : uint8_t {
  kUnorm8,   // a word: four channels of 8 bits, filtered as integers
  kBytes,    // a word: R, G, B and A as codes of 8-bit unorm, filtered as floats
  kHalves,   // two words: R and G, B and A
  kBc1,      // two words: its BC1 block
  kDecoded,  // four words: the result of decode_texel or decode_block_texel
};

// Numbers that sample_window() needs. Places are a row above a column, of 16 bits each.
struct WindowTables {
  bool possible = false;
  // From estimated logarithms to levels, in units of 1/256 level or whole ones; and their limits.
  float half_units = 0, bias = 0;
  int32_t lowest = 0, highest = 0;
  // By axis: from coordinates to 1/512 texel; bits that positions too far away have in those; and what is
  // added to a position in 1/256 texel.
  float scale[2][kLevelSlots] = {};
  uint32_t far[2] = {}, shift[2] = {};
  // By level: what a place is masked with if it repeats, and the last place.
  uint32_t mask[kLevelSlots] = {}, last[kLevelSlots] = {};
};

// The properties of one texture instruction's texture and sampler, computed once for a draw.
struct WideTexture {
  bool possible = false;
  WideTexel texel = WideTexel::kDecoded;
  bool bgra = false;         // kUnorm8: blue is in the lowest byte
  bool opaque = false;       // kBc1: without alpha
  bool fetch = false;        // TXF
  bool buffer = false;       // reads a texel buffer
  bool projective = false;   // TXP
  bool texel_units = false;  // coordinates are in texels
  bool array = false, cube = false;
  bool plain = false;                                      // filtered, 2D, one layer
  bool seamless = false;                                   // a cube whose filter crosses the edges of faces
  uint32_t dimensions = 2;                                 // number of coordinates: 1 to 3; for a cube 2, on
                                                           // a face
  uint32_t compare = 0;                                    // 0: no comparison; otherwise arch::Compare + 1
  uint32_t reference_source = 0, reference_component = 0;  // the operand that holds the reference
  bool unit_reference = false;                             // the reference is clamped to [0, 1]
  bool needs_lod = false, mip_linear = false, mip_nearest = false;
  enum class Lod : uint8_t { kImplicit, kBiased, kExplicit, kGradients } lod = Lod::kImplicit;
  bool linear[2]{};        // magnification, minification
  bool estimates = false;  // levels follow from a rounded level of detail alone
  bool tiled = false, block_format = false;
  struct Axis {
    uint32_t wrap = 0;           // arch::Wrap
    bool powers_of_two = false;  // of the sizes of all levels
    int32_t offset = 0;          // texels
    bool clamps() const { return wrap == static_cast<uint32_t>(arch::Wrap::kClampToEdge); }
    bool repeats() const { return wrap == static_cast<uint32_t>(arch::Wrap::kRepeat); }
  };
  Axis axis[3];  // u, v, w
  uint32_t levels = 0;
  uint32_t layers = 1, layer_pitch = 0;  // of an array: number of layers, and bytes between them
  uint32_t face_pitch = 0;               // bytes between the faces of a cube
  uint32_t max_anisotropy = 1;           // 1 to 16
  double lod_bias = 0, min_lod = 0, max_lod = 0;
  double sampler_bias = 0;     // lod_bias before clamping
  uint32_t element_bytes = 0;  // of a texel or block
  arch::Address address = 0;   // address of the first level
  uint64_t bytes = 0;          // upper bound of offsets
  uint32_t swizzle = 0;
  uint32_t one = 0;  // the swizzle's constant one
  struct Levels {
    alignas(64) float width_float[kLevelSlots] = {};
    alignas(64) float height_float[kLevelSlots] = {};
    alignas(64) float depth_float[kLevelSlots] = {};
    alignas(64) int32_t width[kLevelSlots] = {};
    alignas(64) int32_t height[kLevelSlots] = {};
    alignas(64) int32_t depth[kLevelSlots] = {};
    alignas(64) uint32_t offset[kLevelSlots] = {};
    alignas(64) uint32_t pitch[kLevelSlots] = {};
    alignas(64) uint32_t slice_pitch[kLevelSlots] = {};
  };
  Levels level;
  WindowTables window;
};
WideTexture make_wide_texture(const TextureView& view, const arch::Sampler& sampler,
                              const isa::Access& access, isa::Opcode op);

// The sources of an instruction by component, kWideLanes words each; null for missing sources.
struct WideOperands {
  const uint32_t* source[3][4] = {};
};

// The sampling plan. Each lane takes `probes` bilinear samples of a level and, unless `fraction` is 0, as
// many of the next level. For 3D textures the samples are the two slices.
struct WidePlan {
  alignas(64) float u[kWideLanes], v[kWideLanes], w[kWideLanes];  // after TXP's division; for a cube: on the
                                                                  // face. TXF: bits of integers
  alignas(64) uint32_t layer[kWideLanes];   // bytes to the lane's layer; for a cube: to its first face
  alignas(64) uint32_t face[kWideLanes];    // of a cube
  alignas(64) float reference[kWideLanes];  // of a comparison
  // Per quad, or per lane if lanes of a quad differ.
  bool by_lane = false;
  alignas(64) float du[kWideLanes], dv[kWideLanes];  // along the pixel's longer axis, if probes > 1
  alignas(64) int32_t probes[kWideLanes], level[kWideLanes];
  alignas(64) int32_t fraction[kWideLanes];  // weight of the next level, in 1/256
  alignas(64) int32_t linear[kWideLanes];    // -1 or 0
  uint32_t levels = 1, most_probes = 1;      // maxima over all lanes
  uint32_t texels = 4;                       // per sample; 1: all nearest
  bool nearest = false;                      // some lane's filter is
  uint32_t second = 0;                       // lanes that sample two levels
  uint32_t planned = 0;                      // lanes that take this path; footprint_wide() may remove some
  uint32_t samples_of(uint32_t lane) const {
    const uint32_t at = by_lane ? lane : lane / 4;
    return static_cast<uint32_t>(probes[at] << (fraction[at] ? 1 : 0));
  }
};

struct WideFootprint {
  alignas(64) uint32_t offset[4][kWideLanes];    // [texel][lane]: bytes from WideTexture::address
  alignas(64) uint32_t in_block[4][kWideLanes];  // for block formats: 4 y + x
  alignas(64) uint32_t fraction_u[kWideLanes], fraction_v[kWideLanes], fraction_w[kWideLanes];
  uint32_t quads = 0;  // quads with a lane that takes the sample, bit 4 q; the other quads' data is undefined
};

// Words of the fetched texels: [word][texel][lane].
struct WideTexels {
  alignas(64) uint32_t word[4][4][kWideLanes];
};

struct WideAccumulator {
  alignas(64) float value[4][kWideLanes];  // [component][lane], sum over completed levels
  alignas(64) float mean[4][kWideLanes];   // mean of the current level's probes, or its first slice
};

// Every lane of a quad contributes to an implicit level of detail.
void plan_wide(const WideTexture& texture, const WideOperands& operands, WidePlan& plan);

// level 0 or 1 and probe count from the first. Samples must be taken by level, then by probe.
void footprint_wide(const WideTexture& texture, uint32_t level, uint32_t probe, WidePlan& plan,
                    WideFootprint& footprint);

// Pages of a window of memory (arch::Memory::Window, kWindowPages of them): an entry for each page of
// kPageBytes, 0 if nothing is mapped; its low two bits are no part of the address of the bytes.
constexpr uint32_t kWindowPages = 1 << 14;
struct WidePages {
  const void* entries = nullptr;
  uint32_t start = 0;  // of the texture, from the first page on
};
// Words of a texel that fetch_words() copies as they lie in memory; 0: each texel must be converted.
constexpr uint32_t copied_words(WideTexel texel) {
  if (texel == WideTexel::kUnorm8) return 1;
  return texel == WideTexel::kHalves || texel == WideTexel::kBc1 ? 2 : 0;
}
// Fetches copied_words() words of each texel of some quads (bit 4 q) of the footprint. The others' words are
// undefined. Returns false if a texel is not mapped.
bool fetch_words(const WidePages& pages, uint32_t words, uint32_t texels, uint32_t quads,
                 const WideFootprint& footprint, WideTexels& out);

void filter_wide(const WideTexture& texture, const WidePlan& plan, uint32_t level, uint32_t probe,
                 const WideFootprint& footprint, const WideTexels& texels, WideAccumulator& accumulator);

// Results [component][lane] of every lane that is still in `planned`.
void finish_wide(const WideTexture& texture, const WideAccumulator& accumulator,
                 uint32_t result[4][kWideLanes]);

// The four phases after plan_wide() for a plan with one probe and four texels of a plain texture of kUnorm8
// or kHalves without comparison: true if the plan is such a one.
inline bool is_bilinear(const WideTexture& texture, const WidePlan& plan) {
  const bool texels = texture.texel == WideTexel::kUnorm8 || texture.texel == WideTexel::kHalves;
  return texture.plain && texels && !texture.compare && plan.most_probes == 1 && plan.texels == 4;
}
// Samples the lanes of `active` (whole quads); those that are still planned afterwards have their results.
// Returns false if a texel is not mapped.
bool sample_bilinear(const WideTexture& texture, const WidePages& pages, uint32_t active, WidePlan& plan,
                     uint32_t result[4][kWideLanes]);

// The texels of all levels of a texture as bytes of R, G, B and A, row after row (texel_copy.h makes it). A
// row has a column more on both sides, which holds what the wrap mode finds there: the two texels of a row
// that a sample takes are neighbours.
struct TexelRows {
  const uint32_t* texels = nullptr;
  alignas(64) uint32_t first[kLevelSlots] = {};  // by level: the texel of column and row 0
  alignas(64) uint32_t pitch[kLevelSlots] = {};  // by level: from row to row
};
// The same as sample_bilinear() from a copy, with any number of probes and texels.
void sample_copy(const WideTexture& texture, const TexelRows& copy, uint32_t active, WidePlan& plan,
                 uint32_t result[4][kWideLanes]);
// Columns and rows of a copy that registers hold at a time. A copy must be readable that far from any texel
// on.
constexpr uint32_t kWindowColumns = 8, kWindowRows = 8;
// plan_wide() and sample_copy() of all lanes at once, faster, where all lanes sample one level, or it and the
// next. Only if texture.window.possible. Makes the plan's levels, most_probes, second and planned, no other
// part of it; `result` may be an operand. expected_level: that of the texture's last group, at first 0;
// becomes that of this one. Returns false, with nothing written, if the lanes must be sampled otherwise.
bool sample_window(const WideTexture& texture, const TexelRows& copy, const WideOperands& operands,
                   uint32_t& expected_level, WidePlan& plan, uint32_t result[4][kWideLanes]);

// The same functions for a given instruction set, for tests.
struct WideFunctions {
  decltype(&plan_wide) plan;
  decltype(&footprint_wide) footprint;
  decltype(&fetch_words) fetch;
  decltype(&filter_wide) filter;
  decltype(&finish_wide) finish;
  decltype(&sample_bilinear) bilinear;
  decltype(&sample_copy) copy;
  decltype(&sample_window) window;
};
const WideFunctions& wide_functions(AluPath path);

// Converts the bytes of an element to the words of a texel that filter_wide() needs; `kind` must be
// texture.texel.
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
