#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace cutaway::isa {

// Greatest nesting depth of IFs and LOOPs, including those of called functions.
constexpr uint32_t kFlowDepth = 64;
// Greatest depth of nested calls.
constexpr uint32_t kCallDepth = 4;

// Computes the target of every flow instruction except CALL from nesting: `targets[n]` is the target of
// instruction n, or 0 if it has none; a CALL keeps its own target. Returns false if constructs do not nest, a
// loop lacks its NEXT, the program or a function does not end with its only END or RET outside all
// constructs, a CALL leads to anything but a function behind its own, or anything is too deep or too long.
// Then `where` is the instruction and `error` is one line.
bool flow_targets(const std::vector<Instruction>& program, std::vector<uint16_t>& targets, size_t& where,
                  std::string& error);

// Writes the targets into a program: the last step of a code generator. A program that does not nest is an
// internal error.
void link_flow(std::vector<Instruction>& program);

}  // namespace cutaway::isa
