// Loads, stores and atomics of buffers and images: what a group asks of the storage cache and what comes
// back.
#include <algorithm>

#include "boxes/shader_unit/shader_unit.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using engine::Cycle;
using isa::Opcode;

// Loads of buffers that nothing of the draw or dispatch writes go to the texture unit.
bool ShaderUnit::goes_to_storage(const Group& group, const isa::Instruction& instruction) const {
  if (instruction.op != Opcode::kLdb) return isa::info(instruction.op).op_class == isa::OpClass::kMemory;
  return group.state->written[group.stage] >> instruction.access.resource & 1;
}

// The instruction that is left when the ALUs have theirs: it has been counted, and the issue port is
// occupied.
void ShaderUnit::execute_memory(Cycle now, Group& group) {
  const isa::Instruction& instruction = group.program->instruction(group.threads.pc());
  if (isa::is_pull(instruction.op)) return begin_pull(group);
  if (isa::is_vertex(instruction.op)) return access_vertex(now, group);
  const bool patches = group.stage != arch::Stage::kCompute;
  if (isa::is_workgroup(instruction.op))
    return patches ? access_patch(now, group) : access_shared(now, group);
  if (instruction.op == Opcode::kBarrier)
    return patches ? pass_barrier(now, group) : wait_at_barrier(now, group);
  if (instruction.op == Opcode::kMemoryBarrier) return wait_for_memory(now, group);
  time_[index_of(group)] = port_free_ - 1 + spec_.texture_latency;
  if (goes_to_storage(group, instruction)) {
    storage_counters.storage_instructions++;
    begin_storage(group);
  } else {
    counters.texture_instructions++;
    begin_texture(group);
  }
}

void ShaderUnit::begin_storage(Group& group) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  const isa::Instruction& instruction = group.program->instruction(group.threads.pc());
  StorageAccess::Words source[3];
  uint32_t values[size_t{4} * parts::kMaxStorageLanes];
  for (uint32_t n = 0; n < isa::source_count(instruction); n++) {
    func::read_source(op, n, group.view, width_, values);
    for (uint32_t c = 0; c < 4; c++) std::copy_n(&values[size_t{c} * width_], width_, source[n][c]);
  }
  group.access = accesses_.allocate();
  group.access->plan(instruction, instruction.dst.file != isa::File::kNone, group.state->stage[group.stage],
                     source, width_, group.threads.active(), group.threads.storing());
  group.phase = Phase::kStorage;
  ready_.erase(index_of(group));
  storage_waiting_++;
  // An atomic tells others that what the group stored before is there.
  if (group.access->kind != parts::StorageJob::Kind::kAtomic || !group.stores_under_way) queue_storage(group);
}

void ShaderUnit::queue_storage(Group& group) {
  group.access->queued = true;
  storage_order_.push(index_of(group));
}

// One transaction per cycle, of the group that has waited longest.
bool ShaderUnit::send_storage(Cycle now) {
  if (storage_order_.empty()) return false;
  Group& group = groups_[storage_order_.front()];
  if (time_[storage_order_.front()] > now) return false;
  if (!group.access->sent_all() && !send_job(now, group)) return false;
  if (group.access->sent_all()) sent_all(now, group);
  return true;
}

// What the first level has, or has asked for, does not leave.
bool ShaderUnit::send_job(Cycle now, Group& group) {
  StorageAccess& access = *group.access;
  const arch::Address line = access.next_line(storage_.line_bytes);
  const unsigned slice = storage_.interleave.unit_of(line);
  const bool may_hit = l1_ && access.cached, may_leave = storage_out[slice].ready(now);
  if (!may_leave && !may_hit) return false;
  parts::PoolRef<parts::StorageJob> job = pools_.storage_jobs.allocate();
  access.make_job(storage_.line_bytes, *job);
  job->origin = group.origin;
  job->group = index_of(group);
  const StorageL1::Outcome found = may_hit ? look_up(now, job, may_leave) : StorageL1::Outcome::kMiss;
  if (found == StorageL1::Outcome::kStall) return false;
  if (l1_ && !may_hit) l1_.pass(*job);
  access.mark_sent(storage_.line_bytes, line);
  if (job->returns) access.missing++;
  else group.stores_under_way++;
  works_for(group.origin.work);
  if (found != StorageL1::Outcome::kMiss) return true;
  storage_under_way_[slice]++;
  storage_counters.storage_requests++;
  storage_out[slice].send(now, {std::move(job)});
  return true;
}

