#pragma once

#include <bit>
#include <span>

#include "boxes/shader_unit/group.h"
#include "func/shader/atomic.h"
#include "isa/operands.h"

// Memory on the chip that a group accesses: that of its workgroup or of its patches.
namespace cutaway::boxes {

// The cycles that the banks take for the next instruction of the group, an LDW, STW or atomic. As many lanes
// as there are banks (1 to 64) access the memory together; word n is in bank n modulo `banks`, and each bank
// gives or takes one word in a cycle. A word that several lanes access is one, but atomics on it follow each
// other.
engine::Cycle bank_cycles(const Group& group, uint32_t banks);

// Carries out the next instruction of the group, an LDW, STW or atomic, lane by lane: each sees
// memory_of(lane), a span of words. What lies outside reads as zeros and is not written.
template <class MemoryOf>
void access_on_chip(Group& group, const MemoryOf& memory_of) {
  const func::MicroOp& op = group.next_op();
  const isa::Instruction& instruction = group.next_instruction();
  uint32_t source[3][size_t{4} * messages::kMaxGroupLanes], result[size_t{4} * messages::kMaxGroupLanes];
  for (uint32_t n = 0; n < isa::source_count(instruction); n++)
    func::read_source(op, n, group.view, group.width, source[n]);
  for (uint64_t left = group.threads.active(); left; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    const std::span<uint32_t> memory = memory_of(lane);
    const uint64_t first = source[0][lane] / 4;
    const auto of = [&](uint32_t c) { return size_t{c} * group.width + lane; };
    for (uint32_t c = 0; c < 4; c++) {
      const uint64_t number = isa::is_atomic(instruction.op) ? first : first + c;
      const bool there = number < memory.size();
      if (instruction.op != isa::Opcode::kStw) result[of(c)] = there ? memory[number] : 0;
      else if (there && (instruction.dst.mask >> c & 1)) memory[number] = source[1][of(c)];
    }
    if (isa::is_atomic(instruction.op) && first < memory.size())
      memory[first] =
          func::atomic_result(instruction.access.atomic, memory[first], source[1][of(0)], source[2][of(0)]);
  }
  if (!isa::is_store(instruction.op))
    func::write_result(op, group.view, group.width, group.threads.active(), result);
}

}  // namespace cutaway::boxes
