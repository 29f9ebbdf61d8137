// Workgroups of compute programs: they come in as a whole, share memory, and wait for each other.
#include <algorithm>
#include <array>
#include <bit>

#include "boxes/shader_unit/access_on_chip.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;

namespace {

uint32_t invocations_of(const arch::Registers& registers) {
  const uint32_t* size = registers.compute.local_size;
  return size[0] * size[1] * size[2];
}

}  // namespace

// A group of the workgroup that comes in, or the first of the next one when there is room for all of it.
// Until the last of its groups is there nobody else comes in.
bool ShaderUnit::accept_workgroup(Cycle now) {
  if (!stages_.has(Stage::kCompute)) return false;
  if (incoming_ == kNoWorkgroup) {
    const parts::Workgroup* next = workgroups_in.peek(now);
    if (!next || !has_room_for(*next)) return false;
    begin_workgroup(now);
  }
  UnitWorkgroup& workgroup = workgroups_[incoming_];
  const parts::DrawState& state = *workgroup.message.state;
  const uint32_t first = workgroup.started * spec_.group_lanes,
                 lanes = std::min(spec_.group_lanes, invocations_of(state.registers) - first);
  // The ids of threads differ; those of the workgroup are one register for all.
  const bool reads_id = state.stage[Stage::kCompute].inputs_read() >> arch::kInputLocalId & 1;
  if (!enters(now, Entering::kWorkgroup, reads_id ? lanes : 0)) return true;
  Group& group = admit(state, Stage::kCompute);
  group.workgroup = incoming_;
  group.origin = workgroup.message.origin;
  group.number = workgroup.message.dispatch;
  load_ids(group, workgroup, first);
  workgroup.members.push_back(index_of(group));
  if (++workgroup.started == workgroup.groups) incoming_ = kNoWorkgroup;
  storage_counters.workgroup_groups++;
  start(now, group, ~uint64_t{0} >> (64 - lanes), 0);
  return true;
}

// The threads of its groups, their registers and scratch memory, its shared memory and a place for the
// workgroup. What needs more registers or scratch memory than there are runs alone.
bool ShaderUnit::has_room_for(const parts::Workgroup& workgroup) {
  const parts::DrawState& state = *workgroup.state;
  const uint32_t groups = (invocations_of(state.registers) + spec_.group_lanes - 1) / spec_.group_lanes;
  const Demand demand = demand_of(state, Stage::kCompute);
  const bool place =
      std::any_of(workgroups_.begin(), workgroups_.end(), [](const UnitWorkgroup& w) { return !w.used; });
  bool& lacks = lacks_registers_[Stage::kCompute];
  const bool lacked = lacks;
  lacks = (uint64_t{demand.registers} * groups > registers_free_ ||
           uint64_t{demand.scratch_bytes} * groups > scratch_free_ ||
           threads_free_ < groups * spec_.group_lanes || !place ||
           state.registers.compute.shared_bytes > shared_free_) &&
          !free_.full();
  counters.register_stalls += lacks && !lacked;
  return !lacks;
}

void ShaderUnit::begin_workgroup(Cycle now) {
  const auto slot =
      std::find_if(workgroups_.begin(), workgroups_.end(), [](const UnitWorkgroup& w) { return !w.used; });
  UnitWorkgroup& workgroup = *slot;
  incoming_ = static_cast<uint32_t>(slot - workgroups_.begin());
  workgroup.used = true;
  workgroup.message = workgroups_in.take(now);
  const arch::Registers& registers = workgroup.message.state->registers;
  workgroup.groups = (invocations_of(registers) + spec_.group_lanes - 1) / spec_.group_lanes;
  workgroup.running = workgroup.left = workgroup.groups;
  workgroup.started = workgroup.arrived = workgroup.fences = 0;
  workgroup.members.clear();
  const Demand demand = demand_of(*workgroup.message.state, Stage::kCompute);
  workgroup.registers = static_cast<uint32_t>(
      std::min<uint64_t>(uint64_t{demand.registers} * workgroup.groups, registers_free_));
  workgroup.scratch_bytes = static_cast<uint32_t>(
      std::min<uint64_t>(uint64_t{demand.scratch_bytes} * workgroup.groups, scratch_free_));
  workgroup.shared_bytes = registers.compute.shared_bytes;
  registers_free_ -= workgroup.registers;
  scratch_free_ -= workgroup.scratch_bytes;
  shared_free_ -= workgroup.shared_bytes;
  workgroup.shared_words = workgroup.shared_bytes / 4;
  if (workgroup.shared.size() < workgroup.shared_words) workgroup.shared.resize(workgroup.shared_words);
  std::fill_n(workgroup.shared.begin(), workgroup.shared_words, 0);
  storage_counters.workgroups++;
}

