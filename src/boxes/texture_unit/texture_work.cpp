#include "boxes/texture_unit/texture_work.h"

#include "boxes/texture_unit/decoded_lines.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

void TextureWork::begin(messages::PoolRef<messages::TextureJob> of, bool decodes) {
  job = std::move(of);
  origin = job->origin.work;
  request_quads = static_cast<uint8_t>(job->request_quads);
  notes_lines = job->state->touched_lines != nullptr;
  is_load = job->instruction.op == isa::Opcode::kLdb;
  next = {};
  if (is_load) plan_load();
  else plan_samples();
  expansion = static_cast<uint8_t>(decodes && !is_load ? expansion_of(*view) : 0);
  samples_left = samples[0] + samples[1] + samples[2] + samples[3];
  find_next_sample();
}

void TextureWork::plan_load() {
  const auto& stage = job->state->stage[job->stage];
  const auto& resource = stage.resources[job->instruction.access.resource % arch::kResources];
  load = func::plan_buffer_load(resource.surface, job->src[0][0], job->instruction.dst.mask, job->lane_mask);
  for (uint32_t lane = 0; lane < func::kQuadLanes; lane++) {
    func::finish_buffer_load({.mask = load.mask}, lane, nullptr, job->result);
    samples[lane] = load.words[lane] != 0;
  }
}

void TextureWork::plan_samples() {
  const auto& stage = job->state->stage[job->stage];
  view = &stage.resources[job->instruction.access.resource % arch::kResources];
  sampler = &stage.samplers[job->instruction.access.sampler % arch::kSamplers];
  func::plan_texture(*view, *sampler, job->instruction.access, job->instruction.op, job->src, job->lane_mask,
                     plan);
  for (uint32_t lane = 0; lane < func::kQuadLanes; lane++) samples[lane] = plan.lane[lane].samples;
}

void TextureWork::take_of_all(uint32_t count) {
  sample += count;
  const auto of_each = static_cast<uint8_t>(sample);
  next = {of_each, of_each, of_each, of_each};
  looked_up = sample >= samples[0];
  waiting = looked_up ? 0 : 15;
}

void TextureWork::find_next_sample() {
  const auto alike = [](const auto& of_lane) {
    return of_lane[0] == of_lane[1] && of_lane[0] == of_lane[2] && of_lane[0] == of_lane[3];
  };
  if (alike(samples) && alike(next)) {  // mostly
    sample = next[0];
    looked_up = next[0] >= samples[0];
    waiting = looked_up ? 0 : 15;
    return;
  }
  uint32_t lowest = ~0u;
  waiting = 0;
  for (uint32_t lane = 0; lane < func::kQuadLanes; lane++) {
    if (next[lane] >= samples[lane] || next[lane] > lowest) continue;
    if (next[lane] < lowest) lowest = next[lane], waiting = 0;
    waiting |= 1u << lane;
  }
  sample = lowest;
  looked_up = waiting == 0;
}

}  // namespace cutaway::boxes
