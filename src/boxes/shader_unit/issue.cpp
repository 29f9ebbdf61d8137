// Which group issues, and what its instruction does and costs.
#include <algorithm>

#include "boxes/shader_unit/shader_unit.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using engine::Cycle;

bool ShaderUnit::issue(Cycle now) {
  if (port_free_ > now || ready_.empty()) return false;
  const uint32_t index = scheduler_->pick(now, ready_, time_);
  if (index == GroupScheduler::kNone) return false;
  execute(now, groups_[index]);
  return true;
}

Cycle ShaderUnit::latency(const func::MicroOp& op) const {
  if (op.op == isa::Opcode::kLds) return spec_.scratch_latency;
  return op.op_class == isa::OpClass::kScalar ? spec_.scalar_latency : spec_.simd_latency;
}

// Of the lanes of a group.
uint32_t ShaderUnit::passes(const func::MicroOp& op) const {
  switch (op.op) {
    case isa::Opcode::kIf:
    case isa::Opcode::kElse:
    case isa::Opcode::kEndif:
    case isa::Opcode::kLoop:
    case isa::Opcode::kEndLoop:
    case isa::Opcode::kCall:
    case isa::Opcode::kReturn:
      return spec_.flow_passes;
    default:
      return isa::is_double(op.op) ? spec_.double_passes : issue_->passes(op);
  }
}

void ShaderUnit::count_instruction(const Group& group) {
  counters.instructions++;
  counters.driver_instructions += group.of_driver;
  counters.vertex_instructions += group.stage == arch::Stage::kVertex;
  primitive_counters.instructions += group.vertices.primitives ? 1 : 0;
  storage_counters.compute_instructions += group.stage == arch::Stage::kCompute;
}

// The next instruction of the group, and those after it that can issue beside it if it passes once. Flow and
// texture instructions are the last of their cycle: what follows a branch is not known, and what follows a
// texture instruction waits for its result.
void ShaderUnit::execute(Cycle now, Group& group) {
  const func::MicroProgram& program = *group.program;
  works_for(group.origin.work);
  const func::MicroOp* op = &program[group.threads.pc()];
  const uint32_t all_passes = passes(*op);
  const Cycle pass_cycles = pass_cycles_[group.stage];
  const Cycle last_pass = now + (all_passes - 1) * pass_cycles;
  // Groups of its batch that stand at another place take the time of these instructions, too.
  const uint32_t for_others = all_passes * batches_.passes_for_others(index_of(group));
  counters.passes_for_others += for_others;
  port_free_ = last_pass + (1 + for_others) * pass_cycles;
  group.time.issue(now, time_[index_of(group)], port_free_, group.threads.pc(), group.threads.active());
  IssueBundle bundle;
  while (func::need(program, group.threads) == func::Need::kStep) {
    count_instruction(group);
    const Cycle ready = execute_step(last_pass, port_free_ - 1, group);
    if (most_issued_ == 1 || all_passes > 1 || op->op_class == isa::OpClass::kFlow)
      return settle(now, ready, group);
    bundle.add(*op);
    if (!joins(now, group, bundle)) return settle(now, ready, group);
    op = &program[group.threads.pc()];
    group.time.join(group.threads.pc());
  }
  count_instruction(group);
  if (op->op_class == isa::OpClass::kMemory) return execute_memory(now, group);
  counters.texture_instructions++;
  bundle.add(*op);
  group.pass = bundle;
  time_[index_of(group)] = port_free_ - 1 + spec_.texture_latency;
  begin_texture(group);
}

// Whether the next instruction of a group can issue in the cycle of those of `bundle`, none of which is a
// branch: it takes no longer, an ALU is left, and its operands can be read, which those that they write
// cannot unless one ALU gives them to the other.
bool ShaderUnit::joins(Cycle now, const Group& group, const IssueBundle& bundle) const {
  if (bundle.count() == most_issued_) return false;
  const func::MicroOp& next = (*group.program)[group.threads.pc()];
  const bool is_free = spec_.free_end && next.op == isa::Opcode::kNext;  // behind the others
  if (is_free || passes(next) > 1 || !issue_->joins(bundle, next)) return false;
  if (joins_others_next(group) && batches_.has(index_of(group)))
    return false;  // all of a batch do so together
  if (issue_->forwards()) return next_issue(group, now, &bundle) == now;
  return !bundle.writes_same(next) && next_issue(group, now, nullptr) == now;
}

// A texture unit has answered: instructions that find a place behind it in the pass of the texture
// instruction are issued with that. When the next one can issue.
Cycle ShaderUnit::end_pass(Cycle now, Group& group) {
  Cycle ready = now + 1;
  if (!issue_->forwards()) return ready;
  while (func::need(*group.program, group.threads) == func::Need::kStep && joins(now, group, group.pass)) {
    const func::MicroOp& op = (*group.program)[group.threads.pc()];
    count_instruction(group);
    group.time.join(group.threads.pc());
    ready = execute_step(now, now, group);
    if (op.op_class == isa::OpClass::kFlow) break;
    group.pass.add(op);
  }
  return ready;
}

