// Groups come in: a place, registers, what they start with; and leave.
#include <algorithm>
#include <bit>
#include <cstring>

#include "boxes/shader_unit/shader_unit.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;

// One group per cycle, or as many cycles as its inputs need; vertices, fragments and workgroups take turns
// when several wait.
bool ShaderUnit::accept(Cycle now) {
  if (incoming_ != kNoWorkgroup) return entered_ <= now && accept_workgroup(now);
  const bool first = workgroup_turn_ && entering_ == Entering::kNone && accept_workgroup(now);
  const bool accepted = first || accept_graphics(now) ||
                        (!workgroup_turn_ && entering_ == Entering::kNone && accept_workgroup(now));
  if (accepted) workgroup_turn_ = incoming_ == kNoWorkgroup && !first;
  return accepted;
}

bool ShaderUnit::accept_graphics(Cycle now) {
  if (entering_ != Entering::kNone) {
    if (entered_ > now) return false;
    return entering_ == Entering::kVertices ? accept_vertices(now) : accept_fragments(now);
  }
  return vertex_turn_ ? accept_vertices(now) || accept_fragments(now)
                      : accept_fragments(now) || accept_vertices(now);
}

// Whether the last of a group's `vectors` inputs comes in this cycle. The first comes when there is room for
// the group; it stays, since nobody else comes in.
bool ShaderUnit::enters(Cycle now, Entering which, uint32_t vectors) {
  if (entering_ == Entering::kNone && vectors > spec_.inputs_per_cycle) {
    entering_ = which;
    entered_ = now + (vectors - 1) / spec_.inputs_per_cycle;
    return false;
  }
  entering_ = Entering::kNone;
  return true;
}

// Of any stage before the rasteriser.
bool ShaderUnit::accept_vertices(Cycle now) {
  if (!takes_vertices()) return false;
  const parts::VertexGroup* next = vertices_in.peek(now);
  if (!next || !has_room(*next->state, next->stage)) return false;
  const draw::Program* program = next->state->stage[next->stage].program.get();
  const auto attributes = static_cast<uint32_t>(program ? std::popcount(program->inputs_read) : 0);
  if (!enters(now, Entering::kVertices, next->lanes * attributes)) return true;
  Group& group = admit(*next->state, next->stage);
  group.vertices = vertices_in.take(now);
  group.origin = group.vertices.origin;
  group.number = group.origin.draw;
  // Vertices and points are read where they have been put, with all that their programs may read.
  if (group.vertices.vertices) group.view.input = group.vertices.vertices->word.data();
  else load_primitives(group);
  if (group.stage == Stage::kVertex) counters.vertex_groups++;
  else primitive_counters.groups++;
  start(now, group, ~uint64_t{0} >> (64 - group.vertices.lanes), 0);
  vertex_turn_ = false;
  return true;
}

bool ShaderUnit::accept_fragments(Cycle now) {
  if (!stages_.has(Stage::kFragment)) return false;
  const parts::FragmentGroup* next = fragments_in.peek(now);
  if (!next || !window_.has_room() || !has_room(*next->state, Stage::kFragment)) return false;
  const auto interpolants =
      static_cast<uint32_t>(next->state->shades_fragments() ? std::popcount(next->state->pushed()) : 0);
  if (!enters(now, Entering::kFragments, 4 * next->quads->count * interpolants)) return true;
  Group& group = admit(*next->state, Stage::kFragment);
  group.fragments = fragments_in.take(now);
  group.fragment_number = window_.enter();
  group.origin = group.fragments.origin;
  group.number = group.origin.draw;
  load_quads(group);
  uint64_t lanes = 0;
  const parts::GroupQuads& quads = *group.fragments.quads;
  for (uint32_t q = 0; q < quads.count; q++) lanes |= uint64_t{quads.quad[q].quad.mask} << 4 * q;
  counters.fragment_groups++;
  start(now, group, lanes, (~uint64_t{0} >> (64 - 4 * quads.count)) & ~lanes);
  vertex_turn_ = true;
  return true;
}

// Input registers that the program reads and nobody feeds are zero. A group of one quad reads it where the
// interpolator has put it, which is laid out like registers.
void ShaderUnit::load_quads(Group& group) const {
  const uint64_t fed = ((1ull << group.state->registers.vertex_out.interpolants) - 1) |
                       1ull << arch::kInputFragCoord | 1ull << arch::kInputFragment |
                       1ull << arch::kInputPointCoord;
  const uint64_t read = group.state->fragment().inputs_read();
  parts::GroupQuads& quads = *group.fragments.quads;
  for (uint32_t q = 0; q < quads.count; q++) {
    auto& input = quads.quad[q].inputs->input;
    for (uint64_t left = width_ == 4 ? read & ~fed : read; left; left &= left - 1) {
      const uint32_t reg = static_cast<uint32_t>(std::countr_zero(left));
      if (!(fed >> reg & 1)) std::memset(input[reg], 0, sizeof input[reg]);
      if (width_ == 4) continue;
      for (uint32_t c = 0; c < 4; c++)
        std::copy_n(input[reg][c], 4, &group.input[func::register_word(width_, reg, c, 4 * q)]);
    }
  }
  group.view.input = width_ == 4 ? quads.quad[0].inputs->input[0][0] : group.input.data();
}

