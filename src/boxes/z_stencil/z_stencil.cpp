#include "boxes/z_stencil/z_stencil.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "draw/legal.h"
#include "func/raster/interpolate.h"
#include "func/rop/exported_fragment.h"
#include "parts/draw_state.h"
#include "parts/log_fragments.h"
#include "parts/target_of_quad.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

arch::DepthMode mode_of(const parts::DrawState& state) {
  return static_cast<arch::DepthMode>(state.registers.depth.mode);
}

// How depth and stencil of a quad are tested.
const func::DepthState& depth_of(const parts::QuadMessage& quad) {
  return quad.accepted ? quad.state->accepted_depth : quad.state->depth;
}

bool tests_early(const parts::QuadMessage& quad) {
  const parts::DrawState& state = *quad.state;
  if (!depth_of(quad).active()) return false;
  switch (mode_of(state)) {
    case arch::DepthMode::kEarly:
      return true;
    case arch::DepthMode::kEarlyTestLateWrite:
      return draw::early_reject_is_safe(state.registers) && depth_of(quad).reads();
    default:
      return false;
  }
}

// Lanes of a quad that are tested at a sample, and their depth there.
uint32_t tested_lanes(const parts::QuadMessage& quad, uint32_t sample) {
  return quad.state->samples > 1 ? func::sample_lanes(quad.alive, sample) : quad.mask;
}

void depth_at(const parts::QuadMessage& quad, uint32_t sample, float z[4]) {
  if (quad.state->samples > 1)
    func::depth<4>(quad.primitive->primitive, func::quad_positions(quad.x, quad.y),
                   func::sample_offset(quad.state->samples, sample), z);
  else std::copy(quad.z.begin(), quad.z.end(), z);
}

func::DepthState::Overwrite overwrite(const parts::QuadMessage& quad) {
  return depth_of(quad).overwrites[quad.primitive->primitive.front_facing ? 0 : 1];
}

bool tests_late(const parts::DrawState& state) {
  return state.depth.active() && mode_of(state) != arch::DepthMode::kEarly;
}

}  // namespace

ZStencil::ZStencil(std::string path, const ZStencilSpec& spec, parts::TileMap rasters, bool sends_dead)
    : Box(std::move(path)),
      quads_in(rasters.units()),
      updates_out(rasters.units()),
      spec_(spec),
      rasters_(std::move(rasters)),
      sends_dead_(sends_dead),
      cache_({spec.cache_lines, spec.cache_ways, spec.line_bytes, spec.write_backs, spec.cache_pending}),
      reports_({spec.report_queue, spec.report_cycles}, spec.cache_lines, spec.line_bytes, counters),
      early_(spec.queue),
      late_(spec.late_queue) {}

std::vector<std::string_view> ZStencil::costs_nothing() const {
  std::vector<std::string_view> work = {
      "The kind of the test",
      "Reading and writing the tags and lines of the cache, beside the cycle of the look-up"};
  if (spec_.compression)
    work.push_back(
        "Compressing a line, where `z_stencil.compression` is true: the coder keeps up with the port");
  return work;
}

Cycle ZStencil::tick(Cycle now) {
  unsigned alu = spec_.quads_per_cycle;  // quads that can still be tested
  bool progress = parts::take_reply(now, cache_, memory_in);
  progress |= take_late(now);
  for (unsigned i = 0; i < spec_.quads_per_cycle && take_early(now); i++) progress = true;
  progress |= finish_late(now, alu);
  progress |= test_early(alu);
  progress |= send_early(now);
  progress |= send_memory(now);
  progress |= control(now);
  return account(now, progress);
}

Cycle ZStencil::account(Cycle now, bool progress) {
  if (progress) {
    counters.blocks_plain = cache_.packed().plain;
    counters.blocks_one = cache_.packed().one;
    counters.blocks_two = cache_.packed().two;
    return busy(now);
  }
  const Cycle until = reports_.next(now);
  if (!late_.empty())
    return !late_.front().tests || late_.front().can_be_made(cache_) ? blocked(now, late_out, until)
                                                                     : starved(now, memory_in, until);
  if (!early_.empty()) return early_tested_ ? blocked(now, quads_out, until) : starved(now, memory_in, until);
  if (next_input(now) != kNone) return starved(now, late_in, until);  // early waits for late
  if (const unsigned missing = missing_end(now); missing != kNone)
    return starved(now, quads_in[missing], until);
  if (cache_.outstanding()) return starved(now, memory_in, until);
  return idle(now, until);
}

