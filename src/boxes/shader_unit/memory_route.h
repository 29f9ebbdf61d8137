#pragma once

#include "boxes/shader_unit/group.h"
#include "isa/operands.h"

namespace cutaway::boxes {

// The part of a shader unit, or the unit behind it, that carries out an instruction of memory.
enum class MemoryRoute : uint8_t {
  kTexture,          // the texture unit: loads of buffers that nothing of the draw or dispatch writes
  kStorage,          // the storage cache: all other accesses to buffers and images
  kPull,             // the interpolator
  kLoadVertex,       // LDV
  kEmit,             // EMIT and CUT
  kPatchMemory,      // memory of the group's patches
  kWorkgroupMemory,  // memory of the group's workgroup
  kPatchBarrier,     // BAR: all invocations of a patch are in its group
  kBarrier,          // BAR of a workgroup
  kMemoryBarrier     // MEMBAR
};

// True if an instruction of the storage cache only reads.
inline bool is_storage_load(const func::MicroOp& op) {
  return !isa::is_store(op.op) && !isa::is_atomic(op.op);
}

// The route of the next instruction of the group, which is one of memory (func::Need::kMemory).
inline MemoryRoute route_of(const Group& group) {
  const isa::Instruction& instruction = group.next_instruction();
  const bool workgroup = group.stage == arch::Stage::kCompute;
  if (isa::is_pull(instruction.op)) return MemoryRoute::kPull;
  if (isa::is_vertex(instruction.op))
    return instruction.op == isa::Opcode::kLdv ? MemoryRoute::kLoadVertex : MemoryRoute::kEmit;
  if (isa::is_workgroup(instruction.op))
    return workgroup ? MemoryRoute::kWorkgroupMemory : MemoryRoute::kPatchMemory;
  if (instruction.op == isa::Opcode::kBarrier)
    return workgroup ? MemoryRoute::kBarrier : MemoryRoute::kPatchBarrier;
  if (instruction.op == isa::Opcode::kMemoryBarrier) return MemoryRoute::kMemoryBarrier;
  const bool is_read_only = instruction.op == isa::Opcode::kLdb &&
                            !(group.state->written[group.stage] >> instruction.access.resource & 1);
  return is_read_only ? MemoryRoute::kTexture : MemoryRoute::kStorage;
}

}  // namespace cutaway::boxes
