#include "boxes/texture_arbiter/texture_arbiter.h"

#include <algorithm>

namespace cutaway::boxes {

using engine::Cycle;

TextureArbiter::TextureArbiter(std::string path, unsigned requesters)
    : Box(std::move(path)), jobs_in(requesters), results_out(requesters) {}

std::vector<std::string_view> TextureArbiter::costs_nothing() const {
  return {"Choosing between the shader units"};
}

Cycle TextureArbiter::tick(Cycle now) {
  bool progress = pass_result(now);
  progress |= pass_job(now);
  if (progress) return busy(now);
  if (const messages::TextureMessage* result = results_in.peek(now))
    return blocked(now, results_out[result->job->requester]);
  const bool waits = std::any_of(jobs_in.begin(), jobs_in.end(), [&](auto& in) { return in.peek(now); });
  return waits ? blocked(now, jobs_out) : idle(now);
}

bool TextureArbiter::pass_result(Cycle now) {
  const messages::TextureMessage* result = results_in.peek(now);
  if (!result) return false;
  auto& out = results_out[result->job->requester];
  uint32_t quads = result->job->request_quads;
  if (!out.ready(now, quads)) return false;
  for (; quads; quads--) out.send(now, results_in.take(now));
  return true;
}

bool TextureArbiter::pass_job(Cycle now) {
  const size_t units = jobs_in.size();
  size_t chosen = units;
  bool contended = false;
  for (size_t i = 0; i < units; i++) {
    const size_t unit = (turn_ + i) % units;
    if (!jobs_in[unit].peek(now)) continue;
    contended = chosen < units;
    if (contended) break;
    chosen = unit;
  }
  if (chosen == units) return false;
  const uint32_t quads = jobs_in[chosen].peek(now)->job->request_quads;
  if (!jobs_out.ready(now, quads)) return false;
  for (uint32_t n = 0; n < quads; n++) {
    messages::TextureMessage message = jobs_in[chosen].take(now);
    message.job->requester = static_cast<uint32_t>(chosen);
    jobs_out.send(now, std::move(message));
  }
  turn_ = (chosen + 1) % units;
  counters.jobs += quads;
  if (contended) counters.contended += quads;
  return true;
}

}  // namespace cutaway::boxes
