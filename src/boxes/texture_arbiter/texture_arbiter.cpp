#include "boxes/texture_arbiter/texture_arbiter.h"

#include "base/in_round.h"
#include "structures/cache_port.h"

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
  return structures::port_in_turn(now, jobs_in, turn_).any ? blocked(now, jobs_out) : idle(now);
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
  const auto [chosen, any, contended] = structures::port_in_turn(now, jobs_in, turn_);
  if (!any) return false;
  const uint32_t quads = jobs_in[chosen].peek(now)->job->request_quads;
  if (!jobs_out.ready(now, quads)) return false;
  for (uint32_t n = 0; n < quads; n++) {
    messages::TextureMessage message = jobs_in[chosen].take(now);
    message.job->requester = chosen;
    jobs_out.send(now, std::move(message));
  }
  turn_ = in_round(chosen, 1u, static_cast<unsigned>(jobs_in.size()));
  counters.jobs += quads;
  if (contended) counters.contended += quads;
  return true;
}

}  // namespace cutaway::boxes
