// Requests of running programs: an interpolant for a quad, at chosen places.
#include <algorithm>
#include <bit>

#include "boxes/interpolator/interpolator.h"
#include "func/raster/pulled_interpolant.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;

bool Interpolator::pulls_wait(Cycle now) const {
  return !pulled_.full() &&
         std::any_of(pulls_in.begin(), pulls_in.end(), [&](const auto& port) { return port.peek(now); });
}

// Sends answers in the order of their requests.
bool Interpolator::send_pulls(Cycle now) {
  bool progress = false;
  while (!pulled_.empty() && pulled_.front().ready <= now && pulls_out[pulled_.front().unit].ready(now)) {
    pulls_out[pulled_.front().unit].send(now, std::move(pulled_.front().pull));
    pulled_.drop();
    progress = true;
  }
  return progress;
}

// Takes at most one request from each unit, beginning after the unit that was served last.
bool Interpolator::take_pulls(Cycle now) {
  const size_t units = pulls_in.size(), first = pull_turn_;
  unsigned taken = 0;
  for (size_t i = 0; i < units && taken < spec_.pulls && can_evaluate(now) && !pulled_.full(); i++) {
    const size_t unit = (first + i) % units;
    if (!pulls_in[unit].peek(now)) continue;
    taken++;
    pull_turn_ = (unit + 1) % units;
    PullEntry& entry = pulled_.push();
    entry.unit = unit;
    entry.pull = pulls_in[unit].take(now);
    entry.ready = std::max(now + delay(1), evaluate(now, 1));
    pull(*entry.pull.job);
  }
  return taken != 0;
}

void Interpolator::pull(messages::PullJob& job) {
  const messages::SetUpPrimitive& from = *job.primitive;
  const auto& out = job.state->registers.vertex_out;
  const arch::Interpolant& interpolant = out.interpolant[job.interpolant];
  const uint32_t source = interpolant.source % arch::kShaderOutputs;
  // Missing interpolants read as zeros.
  const func::PulledInterpolant wanted{static_cast<arch::Interpolation>(interpolant.mode), from.vertices,
                                       job.interpolant < out.interpolants ? job.mask : uint8_t{0}};
  const auto value = [&](uint32_t vertex, uint32_t c) {
    return vertex < from.vertices ? from.vertex[vertex]->output[source][c] : 0;
  };
  func::pull_interpolant(from.primitive, job.x, job.y, wanted, job.offset, value, job.result);
  pull_counters.vectors++;
  pull_counters.fragments += static_cast<uint64_t>(std::popcount(job.lane_mask));
}

}  // namespace cutaway::boxes
