#pragma once

#include <array>
#include <cstdint>

#include "boxes/texture_unit/texture_unit_spec.h"
#include "func/texture/quad_footprint.h"
#include "func/texture/sample.h"

namespace cutaway::boxes {

// Samples of some lanes of a quad, in filter order, and the lines that they read.
struct TextureStep {
  static constexpr uint32_t kMaxLines = 16;  // one sample has 4
  static constexpr uint32_t kMaxReads = func::kQuadLanes * TextureUnitSpec::kMostStepSamples;

  // Sample k of a lane. Of a filtered sample: where its texels begin, in a line of the step at an offset.
  struct Read {
    uint8_t lane = 0, k = 0;
    std::array<uint8_t, 4> line{};
    std::array<uint16_t, 4> offset{};
  };
  // In the order in which the samples touch them. There is room for one sample too many.
  struct Lines {
    uint32_t count = 0;
    std::array<uint16_t, kMaxLines + 4> grains;
    std::array<uint8_t, kMaxLines + 4> readers;  // number of samples that read each line
  };

  uint32_t work = 0;  // sequence number of the instruction
  uint32_t sample = 0;
  uint32_t reads = 0, pinned = 0;
  std::array<Read, kMaxReads> read;
  Lines lines;
  std::array<arch::Address, kMaxLines + 4> address;
  std::array<uint32_t, kMaxLines> line;  // of the cache
  // The texels of the lanes, from sample `sample` on: of all together, or of each.
  bool by_quad = false;
  func::QuadFootprint quad[TextureUnitSpec::kMostStepSamples];
  func::Footprint footprint[TextureUnitSpec::kMostStepSamples][func::kQuadLanes];

  const func::Footprint& footprint_of(const Read& of) const { return footprint[of.k - sample][of.lane]; }
  const func::FootprintShape& shape_of(const Read& of) const {
    return by_quad ? quad[of.k - sample].shape[of.lane] : footprint_of(of);
  }
  // Returns the index of the line that begins at `start`, or the number of lines.
  uint32_t find_line(arch::Address start) const {
    uint32_t at = 0;
    while (at < lines.count && address[at] != start) at++;
    return at;
  }
  // Returns the index of the line that begins at `start`. Adds it if there is none.
  uint32_t add_line(arch::Address start) {
    const uint32_t at = find_line(start);
    if (at < lines.count) return at;
    address[at] = start;
    lines.grains[at] = lines.readers[at] = 0;
    lines.count++;
    return at;
  }
};

}  // namespace cutaway::boxes
