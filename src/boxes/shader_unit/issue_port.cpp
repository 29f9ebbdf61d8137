#include "boxes/shader_unit/issue_port.h"

#include <bit>
#include <utility>

#include "boxes/shader_unit/memory_route.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;
using isa::OpClass;

namespace {

command_stream::ByStage<Cycle> pass_cycles(const ShaderUnitSpec& spec) {
  command_stream::ByStage<Cycle> cycles;
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto stage = static_cast<Stage>(i);
    cycles[stage] = (spec.lanes_of(stage) + spec.simd_lanes - 1) / spec.simd_lanes;
  }
  return cycles;
}

// The instructions before which groups of a batch wait that have no lane for what stands before them.
bool joins_others_next(const Group& group) {
  using enum isa::Opcode;
  const isa::Opcode op = group.next_op().op;
  return op == kElse || op == kEndif || op == kNext || op == kEndLoop;
}

// The phase of a group that waits for what this unit answers.
GroupPhase phase_of(LoadsUnderWay::From from) {
  switch (from) {
    case LoadsUnderWay::From::kTexture:
      return GroupPhase::kTexture;
    case LoadsUnderWay::From::kPull:
      return GroupPhase::kPull;
    case LoadsUnderWay::From::kStorage:
      break;
  }
  return GroupPhase::kStorage;
}

}  // namespace

IssuePort::IssuePort(const ShaderUnitSpec& spec, GroupTable& groups, const Counters& counters)
    : spec_(spec),
      groups_(groups),
      counters_(counters),
      scheduler_(GroupSchedulers::make(spec.scheduler, groups.places())),
      policy_(IssuePolicies::make(spec.issue, spec.ways)),
      ports_(spec.register_reads),
      forwards_(policy_->forwards()),
      most_issued_(policy_->most()),
      pass_cycles_(pass_cycles(spec)),
      batches_(groups.places(), spec.branch_groups),
      issuing_(groups.places()) {}

void IssuePort::admit(const Group& group) {
  const command_stream::Program* program = group.state->stage[group.stage].program.get();
  const bool feeds = group.stage != Stage::kFragment && group.stage != Stage::kCompute;
  scheduler_->admitted(group.index, feeds);
  issuing_[group.index].branched = false;
  issuing_[group.index].interpolation = interpolation_passes(group);
  if (group.stage == Stage::kFragment && program && program->branches)
    batches_.join(group.index, group.state);
}

Cycle IssuePort::latency(const func::MicroOp& op) const {
  if (op.op == isa::Opcode::kLds) return spec_.scratch_latency;
  return op.op_class == OpClass::kScalar ? spec_.scalar_latency : spec_.simd_latency;
}

// Passes of the lanes of a group through the execute units.
inline uint32_t IssuePort::unit_passes(const func::MicroOp& op) const {
  switch (op.op) {
    case isa::Opcode::kIf:
    case isa::Opcode::kElse:
    case isa::Opcode::kEndif:
    case isa::Opcode::kLoop:
    case isa::Opcode::kEndLoop:
    case isa::Opcode::kCall:
    case isa::Opcode::kReturn:
      return spec_.flow_passes;
    case isa::Opcode::kRcp:
    case isa::Opcode::kRsq:
      return std::max(spec_.reciprocal_passes, policy_->passes(op));
    default:
      if (isa::is_double(op.op)) return spec_.double_passes;
      return std::max(op.op_class == OpClass::kScalar ? spec_.scalar_passes : 1, policy_->passes(op));
  }
}

// Passes through the execute units, or in which the operands are read.
inline uint32_t IssuePort::passes(const func::MicroOp& op) const {
  return std::max(unit_passes(op), ports_.passes(op));
}

// Passes that evaluate the interpolants of a group of fragments.
uint32_t IssuePort::interpolation_passes(const Group& group) const {
  if (!spec_.interpolation_passes || group.stage != Stage::kFragment || !group.program) return 0;
  const auto& out = group.state->registers.vertex_out;
  const auto& read = group.state->fragment().program->inputs;
  uint32_t components = 0;
  for (uint32_t i = 0; i < std::min(out.interpolants, arch::kInterpolants); i++)
    if (static_cast<arch::Interpolation>(out.interpolant[i].mode) != arch::Interpolation::kFlat)
      components += static_cast<uint32_t>(std::popcount(read[i]));
  return components * spec_.interpolation_passes;
}

inline void IssuePort::count(const Group& group) {
  counters_.unit.instructions++;
  counters_.unit.driver_instructions += group.of_driver;
  counters_.unit.vertex_instructions += group.stage == Stage::kVertex;
  counters_.primitives.instructions += group.vertices.primitives ? 1 : 0;
  counters_.storage.compute_instructions += group.stage == Stage::kCompute;
}

