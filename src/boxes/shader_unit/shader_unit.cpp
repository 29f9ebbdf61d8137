#include "boxes/shader_unit/shader_unit.h"

#include <algorithm>
#include <bit>

#include "func/rop/exported_fragment.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;

ShaderUnit::ShaderUnit(std::string path, const ShaderUnitSpec& spec, parts::Pools& pools)
    : Box(std::move(path)),
      spec_(spec),
      pools_(pools),
      groups_(spec.threads / spec.group_lanes),
      registers_free_((spec.threads + spec.input_threads) * spec.registers_per_thread),
      scratch_free_(spec.scratch_bytes) {
  const unsigned width = spec.group_lanes;
  if (!std::has_single_bit(width))
    user_error("{}.group_lanes: {} is not 4, 8, 16 or 32", this->path(), width);
  if (groups_.empty() || groups_.size() > 64)
    user_error("{}.threads: {} make {} groups of {}; expected 1 to 64 groups", this->path(), spec.threads,
               groups_.size(), width);
  for (Group& group : groups_) {
    group.input.resize(size_t{arch::kShaderInputs} * 4 * width);
    group.temporary.resize(size_t{arch::kTemporaries} * 4 * width);
    group.output.resize(size_t{arch::kShaderOutputs} * 4 * width);
    group.view = {group.input.data(), group.temporary.data(), group.output.data()};
  }
}

void ShaderUnit::list_ports(engine::PortList& list) {
  list("vertices_in", vertices_in);
  list("fragments_in", fragments_in);
  list("vertices_out", vertices_out);
  list("quads_out", quads_out);
  list("texture_out", texture_out);
  list("texture_in", texture_in);
}

Cycle ShaderUnit::tick(Cycle now) {
  bool progress = retire(now);
  progress |= take_texture(now);
  progress |= send_texture(now);
  progress |= issue(now);
  progress |= accept(now);
  return account(now, progress);
}

Cycle ShaderUnit::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  Cycle next = engine::kAsleep;
  for (uint64_t left = ready_ | finished_; left; left &= left - 1) {
    const Group& group = groups_[static_cast<size_t>(std::countr_zero(left))];
    const Cycle time = group.phase == Phase::kFinished ? group.end_ready : group.ready;
    if (time > now) next = std::min(next, time);
  }
  if (next != engine::kAsleep) return busy(now, next);  // instructions are in the execute stages
  for (uint8_t index : finish_order_)
    return blocked(now, groups_[index].vertex ? static_cast<const engine::Port&>(vertices_out) : quads_out);
  for (uint8_t index : texture_order_)
    if (groups_[index].texture_to_send) return blocked(now, texture_out);
  if (!texture_order_.empty()) return starved(now, texture_in);
  return idle(now);
}

// ---- Admission ----

// One group per cycle; vertices and fragments take turns when both wait.
bool ShaderUnit::accept(Cycle now) {
  for (unsigned attempt = 0; attempt < 2; attempt++) {
    const bool vertices = vertex_turn_ == (attempt == 0);
    Group* group = nullptr;
    if (vertices) {
      const parts::VertexGroup* next = vertices_in.peek(now);
      if (!next || !admit(*next->state, Stage::kVertex, group)) continue;
      group->vertices = vertices_in.take(now);
      group->vertex = true;
      load_vertices(*group);
      group->origin = group->vertices.origin;
      counters.vertex_groups++;
      start(now, *group, Stage::kVertex, (1ull << group->vertices.lanes) - 1, 0);
    } else {
      const parts::FragmentGroup* next = fragments_in.peek(now);
      if (!next || !admit(*next->state, Stage::kFragment, group)) continue;
      group->fragments = fragments_in.take(now);
      group->vertex = false;
      group->origin = group->fragments.origin;
      uint64_t lanes = 0, quads = 0;
      for (uint32_t q = 0; q < group->fragments.quads; q++) {
        const parts::InterpolatedQuad& quad = group->fragments.quad[q];
        lanes |= uint64_t{quad.quad.mask} << 4 * q;
        quads |= uint64_t{15} << 4 * q;
        load_quad(*group, q);
      }
      counters.fragment_groups++;
      start(now, *group, Stage::kFragment, lanes, quads & ~lanes);
    }
    vertex_turn_ = !vertices;
    return true;
  }
  return false;
}

