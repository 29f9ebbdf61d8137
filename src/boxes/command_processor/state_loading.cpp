// Loading constants, descriptors and programs: orders to the constant loader, and where what it brings goes.
#include <cstring>

#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using arch::Opcode;
using engine::Cycle;

namespace {

struct Target {
  uint32_t unit = 0, limit = 0;  // bytes per slot, slots
};

Target target_of(Opcode kind) {
  switch (kind) {
    case Opcode::kLoadConstants:
      return {16, arch::kConstants};
    case Opcode::kLoadResources:
      return {sizeof(arch::Surface), arch::kResources};
    default:
      return {sizeof(arch::Sampler), arch::kSamplers};
  }
}

bool shaded(uint32_t stage) {
  return stage == static_cast<uint32_t>(arch::Stage::kVertex) ||
         stage == static_cast<uint32_t>(arch::Stage::kFragment);
}

}  // namespace

CommandProcessor::Result CommandProcessor::load(Cycle now) {
  const auto packet = arch::packet_as<arch::LoadPacket>(stream_.payload());
  const Target target = target_of(stream_.opcode());
  if (!shaded(packet.stage) || packet.first >= target.limit || packet.count > target.limit - packet.first ||
      packet.address % 16) {
    stop(fmt::format("{} of stage {}, slots {} + {}, from {:#x}", arch::opcode_name(stream_.opcode()),
                     packet.stage, packet.first, packet.count, uint64_t{packet.address}));
    return Result::kWait;
  }
  if (packet.count == 0) return Result::kDone;
  if (!loader_out.ready(now)) return Result::kBlocked;
  loader_out.send(now, {.kind = stream_.opcode(),
                        .stage = packet.stage,
                        .offset = packet.first * target.unit,
                        .address = packet.address,
                        .bytes = packet.count * target.unit,
                        .origin = origin_});
  loads_under_way_++;
  return Result::kDone;
}

CommandProcessor::Result CommandProcessor::load_program(Cycle now) {
  const auto packet = arch::packet_as<arch::LoadProgramPacket>(stream_.payload());
  if (!shaded(packet.stage)) {
    stop(fmt::format("LOAD_PROGRAM of stage {}, which this machine does not shade", packet.stage));
    return Result::kWait;
  }
  const arch::ShaderRegisters& shader = current_->registers.shader[packet.stage];
  if (shader.instructions == 0 || shader.instructions > spec_.instruction_memory ||
      uint64_t{shader.program} % 16) {
    stop(fmt::format("LOAD_PROGRAM of {} instructions at {:#x}; instruction memory holds {}",
                     shader.instructions, uint64_t{shader.program}, spec_.instruction_memory));
    return Result::kWait;
  }
  if (!loader_out.ready(now)) return Result::kBlocked;
  const uint32_t slot = parts::shaded_stage(static_cast<arch::Stage>(packet.stage));
  program_words_[slot].assign(shader.instructions, {});
  loader_out.send(now, {.kind = Opcode::kLoadProgram,
                        .stage = packet.stage,
                        .address = shader.program,
                        .bytes = shader.instructions * isa::kInstructionBytes,
                        .origin = origin_});
  loads_under_way_++;
  return Result::kDone;
}

bool CommandProcessor::take_loaded(Cycle now) {
  const parts::LoadedBlock* block = loader_in.peek(now);
  if (!block) return false;
  const uint32_t slot = parts::shaded_stage(static_cast<arch::Stage>(block->stage));
  parts::StageState& stage = current_->stage[slot];
  const auto copy = [&](void* array) {
    std::memcpy(static_cast<std::byte*>(array) + block->offset, block->data.data(), block->bytes);
  };
  switch (block->kind) {
    case Opcode::kLoadConstants:
      copy(stage.constants.data());
      break;
    case Opcode::kLoadResources: {
      copy(stage.resources.data());
      const uint32_t first = block->offset / sizeof(arch::Surface),
                     last = (block->offset + block->bytes - 1) / sizeof(arch::Surface);
      for (uint32_t i = first; i <= last; i++) stage.views[i] = func::make_texture_view(stage.resources[i]);
      break;
    }
    case Opcode::kLoadSamplers:
      copy(stage.samplers.data());
      break;
    default:
      copy(program_words_[slot].data());
      break;
  }
  if (block->last) {
    loads_under_way_--;
    if (block->kind == Opcode::kLoadProgram) {
      std::string error;
      std::vector<isa::Instruction> code;
      if (isa::decode_program(program_words_[slot], current_->registers.shader[block->stage].temporaries,
                              code, error))
        stage.program = std::make_shared<const func::MicroProgram>(code, group_lanes_);
      else stop("program: " + error);
    }
  }
  changed_ = true;
  loader_in.take(now);
  return true;
}

}  // namespace cutaway::boxes
