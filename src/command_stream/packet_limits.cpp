#include "command_stream/packet_limits.h"

#include "command_stream/legal.h"

namespace cutaway::command_stream {

using arch::Opcode;

std::string PacketLimits::unclocked(Opcode opcode, std::span<const uint32_t> payload,
                                    const arch::Registers& registers, const arch::Memory& memory) {
  if (std::string lack = command_stream::unclocked(abilities_, opcode, registers); !lack.empty()) return lack;
  if (opcode == Opcode::kLoadProgram)
    return load_program(static_cast<arch::Stage>(arch::packet_as<arch::LoadProgramPacket>(payload).stage),
                        registers, memory);
  if (!limited_) return "";
  if (opcode == Opcode::kLoadResources || opcode == Opcode::kLoadSamplers)
    load(opcode, arch::packet_as<arch::LoadPacket>(payload), memory);
  return is_draw(opcode) || is_dispatch(opcode) ? unclocked_textures(is_dispatch(opcode), registers) : "";
}

std::string PacketLimits::load_program(arch::Stage stage, const arch::Registers& registers,
                                       const arch::Memory& memory) {
  if (limited_)
    stages_[stage].reads =
        texture_reads(program_in_memory(registers.shader[static_cast<uint32_t>(stage)], memory));
  return command_stream::unclocked(abilities_, registers, stage, memory);
}

void PacketLimits::load(Opcode opcode, const arch::LoadPacket& packet, const arch::Memory& memory) {
  Stage& stage = stages_[static_cast<arch::Stage>(packet.stage)];
  if (opcode == Opcode::kLoadResources)
    memory.read(packet.address, stage.resources.data() + packet.first, packet.count * sizeof(arch::Surface));
  else
    memory.read(packet.address, stage.samplers.data() + packet.first, packet.count * sizeof(arch::Sampler));
}

std::string PacketLimits::unclocked_textures(bool dispatch, const arch::Registers& registers) const {
  std::string lack;
  for (uint32_t i = 0; i < arch::kStages && lack.empty(); i++) {
    const auto stage = static_cast<arch::Stage>(i);
    const Stage& loaded = stages_[stage];
    if ((stage == arch::Stage::kCompute) == dispatch && is_on(registers, stage))
      lack = command_stream::unclocked(abilities_, stage, loaded.reads, loaded.resources, loaded.samplers);
  }
  return lack;
}

}  // namespace cutaway::command_stream