// Registers that the program reads and nobody feeds are zero.
void ShaderUnit::load_vertices(Group& group) const {
  constexpr uint64_t kFed =
      ((1ull << arch::kVertexAttributes) - 1) | 1ull << arch::kInputVertexId | 1ull << arch::kInputDraw;
  const uint32_t words = 4 * spec_.group_lanes;
  for (uint64_t left = group.state->vertex().inputs_read(); left; left &= left - 1) {
    const uint32_t reg = static_cast<uint32_t>(std::countr_zero(left));
    if (kFed >> reg & 1)
      std::copy_n(&group.vertices.inputs->word[reg * words], words, &group.input[reg * words]);
    else std::fill_n(&group.input[reg * words], words, 0);
  }
}

void ShaderUnit::load_quad(Group& group, uint32_t quad) const {
  const uint64_t fed = ((1ull << group.state->registers.vertex_out.interpolants) - 1) |
                       1ull << arch::kInputFragCoord | 1ull << arch::kInputFragment |
                       1ull << arch::kInputPointCoord;
  const auto& input = group.fragments.quad[quad].inputs->input;
  for (uint64_t left = group.state->fragment().inputs_read(); left; left &= left - 1) {
    const uint32_t reg = static_cast<uint32_t>(std::countr_zero(left));
    for (uint32_t c = 0; c < 4; c++) {
      uint32_t* to = &group.input[func::register_word(spec_.group_lanes, reg, c, 4 * quad)];
      if (fed >> reg & 1) std::copy_n(input[reg][c], 4, to);
      else std::fill_n(to, 4, 0);
    }
  }
}

// A group comes in when a context, its registers and its scratch memory are free; what needs more than there
// is runs alone.
bool ShaderUnit::admit(const parts::DrawState& state, Stage stage, Group*& group) {
  const uint64_t all = groups_.size() == 64 ? ~0ull : (1ull << groups_.size()) - 1;
  const uint64_t free = all & ~resident_;
  if (!free) return false;
  const uint32_t granularity = spec_.register_granularity;
  const draw::Program* program = state.stage[stage].program.get();
  const uint32_t live = program ? program->temporaries : 0;
  const uint32_t demand = (live + granularity - 1) / granularity * granularity * spec_.group_lanes;
  const uint32_t scratch = (program ? program->scratch_bytes : 0) * spec_.group_lanes;
  bool& lacks = lacks_registers_[stage];
  if ((demand > registers_free_ || scratch > scratch_free_) && resident_) {
    counters.register_stalls += !lacks;
    lacks = true;
    return false;
  }
  lacks = false;
  group = &groups_[static_cast<size_t>(std::countr_zero(free))];
  group->registers = std::min(demand, registers_free_);
  registers_free_ -= group->registers;
  group->scratch_bytes = std::min(scratch, scratch_free_);
  scratch_free_ -= group->scratch_bytes;
  group->state = &state;
  return true;
}

void ShaderUnit::start(Cycle now, Group& group, Stage stage, uint64_t lanes, uint64_t helpers) {
  const size_t index = static_cast<size_t>(&group - groups_.data());
  const parts::StageState& state = group.state->stage[stage];
  const draw::Program* program = state.program.get();
  count_residents(now);
  resident_ |= 1ull << index;
  group.program = program ? &program->micro : nullptr;
  group.of_driver = group.state->of_driver;
  group.view.constant = &state.constants[0][0];
  group.quads_sent = 0;
  group.end_ready = now;
  group.written.fill(0);
  const size_t words = size_t{4} * spec_.group_lanes;
  std::fill_n(group.temporary.begin(), (program ? program->temporaries : 0) * words, 0);
  std::fill(group.output.begin(), group.output.end(), 0);
  const size_t scratch_words = size_t{program ? program->scratch_bytes : 0} / 4;
  if (group.scratch.size() < scratch_words * spec_.group_lanes)
    group.scratch.resize(scratch_words * spec_.group_lanes);
  std::fill_n(group.scratch.begin(), scratch_words * spec_.group_lanes, 0);
  group.view.scratch = group.scratch.data();
  group.view.scratch_words = static_cast<uint32_t>(scratch_words);
  group.threads.start(spec_.group_lanes, lanes, helpers);
  group.ready = now + 1;
  settle(now, group);
}

