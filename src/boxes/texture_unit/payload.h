#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "isa/instruction.h"

// Words of each thread in the messages between a shader unit and the texture unit.
namespace cutaway::boxes {

// A texture instruction's coordinates with array layer, depth reference, divisor, bias or level, sample and
// gradients; a buffer load's address. At least 1.
inline uint32_t request_words(const isa::Instruction& instruction) {
  using enum isa::Opcode;
  using Dim = isa::TextureDim;
  struct Words {
    uint8_t coordinates, axes;  // with the layer, and without
  };
  constexpr Words kWords[isa::kTextureDims] = {{1, 1}, {2, 2}, {3, 3}, {3, 3}, {2, 1},
                                               {3, 2}, {4, 3}, {1, 1}, {2, 2}, {3, 2}};
  const isa::Access& access = instruction.access;
  const Words words = kWords[static_cast<uint32_t>(access.dim)];
  const uint32_t place = words.coordinates + (access.shadow ? 1u : 0u);
  switch (instruction.op) {
    case kTxp:
    case kTxb:
    case kTxl:
      return place + 1;
    case kTxd:
      return place + 2u * words.axes;
    case kTxf:  // a level, or a sample
      return place + (access.dim == Dim::kBuffer ? 0 : 1);
    case kTex:
    case kTxg:
    case kTxqlod:
      return place;
    default:  // queries and loads
      return 1;
  }
}

// Components of its result. At least 1.
inline uint32_t result_words(const isa::Instruction& instruction) {
  return std::max(1u, static_cast<uint32_t>(std::popcount(instruction.dst.mask)));
}

}  // namespace cutaway::boxes
