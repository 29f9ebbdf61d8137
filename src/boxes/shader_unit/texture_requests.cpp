// Texture instructions: what a group asks of a texture unit and what comes back.
#include <bit>
#include <cstring>

#include "boxes/shader_unit/shader_unit.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using engine::Cycle;

// The group waits for an answer for each of its quads that has lanes running.
void ShaderUnit::ask_for_quads(Group& group, Phase phase) {
  group.phase = phase;
  ready_.erase(index_of(group));
  group.quads_to_send = 0;
  for (uint32_t q = 0; q < width_ / 4; q++)
    if (group.threads.active() >> 4 * q & 15) group.quads_to_send |= static_cast<uint16_t>(1u << q);
  group.quads_missing = group.quads_to_send;
}

// The answer for a quad is there: whether it is the last.
bool ShaderUnit::has_all_quads(Group& group, uint32_t quad) {
  group.quads_missing &= static_cast<uint16_t>(~(1u << quad));
  return !group.quads_missing;
}

void ShaderUnit::begin_texture(Group& group) {
  ask_for_quads(group, Phase::kTexture);
  texture_order_.push(index_of(group));
  texture_waiting_++;
}

// Reads the sources when the quad leaves: the registers of a group that waits stay as they are.
parts::PoolRef<parts::TextureJob> ShaderUnit::make_job(const Group& group, uint32_t quad) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  parts::PoolRef<parts::TextureJob> ref = pools_.texture_jobs.allocate();
  parts::TextureJob& job = *ref;
  job.instruction = group.program->instruction(group.threads.pc());
  job.state = group.state;
  job.origin = group.origin;
  job.stage = group.stage;
  job.lane_mask = group.threads.active() >> 4 * quad & 15;
  job.group = index_of(group);
  job.quad = quad;
  if (group.stage == arch::Stage::kFragment) {
    const parts::QuadMessage& fragments = group.fragments.quads->quad[quad].quad;
    job.primitive = fragments.origin.primitive;
    job.x = fragments.x, job.y = fragments.y, job.sample = fragments.sample;
    if (group.state->tiles) group.state->tiles->at(job.x, job.y).texture_requests++;
  }
  const uint32_t sources = isa::source_count(job.instruction);
  for (uint32_t n = 0; n < sources; n++) func::read_source_quad(op, n, group.view, width_, quad, job.src[n]);
  for (uint32_t n = sources; n < 3; n++) std::memset(job.src[n], 0, sizeof job.src[n]);
  return ref;
}

// One quad per cycle, of the group that has waited longest.
bool ShaderUnit::send_texture(Cycle now) {
  if (texture_order_.empty() || !texture_out.ready(now)) return false;
  if (time_[texture_order_.front()] > now) return false;
  Group& group = groups_[texture_order_.front()];
  texture_out.send(now, {make_job(group, static_cast<uint32_t>(std::countr_zero(group.quads_to_send)))});
  group.quads_to_send &= static_cast<uint16_t>(group.quads_to_send - 1);
  if (!group.quads_to_send) {
    texture_order_.drop();
    group.time.send(now);
  }
  return true;
}

// One quad per cycle; with its last the group goes on.
bool ShaderUnit::take_texture(Cycle now) {
  const parts::TextureMessage* message = texture_in.peek(now);
  if (!message) return false;
  const parts::TextureJob& job = *message->job;
  Group& group = groups_[job.group];
  func::write_result_quad((*group.program)[group.threads.pc()], group.view, width_, job.quad, job.lane_mask,
                          job.result);
  const bool last = has_all_quads(group, job.quad);
  texture_in.drop(now);
  if (!last) return true;
  group.time.answer(now);
  group.threads.advance();
  texture_waiting_--;
  works_for(group.origin.work);
  settle(now, end_pass(now, group), group);
  return true;
}

}  // namespace cutaway::boxes
