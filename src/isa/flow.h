#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace cutaway::isa {

// Open IFs and LOOPs, one within the other, that a program may have, those of functions that it calls among
// them.
constexpr uint32_t kFlowDepth = 64;
// Functions that call one another, one within the other.
constexpr uint32_t kCallDepth = 4;

// The target of every flow instruction but CALL follows from nesting: `targets[n]` is that of instruction n,
// 0 where it has none; that of a CALL is what the instruction says. False if constructs do not nest, a loop
// lacks its NEXT, the program or a function does not end outside all constructs with its only END or RET, a
// CALL leads to something else than a function behind its own, or anything is too deep or too long; `where`
// is then the instruction and `error` a line.
bool flow_targets(const std::vector<Instruction>& program, std::vector<uint16_t>& targets, size_t& where,
                  std::string& error);

// Writes the targets into a program: the last step of whoever generates code. A program that does not nest is
// an internal error.
void link_flow(std::vector<Instruction>& program);

}  // namespace cutaway::isa