// Lines that are a tile of 32-bit elements with the depth below, of one sample, are blocks. After shading a
// tile may have lost fragments.
parts::Packing ZStencil::packing_of(const parts::QuadMessage& quad, bool early) const {
  const parts::DrawState& state = *quad.state;
  const func::TargetView view = parts::depth_view(quad);
  const bool describable = view.tiled && view.bytes == 4 && (state.depth.depth_mask & 1);
  if (!spec_.compression || !describable) return {};
  return {.depth_bits = state.depth.depth_bits,
          .surface = view.base,
          .overwritten = early && quad.whole_tile && overwrite(quad).bytes == view.bytes};
}

bool ZStencil::send_memory(Cycle now) {
  bool progress = parts::send_request(now, cache_, memory_out);
  progress |= reports_.read_next(now, cache_);
  if (reports_.empty()) return progress;
  auto& port = updates_out[rasters_.owner(reports_.front().x, reports_.front().y)];
  if (!port.ready(now)) return progress;
  port.send(now, reports_.pop());
  return true;
}

// ---- Before shading ----

bool ZStencil::take_early(Cycle now) {
  bool progress = false;
  if (!early_waits_) {
    const unsigned input = next_input(now);
    if (input == kNone || early_.full()) return false;
    const parts::QuadMessage* next = quads_in[input].peek(now);
    if (!next->draw_end && tests_early(*next) && late_draws_) return false;
    Early& early = early_.push();
    progress = true;
    early.tests = !next->draw_end && tests_early(*next);
    counters.quads += !next->draw_end && !early_split_.left;
    if (early.tests && next->state->samples > 1)
      early.sample = next_sample(early_split_, next->alive, early.last);
    if (early.last) {
      take_input(now, input, early.quad);
    } else {
      early.quad = *next;
      turn_ = input;
    }
    if (early.quad.draw_end) {
      late_draws_ += tests_late(*early.quad.state);
      return true;
    }
    if (!early.tests) return true;
    early.fetches = !overwrite(early.quad).bytes;
    early.access = {parts::depth_view(early.quad),          early.quad.x,     early.quad.y,
                    tested_lanes(early.quad, early.sample), spec_.line_bytes, early.sample};
    early_waits_ = true;
  }
  Early& newest = early_.back();
  const bool acquired =
      newest.access.acquire(cache_, newest.fetches, newest.quad.origin, counters.cache_hits,
                            counters.cache_merged, counters.cache_misses, packing_of(newest.quad, true));
  reports_.look_after_evicted(cache_);
  if (!acquired) return progress;
  reports_.acquired(newest.access, newest.quad, newest.sample);
  early_waits_ = false;
  return true;
}

// The rasteriser whose quad is next: the one of which some samples have been taken, else the first in turn
// that has one. If all have come to the end of the draw, any.
unsigned ZStencil::next_input(Cycle now) const {
  const auto inputs = static_cast<unsigned>(quads_in.size());
  unsigned ends = 0;
  for (unsigned i = 0; i < inputs; i++) {
    const unsigned input = (turn_ + i) % inputs;
    const parts::QuadMessage* next = quads_in[input].peek(now);
    if (next && !next->draw_end) return input;
    ends += next != nullptr;
  }
  return ends == inputs ? turn_ : kNone;
}

// A rasteriser for whose draw end another one waits.
unsigned ZStencil::missing_end(Cycle now) const {
  unsigned ends = 0, missing = kNone;
  for (unsigned input = 0; input < quads_in.size(); input++) {
    if (quads_in[input].peek(now)) ends++;
    else missing = std::min(missing, input);
  }
  return ends ? missing : kNone;
}

void ZStencil::take_input(Cycle now, unsigned input, parts::QuadMessage& quad) {
  quad = quads_in[input].take(now);
  if (quad.draw_end)
    for (unsigned other = 0; other < quads_in.size(); other++)
      if (other != input) quads_in[other].drop(now);
  turn_ = (input + 1) % static_cast<unsigned>(quads_in.size());
}

// The samples of a quad that are alive get an entry each, in rising order: the next one's sample.
uint8_t ZStencil::next_sample(Split& split, func::QuadSamples alive, bool& last) {
  if (!split.left) split.left = alive;
  const auto sample = static_cast<uint32_t>(std::countr_zero(split.left)) / 4;
  split.left &= ~(15u << 4 * sample);
  last = !split.left;
  return static_cast<uint8_t>(sample);
}

// Entries of a quad are tested in order: the last one learns what has passed in all.
void ZStencil::note_passed(Split& split, parts::QuadMessage& quad, uint32_t sample, bool last,
                           uint32_t pass) {
  if (quad.state->samples == 1) {
    quad.mask &= static_cast<uint8_t>(pass);
    return;
  }
  split.passed |= (pass & 15) << 4 * sample;
  if (!last) return;
  quad.alive &= std::exchange(split.passed, 0);
  quad.mask = static_cast<uint8_t>(func::any_sample(quad.alive));
}

