// Groups come in: a place, registers, what they start with; and leave.
#include <algorithm>
#include <bit>
#include <cstring>

#include "boxes/shader_unit/shader_unit.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;

// One group per cycle; vertices and fragments take turns when both wait.
bool ShaderUnit::accept(Cycle now) {
  return vertex_turn_ ? accept_vertices(now) || accept_fragments(now)
                      : accept_fragments(now) || accept_vertices(now);
}

bool ShaderUnit::accept_vertices(Cycle now) {
  if (!stages_.has(Stage::kVertex)) return false;
  const parts::VertexGroup* next = vertices_in.peek(now);
  Group* group = next ? admit(*next->state, Stage::kVertex) : nullptr;
  if (!group) return false;
  group->vertices = vertices_in.take(now);
  group->origin = group->vertices.origin;
  // Read where the streamer has put them; it feeds all that a vertex program may read.
  group->view.input = group->vertices.vertices->word.data();
  counters.vertex_groups++;
  start(now, *group, ~uint64_t{0} >> (64 - group->vertices.lanes), 0);
  vertex_turn_ = false;
  return true;
}

bool ShaderUnit::accept_fragments(Cycle now) {
  if (!stages_.has(Stage::kFragment)) return false;
  const parts::FragmentGroup* next = fragments_in.peek(now);
  Group* group = next ? admit(*next->state, Stage::kFragment) : nullptr;
  if (!group) return false;
  group->fragments = fragments_in.take(now);
  group->origin = group->fragments.origin;
  load_quads(*group);
  uint64_t lanes = 0;
  const parts::GroupQuads& quads = *group->fragments.quads;
  for (uint32_t q = 0; q < quads.count; q++) lanes |= uint64_t{quads.quad[q].quad.mask} << 4 * q;
  counters.fragment_groups++;
  start(now, *group, lanes, (~uint64_t{0} >> (64 - 4 * quads.count)) & ~lanes);
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

// A group comes in when a context, its registers and its scratch memory are free; what needs more than there
// is runs alone. nullptr: not now.
ShaderUnit::Group* ShaderUnit::admit(const parts::DrawState& state, Stage stage) {
  if (free_.empty()) return nullptr;
  const uint32_t granularity = spec_.register_granularity;
  const draw::Program* program = state.stage[stage].program.get();
  const uint32_t live = program ? program->temporaries : 0;
  const uint32_t demand = (live + granularity - 1) / granularity * granularity * spec_.group_lanes;
  const uint32_t scratch = (program ? program->scratch_bytes : 0) * spec_.group_lanes;
  bool& lacks = lacks_registers_[stage];
  if ((demand > registers_free_ || scratch > scratch_free_) && !free_.full()) {
    counters.register_stalls += !lacks;
    lacks = true;
    return nullptr;
  }
  lacks = false;
  Group& group = groups_[free_.first()];
  group.stage = stage;
  group.registers = std::min(demand, registers_free_);
  registers_free_ -= group.registers;
  group.scratch_bytes = std::min(scratch, scratch_free_);
  scratch_free_ -= group.scratch_bytes;
  group.state = &state;
  return &group;
}

void ShaderUnit::start(Cycle now, Group& group, uint64_t lanes, uint64_t helpers) {
  const parts::StageState& state = group.state->stage[group.stage];
  const draw::Program* program = state.program.get();
  count_residents(now);
  free_.erase(index_of(group));
  scheduler_->admitted(index_of(group));
  group.program = program ? &program->micro : nullptr;
  group.of_driver = group.state->of_driver;
  group.view.constant = &state.constants[0][0];
  group.quads_sent = 0;
  group.end_ready = now;
  group.outputs = program ? program->outputs : 0;
  if (program) clear_registers(group, *program);
  parts::InstructionCounts* counts = program ? group.state->instructions : nullptr;
  group.time.start(now, counts ? counts->of(group.stage, group.origin.work) : nullptr);
  group.threads.start(width_, lanes, helpers);
  settle(now, now + 1, group);
}

// What the program may read before it has written it.
void ShaderUnit::clear_registers(Group& group, const draw::Program& program) const {
  const size_t words = size_t{4} * width_;
  std::fill_n(group.written.begin(), program.temporaries, 0);
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
  registers_free_ += group.registers;
  scratch_free_ += group.scratch_bytes;
  free_.insert(index_of(group));
  finished_.erase(index_of(group));
  group.phase = Phase::kFree;
  group.vertices = {};
  group.fragments = {};
}

}  // namespace cutaway::boxes
