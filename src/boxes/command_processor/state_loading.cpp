// Loading constants, descriptors and programs: orders to the constant loader, and where what it brings goes.
#include <cstring>

#include "boxes/command_processor/command_processor.h"
#include "draw/clocked.h"
#include "draw/legal.h"
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
  const uint32_t unit = draw::load_slot_bytes(stream_.opcode());
  if (packet.count == 0) return Result::kDone;
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
  std::vector<isa::Instruction> code;
  if (isa::decode_program(load.words, load.temporaries, code, error))
    error = draw::program_error(stage, code);
  const char* unclocked = stage == arch::Stage::kCompute ? nullptr : draw::unclocked(code);
  if (error.empty() && unclocked) error = fmt::format("{} not clocked yet", unclocked);
  if (!error.empty()) return stop(load.packet, error);
  state.program = std::make_shared<const func::MicroProgram>(code, group_lanes_);
  state.inputs_read = inputs_read(code);
  state.temporaries = load.temporaries;
  state.scratch_bytes = load.scratch_bytes;
}

bool CommandProcessor::take_loaded(Cycle now) {
  const parts::LoadedBlock* block = loader_in.peek(now);
  if (!block) return false;
  parts::StageState& stage = change(block->stage);
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
