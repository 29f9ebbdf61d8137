#pragma once

#include <cstdint>

#include "arch/surface.h"

namespace cutaway::messages {

// The sectors of all samples at the same pixels of a tiled surface. A tile's samples are consecutive
// (arch/surface.h), so the sectors are `stride` bytes apart. If their bytes are equal, only the last sample's
// sector is stored, because a cache uses it last and so evicts it last.
struct SampleStack {
  uint8_t samples = 0;  // 0: none
  uint16_t stride = 0;  // a power of 2, from 64 on; the surface begins at a multiple of it

  explicit operator bool() const { return samples != 0; }
  bool operator==(const SampleStack&) const = default;
  uint32_t bytes() const { return uint32_t{samples} * stride; }  // of a tile including all samples
  // begin: of the surface, or of any of its tiles.
  uint32_t sample_of(arch::Address address, arch::Address begin) const {
    return static_cast<uint32_t>(address - begin) % bytes() / stride;
  }
  arch::Address last_of(arch::Address address, arch::Address begin) const {
    return address + (samples - 1 - sample_of(address, begin)) * uint64_t{stride};
  }
  // The sector of the sample `back` before the last.
  arch::Address before(arch::Address last, uint32_t back) const { return last - back * uint64_t{stride}; }
};

}  // namespace cutaway::messages
