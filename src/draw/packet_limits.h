#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "draw/by_stage.h"
#include "draw/clocked.h"

namespace cutaway::draw {

// Judges packets before anything is executed, one after the other: what a chip cannot do of them. Programs
// and descriptors are read where they lie when their submission begins.
class PacketLimits {
 public:
  explicit PacketLimits(const Abilities& abilities)
      : abilities_(abilities), limited_(abilities.formats != arch::FormatUses{}) {}

  void begin_submission() { stages_ = {}; }
  // As unclocked(). registers: as this packet and those before have set them.
  std::string unclocked(arch::Opcode opcode, std::span<const uint32_t> payload,
                        const arch::Registers& registers, const arch::Memory& memory);

 private:
  // What packets have loaded, as far as textures go.
  struct Stage {
    std::vector<TextureRead> reads;
    std::array<arch::Surface, arch::kResources> resources{};
    std::array<arch::Sampler, arch::kSamplers> samplers{};
  };

  std::string load_program(arch::Stage stage, const arch::Registers& registers, const arch::Memory& memory);
  void load(arch::Opcode opcode, const arch::LoadPacket& packet, const arch::Memory& memory);
  std::string unclocked_textures(bool dispatch, const arch::Registers& registers) const;

  const Abilities abilities_;
  const bool limited_;  // in formats: else descriptors need no look
  ByStage<Stage> stages_;
};

}  // namespace cutaway::draw
