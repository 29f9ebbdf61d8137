#include "boxes/command_processor/state_loader.h"

#include <cstring>

#include "arch/packet.h"
#include "command_stream/legal.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using arch::Opcode;

namespace {

void copy_into(void* array, const messages::LoadedBlock& block) {
  std::memcpy(static_cast<std::byte*>(array) + block.offset, block.data.data(), block.bytes);
}

}  // namespace

messages::LoadCommand StateLoader::order_of(Opcode opcode, std::span<const uint32_t> payload,
                                            const arch::Registers& registers) {
  if (opcode == Opcode::kLoadProgram) {
    const uint32_t stage = arch::packet_as<arch::LoadProgramPacket>(payload).stage;
    const arch::ShaderRegisters& shader = registers.shader[stage];
    return {.kind = opcode,
            .stage = static_cast<arch::Stage>(stage),
            .address = shader.program,
            .bytes = shader.instructions * isa::kInstructionBytes,
            .origin = {}};
  }
  const auto packet = arch::packet_as<arch::LoadPacket>(payload);
  const uint32_t unit = command_stream::load_slot_bytes(opcode);
  return {.kind = opcode,
          .stage = static_cast<arch::Stage>(packet.stage),
          .offset = packet.first * unit,
          .address = packet.address,
          .bytes = packet.count * unit,
          .origin = {}};
}

void StateLoader::begin(const messages::LoadCommand& order, const PacketPlace& packet,
                        const arch::Registers& registers) {
  under_way_++;
  if (order.kind != Opcode::kLoadProgram) return;
  const arch::ShaderRegisters& shader = registers.shader[static_cast<uint32_t>(order.stage)];
  Program& program = programs_[order.stage];
  program.under_way = true;
  program.packet = packet;
  program.words.assign(shader.instructions, {});
  program.temporaries = shader.temporaries;
  program.scratch_bytes = shader.scratch_bytes;
}

std::string StateLoader::take(const messages::LoadedBlock& block, StateVersions& versions,
                              const StateSender& sender, const command_stream::Abilities& abilities) {
  messages::StageState& stage = versions.change_stage(block.stage);
  switch (block.kind) {
    case Opcode::kLoadConstants:
      copy_into(stage.constants.data(), block);
      versions.blocks().change_constants(block.stage, block.offset, block.bytes);
      break;
    case Opcode::kLoadResources:
      take_descriptors(block, stage);
      versions.blocks().change_resources(block.stage, block.offset, block.bytes);
      break;
    case Opcode::kLoadSamplers:
      copy_into(stage.samplers.data(), block);
      versions.blocks().change_samplers(block.stage, block.offset, block.bytes);
      break;
    default:
      copy_into(programs_[block.stage].words.data(), block);
      break;
  }
  if (!block.last) return "";
  under_way_--;
  if (block.kind != Opcode::kLoadProgram) return "";
  return prepare_program(block.stage, versions, sender, abilities);
}

// A descriptor may come in two pieces.
void StateLoader::take_descriptors(const messages::LoadedBlock& block, messages::StageState& stage) {
  auto& descriptors = descriptors_[block.stage];
  copy_into(descriptors.data(), block);
  const uint32_t first = block.offset / sizeof(arch::Surface),
                 last = (block.offset + block.bytes - 1) / sizeof(arch::Surface);
  for (uint32_t i = first; i <= last; i++) stage.resources[i] = func::make_texture_view(descriptors[i]);
}

std::string StateLoader::prepare_program(arch::Stage stage, StateVersions& versions,
                                         const StateSender& sender,
                                         const command_stream::Abilities& abilities) {
  Program& load = programs_[stage];
  load.under_way = false;
  messages::StageState& state = versions.change_stage(stage);
  state.program = sender.find(stage, load.words, load.temporaries, load.scratch_bytes);
  if (state.program) return "";
  std::string error;
  state.program = command_stream::make_program(stage, std::move(load.words), load.temporaries,
                                               load.scratch_bytes, group_lanes_[stage], error);
  return state.program ? command_stream::unclocked(abilities, *state.program) : error;
}

std::string StateLoader::unclocked_textures(const command_stream::Abilities& abilities,
                                            const messages::DrawState& state,
                                            EnumSet<arch::Stage> stages) const {
  std::string lack;
  for (uint32_t i = 0; i < arch::kStages && lack.empty(); i++) {
    const auto stage = static_cast<arch::Stage>(i);
    const messages::StageState& of_stage = state.stage[stage];
    if (stages.has(stage) && of_stage.program)
      lack = command_stream::unclocked(abilities, stage, of_stage.program->texture_reads, descriptors_[stage],
                                       of_stage.samplers);
  }
  return lack;
}

}  // namespace cutaway::boxes