// What the program reads of: the number of its thread in the workgroup, as coordinates and counted; the
// workgroup's, and how many there are.
void ShaderUnit::load_ids(Group& group, const UnitWorkgroup& workgroup, uint32_t first) const {
  const parts::DrawState& state = *workgroup.message.state;
  const uint32_t* size = state.registers.compute.local_size;
  const uint64_t read = state.stage[Stage::kCompute].inputs_read();
  const auto fill = [&](uint32_t reg, auto&& value) {
    if (!(read >> reg & 1)) return;
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t lane = 0; lane < width_; lane++)
        group.input[func::register_word(width_, reg, c, lane)] = value(c, first + lane);
  };
  fill(arch::kInputLocalId, [&](uint32_t c, uint32_t index) {
    const uint32_t id[4] = {index % size[0], index / size[0] % size[1], index / size[0] / size[1], index};
    return id[c];
  });
  fill(arch::kInputWorkgroupId, [&](uint32_t c, uint32_t) { return c < 3 ? workgroup.message.id[c] : 0; });
  fill(arch::kInputWorkgroups, [&](uint32_t c, uint32_t) { return c < 3 ? workgroup.message.count[c] : 0; });
  group.view.input = group.input.data();
}

// ---- Memory of the workgroup ----

namespace {

// Words of a lane's access, by number in the memory of the workgroup.
struct SharedWords {
  std::array<uint32_t, parts::kMaxGroupLanes * 4> word;
  uint32_t count = 0;
  void add(uint64_t number) { word[count++] = static_cast<uint32_t>(number); }
};

// Cycles that the banks take: each gives or takes one word. The same word of several lanes is one, but for
// atomics, which follow each other.
uint32_t bank_cycles(SharedWords& words, uint32_t banks, bool atomics) {
  std::array<uint8_t, 64> of_bank{};
  uint32_t most = 0;
  const auto begin = words.word.begin(), end = begin + words.count;
  std::sort(begin, end);
  const auto last = atomics ? end : std::unique(begin, end);
  for (auto word = begin; word != last; ++word) most = std::max<uint32_t>(most, ++of_bank[*word % banks]);
  return most;
}

}  // namespace

// As many lanes as there are banks access the memory together, those that are on among them.
Cycle ShaderUnit::shared_cycles(const Group& group, const func::MicroOp& op) {
  const isa::Instruction& instruction = group.program->instruction(group.threads.pc());
  const bool atomics = isa::is_atomic(instruction.op);
  const uint32_t mask = atomics ? 1 : instruction.dst.mask & 15u;
  uint32_t address[size_t{4} * parts::kMaxGroupLanes];
  func::read_source(op, 0, group.view, width_, address);
  Cycle cycles = 0;
  for (uint32_t first = 0; first < width_; first += spec_.shared_banks) {
    SharedWords words;
    for (uint32_t lane = first; lane < std::min(width_, first + spec_.shared_banks); lane++) {
      if (!(group.threads.active() >> lane & 1)) continue;
      for (uint32_t c = 0; c < 4; c++)
        if (mask >> c & 1) words.add(address[lane] / 4 + c);
    }
    if (words.count) cycles += bank_cycles(words, spec_.shared_banks, atomics);
  }
  return cycles;
}