// Tests are made in order, but do not wait for room behind them: a quad that held its line while it waited
// could keep the late side, on which that room depends, from getting one.
bool ZStencil::test_early(unsigned& alu) {
  bool progress = false;
  for (; early_tested_ < early_.size(); early_tested_++, progress = true) {
    Early& next = early_[early_tested_];
    if (!next.tests) {
      end_test(next.quad);
      continue;
    }
    if (!alu || !next.can_be_made(cache_)) break;
    alu--;
    test(next);
    if (next.last) end_test(next.quad);
  }
  return progress;
}

// What is left of a quad goes on, unless nothing behind the test has an effect on it. Counts leave the unit
// with the next draw end on the late side: all of a draw's have by its own.
void ZStencil::end_test(parts::QuadMessage& quad) {
  if (quad.draw_end) return;
  const parts::DrawState& state = *quad.state;
  const arch::Registers& registers = state.registers;
  if (registers.query.samples_passed && (state.ends_before_shading || func::counts_early(registers)))
    samples_ += parts::count_alive(quad, state.samples);
  if (!state.ends_before_shading || !quad.mask) return;
  counters.quads_ended++;
  if (state.log) parts::log_quad(*state.log, quad, FragmentEvent::Kind::kPassed, quad.mask, 0);
  quad.mask = 0;
}

bool ZStencil::send_early(Cycle now) {
  bool progress = false, sent = false;
  while (early_tested_ && !sent) {
    Early& oldest = early_.front();
    const bool holds_place = sends_dead_ && !oldest.quad.state->ends_before_shading;
    if (oldest.last && (oldest.quad.mask || oldest.quad.draw_end || holds_place)) {
      if (!quads_out.ready(now)) break;
      quads_out.send(now, std::move(oldest.quad));
      sent = true;
    }
    early_.drop();
    early_tested_--;
    progress = true;
  }
  return progress;
}

void ZStencil::test(Early& early) {
  parts::QuadMessage& quad = early.quad;
  const bool writes = mode_of(*quad.state) == arch::DepthMode::kEarly;
  const uint32_t mask = tested_lanes(quad, early.sample);
  float z[4];
  depth_at(quad, early.sample, z);
  const func::DepthResult result =
      make(early, quad, mask, z, nullptr, writes ? func::DepthPhase::kTestAndWrite : func::DepthPhase::kTest);
  counters.fragments_tested += static_cast<uint64_t>(std::popcount(mask));
  const auto failed = static_cast<uint64_t>(std::popcount(mask & ~result.pass));
  counters.fragments_failed += failed;
  count_killed(quad, early.sample, mask, result, false);
  if (quad.state->of_driver) counters.driver_fragments_failed += failed;
  note_passed(early_split_, quad, early.sample, early.last, result.pass & mask);
}

// ---- After shading ----

bool ZStencil::take_late(Cycle now) {
  bool progress = false;
  if (!late_waits_) {
    if (!late_in.peek(now) || late_.full()) return false;
    const parts::ShadedQuad& next = *late_in.peek(now);
    Late& late = late_.push();
    progress = true;
    late.tests = !next.quad.draw_end && tests_late(*next.quad.state);
    counters.late_quads += late.tests && !late_split_.left;
    if (late.tests && next.quad.state->samples > 1)
      late.sample = next_sample(late_split_, next.quad.alive, late.last);
    if (late.last) late.quad = late_in.take(now);
    else late.quad = next;
    const parts::QuadMessage& quad = late.quad.quad;
    if (!late.tests) return true;
    late.fetches = !overwrite(quad).bytes;
    late.access = {parts::depth_view(quad),         quad.x,           quad.y,
                   tested_lanes(quad, late.sample), spec_.line_bytes, late.sample};
    late_waits_ = true;
  }
  Late& newest = late_.back();
  const bool acquired = newest.access.acquire(cache_, newest.fetches, newest.quad.quad.origin,
                                              counters.cache_hits, counters.cache_merged,
                                              counters.cache_misses, packing_of(newest.quad.quad, false));
  reports_.look_after_evicted(cache_);
  if (!acquired) return progress;
  reports_.acquired(newest.access, newest.quad.quad, newest.sample);
  late_waits_ = false;
  return true;
}

