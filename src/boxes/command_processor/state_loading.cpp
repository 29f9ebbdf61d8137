// Loading constants, descriptors and programs: orders to the constant loader, and where what it brings goes.
#include <cstring>

#include "boxes/command_processor/command_processor.h"
#include "func/draw/legal.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using arch::Opcode;
using engine::Cycle;

namespace {

uint64_t inputs_read(const std::vector<isa::Instruction>& code) {
  uint64_t read = 0;
  for (const isa::Instruction& instruction : code)
    for (const isa::Source& source : instruction.src)
      if (source.file == isa::File::kInput) read |= uint64_t{1} << source.index;
  return read;
}

}  // namespace

CommandProcessor::Result CommandProcessor::load(Cycle now) {
  const auto packet = arch::packet_as<arch::LoadPacket>(stream_.payload());
  if (std::string error = func::load_error(stream_.opcode(), packet); !error.empty())
    return refuse(std::move(error));
  if (packet.stage == static_cast<uint32_t>(arch::Stage::kCompute))
    return refuse("compute programs are not supported");
  const uint32_t unit = func::load_slot_bytes(stream_.opcode());
  if (packet.count == 0) return Result::kDone;
  if (!loader_out.ready(now)) return Result::kBlocked;
  if (const char* error = work_.load(uint64_t{packet.count} * unit / 4)) return refuse(error);
  loader_out.send(now, {.kind = stream_.opcode(),
                        .stage = packet.stage,
                        .offset = packet.first * unit,
                        .address = packet.address,
                        .bytes = packet.count * unit,
                        .origin = origin_});
  loads_under_way_++;
  return Result::kDone;
}

CommandProcessor::Result CommandProcessor::load_program(Cycle now) {
  const auto packet = arch::packet_as<arch::LoadProgramPacket>(stream_.payload());
  if (std::string error = func::load_program_error(packet, current_->registers); !error.empty())
    return refuse(std::move(error));
  if (packet.stage == static_cast<uint32_t>(arch::Stage::kCompute))
    return refuse("compute programs are not supported");
  const arch::ShaderRegisters& shader = current_->registers.shader[packet.stage];
  if (shader.instructions > spec_.instruction_memory)
    return refuse(fmt::format("a program of {} instructions, but instruction memory holds {}",
                              shader.instructions, spec_.instruction_memory));
  const uint32_t slot = parts::shaded_stage(static_cast<arch::Stage>(packet.stage));
  if (shader.instructions == 0) {
    // What is still on its way would come after this and stay.
    if (loads_under_way_) return Result::kWait;
    current_->stage[slot].program = nullptr;
    changed_ = true;
    return Result::kDone;
  }
  // The words of one program at a time.
  if (program_loading_[slot]) return Result::kWait;
  if (!loader_out.ready(now)) return Result::kBlocked;
  if (const char* error = work_.load(uint64_t{shader.instructions} * isa::kInstructionBytes / 4))
    return refuse(error);
  program_loading_[slot] = true;
  program_words_[slot].assign(shader.instructions, {});
  program_temporaries_[slot] = shader.temporaries;
  program_scratch_[slot] = shader.scratch_bytes;
  loader_out.send(now, {.kind = Opcode::kLoadProgram,
                        .stage = packet.stage,
                        .address = shader.program,
                        .bytes = shader.instructions * isa::kInstructionBytes,
                        .origin = origin_});
  loads_under_way_++;
  return Result::kDone;
}

void CommandProcessor::prepare_program(uint32_t stage_number) {
  const auto stage = static_cast<arch::Stage>(stage_number);
  const uint32_t slot = parts::shaded_stage(stage);
  program_loading_[slot] = false;
  std::string error;
  std::vector<isa::Instruction> code;
  current_->stage[slot].program = nullptr;
  if (isa::decode_program(program_words_[slot], program_temporaries_[slot], code, error))
    error = func::program_error(stage, code);
  for (const isa::Instruction& instruction : code)
    if (error.empty() && isa::info(instruction.op).op_class == isa::OpClass::kMemory &&
        instruction.op != isa::Opcode::kLdb && !isa::is_scratch(instruction.op))
      error =
          fmt::format("{}: programs that write memory are not supported", isa::info(instruction.op).mnemonic);
  if (!error.empty()) return stop("program: " + error);
  current_->stage[slot].program = std::make_shared<const func::MicroProgram>(code, group_lanes_);
  current_->stage[slot].inputs_read = inputs_read(code);
  current_->stage[slot].temporaries = program_temporaries_[slot];
  current_->stage[slot].scratch_bytes = program_scratch_[slot];
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
    if (block->kind == Opcode::kLoadProgram) { prepare_program(block->stage); }
  }
  changed_ = true;
  loader_in.take(now);
  return true;
}

}  // namespace cutaway::boxes