// Issues the next instruction of the group, and those after it that can issue beside it if it passes once.
// Flow and texture instructions are the last of their cycle: what follows a branch is not known, and what
// follows a texture instruction waits for its result.
IssuePort::Issued IssuePort::issue(Cycle now, Group& group) {
  const func::MicroProgram& program = *group.program;
  const func::MicroOp* op = &group.next_op();
  const uint32_t through_units = unit_passes(*op), all_passes = std::max(through_units, ports_.passes(*op));
  counters_.unit.register_passes += all_passes - through_units;
  const Cycle pass_cycles = pass_cycles_[group.stage];
  const uint32_t before = std::exchange(issuing_[group.index].interpolation, 0);
  counters_.unit.interpolation_passes += before;
  const Cycle last_pass = now + (before + all_passes - 1) * pass_cycles;
  // The groups of its batch that stand elsewhere take the time of these instructions, too.
  const uint32_t for_others = all_passes * batches_.passes_for_others(group.index);
  counters_.unit.passes_for_others += for_others;
  free_at_ = last_pass + (1 + for_others) * pass_cycles;
  stage_ = group.stage;
  group.time.issue(now, groups_.time_of(group), free_at_, group.threads.pc(), group.threads.active());
  IssueBundle bundle;
  while (func::need(program, group.threads) == func::Need::kStep) {
    count(group);
    const Cycle next = execute(last_pass, last_lane(), group);
    if (most_issued_ == 1 || all_passes > 1 || op->op_class == OpClass::kFlow)
      return {func::Need::kStep, next};
    bundle.add(*op);
    if (!joins(now, group, bundle)) return {func::Need::kStep, next};
    op = &group.next_op();
    group.time.join(group.threads.pc());
  }
  count(group);
  if (op->op_class == OpClass::kMemory) return {func::Need::kMemory};
  if (forwards_) {
    bundle.add(*op);
    issuing_[group.index].pass = bundle;
  }
  return {func::Need::kTexture};
}

// True if the next instruction of a group can issue in the cycle of those of `bundle`, none of which is a
// branch: it takes no longer, an ALU is left, and its operands can be read, which those that they write
// cannot unless one ALU forwards them to the other.
bool IssuePort::joins(Cycle now, const Group& group, const IssueBundle& bundle) const {
  if (bundle.count() == most_issued_) return false;
  const func::MicroOp& next = group.next_op();
  const bool is_free = spec_.free_end && next.op == isa::Opcode::kNext;  // behind the others
  if (is_free || passes(next) > 1 || !policy_->joins(bundle, next)) return false;
  // All groups of a batch wait there for each other.
  if (joins_others_next(group) && batches_.has(group.index)) return false;
  if (!forwards_ && bundle.writes_same(next)) return false;
  if (operands_ready(group, now, forwards_ ? &bundle : nullptr) != now) return false;
  if (ports_.fit(bundle, next, forwards_)) return true;
  counters_.unit.register_splits++;
  return false;
}

// Carries an instruction out and returns when the next one can issue if it waits for no result. A result can
// be read a latency after the pass of its last component has begun, since the lanes of the next instruction
// follow as closely as those of this one. A branch and the end of a group wait for all lanes, of which the
// last issues in cycle last_lane.
inline Cycle IssuePort::execute(Cycle last_pass, Cycle last_lane, Group& group) {
  const func::MicroOp& op = group.next_op();
  const bool is_flow = op.op_class == OpClass::kFlow;
  counters_.unit.scratch_instructions += isa::is_scratch(op.op);
  issuing_[group.index].branched = is_flow;
  func::step(*group.program, group.threads, group.view);
  Cycle next = last_lane + 1, end = last_lane;
  if (is_flow) {
    if (op.op != isa::Opcode::kEnd) next = last_lane + spec_.flow_latency;
  } else {
    end = last_lane + latency(op);
    if (op.dst_file == isa::File::kTemporary) group.scoreboard.write(op, last_pass + latency(op));
  }
  group.end_ready = std::max(group.end_ready, end);
  return next;
}

Cycle IssuePort::extend(Group& group, Cycle end) {
  if (end <= free_at_) return 0;
  const Cycle added = end - free_at_;
  group.time.extend(free_at_, end);
  free_at_ = end;
  return added;
}

Cycle IssuePort::complete_access(Group& group, Cycle latency) {
  const func::MicroOp& op = group.next_op();
  const Cycle result = last_lane() + latency;
  if (!isa::is_store(op.op) && op.dst_file == isa::File::kTemporary) group.scoreboard.write(op, result);
  group.end_ready = std::max(group.end_ready, result);
  group.threads.advance();
  return free_at_;
}

Cycle IssuePort::complete_texture(Cycle now, Group& group) {
  Cycle next = now + 1;
  if (!forwards_) return next;
  IssueBundle& pass = issuing_[group.index].pass;
  while (func::need(*group.program, group.threads) == func::Need::kStep && joins(now, group, pass)) {
    const func::MicroOp& op = group.next_op();
    count(group);
    group.time.join(group.threads.pc());
    next = execute(now, now, group);
    if (op.op_class == OpClass::kFlow) break;
    pass.add(op);
  }
  return next;
}

