#pragma once

#include <cstdint>

namespace cutaway {

// The number of ones in a mask of at most four bits: the lanes of a quad, the sectors of a block. The base
// instruction set counts bits with a call (std::popcount), this with a shift of all 16 answers.
constexpr uint32_t count_of_four(uint32_t mask) {
  return static_cast<uint32_t>(0x4332322132212110u >> 4 * mask) & 15;
}

// std::has_single_bit, which counts them all.
constexpr bool one_bit(uint64_t mask) { return mask && !(mask & (mask - 1)); }

}  // namespace cutaway
