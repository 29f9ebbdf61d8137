// Texture instructions: what a group asks of a texture unit and what comes back.
#include "boxes/shader_unit/shader_unit.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using engine::Cycle;

void ShaderUnit::begin_texture(Group& group) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  const isa::Instruction& instruction = group.program->instruction(group.threads.pc());
  const uint32_t width = spec_.group_lanes;
  uint32_t values[3][4 * parts::kMaxGroupLanes];
  const uint32_t sources = isa::source_count(instruction);
  for (uint32_t n = 0; n < sources; n++) func::read_source(op, n, group.view, width, values[n]);
  group.phase = Phase::kTexture;
  group.texture_to_send = group.texture_missing = 0;
  ready_.erase(index_of(group));
  for (uint32_t q = 0; q < width / 4; q++) {
    const uint32_t active = group.threads.active() >> 4 * q & 15;
    group.jobs[q] = {};
    if (!active) continue;
    group.jobs[q] = pools_.texture_jobs.allocate();
    parts::TextureJob& job = *group.jobs[q];
    job.instruction = instruction;
    job.state = group.state;
    job.origin = group.origin;
    job.stage = group.stage;
    job.lane_mask = active;
    job.group = index_of(group);
    job.quad = q;
    for (uint32_t n = 0; n < 3; n++)
      for (uint32_t c = 0; c < 4; c++)
        for (uint32_t lane = 0; lane < 4; lane++)
          job.src[n][c][lane] = n < sources ? values[n][c * width + 4 * q + lane] : 0;
    group.texture_to_send |= static_cast<uint8_t>(1u << q);
    group.texture_missing |= static_cast<uint8_t>(1u << q);
  }
  texture_order_.push(index_of(group));
  texture_waiting_++;
}

// One quad per cycle, of the group that has waited longest.
bool ShaderUnit::send_texture(Cycle now) {
  if (texture_order_.empty() || !texture_out.ready(now)) return false;
  if (time_[texture_order_.front()] > now) return false;
  Group& group = groups_[texture_order_.front()];
  const int quad = std::countr_zero(group.texture_to_send);
  texture_out.send(now, {group.jobs[static_cast<size_t>(quad)]});
  group.texture_to_send &= static_cast<uint8_t>(group.texture_to_send - 1);
  if (!group.texture_to_send) texture_order_.pop();
  return true;
}

bool ShaderUnit::take_texture(Cycle now) {
  if (!texture_in.peek(now)) return false;
  const parts::TextureMessage message = texture_in.take(now);
  Group& group = groups_[message.job->group];
  group.texture_missing &= static_cast<uint8_t>(~(1u << message.job->quad));
  if (!group.texture_missing) finish_texture(now, group);
  return true;
}

void ShaderUnit::finish_texture(Cycle now, Group& group) {
  const func::MicroOp& op = (*group.program)[group.threads.pc()];
  const uint32_t width = spec_.group_lanes;
  uint32_t values[4 * parts::kMaxGroupLanes] = {};
  for (uint32_t q = 0; q < width / 4; q++) {
    if (!group.jobs[q]) continue;
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t lane = 0; lane < 4; lane++)
        values[c * width + 4 * q + lane] = group.jobs[q]->result[c][lane];
    group.jobs[q] = {};
  }
  func::write_result(op, group.view, width, group.threads.active(), values);
  group.threads.advance();
  texture_waiting_--;
  settle(now, now + 1, group);
}

}  // namespace cutaway::boxes