void ShaderUnit::access_shared(Cycle now, Group& group) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  UnitWorkgroup& workgroup = workgroups_[group.workgroup];
  const Cycle cycles = shared_cycles(group, op);  // before a load puts its result where the address was
  access_on_chip(group, [&](uint32_t) { return std::span(workgroup.shared).first(workgroup.shared_words); });
  storage_counters.shared_instructions++;
  if (const Cycle end = now + cycles; end > port_free_) {
    storage_counters.shared_conflicts += end - port_free_;
    group.time.extend(port_free_, end);
    port_free_ = end;
  }
  const Cycle last_access = port_free_ - 1;
  group.shared_done = last_access + spec_.shared_latency;
  if (!isa::is_store(op.op) && op.dst_file == isa::File::kTemporary)
    note_result(op, last_access + spec_.shared_latency, group);
  group.end_ready = std::max(group.end_ready, last_access + spec_.shared_latency);
  group.threads.advance();
  settle(now, port_free_, group);
}

// ---- Barriers ----

// A group has reached a barrier, if that is one of buffers and images, when all that it stored there has been
// carried out.
void ShaderUnit::wait_at_barrier(Cycle now, Group& group) {
  storage_counters.barriers++;
  group.phase = Phase::kBarrier;
  ready_.erase(index_of(group));
  if (group.stores_under_way && fence_of(group) & isa::kFenceDevice) storage_waiting_++;
  else arrive(now, group);
}

uint8_t ShaderUnit::fence_of(const Group& group) {
  return group.program->instruction(group.threads.pc()).access.fence;
}

void ShaderUnit::arrive(Cycle now, Group& group) {
  UnitWorkgroup& workgroup = workgroups_[group.workgroup];
  if (!workgroup.arrived) workgroup.fences = 0, workgroup.shared_done = 0;
  workgroup.arrived++;
  workgroup.fences |= fence_of(group);
  if (fence_of(group) & isa::kFenceShared)
    workgroup.shared_done = std::max(workgroup.shared_done, group.shared_done);
  barrier_waiting_++;
  open_barrier(now, workgroup);
}

// When all groups that have not ended are there, those that have not come in yet among them.
void ShaderUnit::open_barrier(Cycle now, UnitWorkgroup& workgroup) {
  if (!workgroup.arrived || workgroup.arrived < workgroup.running) return;
  barrier_waiting_ -= workgroup.arrived;
  workgroup.arrived = 0;
  if (workgroup.fences & isa::kFenceDevice) forget_l1();
  const Cycle there = std::max<Cycle>({now, port_free_ - 1, workgroup.shared_done});
  const Cycle ready = there + spec_.barrier_latency;
  const auto number = static_cast<uint32_t>(&workgroup - workgroups_.data());
  for (const uint16_t member : workgroup.members) {
    Group& group = groups_[member];
    // One that has left may be another's by now.
    if (group.phase != Phase::kBarrier || group.workgroup != number) continue;
    group.time.answer(now);
    group.threads.advance();
    settle(now, ready, group);
  }
}

// At a barrier where a group waits for nobody else.
void ShaderUnit::wait_for_memory(Cycle now, Group& group) {
  storage_counters.memory_barriers++;
  if (!group.stores_under_way || !(fence_of(group) & isa::kFenceDevice)) return pass_fence(now, group);
  group.phase = Phase::kFence;
  ready_.erase(index_of(group));
  storage_waiting_++;
}

void ShaderUnit::pass_fence(Cycle now, Group& group) {
  const uint8_t fence = fence_of(group);
  if (fence & isa::kFenceDevice) forget_l1();
  Cycle ready = std::max(now + 1, port_free_);
  if (fence & isa::kFenceShared) ready = std::max(ready, group.shared_done);
  group.threads.advance();
  settle(now, ready, group);
}

// A group has ended: it waits at no barrier any more.
void ShaderUnit::leave_workgroup(Cycle now, Group& group) {
  UnitWorkgroup& workgroup = workgroups_[group.workgroup];
  workgroup.running--;
  open_barrier(now, workgroup);
}

// The last of its groups has left.
void ShaderUnit::end_workgroup(Cycle now, Group& group) {
  UnitWorkgroup& workgroup = workgroups_[group.workgroup];
  registers_free_ += workgroup.registers;
  scratch_free_ += workgroup.scratch_bytes;
  shared_free_ += workgroup.shared_bytes;
  workgroup.used = false;
  ended_out.send(now, {workgroup.message.dispatch});
}

}  // namespace cutaway::boxes
