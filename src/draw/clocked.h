#pragma once

#include <span>
#include <string>

#include "arch/format_uses.h"
#include "arch/memory.h"
#include "arch/packet.h"
#include "arch/registers.h"
#include "base/field.h"
#include "draw/program.h"

// What the clocked machine does not execute: because its chip cannot, or because the machine does not have it
// yet. It refuses it in these words, and so does who looks before a frame is clocked.
namespace cutaway::draw {

// What a chip can do beside drawing. Worked out from its configuration (machine::Config::abilities).
struct Abilities {
  std::string gpu;                     // its name, for what is refused: "attila"
  EnumSet<arch::Stage> stages;         // whose programs it runs
  uint32_t workgroup_invocations = 0;  // the largest workgroup of a compute program; 0: it runs none
  uint32_t workgroup_bytes = 0;        // of shared memory that one may have
  EnumSet<arch::Stage> stores;         // stages whose programs may store to buffers and images
  bool atomics = false;                // and do atomics there
  bool feedback = false;               // transform feedback
  bool pull = false;                   // programs may ask for interpolants while they run (PULL)
  bool doubles = false;                // programs of all stages may compute with 64-bit floats
  bool halves = false;                 // temporaries of halves take less of its fragment programs' registers
  arch::FormatUses formats;            // what its units take of them
};

// "attila has no compute programs". Empty: it is executed. registers: as the packets before have set them.
std::string unclocked(const Abilities& abilities, arch::Opcode opcode, const arch::Registers& registers);
// The same of a program: its registers may not say all of it.
std::string unclocked(const Abilities& abilities, const Program& program);
// Of the one that LOAD_PROGRAM would load.
std::string unclocked(const Abilities& abilities, const arch::Registers& registers, arch::Stage stage,
                      const arch::Memory& memory);
// Of what a stage's program reads at the next draw or dispatch, of the slots that have been loaded.
std::string unclocked(const Abilities& abilities, arch::Stage stage, std::span<const TextureRead> reads,
                      std::span<const arch::Surface> resources, std::span<const arch::Sampler> samplers);

constexpr bool is_draw(arch::Opcode opcode) {
  return opcode == arch::Opcode::kDraw || opcode == arch::Opcode::kDrawIndexed ||
         opcode == arch::Opcode::kDrawIndirect || opcode == arch::Opcode::kDrawIndexedIndirect ||
         opcode == arch::Opcode::kDrawByteCount;
}

constexpr bool is_dispatch(arch::Opcode opcode) {
  return opcode == arch::Opcode::kDispatch || opcode == arch::Opcode::kDispatchIndirect;
}

}  // namespace cutaway::draw