StorageL1::Outcome ShaderUnit::look_up(Cycle now, const parts::PoolRef<parts::StorageJob>& job,
                                       bool may_leave) {
  using enum StorageL1::Outcome;
  if (l1_answers_.size() + l1_.waiting() == l1_answers_.capacity()) return kStall;
  const StorageL1::Outcome found = l1_.load(job, may_leave);
  storage_counters.l1_hits += found == kHit || found == kMerged;
  storage_counters.l1_merged += found == kMerged;
  storage_counters.l1_misses += found == kMiss;
  if (found == kHit) l1_answers_.push({now + spec_.l1_latency, job});
  return found;
}

// A group goes on when all it stores is on its way, or when all it asked for is there.
void ShaderUnit::sent_all(Cycle now, Group& group) {
  storage_order_.drop();
  group.time.send(now);
  if (!group.access->returns || !group.access->missing) complete_access(now, group);
}

// One answer per cycle, of the slices and the first level in turn.
bool ShaderUnit::take_storage(Cycle now) {
  const size_t count = storage_in.size() + (l1_ ? 1 : 0);
  for (size_t i = 0; i < count; i++) {
    const size_t from = (storage_turn_ + i) % count;
    const bool first_level = from == storage_in.size();
    if (first_level ? l1_answers_.empty() || l1_answers_.front().ready > now : !storage_in[from].peek(now))
      continue;
    storage_turn_ = (from + 1) % count;
    if (first_level) {
      take_answer(now, *l1_answers_.pop().job);
      return true;
    }
    storage_under_way_[from]--;
    const parts::StorageMessage message = storage_in[from].take(now);
    const parts::StorageJob& job = *message.job;
    const Group& group = groups_[job.group];
    if (job.returns && l1_ && group.access->cached)
      l1_.fill(job, [&](parts::PoolRef<parts::StorageJob>&& waited) {
        l1_answers_.push({now + spec_.l1_latency, std::move(waited)});
      });
    take_answer(now, job);
    return true;
  }
  return false;
}

void ShaderUnit::take_answer(Cycle now, const parts::StorageJob& job) {
  Group& group = groups_[job.group];
  works_for(group.origin.work);
  if (!job.returns) {
    if (--group.stores_under_way == 0) store_done(now, group);
    return;
  }
  group.access->answer(storage_.line_bytes, job);
  group.access->missing--;
  if (group.access->sent_all() && !group.access->missing) complete_access(now, group);
}

void ShaderUnit::forget_l1() {
  if (!l1_) return;
  l1_.invalidate();
  storage_counters.l1_invalidates++;
}

// It has nothing to write back: a flush tells that others are going to read, or that what they stored is
// going to be read.
bool ShaderUnit::obey_control(Cycle now) {
  if (!l1_ || !control_in.peek(now) || !control_out.ready(now)) return false;
  forget_l1();
  control_out.send(now, {control_in.take(now).kind});
  return true;
}

// All that the group stored has been carried out.
void ShaderUnit::store_done(Cycle now, Group& group) {
  switch (group.phase) {
    case Phase::kStorage:
      if (!group.access->queued) queue_storage(group);
      break;
    case Phase::kFence:
      storage_waiting_--;
      group.time.answer(now);
      pass_fence(now, group);
      break;
    case Phase::kBarrier:
      // At one of no device memory it has been there all the time.
      if (!(fence_of(group) & isa::kFenceDevice)) break;
      storage_waiting_--;
      arrive(now, group);
      break;
    case Phase::kDraining:
      storage_waiting_--;
      finish(now, group);
      break;
    case Phase::kFree:
    case Phase::kReady:
    case Phase::kTexture:
    case Phase::kPull:
    case Phase::kBranch:
    case Phase::kFinished:
      break;
  }
}

void ShaderUnit::complete_access(Cycle now, Group& group) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  if (group.access->returns) {
    StorageAccess::Words result;
    uint32_t values[size_t{4} * parts::kMaxStorageLanes];
    group.access->results(group.state->stage[group.stage], result);
    for (uint32_t c = 0; c < 4; c++) std::copy_n(result[c], width_, &values[size_t{c} * width_]);
    func::write_result(op, group.view, width_, group.threads.active(), values);
    group.time.answer(now);
  }
  group.access = {};
  group.threads.advance();
  storage_waiting_--;
  settle(now, now + 1, group);
}

// The slice that has most of the unit's transactions.
size_t ShaderUnit::busiest_slice() const {
  const auto most = std::max_element(storage_under_way_.begin(), storage_under_way_.end());
  return static_cast<size_t>(most - storage_under_way_.begin());
}

}  // namespace cutaway::boxes
