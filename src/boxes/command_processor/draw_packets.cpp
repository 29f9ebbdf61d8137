// Draws: the version of the state that each takes, arguments in memory, predicates.
#include <algorithm>
#include <cstring>

#include "boxes/command_processor/draw_memory.h"
#include "draw/legal.h"

namespace cutaway::boxes {

using arch::Opcode;
using engine::Cycle;

// A draw takes the latest version if nothing has changed since, else the first that no draw uses.
bool CommandProcessor::snapshot() {
  if (!changed_) return true;
  const auto free =
      std::find_if(versions_.begin(), versions_.end(), [](const auto& v) { return v->users == 0; });
  if (free == versions_.end()) return false;
  (*free)->assign(*current_);
  (*free)->prepare();
  latest_ = free->get();
  changed_ = false;
  counters.state_changes++;
  if (work_list) work_list->note_state(*latest_);
  return true;
}

CommandProcessor::Result CommandProcessor::draw(Cycle now) {
  return send_draw(now, draw::make_draw(stream_.opcode() == Opcode::kDrawIndexed, stream_.payload()));
}

CommandProcessor::Result CommandProcessor::send_draw(Cycle now, const draw::Draw& draw) {
  if (loads_under_way_) return Result::kWait;
  if (!draw_judged_) {
    std::string error = check_.draw_error(current_->registers, draw::loaded_programs(current_->stage),
                                          draw.count, draw.instances);
    if (error.empty()) error = unclocked_textures(drawing_stages());
    if (!error.empty()) return refuse(error);
    draw_judged_ = true;
  }
  // To the front ends that have a batch of it, to all of them in one cycle.
  const uint32_t batches = parts::DrawBatches(draw, current_->registers, front_ends_).count();
  const auto takers = std::min(batches, front_ends_.units);
  for (uint32_t i = 0; i < takers; i++)
    if (!draw_out[front_end_of(i)].ready(now)) return Result::kBlocked;
  if (current_->registers.feedback.on && !begin_feedback(now)) return Result::kBlocked;
  if (const Result result = prepare_state(now, drawing_stages()); result != Result::kDone) return result;
  if (scans_out_ && draw_meets_scan_out()) return wait_for_display();
  if (!copies_under_way_.empty() && draw_meets_copies(draw.indexed)) return Result::kWait;
  if (uses_depth())
    if (const Result result = forget_lost_bounds(); result != Result::kDone) return result;
  if (!snapshot()) return Result::kWait;
  draw_judged_ = programs_sent_ = false;
  watch_depth();
  origin_.draw++;
  count_driver_cycles(now);
  latest_->users++;
  counters.draws++;
  counters.driver_draws += latest_->of_driver;
  for (uint32_t i = 0; i < takers; i++)
    draw_out[front_end_of(i)].send(now, {.draw = draw, .batch = i, .state = latest_, .origin = origin_});
  front_end_ = static_cast<uint32_t>(front_end_of(batches));
  const uint32_t work = begin_work(now, parts::Work::Kind::kDraw, draw);
  draws_under_way_.push_back(
      {origin_.draw, latest_, (2ull << draw_done.size()) - 1, batches * front_ends_.tellers, place(), work});
  return Result::kDone;
}

std::string CommandProcessor::unclocked_textures(EnumSet<arch::Stage> stages) const {
  std::string lack;
  for (uint32_t i = 0; i < arch::kStages && lack.empty(); i++) {
    const auto stage = static_cast<arch::Stage>(i);
    const parts::StageState& state = current_->stage[stage];
    if (stages.has(stage) && state.program)
      lack = draw::unclocked(abilities, stage, state.program->texture_reads, descriptors_[stage],
                             state.samplers);
  }
  return lack;
}

EnumSet<arch::Stage> CommandProcessor::drawing_stages() const {
  EnumSet<arch::Stage> stages = {arch::Stage::kVertex, arch::Stage::kFragment};
  for (const arch::Stage stage :
       {arch::Stage::kTessControl, arch::Stage::kTessEvaluation, arch::Stage::kGeometry})
    if (draw::is_on(current_->registers, stage)) stages.add(stage);
  return stages;
}

bool CommandProcessor::uses_depth() const {
  return arch::format_info(current_->registers.depth.surface.format).bytes != 0;
}

// Of the next draw: the depth surface that it uses, and what else it writes.
void CommandProcessor::watch_depth() {
  const arch::Registers& registers = current_->registers;
  if (uses_depth()) depth_watch_.used(range_of(registers.depth.surface));
  for (const arch::ColorTarget& target : registers.color.target)
    if (target.write_mask && arch::format_info(target.surface.format).bytes)
      depth_watch_.written(range_of(target.surface));
  watch_stores(drawing_stages());
  any_captured([this](const MemoryRange& range) {
    depth_watch_.written(range);
    return false;
  });
}

void CommandProcessor::watch_stores(EnumSet<arch::Stage> stages) {
  any_stored(stages, [this](const MemoryRange& range) {
    depth_watch_.written(range);
    return false;
  });
}

CommandProcessor::Result CommandProcessor::prepare_state(Cycle now, EnumSet<arch::Stage> stages) {
  if (!programs_sent_ && !send_programs(now, stages)) return Result::kWait;
  programs_sent_ = true;
  if (state_bus_.free() <= now) return Result::kDone;
  waits_for_state_ = true;
  return Result::kWait;
}

void CommandProcessor::send_state(Cycle now, uint64_t bytes) {
  state_bus_.send(now, bytes);
  counters.state_bytes += bytes;
}

// The programs of the next draw or dispatch that the shader units do not hold. False: there is no room for
// one until draws under way end. Those of a draw may take the room from each other: then some are sent for
// every draw.
bool CommandProcessor::send_programs(Cycle now, EnumSet<arch::Stage> stages) {
  const auto in_use = [this](const InstructionMemory::Program& program) {
    return std::any_of(draws_under_way_.begin(), draws_under_way_.end(), [&](const DrawUnderWay& draw) {
      const auto& held = draw.state->stage;
      return std::any_of(held.begin(), held.end(), [&](const auto& s) { return s.program == program; });
    });
  };
  bool all = true;
  const uint64_t time = counters.draws + dispatches_;
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto stage = static_cast<arch::Stage>(i);
    const InstructionMemory::Program& program = current_->stage[stage].program;
    InstructionMemory& memory = instruction_memory_[memories_[stage]];
    if (!stages.has(stage) || !program || memory.use(program, time)) continue;
    if (!memory.load(program, time, in_use)) {
      all = false;
      continue;
    }
    send_state(now, program->words.size() * isa::kInstructionBytes);
    counters.programs_sent++;
    worked_ = true;
  }
  return all;
}

