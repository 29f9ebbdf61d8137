#include "func/rop/depth_block.h"

#include <array>
#include <bit>
#include <cstring>
#include <emmintrin.h>

#include "arch/surface.h"

namespace cutaway::func {
namespace {

constexpr uint32_t kPixels = 64, kMostPlanes = 4;
constexpr uint32_t kFraction = 3;  // fraction bits of a plane's terms
// Header fields from the lowest bit: planes - 1, a flag for 24-bit depths, a flag for a second stencil, bits
// of a pixel's correction.
constexpr uint32_t kPlanesBits = 2, kCorrectionBits = 4, kHeaderBits = kPlanesBits + 2 + kCorrectionBits;

constexpr uint32_t low32(uint32_t bits) { return (1u << bits) - 1; }
constexpr uint64_t low(uint64_t value, uint32_t bits) { return value & ((uint64_t{1} << bits) - 1); }
constexpr int64_t signed_low(uint64_t value, uint32_t bits) {
  return bits ? static_cast<int64_t>(value << (64 - bits)) >> (64 - bits) : 0;
}
constexpr uint32_t selector_bits(uint32_t planes) { return planes <= 2 ? planes - 1 : 2; }

// Pixels are in memory order.
constexpr int32_t pixel_x(uint32_t i) { return static_cast<int32_t>(i / 16 % 2 * 4 + i % 4); }
constexpr int32_t pixel_y(uint32_t i) { return static_cast<int32_t>(i / 32 * 4 + i / 4 % 4); }

// A depth is anchor + x × dx + y × dy, each with kFraction fraction bits.
struct DepthPlane {
  uint64_t anchor = 0, dx = 0, dy = 0;

