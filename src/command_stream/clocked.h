#pragma once

#include <span>
#include <string>

#include "arch/format_uses.h"
#include "arch/image_sizes.h"
#include "arch/memory.h"
#include "arch/packet.h"
#include "arch/program_limits.h"
#include "arch/registers.h"
#include "base/field.h"
#include "command_stream/program.h"

// Detects commands that the clocked machine does not execute, because its chip cannot or because the machine
// does not support them yet. Both the machine and the check before a frame is clocked use these texts.
namespace cutaway::command_stream {

// A chip's abilities besides drawing, derived from its configuration (machine::Config::abilities).
struct Abilities {
  std::string gpu;                     // its name, for messages: "attila"
  EnumSet<arch::Stage> stages;         // stages whose programs it runs
  uint32_t workgroup_invocations = 0;  // the largest workgroup of a compute program; 0: no compute programs
  uint32_t workgroup_bytes = 0;        // most shared memory of a workgroup
  EnumSet<arch::Stage> stores;         // stages whose programs may store to buffers and images
  bool atomics = false;                // these stages may perform atomics there too
  bool feedback = false;               // transform feedback
  bool pull = false;                   // programs may evaluate interpolants on demand (PULL)
  bool doubles = false;                // programs of all stages may compute with 64-bit floats
  bool halves = false;                 // half temporaries occupy less of its fragment programs' registers
  bool fog = false;                    // a unit is made for FOG of its fragment programs
  arch::FormatUses formats;            // formats that its units support
  arch::ImageSizes images;             // largest images that its units support
  arch::ProgramLimits programs;        // largest programs and draws that it executes
};

// Returns a reason such as "attila has no compute programs"; empty: it is executed. registers: as set by
// earlier packets.
std::string unclocked(const Abilities& abilities, arch::Opcode opcode, const arch::Registers& registers);
// The same for a program: its registers may not tell everything.
std::string unclocked(const Abilities& abilities, const Program& program);
// The same for the program that LOAD_PROGRAM would load.
std::string unclocked(const Abilities& abilities, const arch::Registers& registers, arch::Stage stage,
                      const arch::Memory& memory);
// The same for a stage's reads at the next draw or dispatch, through the loaded slots.
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

constexpr bool is_copy(arch::Opcode opcode) {
  return opcode == arch::Opcode::kCopyBuffer || opcode == arch::Opcode::kFillBuffer ||
         opcode == arch::Opcode::kCopySurface || opcode == arch::Opcode::kCopyQueries;
}

}  // namespace cutaway::command_stream