void ShaderUnit::count_residents(Cycle now) {
  counters.resident_groups += static_cast<uint64_t>(std::popcount(resident_)) * (now - resident_since_);
  resident_since_ = now;
}

void ShaderUnit::release(Cycle now, Group& group) {
  count_residents(now);
  const uint64_t bit = 1ull << (&group - groups_.data());
  registers_free_ += group.registers;
  scratch_free_ += group.scratch_bytes;
  resident_ &= ~bit;
  finished_ &= ~bit;
  group.phase = Phase::kFree;
  group.vertices = {};
  group.fragments = {};
}

// ---- Issue ----

bool ShaderUnit::issue(Cycle now) {
  const uint64_t from_turn = ready_ & ~((1ull << turn_) - 1);
  for (uint64_t mask : {from_turn, ready_ & ~from_turn}) {
    for (; mask; mask &= mask - 1) {
      const unsigned index = static_cast<unsigned>(std::countr_zero(mask));
      if (groups_[index].ready > now) continue;
      execute(now, groups_[index]);
      turn_ = (index + 1) % static_cast<unsigned>(groups_.size());
      return true;
    }
  }
  return false;
}

Cycle ShaderUnit::latency(const func::MicroOp& op) const {
  if (op.op == isa::Opcode::kLds) return spec_.scratch_latency;
  return op.op_class == isa::OpClass::kScalar ? spec_.scalar_latency : spec_.simd_latency;
}

void ShaderUnit::execute(Cycle now, Group& group) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  counters.instructions++;
  counters.driver_instructions += group.of_driver;
  counters.vertex_instructions += group.vertex;
  const func::Need need = func::need(*group.program, group.threads);
  if (need != func::Need::kStep) {
    counters.texture_instructions++;
    begin_texture(group);
    return;
  }
  counters.scratch_instructions += isa::is_scratch(op.op);
  func::step(*group.program, group.threads, group.view);
  group.ready = now + 1;
  if (op.op_class == isa::OpClass::kFlow) {
    if (op.op != isa::Opcode::kEnd) group.ready = now + spec_.flow_latency;
  } else {
    const Cycle done = now + latency(op);
    group.end_ready = std::max(group.end_ready, done);
    if (op.dst_file == isa::File::kTemporary) group.written[op.dst] = done;
  }
  settle(now, group);
}

// When the operands of the next instruction can be read.
Cycle ShaderUnit::next_issue(const Group& group, Cycle earliest) const {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  for (const func::MicroSource& source : op.src) {
    if (source.file != isa::File::kTemporary) continue;
    for (uint16_t component : source.component) earliest = std::max(earliest, group.written[component / 4]);
  }
  return earliest;
}

// Puts a group where its next instruction, or its end, belongs.
void ShaderUnit::settle(Cycle now, Group& group) {
  const size_t index = static_cast<size_t>(&group - groups_.data());
  const uint64_t bit = 1ull << index;
  if (group.program && group.threads.runaway()) runaways_.push_back(group.origin.draw);
  // The other groups of such a draw would run as long.
  if (!runaways_.empty() && runaway(group.origin.draw)) group.program = nullptr;
  if (!group.program || group.threads.done()) {
    group.phase = Phase::kFinished;
    group.end_ready = std::max(group.end_ready, now) + spec_.pipeline_stages;
    ready_ &= ~bit;
    finished_ |= bit;
    finish_order_.push_back(static_cast<uint8_t>(index));
    return;
  }
  group.phase = Phase::kReady;
  group.ready = next_issue(group, group.ready);
  ready_ |= bit;
}

// ---- Texture ----

// ---- Results ----

