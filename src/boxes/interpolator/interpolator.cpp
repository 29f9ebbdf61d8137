#include "boxes/interpolator/interpolator.h"

#include <algorithm>
#include <bit>

#include "base/few_bits.h"
#include "base/in_round.h"
#include "command_stream/fragment_input.h"
#include "func/raster/interpolate.h"
#include "func/raster/quad_weights.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;

bool Interpolator::by_samples(const messages::QuadMessage& quad) { return quad.state->shades_samples(); }

messages::QuadMessage Interpolator::next_sample(const messages::QuadMessage& whole, uint8_t& next) {
  const uint32_t left = whole.alive >> (4 * next);
  const uint32_t sample = next + static_cast<uint32_t>(std::countr_zero(left)) / 4;
  const bool last = sample == func::kMaxSamples - 1 || !(whole.alive >> 4 * (sample + 1));
  messages::QuadMessage quad = whole;
  quad.sample = static_cast<uint8_t>(sample);
  quad.covered &= 15u << 4 * sample;
  quad.alive &= 15u << 4 * sample;
  quad.mask = static_cast<uint8_t>(func::any_sample(quad.alive));
  next = last ? 0 : static_cast<uint8_t>(sample + 1);
  return quad;
}

Interpolator::Interpolator(std::string path, const InterpolatorSpec& spec, unsigned units,
                           unsigned shader_units, messages::Pools& pools, structures::TileMap rasters)
    : Box(std::move(path)),
      quads_in(units),
      pulls_in(spec.pulls ? shader_units : 0),
      pulls_out(pulls_in.size()),
      spec_(spec),
      pools_(pools),
      entries_(std::max(spec.depth, 2 * units)),
      next_sample_(units),
      rasters_(std::move(rasters)),
      sorter_(rasters_.units(), spec.window),
      sorted_sample_(rasters_.units()),
      pulled_(pulls_in.empty() ? 0 : spec.pull_depth) {}

std::vector<std::string_view> Interpolator::costs_nothing() const {
  std::vector<std::string_view> work;
  if (!spec_.vectors_per_cycle)
    work.push_back(
        "The throughput of interpolants: their number sets the latency of a quad, and not how many quads "
        "pass in a cycle, while `interpolator.depth` has room");
  if (spec_.pulls)
    work.push_back(
        "Reading the vertices of the primitive again for a request, where `interpolator.pulls` is not 0");
  return work;
}

Cycle Interpolator::tick(Cycle now) {
  bool progress = send(now);
  progress |= send_pulls(now);
  progress |= take(now);
  if (progress) return busy(now);
  Cycle next = engine::kAsleep;
  if (!entries_.empty() && entries_.front().ready > now) next = entries_.front().ready;
  if (!pulled_.empty() && pulled_.front().ready > now) next = std::min(next, pulled_.front().ready);
  if (evaluates_until() > now) next = std::min(next, evaluates_until());
  const Cycle skips = spec_.sorts() && !entries_.full() ? skips_at(now) : engine::kAsleep;
  if (next != engine::kAsleep) return busy(now, std::min(next, std::max(skips, now + 1)));
  if (!entries_.empty()) return blocked(now, quads_out, skips);
  if (!pulled_.empty()) return blocked(now, pulls_out[pulled_.front().unit], skips);
  // A draw end from one unit waits for those of the others, and a quad inside for one before it.
  for (auto& port : quads_in)
    if (!port.peek(now)) {
      if (spec_.sorts() && (!sorter_.empty() || skips_at(now) != engine::kAsleep))
        return starved(now, port, skips_at(now));
      for (auto& other : quads_in)
        if (other.peek(now)) return starved(now, port);
    }
  return idle(now);
}

bool Interpolator::send(Cycle now) {
  bool progress = false;
  while (!entries_.empty() && entries_.front().ready <= now && quads_out.ready(now)) {
    quads_out.send(now, std::move(entries_.front().quad));
    entries_.drop();
    progress = true;
  }
  return progress;
}

