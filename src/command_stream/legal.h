#pragma once

#include <string>

#include "arch/memory.h"
#include "arch/packet.h"
#include "arch/registers.h"

// Checks that a command processor must make before it executes something. Packets, registers, descriptors and
// programs are untrusted; anything accepted here can be executed without out-of-bounds accesses to any table.
// Returns an empty text if legal, otherwise the error.
namespace cutaway::command_stream {

constexpr uint64_t kAddressEnd = uint64_t{1} << arch::kAddressBits;  // the first address beyond memory

// A render target: at most 8 samples, its whole extent below 2^arch::kAddressBits, base level and layer
// within it.
std::string target_error(const arch::Surface& surface);

// CLEAR: checks the surface, its aspect, and that the rectangle consists of whole tiles of the level.
std::string clear_error(const arch::ClearPacket& packet);

// Checks the registers that a draw uses. The programs' own registers are those that LOAD_PROGRAM saw.
std::string draw_error(const arch::Registers& registers);

// True if draws run a stage.
inline bool is_on(const arch::Registers& registers, arch::Stage stage) {
  return registers.shader[static_cast<uint32_t>(stage)].instructions != 0;
}

// Checks the registers that a dispatch uses.
std::string dispatch_error(const arch::Registers& registers);

// LOAD_CONSTANTS, LOAD_RESOURCES, LOAD_SAMPLERS: checks the stage, the range of the table, the alignment.
std::string load_error(arch::Opcode opcode, const arch::LoadPacket& packet);

// Bytes per slot that such a packet loads.
constexpr uint32_t load_slot_bytes(arch::Opcode opcode) {
  if (opcode == arch::Opcode::kLoadConstants) return 16;
  return opcode == arch::Opcode::kLoadResources ? sizeof(arch::Surface) : sizeof(arch::Sampler);
}

// In DepthMode::kEarlyTestLateWrite: true if the late test rejects everything that the early test rejects,
// whatever earlier quads still write. Otherwise a unit must omit the early test.
bool early_reject_is_safe(const arch::Registers& registers);

}  // namespace cutaway::command_stream