bool ZStencil::finish_late(Cycle now, unsigned& alu) {
  if (late_.empty() || !late_out.ready(now)) return false;
  Late& oldest = late_.front();
  if (oldest.tests) {
    if (!oldest.can_be_made(cache_)) return false;
    alu--;
    test(oldest);
  }
  parts::QuadMessage& quad = oldest.quad.quad;
  if (quad.draw_end) {
    if (tests_late(*quad.state)) late_draws_--;
    oldest.quad.samples = std::exchange(samples_, 0);
  }
  if (oldest.last && (quad.mask || quad.draw_end)) late_out.send(now, std::move(oldest.quad));
  late_.drop();
  return true;
}

void ZStencil::test(Late& late) {
  parts::QuadMessage& quad = late.quad.quad;
  const uint32_t flags = quad.state->registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags;
  const uint32_t mask = tested_lanes(quad, late.sample);
  float z[4];
  depth_at(quad, late.sample, z);
  const auto* exported = late.quad.outputs ? late.quad.outputs->output[arch::kOutputDepth] : nullptr;
  if (exported && flags & arch::kShaderWritesDepth)
    for (uint32_t lane = 0; lane < 4; lane++)
      z[lane] = func::exported_depth(quad.primitive->primitive.depth_min, quad.primitive->primitive.depth_max,
                                     exported[0][lane]);
  const uint32_t* reference = exported && flags & arch::kShaderWritesStencil ? exported[2] : nullptr;
  const func::DepthResult result = make(late, quad, mask, z, reference, func::DepthPhase::kTestAndWrite);
  const auto failed = static_cast<uint64_t>(std::popcount(mask & ~result.pass));
  counters.late_failed += failed;
  count_killed(quad, late.sample, mask, result, true);
  if (quad.state->of_driver) counters.driver_late_failed += failed;
  note_passed(late_split_, quad, late.sample, late.last, result.pass & mask);
}

// ---- Both ----

void ZStencil::count_killed(const parts::QuadMessage& quad, uint32_t sample, uint32_t mask,
                            const func::DepthResult& result, bool late) {
  if (!quad.state->tiles) return;
  parts::TileCount& tile = quad.state->tiles->at(quad.x, quad.y);
  const uint32_t failed = mask & ~result.pass, stencil = failed & result.stencil_failed;
  tile.killed_stencil += static_cast<uint32_t>(std::popcount(stencil));
  tile.killed_z += static_cast<uint32_t>(std::popcount(failed & ~stencil));
  if (!quad.state->log) return;
  using Kind = FragmentEvent::Kind;
  parts::log_quad(*quad.state->log, quad, late ? Kind::kKilledLateStencil : Kind::kKilledStencil, stencil,
                  sample);
  parts::log_quad(*quad.state->log, quad, late ? Kind::kKilledLateZ : Kind::kKilledZ, failed & ~stencil,
                  sample);
}

func::DepthResult ZStencil::make(Test& test, const parts::QuadMessage& quad, uint32_t mask, const float* z,
                                 const uint32_t* stencil_reference, func::DepthPhase phase) {
  const func::DepthState& state = depth_of(quad);
  uint64_t stored[4] = {};
  for (uint32_t lane = 0; lane < 4; lane++)
    if (test.fetches && mask >> lane & 1)
      std::memcpy(&stored[lane], test.access.pixel(cache_, lane), state.element_bytes);
  const func::DepthResult result = func::depth_stencil(state, quad.primitive->primitive.front_facing, mask, z,
                                                       stored, phase, stencil_reference);
  const auto [first, bytes] = overwrite(quad);
  for (uint32_t lane = 0; lane < 4; lane++) {
    if (!(result.write >> lane & 1)) continue;
    if (bytes) test.access.write(cache_, lane, &result.element[lane], first, bytes);
    else test.access.write(cache_, lane, &result.element[lane]);
  }
  reports_.tested(test.access, quad, result.write);
  test.access.release(cache_);
  return result;
}

bool ZStencil::control(Cycle now) {
  CUTAWAY_CHECK(!control_in.peek(now) || (early_.empty() && late_.empty()),
                "{}: an order while quads are under way", path());
  const parts::Control* order = control_in.peek(now);
  const bool invalidates = order && order->kind == parts::Control::Kind::kInvalidate;
  if (!parts::obey_control(now, cache_, control_in, control_out)) return false;
  // A report would tell of bytes that the cache no longer has.
  if (invalidates) reports_.forget();
  return true;
}

std::string ZStencil::why_busy() const {
  if (early_.empty() && late_.empty() && cache_.idle()) return "";
  return fmt::format("{} quads before and {} after shading, {} memory accesses, {} late draws", early_.size(),
                     late_.size(), cache_.outstanding(), late_draws_);
}

}  // namespace cutaway::boxes
