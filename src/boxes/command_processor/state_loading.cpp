// Loading constants, descriptors and programs: orders to the constant loader, and where what it brings goes.
#include <cstring>

#include "boxes/command_processor/command_processor.h"
#include "draw/legal.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using arch::Opcode;
using engine::Cycle;

CommandProcessor::Result CommandProcessor::load(Cycle now) {
  const auto packet = arch::packet_as<arch::LoadPacket>(stream_.payload());
  const uint32_t unit = draw::load_slot_bytes(stream_.opcode());
  if (packet.count == 0) return Result::kDone;
  if (copies_write({packet.address, packet.address + uint64_t{packet.count} * unit})) return Result::kWait;
  if (!loader_out.ready(now)) return Result::kBlocked;
  loader_out.send(now, {.kind = stream_.opcode(),
                        .stage = static_cast<arch::Stage>(packet.stage),
                        .offset = packet.first * unit,
                        .address = packet.address,
                        .bytes = packet.count * unit,
                        .origin = origin_});
  loads_under_way_++;
  return Result::kDone;
}

CommandProcessor::Result CommandProcessor::load_program(Cycle now) {
  const auto stage =
      static_cast<arch::Stage>(arch::packet_as<arch::LoadProgramPacket>(stream_.payload()).stage);
  const arch::ShaderRegisters& shader = current_->registers.shader[static_cast<uint32_t>(stage)];
  if (shader.instructions > spec_.instruction_memory)
    return refuse(fmt::format("a program of {} instructions, but instruction memory holds {}",
                              shader.instructions, spec_.instruction_memory));
  if (shader.instructions == 0) {
    // What is still on its way would come after this and stay.
    if (loads_under_way_) return Result::kWait;
    parts::StageState& state = change(stage);
    state.program = nullptr;
    return Result::kDone;
  }
  // The words of one program at a time.
  ProgramLoad& load = program_load_[stage];
  if (load.under_way) return Result::kWait;
  const uint64_t bytes = uint64_t{shader.instructions} * isa::kInstructionBytes;
  if (copies_write({shader.program, shader.program + bytes})) return Result::kWait;
  if (!loader_out.ready(now)) return Result::kBlocked;
  load.under_way = true;
  load.packet = place();
  load.words.assign(shader.instructions, {});
  load.temporaries = shader.temporaries;
  load.scratch_bytes = shader.scratch_bytes;
  loader_out.send(now, {.kind = Opcode::kLoadProgram,
                        .stage = stage,
                        .address = shader.program,
                        .bytes = shader.instructions * isa::kInstructionBytes,
                        .origin = origin_});
  loads_under_way_++;
  return Result::kDone;
}

parts::StageState& CommandProcessor::change(arch::Stage stage) {
  changed_ = true;
  parts::StageState& state = current_->stage[stage];
  state.version = ++stage_changes_;
  return state;
}

void CommandProcessor::prepare_program(arch::Stage stage) {
  ProgramLoad& load = program_load_[stage];
  load.under_way = false;
  parts::StageState& state = change(stage);
  state.program = nullptr;
  std::string error;
  // One that the shader units hold is not sent again.
  state.program =
      instruction_memory_[memories_[stage]].find(stage, load.words, load.temporaries, load.scratch_bytes);
  if (state.program) return;
  state.program = draw::make_program(stage, std::move(load.words), load.temporaries, load.scratch_bytes,
                                     group_lanes_[stage], error);
  if (state.program) error = draw::unclocked(abilities, *state.program);
  if (!error.empty()) stop(load.packet, error);
}

bool CommandProcessor::take_loaded(Cycle now) {
  const parts::LoadedBlock* block = loader_in.peek(now);
  if (!block) return false;
  parts::StageState& stage = change(block->stage);
  const auto copy = [&](void* array) {
    std::memcpy(static_cast<std::byte*>(array) + block->offset, block->data.data(), block->bytes);
  };
  if (block->kind != Opcode::kLoadProgram) send_state(now, block->bytes);
  switch (block->kind) {
    case Opcode::kLoadConstants:
      copy(stage.constants.data());
      break;
    case Opcode::kLoadResources: {
      // A descriptor may come in two pieces.
      auto& descriptors = descriptors_[block->stage];
      copy(descriptors.data());
      const uint32_t first = block->offset / sizeof(arch::Surface),
                     last = (block->offset + block->bytes - 1) / sizeof(arch::Surface);
      for (uint32_t i = first; i <= last; i++) stage.resources[i] = func::make_texture_view(descriptors[i]);
      break;
    }
    case Opcode::kLoadSamplers:
      copy(stage.samplers.data());
      break;
    default:
      copy(program_load_[block->stage].words.data());
      break;
  }
  if (block->last) {
    loads_under_way_--;
    if (block->kind == Opcode::kLoadProgram) prepare_program(block->stage);
  }
  loader_in.take(now);
  return true;
}

}  // namespace cutaway::boxes
