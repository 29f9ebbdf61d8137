#pragma once

#include <array>
#include <cstdint>

#include "boxes/texture_unit/sample_lines.h"
#include "func/texture/sample.h"

namespace cutaway::boxes {

// Samples of some lanes of a quad, in filter order, and the lines that they read. Hundreds of steps wait for
// their lines: what a frequent one uses of it is at its beginning.
struct alignas(64) TextureStep {
  static constexpr uint32_t kMaxLines = 16;  // one sample has 4
  static constexpr uint32_t kMaxReads = func::kQuadLanes * TextureUnitSpec::kMostStepSamples;

  // Sample k of all lanes, which have four texels each: their weights, and where each texel begins, in a line
  // of the step at an offset.
  struct QuadRead {
    alignas(16) TexelsOfQuad<uint16_t> offset;
    alignas(16) TexelsOfQuad<uint8_t> line;
    func::QuadShape shape;
    uint8_t k;
  };
  // The same of one lane. Of a load only the lane.
  struct Read {
    uint8_t lane = 0, k = 0;
    std::array<uint8_t, 4> line{};
    std::array<uint16_t, 4> offset{};
    func::FootprintShape shape;
  };
  struct Line {
    arch::Address address;
    uint32_t in_cache;  // its index there, once it is pinned
    uint16_t grains;
    uint8_t readers;  // number of samples that read it
  };

  uint32_t work = 0;     // sequence number of the instruction
  uint8_t reads = 0;     // samples of lanes
  uint8_t quads = 0;     // samples of all lanes, in `quad`; 0: samples are in `read`
  bool by_quad = false;  // all samples have four texels in memory, in powers of two bytes
  uint8_t lines = 0, pinned = 0;
  std::array<Line, kMaxLines + 4> line;  // in the order in which the samples touch them; the last sample may
                                         // be one too many
  std::array<QuadRead, TextureUnitSpec::kMostStepSamples> quad;
  std::array<Read, kMaxReads> read;

  // Returns the index of the line that begins at `start`, or the number of lines.
  uint32_t find_line(arch::Address start) const {
    uint32_t at = 0;
    while (at < lines && line[at].address != start) at++;
    return at;
  }
  // Returns the index of the line that begins at `start`. Adds it if there is none.
  uint32_t add_line(arch::Address start) {
    const uint32_t at = find_line(start);
    if (at == lines) line[lines++] = {.address = start, .in_cache = 0, .grains = 0, .readers = 0};
    return at;
  }
};

}  // namespace cutaway::boxes