// Cycles from entry to the cycle before the wire's, which is the last.
Cycle Interpolator::delay(uint32_t interpolants) const {
  return std::min(spec_.base_latency + interpolants, spec_.max_latency) - 1;
}

// The first cycle in which another quad can be taken: when the evaluators have begun with the last vector of
// those before it.
Cycle Interpolator::evaluates_until() const {
  return spec_.vectors_per_cycle ? evaluated_ / spec_.vectors_per_cycle : 0;
}

// An evaluator takes a quad or a request. Returns the cycle in which its last vector is evaluated.
Cycle Interpolator::evaluate(Cycle now, uint32_t interpolants) {
  evaluators_--;
  if (!spec_.vectors_per_cycle || !interpolants) return now;
  evaluated_ = std::max(evaluated_, now * spec_.vectors_per_cycle) + interpolants;
  return (evaluated_ - 1) / spec_.vectors_per_cycle;
}

// Takes quads and requests, as long as evaluators are free. If both compete, priority alternates.
bool Interpolator::take(Cycle now) {
  evaluators_ = quads_in.size();
  const bool both = pulls_wait(now) && quads_wait(now);
  bool progress = pulls_first_ && take_pulls(now);
  progress |= take_quads(now);
  if (!pulls_first_) progress |= take_pulls(now);
  if (both && progress) {
    pull_counters.shared_cycles++;
    pulls_first_ = !pulls_first_;
  }
  return progress;
}

bool Interpolator::quads_wait(Cycle now) const {
  if (entries_.full()) return false;
  return !sorter_.empty() || std::any_of(quads_in.begin(), quads_in.end(), [&](const auto& port) {
    const messages::QuadMessage* next = port.peek(now);
    return next && !next->draw_end;
  });
}

bool Interpolator::take_quads(Cycle now) {
  const unsigned taken = spec_.sorts()                        ? take_sorted(now)
                         : spec_.order == QuadOrder::kArrival ? take_arrived(now)
                                                              : take_rasterised(now);
  const bool progress = taken || take_end(now);
  if (progress) turn_ = (turn_ + 1) % static_cast<unsigned>(quads_in.size());
  return progress;
}

// Takes a quad from each unit, beginning with the next in turn.
unsigned Interpolator::take_arrived(Cycle now) {
  const auto units = static_cast<unsigned>(quads_in.size());
  unsigned taken = 0;
  for (unsigned i = 0; i < units && !entries_.full() && can_evaluate(now); i++) {
    const unsigned unit = in_round(turn_, i, units);
    const messages::QuadMessage* next = quads_in[unit].peek(now);
    if (!next || next->draw_end) continue;
    enter(now, take_quad(now, unit));
    taken++;
  }
  // The units that it left are first in the next cycle.
  if (spec_.vectors_per_cycle && taken) turn_ = (turn_ + taken - 1) % units;
  return taken;
}

// Takes as many quads as there are units, from any units. Quads without live lanes only hold a place in the
// order and go no further.
unsigned Interpolator::take_rasterised(Cycle now) {
  unsigned taken = 0;
  for (; taken < quads_in.size() && !entries_.full() && can_evaluate(now); taken++) {
    const int unit = unit_of_next(now);
    if (unit == kNone) break;
    auto& port = quads_in[static_cast<size_t>(unit)];
    if (port.peek(now)->mask) enter(now, take_quad(now, static_cast<unsigned>(unit)));
    else port.drop(now);
    if (!next_sample_[static_cast<size_t>(unit)]) next_number_++;
  }
  return taken;
}

int Interpolator::unit_of_next(Cycle now) const {
  for (size_t unit = 0; unit < quads_in.size(); unit++) {
    const messages::QuadMessage* next = quads_in[unit].peek(now);
    if (next && !next->draw_end && next->number == next_number_) return static_cast<int>(unit);
  }
  return kNone;
}