// The oldest finished vertex group and the oldest finished fragment group: their outputs are pipelines of
// their own.
bool ShaderUnit::retire(Cycle now) {
  bool progress = false, vertex_seen = false, fragment_seen = false;
  for (size_t i = 0; i < finish_order_.size() && !(vertex_seen && fragment_seen); i++) {
    Group& group = groups_[finish_order_[i]];
    bool& seen = group.vertex ? vertex_seen : fragment_seen;
    if (seen) continue;
    seen = true;
    if (group.end_ready > now) continue;
    bool done = false;
    if (group.vertex) {
      if (!vertices_out.ready(now)) continue;
      retire_vertices(now, group);
      done = progress = true;
    } else {
      if (!quads_out.ready(now)) continue;
      done = retire_quad(now, group);
      progress = true;
    }
    if (done) {
      release(now, group);
      finish_order_.erase(finish_order_.begin() + static_cast<std::ptrdiff_t>(i));
      i--;
    }
  }
  return progress;
}

// One vertex per cycle (ATT-3): the group takes the wire for as many cycles as it has lanes.
void ShaderUnit::retire_vertices(Cycle now, Group& group) {
  const uint32_t width = spec_.group_lanes;
  parts::ShadedVertices& out = vertices_out.put(now, group.vertices.lanes);
  out.lanes = group.vertices.lanes;
  out.slot = group.vertices.slot;
  for (uint32_t lane = 0; lane < out.lanes; lane++) {
    out.vertex[lane] = pools_.vertices.allocate();
    for (uint32_t reg = 0; reg < arch::kShaderOutputs; reg++)
      for (uint32_t c = 0; c < 4; c++)
        out.vertex[lane]->output[reg][c] = group.output[func::register_word(width, reg, c, lane)];
  }
}

// One quad per cycle. True when it was the group's last.
bool ShaderUnit::retire_quad(Cycle now, Group& group) {
  const uint32_t width = spec_.group_lanes, q = group.quads_sent++;
  parts::ShadedQuad& out = quads_out.put(now);
  out.order = group.fragments.order[q];
  out.quad = std::move(group.fragments.quad[q].quad);
  const uint8_t survivors = static_cast<uint8_t>(group.threads.survivors() >> 4 * q & 15);
  const auto killed = static_cast<uint64_t>(std::popcount(static_cast<uint8_t>(out.quad.mask & ~survivors)));
  counters.fragments_killed += killed;
  if (group.of_driver) counters.driver_fragments_killed += killed;
  out.quad.mask &= survivors;
  out.quad.alive &= func::at_all_samples(survivors, group.state->samples);
  if (group.program || group.state->shades_fragments()) {
    out.outputs = pools_.fragment_outputs.allocate();
    for (uint32_t reg = 0; reg < arch::kFragmentOutputs; reg++)
      for (uint32_t c = 0; c < 4; c++)
        std::copy_n(&group.output[func::register_word(width, reg, c, 4 * q)], 4, out.outputs->output[reg][c]);
    cover(out);
  }
  return group.quads_sent == group.fragments.quads;
}

// The program's sample mask and alpha to coverage. With one sample the lanes are the samples.
void ShaderUnit::cover(parts::ShadedQuad& shaded) const {
  const parts::DrawState& state = *shaded.quad.state;
  const bool masks =
      state.registers.shader[static_cast<uint32_t>(Stage::kFragment)].flags & arch::kShaderWritesSampleMask;
  const bool alpha = state.registers.raster.alpha_to_coverage;
  if (!masks && !alpha) return;
  parts::QuadMessage& quad = shaded.quad;
  const auto& output = shaded.outputs->output;
  const func::QuadSamples alive =
      func::exported_samples(state.samples, state.samples > 1 ? quad.alive : uint32_t{quad.mask},
                             masks ? output[arch::kOutputDepth][1] : nullptr, alpha ? output[0][3] : nullptr);
  quad.mask = static_cast<uint8_t>(func::any_sample(alive));
  if (state.samples > 1) quad.alive = alive;
}

std::string ShaderUnit::why_busy() const {
  if (!resident_) return "";
  return fmt::format("{} groups: {} ready, {} waiting for texture, {} finished", std::popcount(resident_),
                     std::popcount(ready_), texture_order_.size(), finish_order_.size());
}

}  // namespace cutaway::boxes