// Executes instructions that take no issue: they wake lanes or end the program, and move nothing.
inline void IssuePort::pass_free(Group& group) {
  while (!group.threads.done()) {
    const isa::Opcode op = group.next_op().op;
    if (op != isa::Opcode::kEnd && op != isa::Opcode::kNext) return;
    count(group);
    group.time.pass(group.threads.pc(), group.threads.active());
    func::step(*group.program, group.threads, group.view);
  }
}

bool IssuePort::settle(Cycle now, Cycle next, Group& group) {
  if (spec_.free_end && group.program && !group.threads.done()) {
    pass_free(group);
    group.end_ready = std::max(group.end_ready, next - 1);
  }
  if (group.program && group.threads.runaway()) runaways_.push_back(group.number);
  // The other groups of such a draw would run as long.
  if (!runaways_.empty() && runaway(group.number)) group.program = nullptr, group.outputs = 0;
  const bool has_batch = batches_.has(group.index);
  if (!group.program || group.threads.done()) {
    if (has_batch) go_on(now, batches_.leave(group.index));
    return false;
  }
  if (has_batch && (issuing_[group.index].branched || joins_others_next(group)))
    wait_for_batch(now, next, group);
  else make_ready(next, group);
  return true;
}

uint32_t IssuePort::begin_load(Group& group, LoadsUnderWay::From from) {
  const func::MicroOp& op = group.next_op();
  const Cycle not_before = group.scoreboard.begin_load(op);
  const uint32_t load =
      group.loads.begin({&op, group.threads.pc(), group.threads.active(), from, not_before});
  issuing_[group.index].branched = false;
  group.end_ready = std::max(group.end_ready, last_lane());
  return load;
}

bool IssuePort::end_load(Cycle now, Group& group, uint32_t load) {
  const LoadsUnderWay::Load& of = group.loads[load];
  group.scoreboard.end_load(*of.op, std::max(now + 1, of.not_before));
  group.loads.end(load);
  if (group.loads.awaited == LoadsUnderWay::kNone) return false;
  const uint32_t awaited = std::exchange(group.loads.awaited, LoadsUnderWay::kNone);
  group.time.answer_load(now, group.threads.pc(), group.loads[awaited].pc);
  return true;
}

void IssuePort::resume(Cycle now, Group& group) {
  make_ready(std::max(issuing_[group.index].next, now + 1), group);
}

// True if the next instruction of the group cannot issue beside the loads that are under way, whatever it
// reads: there is no room for another load, or it has to follow their accesses.
bool IssuePort::waits_for_loads(const Group& group) const {
  const func::MicroOp& op = group.next_op();
  const bool full = group.loads.count() == spec_.loads_under_way;
  if (op.op_class == OpClass::kTexture) return full;
  if (op.op_class != OpClass::kMemory) return false;
  switch (route_of(group)) {
    case MemoryRoute::kTexture:
    case MemoryRoute::kPull:
      return full;
    case MemoryRoute::kStorage:
      return is_storage_load(op) ? full : group.loads.of_storage() > 0;
    case MemoryRoute::kPatchBarrier:
    case MemoryRoute::kBarrier:
    case MemoryRoute::kMemoryBarrier:
      return group.loads.of_storage() > 0;
    case MemoryRoute::kEmit:  // reads any output
      return true;
    case MemoryRoute::kLoadVertex:
    case MemoryRoute::kPatchMemory:
    case MemoryRoute::kWorkgroupMemory:
      break;
  }
  return false;
}

inline Cycle IssuePort::operands_ready(const Group& group, Cycle earliest, const IssueBundle* given) const {
  if (!group.loads.none() && waits_for_loads(group)) return Scoreboard::kUnderWay;
  return group.scoreboard.operands_ready(group.next_op(), earliest, given);
}

void IssuePort::make_ready(Cycle next, Group& group) {
  group.time.settle(next);
  const Cycle ready = operands_ready(group, next);
  if (ready != Scoreboard::kUnderWay) return groups_.make_ready(group, ready);
  issuing_[group.index].next = next;
  group.loads.awaited = group.loads.blocking(group.next_op());
  groups_.block(group, phase_of(group.loads[group.loads.awaited].from));
}

bool IssuePort::wait_for_loads(Group& group) {
  if (group.loads.none()) return false;
  group.loads.awaited = group.loads.any();
  groups_.block(group, phase_of(group.loads[group.loads.awaited].from));
  return true;
}

void IssuePort::wait_for_batch(Cycle now, Cycle next, Group& group) {
  issuing_[group.index].branched = false;
  issuing_[group.index].branch_ends = next;
  groups_.block(group, GroupPhase::kBranch);
  go_on(now, batches_.arrive(group.index, group.threads.place()));
}

void IssuePort::go_on(Cycle now, std::span<const uint16_t> groups) {
  for (const uint16_t index : groups)
    make_ready(std::max(issuing_[index].branch_ends, now + 1), groups_[index]);
}

}  // namespace cutaway::boxes