// Takes the end of a draw, once it has come from all units.
bool Interpolator::take_end(Cycle now) {
  if (entries_.full() || !sorter_.empty()) return false;
  for (auto& port : quads_in) {
    const messages::QuadMessage* next = port.peek(now);
    if (!next || !next->draw_end) return false;
  }
  Entry& entry = entries_.push();
  for (auto& port : quads_in) entry.quad.quad = port.take(now);
  entry.ready = std::max(now + 1, entries_.size() > 1 ? entries_[entries_.size() - 2].ready : 0);
  return true;
}

// Enters a quad, or a sample of it.
void Interpolator::enter(Cycle now, messages::QuadMessage&& quad) {
  Entry& entry = entries_.push_stale();
  entry.quad.quad = std::move(quad);
  const auto interpolants = static_cast<uint32_t>(std::popcount(entry.quad.quad.state->pushed()));
  // Quads stay in order: a quad with fewer interpolants waits for earlier ones.
  const Cycle evaluated = std::max(now + delay(interpolants), evaluate(now, interpolants));
  entry.ready = std::max(evaluated, entries_.size() > 1 ? entries_[entries_.size() - 2].ready : 0);
  interpolate(entry.quad);
}

// Returns the quad at a port, or with sample shading its next live sample.
messages::QuadMessage Interpolator::take_quad(Cycle now, unsigned unit) {
  const messages::QuadMessage& whole = *quads_in[unit].peek(now);
  if (!by_samples(whole)) return quads_in[unit].take(now);
  messages::QuadMessage quad = next_sample(whole, next_sample_[unit]);
  if (!next_sample_[unit]) quads_in[unit].drop(now);
  return quad;
}

void Interpolator::interpolate(messages::InterpolatedQuad& out) {
  const messages::QuadMessage& quad = out.quad;
  const messages::SetUpPrimitive& from = *quad.primitive;
  const arch::Registers& registers = quad.state->registers;
  out.inputs = pools_.fragment_inputs.allocate();
  auto& input = out.inputs->input;
  const func::Positions<4> at = func::quad_positions(quad.x, quad.y);
  const messages::DrawState& state = *quad.state;
  const func::QuadPlaces places{state.samples, state.sample_shading, quad.sample, quad.covered};
  const func::SampleOffset here = places.here();
  const func::QuadWeights weights(from.primitive, at, places, state.locations);

  static constexpr messages::Vec4 kAbsent{};
  for (uint32_t left = state.pushed(); left; left &= left - 1) {
    const auto i = static_cast<uint32_t>(std::countr_zero(left));
    const arch::Interpolant& interpolant = registers.vertex_out.interpolant[i];
    const uint32_t source = interpolant.source % arch::kShaderOutputs;
    const auto of_vertex = [&](uint32_t vertex) -> const messages::Vec4& {
      return vertex < from.vertices ? from.vertex[vertex]->output[source] : kAbsent;
    };
    func::interpolate(static_cast<arch::Interpolation>(interpolant.mode), from.vertices,
                      weights.at(interpolant.location), of_vertex(0), of_vertex(1), of_vertex(2), input[i]);
    counters.interpolants++;
  }
  counters.quads++;
  counters.fragments += count_of_four(quad.mask);

  const command_stream::ShadedPlace place{from.primitive, quad.x, quad.y, here, state.samples};
  command_stream::frag_coord_input(place, quad.z.data(), weights.here().inv_w, input[arch::kInputFragCoord]);
  command_stream::fragment_input(from.primitive, quad.sample, quad.covered, input[arch::kInputFragment]);
  if (state.fragment().inputs_read() >> arch::kInputPointCoord & 1)
    command_stream::point_coord_input(place, input[arch::kInputPointCoord]);
}

std::string Interpolator::why_busy() const {
  if (!sorter_.empty()) return fmt::format("{} quads wait for earlier ones", sorter_.inside());
  if (entries_.empty() && pulled_.empty()) return "";
  return pulled_.empty() ? fmt::format("{} quads inside", entries_.size())
                         : fmt::format("{} quads and {} requests inside", entries_.size(), pulled_.size());
}

}  // namespace cutaway::boxes