// What a group of a stage needs of the unit for its program, all lanes together.
ShaderUnit::Demand ShaderUnit::demand_of(const parts::DrawState& state, Stage stage) const {
  const draw::Program* program = state.stage[stage].program.get();
  if (!program) return {};
  const uint32_t granularity = spec_.register_granularity;
  const uint32_t temporaries = program->temporaries + (spec_.half_registers ? 0 : program->shared);
  const uint32_t registers = (temporaries + granularity - 1) / granularity * granularity;
  const uint32_t lanes = spec_.lanes_of(stage);
  return {registers * lanes, program->scratch_bytes * lanes};
}

// A group comes in when its threads, its registers and its scratch memory are free; what needs more registers
// or memory than there are runs alone. There are contexts for as many groups as the threads make.
bool ShaderUnit::has_room(const parts::DrawState& state, Stage stage) {
  if (threads_free_ < spec_.lanes_of(stage)) return false;
  const Demand demand = demand_of(state, stage);
  bool& lacks = lacks_registers_[stage];
  const bool lacked = lacks;
  lacks = (demand.registers > registers_free_ || demand.scratch_bytes > scratch_free_) && !free_.full();
  counters.register_stalls += lacks && !lacked;
  return !lacks;
}

ShaderUnit::Group& ShaderUnit::admit(const parts::DrawState& state, Stage stage) {
  const Demand demand = demand_of(state, stage);
  Group& group = groups_[free_.first()];
  group.stage = stage;
  group.state = &state;
  group.threads_taken = spec_.lanes_of(stage);
  threads_free_ -= group.threads_taken;
  group.registers = group.scratch_bytes = 0;
  if (stage == Stage::kCompute) return group;  // its workgroup has them
  group.registers = std::min(demand.registers, registers_free_);
  registers_free_ -= group.registers;
  group.scratch_bytes = std::min(demand.scratch_bytes, scratch_free_);
  scratch_free_ -= group.scratch_bytes;
  return group;
}

void ShaderUnit::start(Cycle now, Group& group, uint64_t lanes, uint64_t helpers) {
  const parts::StageState& state = group.state->stage[group.stage];
  const draw::Program* program = state.program.get();
  count_residents(now);
  free_.erase(index_of(group));
  const bool feeds = group.stage != Stage::kFragment && group.stage != Stage::kCompute;
  scheduler_->admitted(index_of(group), feeds);
  group.program = program ? &program->micro : nullptr;
  group.of_driver = group.state->of_driver;
  group.view.constant = &state.constants[0][0];
  group.quads_sent = 0;
  group.end_ready = now;
  group.shared_done = 0;
  group.all_written = 0;
  group.outputs = program ? program->outputs : 0;
  if (program) clear_registers(group, *program);
  parts::InstructionCounts* counts = program ? group.state->instructions : nullptr;
  group.time.start(now, counts ? counts->of(group.stage, group.origin.work) : nullptr);
  group.threads.start(width_, lanes, helpers);
  group.branched = false;
  if (group.stage == Stage::kFragment && program && program->branches)
    batches_.join(index_of(group), group.state);
  settle(now, now + 1, group);
}

// What the program may read before it has written it.
void ShaderUnit::clear_registers(Group& group, const draw::Program& program) const {
  const size_t words = size_t{4} * width_;
  std::fill_n(group.written.begin(), size_t{4} * program.temporaries, 0);
  for (const uint32_t reg : program.zeroed_temporaries) std::fill_n(&group.temporary[reg * words], words, 0);
  for (uint64_t left = program.zeroed_outputs; left; left &= left - 1)
    std::fill_n(&group.output[static_cast<size_t>(std::countr_zero(left)) * words], words, 0);
  const size_t scratch_words = program.scratch_bytes / 4;
  if (group.scratch.size() < scratch_words * width_) group.scratch.resize(scratch_words * width_);
  std::fill_n(group.scratch.begin(), scratch_words * width_, 0);
  group.view.scratch = group.scratch.data();
  group.view.scratch_words = static_cast<uint32_t>(scratch_words);
}

void ShaderUnit::count_residents(Cycle now) {
  const uint64_t inside = free_.capacity() - free_.size();
  counters.resident_groups += inside * (now - resident_since_);
  resident_since_ = now;
}

void ShaderUnit::release(Cycle now, Group& group) {
  count_residents(now);
  group.time.leave(now, time_[index_of(group)]);
  threads_free_ += group.threads_taken;
  registers_free_ += group.registers;
  scratch_free_ += group.scratch_bytes;
  free_.insert(index_of(group));
  finished_.erase(index_of(group));
  group.phase = Phase::kFree;
  if (group.stage == Stage::kFragment) window_.leave(group.fragment_number);
  group.vertices = {};
  group.fragments = {};
}

}  // namespace cutaway::boxes