  uint64_t at(uint32_t pixel, uint32_t depth_bits) const {
    const uint64_t value = anchor + dx * static_cast<uint64_t>(pixel_x(pixel)) +
                           dy * static_cast<uint64_t>(pixel_y(pixel)) + (1u << (kFraction - 1));
    return low(value, depth_bits + kFraction) >> kFraction;
  }
};

struct Block {
  uint32_t depth_bits = 24;
  std::array<uint32_t, kPixels> depth{};
  std::array<uint8_t, 2> stencil{};
  uint32_t stencils = 0;  // number of distinct values; 3: more than two
  uint64_t second = 0;    // pixels with the second value
};

Block read_block(const std::byte* bytes, uint32_t depth_bits) {
  Block block{.depth_bits = depth_bits};
  for (uint32_t i = 0; i < kPixels; i++) {
    uint32_t element;
    std::memcpy(&element, bytes + i * 4, 4);
    block.depth[i] = static_cast<uint32_t>(low(element, depth_bits));
    if (depth_bits == 32) continue;
    const auto stencil = static_cast<uint8_t>(element >> depth_bits);
    if (block.stencils == 0) block.stencil[block.stencils++] = stencil;
    if (stencil == block.stencil[0]) continue;
    if (block.stencils == 1) block.stencil[block.stencils++] = stencil;
    if (stencil == block.stencil[1]) block.second |= uint64_t{1} << i;
    else block.stencils = 3;
  }
  return block;
}

// ---- Fitting planes ----

// The correction from a plane to a pixel's depth, the shorter way round the range.
int64_t correction(const Block& block, const DepthPlane& plane, uint32_t pixel) {
  return signed_low(block.depth[pixel] - plane.at(pixel, block.depth_bits), block.depth_bits);
}

struct Fit {
  std::array<DepthPlane, kMostPlanes> plane;
  std::array<uint8_t, kPixels> number{};  // plane of each pixel
  uint32_t planes = 0;
};

constexpr uint32_t kNowhere = ~0u;
constexpr uint32_t pixel_at(int32_t x, int32_t y) {
  if (x < 0 || y < 0 || x > 7 || y > 7) return kNowhere;
  return static_cast<uint32_t>(y / 4 * 32 + x / 4 * 16 + y % 4 * 4 + x % 4);
}

int64_t difference(const Block& block, uint32_t to, uint32_t from) {
  return signed_low(uint64_t{block.depth[to]} - block.depth[from], block.depth_bits);
}

// The depth step along a row (dx = 1) or a column (dy = 1) through a pixel, with kFraction fraction bits: the
// mean over both neighbours, if they are among `pixels` and their steps are similar.
int64_t slope_at(const Block& block, uint64_t pixels, uint32_t seed, int32_t dx, int32_t dy) {
  int64_t rise = 0, steps = 0, first = 0;
  for (const int32_t way : {1, -1}) {
    uint32_t here = seed;
    for (;;) {
      const uint32_t next = pixel_at(pixel_x(here) + way * dx, pixel_y(here) + way * dy);
      if (next == kNowhere || !(pixels >> next & 1)) break;
      const int64_t step = way * difference(block, next, here);
      if (!steps) first = step;
      const int64_t alike = 2 + (first < 0 ? -first : first) / 32;
      if (step > first + alike || step < first - alike) break;
      rise += step, steps++;
      here = next;
    }
  }
  if (!steps) return 0;
  const int64_t scaled = rise * (1 << kFraction) * 2;
  return (scaled + (scaled < 0 ? -steps : steps)) / (2 * steps);
}

DepthPlane plane_at(const Block& block, uint64_t pixels, uint32_t seed) {
  DepthPlane plane{.dx = static_cast<uint64_t>(slope_at(block, pixels, seed, 1, 0)),
                   .dy = static_cast<uint64_t>(slope_at(block, pixels, seed, 0, 1))};
  plane.anchor = (uint64_t{block.depth[seed]} << kFraction) -
                 plane.dx * static_cast<uint64_t>(pixel_x(seed)) -
                 plane.dy * static_cast<uint64_t>(pixel_y(seed));
  return plane;
}

// Fits a plane through the corners of the block, for depths whose neighbours give no slope.
DepthPlane plane_through_corners(const Block& block) {
  const uint32_t corner[] = {pixel_at(0, 0), pixel_at(7, 0), pixel_at(0, 7), pixel_at(7, 7)};
  const int64_t dx = difference(block, corner[1], corner[0]) + difference(block, corner[3], corner[2]);
  const int64_t dy = difference(block, corner[2], corner[0]) + difference(block, corner[3], corner[1]);
  const int64_t off = difference(block, corner[1], corner[0]) + difference(block, corner[2], corner[0]) +
                      difference(block, corner[3], corner[0]);
  constexpr int64_t kOne = 1 << kFraction;
  // The mean of the corners minus half the difference between first and last.
  const int64_t anchor = off * kOne / 4 - (dx + dy) * kOne / 4;
  return {.anchor = (uint64_t{block.depth[corner[0]]} << kFraction) + static_cast<uint64_t>(anchor),
          .dx = static_cast<uint64_t>(dx * kOne / 14),
          .dy = static_cast<uint64_t>(dy * kOne / 14)};
}

// near_plane() of depths of which 32 bits hold a plane's terms: four pixels of a row at once.
uint64_t near_plane_of_four(const Block& block, const DepthPlane& plane, uint32_t reach, uint32_t span) {
  using Word4 = uint32_t __attribute__((vector_size(16)));
  const auto dx = static_cast<uint32_t>(plane.dx), dy = static_cast<uint32_t>(plane.dy);
  const Word4 steps = {0, dx, 2 * dx, 3 * dx};
  const Word4 first = steps + (static_cast<uint32_t>(plane.anchor) + (1u << (kFraction - 1)));
  const uint32_t terms = low32(block.depth_bits + kFraction), depths = low32(block.depth_bits);
  uint64_t found = 0;
  for (uint32_t i = 0; i < kPixels; i += 4) {
    const uint32_t corner = dx * static_cast<uint32_t>(pixel_x(i)) + dy * static_cast<uint32_t>(pixel_y(i));
    Word4 depth;
    std::memcpy(&depth, &block.depth[i], sizeof depth);
    const Word4 off = (depth - (((first + corner) & terms) >> kFraction) + reach) & depths;
    const auto near = (__m128)(off < span);
    found |= static_cast<uint64_t>(_mm_movemask_ps(near)) << i;
  }
  return found;
}

// The pixels whose correction fits in `bits`.
uint64_t near_plane(const Block& block, const DepthPlane& plane, uint32_t bits) {
  const uint64_t reach = bits ? uint64_t{1} << (bits - 1) : 0, span = uint64_t{1} << bits;
  if (block.depth_bits + kFraction < 32)
    return near_plane_of_four(block, plane, static_cast<uint32_t>(reach), static_cast<uint32_t>(span));
  uint64_t found = 0;
  for (uint32_t i = 0; i < kPixels; i++) {
    const uint64_t off = block.depth[i] - plane.at(i, block.depth_bits) + reach;
    found |= uint64_t{low(off, block.depth_bits) < span} << i;
  }
  return found;
}

// Pixels through which planes are tried: the corners of the block, and the first, the last and a middle one
// of the remaining pixels.
std::array<uint32_t, 7> seeds(uint64_t left) {
  uint64_t half = left;
  for (int i = std::popcount(left) / 2; i > 0; i--) half &= half - 1;
  return {pixel_at(0, 0),
          pixel_at(7, 0),
          pixel_at(0, 7),
          pixel_at(7, 7),
          static_cast<uint32_t>(std::countr_zero(left)),
          63 - static_cast<uint32_t>(std::countl_zero(left)),
          static_cast<uint32_t>(std::countr_zero(half ? half : left))};
}

// Fits at most `most` planes, each the one with the most remaining pixels within `bits` of correction.
// Returns false if more planes are needed.
bool fit_planes(const Block& block, uint32_t most, uint32_t bits, Fit& fit) {
  uint64_t left = ~uint64_t{0};
  for (fit.planes = 0; left; fit.planes++) {
    if (fit.planes == most) return false;
    uint64_t best = 0;
    const auto try_plane = [&](const DepthPlane& plane) {
      const uint64_t found = near_plane(block, plane, bits) & left;
      if (std::popcount(found) <= std::popcount(best)) return;
      best = found;
      fit.plane[fit.planes] = plane;
    };
    for (const uint32_t seed : seeds(left))
      if (best != left && (left >> seed & 1)) try_plane(plane_at(block, left, seed));
    if (best != left && fit.planes == 0) try_plane(plane_through_corners(block));
    // The best plane must take at least an equal share of the remaining pixels.
    if (static_cast<uint32_t>(std::popcount(best)) * (most - fit.planes) <
        static_cast<uint32_t>(std::popcount(left)))
      return false;
    for (uint64_t taken = best; taken; taken &= taken - 1)
      fit.number[static_cast<uint32_t>(std::countr_zero(taken))] = static_cast<uint8_t>(fit.planes);
    left &= ~best;
  }
  return true;
}

// ---- Bits ----

constexpr uint32_t kWords = kPackedDepthBytes / 8;
using PackedWords = std::array<uint64_t, kWords + 1>;  // one extra word receives bits that run over the end

class BitWriter {
 public:
  explicit BitWriter(PackedWords& words) : words_(words) {}
  void put(uint64_t value, uint32_t bits) {
    if (!bits) return;
    words_[at_ / 64] |= value << at_ % 64;
    if (at_ % 64 + bits > 64) words_[at_ / 64 + 1] |= value >> (64 - at_ % 64);
    at_ += bits;
  }

