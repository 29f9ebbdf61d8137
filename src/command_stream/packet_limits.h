#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "command_stream/by_stage.h"
#include "command_stream/clocked.h"

namespace cutaway::command_stream {

// Checks packets in order, before execution, for anything that a chip cannot do. Programs and descriptors are
// read from memory as it is when their submission begins.
class PacketLimits {
 public:
  explicit PacketLimits(const Abilities& abilities)
      : abilities_(abilities), limited_(abilities.formats != arch::FormatUses{}) {}

  void begin_submission() { stages_ = {}; }
  // Same as unclocked(). registers: as set by this packet and earlier ones.
  std::string unclocked(arch::Opcode opcode, std::span<const uint32_t> payload,
                        const arch::Registers& registers, const arch::Memory& memory);

 private:
  // Loaded state, as far as textures depend on it.
  struct Stage {
    std::vector<TextureRead> reads;
    std::array<arch::Surface, arch::kResources> resources{};
    std::array<arch::Sampler, arch::kSamplers> samplers{};
  };

  std::string load_program(arch::Stage stage, const arch::Registers& registers, const arch::Memory& memory);
  void load(arch::Opcode opcode, const arch::LoadPacket& packet, const arch::Memory& memory);
  std::string unclocked_textures(bool dispatch, const arch::Registers& registers) const;

  const Abilities abilities_;
  const bool limited_;  // formats are limited; otherwise descriptors need no check
  ByStage<Stage> stages_;
};

}  // namespace cutaway::command_stream
