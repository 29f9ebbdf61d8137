// Pull-model interpolation: what a group asks of the interpolator and what comes back.
#include <bit>
#include <cstring>

#include "boxes/shader_unit/shader_unit.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using engine::Cycle;

// The offsets come from the SIMD ALU, as coordinates of textures do.
void ShaderUnit::begin_pull(Group& group) {
  time_[index_of(group)] = port_free_ - 1 + spec_.simd_latency;
  pull_counters.instructions++;
  ask_for_quads(group, Phase::kPull);
  pull_order_.push(index_of(group));
  pull_waiting_++;
}

// Reads the offsets when the quad leaves: the registers of a group that waits stay as they are.
parts::PoolRef<parts::PullJob> ShaderUnit::make_pull(const Group& group, uint32_t quad) {
  const isa::Instruction& instruction = group.program->instruction(group.threads.pc());
  const parts::QuadMessage& fragments = group.fragments.quads->quad[quad].quad;
  parts::PoolRef<parts::PullJob> ref = pools_.pull_jobs.allocate();
  parts::PullJob& job = *ref;
  job.primitive = fragments.primitive;
  job.state = group.state;
  job.origin = group.origin;
  job.origin.primitive = fragments.origin.primitive;
  job.x = fragments.x, job.y = fragments.y, job.sample = fragments.sample;
  job.interpolant = instruction.access.slot, job.mask = instruction.dst.mask;
  uint32_t source[4][4];
  func::read_source_quad((*group.program)[group.threads.pc()], 0, group.view, width_, quad, source);
  std::memcpy(job.offset, source, sizeof job.offset);
  job.lane_mask = group.threads.active() >> 4 * quad & 15;
  job.group = index_of(group), job.quad = quad;
  return ref;
}

// One quad per cycle, of the group that has waited longest.
bool ShaderUnit::send_pull(Cycle now) {
  if (pull_order_.empty() || !pulls_out.ready(now)) return false;
  if (time_[pull_order_.front()] > now) return false;
  Group& group = groups_[pull_order_.front()];
  works_for(group.origin.work);
  pulls_out.send(now, {make_pull(group, static_cast<uint32_t>(std::countr_zero(group.quads_to_send)))});
  pull_counters.requests++;
  group.quads_to_send &= static_cast<uint16_t>(group.quads_to_send - 1);
  if (!group.quads_to_send) {
    pull_order_.drop();
    group.time.send(now);
  }
  return true;
}

// One quad per cycle; with its last the group goes on.
bool ShaderUnit::take_pull(Cycle now) {
  const parts::PullMessage* message = pulls_ ? pulls_in.peek(now) : nullptr;
  if (!message) return false;
  const parts::PullJob& job = *message->job;
  Group& group = groups_[job.group];
  func::write_result_quad((*group.program)[group.threads.pc()], group.view, width_, job.quad, job.lane_mask,
                          job.result);
  const bool last = has_all_quads(group, job.quad);
  pulls_in.drop(now);
  if (!last) return true;
  group.time.answer(now);
  group.threads.advance();
  pull_waiting_--;
  settle(now, now + 1, group);
  return true;
}

}  // namespace cutaway::boxes