 private:
  PackedWords& words_;
  uint32_t at_ = 0;
};

class BitReader {
 public:
  explicit BitReader(const PackedWords& words) : words_(words) {}
  // Reads zeros beyond the end.
  uint64_t take(uint32_t bits) {
    if (!bits || at_ >= kWords * 64) return 0;
    uint64_t value = words_[at_ / 64] >> at_ % 64;
    if (at_ % 64 + bits > 64) value |= words_[at_ / 64 + 1] << (64 - at_ % 64);
    at_ += bits;
    return bits == 64 ? value : low(value, bits);
  }

 private:
  const PackedWords& words_;
  uint32_t at_ = 0;
};

uint32_t stencil_bits(const Block& block) {
  return block.depth_bits == 32 ? 0 : block.stencils == 1 ? 8 : 16 + kPixels;
}

// Bits of a pixel's correction that fit if a given number of planes must fit in a given number of bytes;
// kNone if none do.
constexpr uint32_t kNone = ~0u;
uint32_t correction_bits(const Block& block, uint32_t planes, uint32_t bytes) {
  const uint32_t fixed_bits = kHeaderBits + stencil_bits(block) +
                              planes * 3 * (block.depth_bits + kFraction) + kPixels * selector_bits(planes);
  if (fixed_bits > bytes * 8) return kNone;
  const uint32_t bits = (bytes * 8 - fixed_bits) / kPixels;
  return bits < (1u << kCorrectionBits) ? bits : (1u << kCorrectionBits) - 1;
}

PackedWords packed_words(const Block& block, const Fit& fit, uint32_t corrections) {
  PackedWords words{};
  BitWriter out(words);
  out.put(fit.planes - 1, kPlanesBits);
  out.put(block.depth_bits == 24, 1);
  out.put(block.stencils == 2, 1);
  out.put(corrections, kCorrectionBits);
  if (block.depth_bits == 24) out.put(block.stencil[0], 8);
  if (block.stencils == 2) {
    out.put(block.stencil[1], 8);
    out.put(block.second, kPixels);
  }
  const uint32_t term = block.depth_bits + kFraction;
  for (uint32_t i = 0; i < fit.planes; i++)
    for (const uint64_t value : {fit.plane[i].anchor, fit.plane[i].dx, fit.plane[i].dy})
      out.put(low(value, term), term);
  for (uint32_t i = 0; i < kPixels; i++) {
    out.put(fit.number[i], selector_bits(fit.planes));
    const int64_t off = correction(block, fit.plane[fit.number[i]], i);
    out.put(low(static_cast<uint64_t>(off), corrections), corrections);
  }
  return words;
}

}  // namespace

uint32_t pack_depth_block(const std::byte* bytes, uint32_t depth_bits, std::byte* packed) {
  const Block block = read_block(bytes, depth_bits);
  if (block.stencils > 2) return 4;
  for (uint32_t sectors : {1u, 2u})
    for (uint32_t planes = 1; planes <= kMostPlanes; planes *= 2) {
      const uint32_t bits = correction_bits(block, planes, sectors * 64);
      Fit fit;
      if (bits == kNone || !fit_planes(block, planes, bits, fit)) continue;
      std::memcpy(packed, packed_words(block, fit, bits).data(), sectors * 64);
      return sectors;
    }
  return 4;
}

void unpack_depth_block(const std::byte* packed, std::byte* bytes) {
  PackedWords words{};
  std::memcpy(words.data(), packed, kPackedDepthBytes);
  BitReader in(words);
  const auto planes = static_cast<uint32_t>(in.take(kPlanesBits)) + 1;
  const uint32_t depth_bits = in.take(1) ? 24 : 32;
  const bool two = in.take(1);
  const auto corrections = static_cast<uint32_t>(in.take(kCorrectionBits));
  uint64_t stencil[2] = {};
  if (depth_bits == 24) stencil[0] = stencil[1] = in.take(8);
  if (two) stencil[1] = in.take(8);
  const uint64_t second = two ? in.take(kPixels) : 0;
  std::array<DepthPlane, kMostPlanes> plane;
  const uint32_t term = depth_bits + kFraction;
  for (uint32_t i = 0; i < planes; i++) {
    plane[i].anchor = in.take(term);
    plane[i].dx = in.take(term);
    plane[i].dy = in.take(term);
  }
  for (uint32_t i = 0; i < kPixels; i++) {
    const auto number = static_cast<uint32_t>(in.take(selector_bits(planes))) % planes;
    const auto off = static_cast<uint64_t>(signed_low(in.take(corrections), corrections));
    uint64_t element = low(plane[number].at(i, depth_bits) + off, depth_bits);
    if (depth_bits == 24) element |= stencil[second >> i & 1] << depth_bits;
    const auto word = static_cast<uint32_t>(element);
    std::memcpy(bytes + i * 4, &word, 4);
  }
}

}  // namespace cutaway::func