// Carries an instruction out. When the next one can issue, if it waits for no result: a result can be read a
// latency after the pass of its last component has begun, since the lanes of the next instruction follow as
// closely as those of this one. A branch and the end of a group wait for all lanes, of which the last issues
// in cycle last_lane.
Cycle ShaderUnit::execute_step(Cycle last_pass, Cycle last_lane, Group& group) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  counters.scratch_instructions += isa::is_scratch(op.op);
  group.branched = op.op_class == isa::OpClass::kFlow;
  func::step(*group.program, group.threads, group.view);
  Cycle ready = last_lane + 1, end = last_lane;
  if (op.op_class == isa::OpClass::kFlow) {
    if (op.op != isa::Opcode::kEnd) ready = last_lane + spec_.flow_latency;
  } else {
    end = last_lane + latency(op);
    if (op.dst_file == isa::File::kTemporary) note_result(op, last_pass + latency(op), group);
  }
  group.end_ready = std::max(group.end_ready, end);
  return ready;
}

// The components that an instruction writes can be read from cycle `ready` on, unless a slower one before it
// is still under way to them.
void ShaderUnit::note_result(const func::MicroOp& op, Cycle ready, Group& group) {
  Cycle* written = &group.written[size_t{op.dst} * 4];
  group.all_written = std::max(group.all_written, ready);
  for (uint32_t c = 0; c < 4; c++)
    if (op.dst_mask >> c & 1) written[c] = std::max(written[c], ready);
}

// When the operands of the next instruction can be read, component by component: not before `earliest`. Those
// that instructions of `given` write are given to it.
Cycle ShaderUnit::next_issue(const Group& group, Cycle earliest, const IssueBundle* given) const {
  if (group.all_written <= earliest) return earliest;
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  for (const func::MicroSource& source : op.src) {
    if (source.file != isa::File::kTemporary) continue;
    for (uint32_t c = 0; c < 4; c++)
      if ((source.read >> c & 1) && !(given && given->writes(source.component[c])))
        earliest = std::max(earliest, group.written[source.component[c]]);
  }
  return earliest;
}

// What wakes lanes and what ends a program move nothing.
void ShaderUnit::pass_free(Group& group) {
  while (!group.threads.done()) {
    const isa::Opcode op = (*group.program)[group.threads.pc()].op;
    if (op != isa::Opcode::kEnd && op != isa::Opcode::kNext) return;
    count_instruction(group);
    group.time.pass(group.threads.pc(), group.threads.active());
    func::step(*group.program, group.threads, group.view);
  }
}

// Puts a group where its next instruction, from cycle `ready` on, or its end belongs.
void ShaderUnit::settle(Cycle now, Cycle ready, Group& group) {
  if (spec_.free_end && group.program && !group.threads.done()) {
    pass_free(group);
    group.end_ready = std::max(group.end_ready, ready - 1);
  }
  if (group.program && group.threads.runaway()) runaways_.push_back(group.number);
  // The other groups of such a draw would run as long.
  if (!runaways_.empty() && runaway(group.number)) group.program = nullptr, group.outputs = 0;
  if (!group.program || group.threads.done()) {
    if (batches_.has(index_of(group))) go_on(now, batches_.leave(index_of(group)));
    if (!group.stores_under_way) return finish(now, group);
    group.phase = Phase::kDraining;
    ready_.erase(index_of(group));
    storage_waiting_++;
    return;
  }
  if (batches_.has(index_of(group)) && (group.branched || joins_others_next(group)))
    return wait_for_batch(now, ready, group);
  group.phase = Phase::kReady;
  group.time.settle(ready);
  time_[index_of(group)] = next_issue(group, ready);
  ready_.insert(index_of(group));
}

// Where groups stand that have no lane for what is before it.
bool ShaderUnit::joins_others_next(const Group& group) {
  using enum isa::Opcode;
  const isa::Opcode op = (*group.program)[group.threads.pc()].op;
  return op == kElse || op == kEndif || op == kNext || op == kEndLoop;
}

// The group has branched, or has come to where others of its batch stand, and could go on from cycle `ready`.
void ShaderUnit::wait_for_batch(Cycle now, Cycle ready, Group& group) {
  group.phase = Phase::kBranch;
  group.branched = false;
  group.branch_ends = ready;
  ready_.erase(index_of(group));
  go_on(now, batches_.arrive(index_of(group), group.threads.place()));
}

void ShaderUnit::go_on(Cycle now, std::span<const uint16_t> groups) {
  for (const uint16_t index : groups) {
    Group& group = groups_[index];
    const Cycle ready = std::max(group.branch_ends, now + 1);
    group.phase = Phase::kReady;
    group.time.settle(ready);
    time_[index] = next_issue(group, ready);
    ready_.insert(index);
  }
}

void ShaderUnit::finish(Cycle now, Group& group) {
  const uint16_t index = index_of(group);
  group.phase = Phase::kFinished;
  group.finished = finish_count_++;
  time_[index] = std::max(group.end_ready, now) + spec_.pipeline_stages;
  ready_.erase(index);
  finished_.insert(index);
  finish_order_[static_cast<uint32_t>(output_of(group.stage))].push(index);
  if (group.stage == arch::Stage::kCompute) leave_workgroup(now, group);
}

}  // namespace cutaway::boxes
