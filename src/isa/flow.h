#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace cutaway::isa {

// Open IFs and LOOPs, one within the other, that a program may have.
constexpr uint32_t kFlowDepth = 64;

// The target of every flow instruction follows from nesting: `targets[n]` is that of instruction n, 0 where
// it has none. False if constructs do not nest, a loop lacks its NEXT, a program does not end with its only
// END outside all constructs, or is too deep or too long; `where` is then the instruction and `error` a line.
bool flow_targets(const std::vector<Instruction>& program, std::vector<uint16_t>& targets, size_t& where,
                  std::string& error);

// Writes the targets into a program: the last step of whoever generates code. A program that does not nest is
// an internal error.
void link_flow(std::vector<Instruction>& program);

}  // namespace cutaway::isa
