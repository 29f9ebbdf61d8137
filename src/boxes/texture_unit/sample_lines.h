#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/divisor.h"
#include "boxes/texture_unit/texture_unit_spec.h"
#include "func/texture/quad_footprint.h"

namespace cutaway::boxes {

// How a cache line is divided into units of `fetch_bytes`. A texel of a power of two bytes lies in one unit.
class LineUnits {
 public:
  explicit LineUnits(const TextureUnitSpec& spec);

  arch::Address floor(arch::Address address) const { return line_.floor(address); }
  uint32_t line_bytes() const { return line_bytes_; }
  uint32_t unit_bytes() const { return unit_bytes_; }
  int unit_shift() const { return unit_shift_; }
  // Returns the grains of the unit that holds this offset within a line.
  uint16_t grains_at(uint64_t offset) const { return grains_[offset / kLeastUnit]; }

 private:
  static constexpr uint32_t kLeastUnit = 32, kMostLineBytes = 512;

  Divisor line_;
  uint32_t line_bytes_, unit_bytes_;
  int unit_shift_;
  std::array<uint16_t, kMostLineBytes / kLeastUnit> grains_{};
};

// One value for each texel of a bilinear sample of a quad: [4 lane + texel].
template <class T>
using TexelsOfQuad = std::array<T, size_t{4} * func::kQuadLanes>;

// The lines in which the texels of a bilinear sample of a quad lie, in the order in which its lanes read
// them.
class SampleLines {
 public:
  struct Line {
    arch::Address start;
    uint16_t grains;
    uint16_t texels;  // that lie in it: bit 4 lane + texel

    uint32_t first_lane() const;
    uint8_t lanes() const;  // number of lanes with a texel in it
  };

  // Finds the lines of these lanes.
  void find(const LineUnits& units, const func::QuadFootprint& quad, uint32_t lanes);

  uint32_t count() const { return count_; }
  const Line& operator[](uint32_t i) const { return line_[i]; }
  // In which line each texel of these lanes is, and at which offset there.
  const TexelsOfQuad<uint8_t>& line_of() const { return line_of_; }
  const TexelsOfQuad<uint16_t>& offset() const { return offset_; }
  // Replaces the number of each line by another one.
  void renumber(const uint8_t number[]);

 private:
  uint32_t count_ = 0;
  TexelsOfQuad<Line> line_;  // each texel may be in another
  alignas(16) TexelsOfQuad<uint8_t> line_of_;
  alignas(16) TexelsOfQuad<uint16_t> offset_;
};

}  // namespace cutaway::boxes
