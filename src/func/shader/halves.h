#pragma once

#include <bit>
#include <cstdint>

#include "func/shader/micro_op.h"

// Temporaries whose components hold two 16-bit floats each (docs/isa.md "Halves").
namespace cutaway::func {

// Converts one half of each of `count` words to floats.
void read_halves(isa::Half half, uint32_t count, uint32_t* words);

// Rounds `count` values of an instruction's result and writes them to its half of the words at `out`, in the
// lanes of `lanes`.
void write_halves(const MicroOp& op, uint32_t count, uint64_t lanes, const uint32_t* values, uint32_t* out);

// Executes an ALU instruction that reads or writes halves: converts sources to floats, computes
// MicroOp::of_words, and writes the result to its half or word.
void execute_with_halves(const MicroOp& op, const Registers& registers, uint32_t width, const uint32_t* mask);

// The result of _SAT on a float.
inline uint32_t saturated(uint32_t bits) {
  const float f = std::bit_cast<float>(bits);
  return f > 0 ? f < 1 ? bits : std::bit_cast<uint32_t>(1.0f) : 0;
}

}  // namespace cutaway::func
