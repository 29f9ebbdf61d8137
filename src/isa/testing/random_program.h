#pragma once

#include <random>
#include <vector>

#include "isa/instruction.h"

// Random instructions and programs for tests.
namespace cutaway::isa {

// Any valid instruction over the temporaries r0 … r(temporaries - 1), flow instructions with any target.
Instruction random_instruction(std::mt19937& random, uint32_t temporaries);

struct RandomProgramOptions {
  uint32_t temporaries = 8;  // more than depth
  uint32_t length = 100;     // instructions, roughly
  uint32_t depth = 4;        // of nested constructs
  bool texture_and_memory = true;
  bool kills = true;
};

// The value of c0 with which random programs end: loops count down their own registers by c0.y, from at most
// c0.x, until they are below c0.z.
constexpr uint32_t kRandomProgramC0[4] = {3, 1, 0, 0x3f800000};

// A program that decode_program accepts and that ends, given c0. Its conditions read all registers, so lanes
// diverge.
std::vector<Instruction> random_program(std::mt19937& random, const RandomProgramOptions& options);

}  // namespace cutaway::isa