// Draws follow one another as their arguments arrive; one is fetched at a time.
CommandProcessor::Result CommandProcessor::draw_indirect(Cycle now) {
  const auto packet = arch::packet_as<arch::IndirectPacket>(stream_.payload());
  Indirect& indirect = indirect_;
  if (!indirect.counted) {
    indirect.draws = packet.draws;
    if (packet.count_address) {
      uint32_t most = 0;
      if (!read_arguments(now, packet.count_address, std::span(&most, 1))) return Result::kWait;
      indirect.draws = std::min(indirect.draws, most);
    }
    indirect.counted = true;
  }
  const bool indexed = stream_.opcode() == Opcode::kDrawIndexedIndirect;
  const auto words = std::span(indirect.words).first(draw::draw_words(indexed));
  while (indirect.draw < indirect.draws) {
    const arch::Address at = packet.address + uint64_t{indirect.draw} * packet.stride;
    if (!indirect.read && !read_arguments(now, at, words)) return Result::kWait;
    indirect.read = true;
    if (const Result result = send_draw(now, draw::make_draw(indexed, words, indirect.draw));
        result != Result::kDone)
      return result;
    indirect.read = false;
    indirect.draw++;
    worked_ = true;
  }
  indirect = {};
  return Result::kDone;
}

// Words that may lie in two sectors. True: they are in `words`; false: call again with the same ones.
bool CommandProcessor::read_arguments(Cycle now, arch::Address address, std::span<uint32_t> words) {
  if (!arguments_.asked && !copies_under_way_.empty()) return false;
  const auto inside = static_cast<uint32_t>(address % parts::kSectorBytes);
  const uint32_t sectors = (inside + static_cast<uint32_t>(words.size_bytes()) - 1) / parts::kSectorBytes + 1;
  if (arguments_.asked < sectors && memory_out.ready(now)) {
    memory_out.send(now, {.address = address - inside + arguments_.asked * parts::kSectorBytes,
                          .tag = kArgumentTag + arguments_.asked,
                          .origin = origin_});
    arguments_.asked++;
    worked_ = true;
  }
  if (arguments_.arrived < sectors) return false;
  std::memcpy(words.data(), arguments_.data.data() + inside, words.size_bytes());
  arguments_ = {};
  return true;
}

CommandProcessor::Result CommandProcessor::predicate(Cycle now) {
  const auto packet = arch::packet_as<arch::PredicatePacket>(stream_.payload());
  predicate_ = true;
  if (!packet.address) return Result::kDone;
  uint32_t value = 0;
  if (!read_arguments(now, packet.address, std::span(&value, 1))) return Result::kWait;
  predicate_ = draw::predicate_holds(packet, value);
  return Result::kDone;
}

}  // namespace cutaway::boxes
