#include "boxes/color_write/color_write.h"

#include <cstring>
#include <memory>
#include <utility>
#include <xmmintrin.h>

#include "base/few_bits.h"
#include "base/prefetch.h"
#include "func/format/display_color.h"
#include "func/raster/line.h"
#include "func/rop/exported_fragment.h"
#include "messages/draw_state.h"
#include "messages/log_fragments.h"
#include "messages/target_of_quad.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

// An output [component][lane] as [lane][component].
void by_lane(const uint32_t output[4][4], uint32_t of_lane[4][4]) {
  __m128 row[4];
  std::memcpy(row, output, sizeof row);
  _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
  std::memcpy(of_lane, row, sizeof row);
}

}  // namespace

ColorWrite::ColorWrite(std::string path, const ColorWriteSpec& spec)
    : Box(std::move(path)),
      spec_(spec),
      cache_({.lines = spec.cache_lines,
              .ways = spec.cache_ways,
              .line_bytes = spec.line_bytes,
              .whole_lines = spec.whole_lines,
              .write_backs = spec.write_backs,
              .misses = spec.cache_mshrs,
              .stacks = spec.compression,
              .replacement = spec.cache_replacement}),
      jobs_(spec.queue) {}

void ColorWrite::list_ports(engine::PortList& list) {
  list("quads_in", quads_in, "shaded quads");
  if (spec_.prefetches) list("ahead_in", ahead_in, "quads that go to be shaded");
  list("draw_done", draw_done, "the end of a draw here, and the number of samples that passed");
  list("memory_out", memory_out, "reads and writes of the cache");
  list("memory_in", memory_in, "replies");
  list("control_in", control_in, "an order to flush or invalidate");
  list("control_out", control_out, "the order is carried out");
}

std::vector<std::string_view> ColorWrite::costs_nothing() const {
  std::vector<std::string_view> work = {
      "The kind of blending",
      "Reading and writing the tags and lines of the cache, apart from the cycle of the look-up"};
  if (spec_.bytes_per_cycle == 0)
    work.push_back(
        "The width of a pixel, apart from the sectors that it moves, where `color_write.bytes_per_cycle` "
        "is 0");
  if (spec_.prefetches)
    work.push_back("Looking the lines of a quad up before shading, where `color_write.prefetches` is not 0");
  if (spec_.compression) work.push_back("Comparing samples, where `color_write.compression` is true");
  return work;
}

Cycle ColorWrite::tick(Cycle now) {
  bool progress = structures::take_reply(now, cache_, memory_in);
  if (waits_ || quads_in.peek(now)) progress |= take(now);
  if (!jobs_.empty()) progress |= finish(now);
  if (spec_.prefetches && ahead_in.peek(now)) prefetch(ahead_in.take(now).quad), progress = true;
  progress |= structures::send_request(now, cache_, memory_out);
  if (control_in.peek(now)) progress |= control(now);
  if (progress) {
    counters.stacks = cache_.packed().stacks;
    counters.stacked_sectors = cache_.packed().stacked;
    counters.apart_sectors = cache_.packed().apart;
    return busy(now);
  }
  if (!jobs_.empty()) {
    if (free_ > now) return busy(now, free_);
    const Job& oldest = jobs_.front();
    if (oldest.quad.quad.draw_end) return blocked(now, draw_done);
    return starved(now, memory_in);
  }
  return cache_.outstanding() ? starved(now, memory_in) : idle(now);
}

ColorWrite::Place ColorWrite::next_place(const messages::ShadedQuad& quad, Place from) const {
  if (!quad.outputs || quad.quad.draw_end) return {arch::kColorTargets, 0};
  const uint32_t samples = quad.quad.state->samples;
  while (from.target < arch::kColorTargets) {
    if (quad.quad.state->target[from.target].enabled)
      for (; from.sample < samples; from.sample++)
        if (samples == 1 || func::sample_lanes(quad.quad.alive, from.sample)) return from;
    from = {from.target + 1, 0};
  }
  return from;
}

bool ColorWrite::take(Cycle now) {
  bool progress = false;
  if (!waits_) {
    const messages::ShadedQuad* next = quads_in.peek(now);
    if (jobs_.full()) return false;
    const Place place = next_place(*next, next_);
    if (next->quad.draw_end) {
      // Quads of the next draw are taken, and counted, before this end leaves.
      messages::ShadedQuad& end = jobs_.push_stale().quad = quads_in.take(now);
      end.samples += std::exchange(samples_, 0);
      next_ = {};
      return true;
    }
    if (next_.target == 0 && next_.sample == 0) {
      counters.quads++;
      count_samples(next->quad);
    }
    if (place.target == arch::kColorTargets) {
      if (messages::FragmentLog* log = next->quad.state->log)
        messages::log_quad(*log, next->quad, run_record::FragmentEvent::Kind::kPassed, next->quad.mask, 0);
      quads_in.drop(now);
      next_ = {};
      return true;
    }
    Job& job = jobs_.push_stale();
    job.target = place.target, job.sample = place.sample;
    const messages::DrawState& state = *next->quad.state;
    job.mask = state.samples > 1 ? func::sample_lanes(next->quad.alive, place.sample) : next->quad.mask;
    job.fetches = func::needs_destination(state.target[place.target]);
    std::construct_at(&job.access, messages::color_view(next->quad, place.target), next->quad.x, next->quad.y,
                      job.mask, spec_.line_bytes, place.sample);
    waits_ = true;
    next_ = next_place(*next, {place.target, place.sample + 1});
    if (next_.target == arch::kColorTargets) {
      job.quad = quads_in.take(now);
      next_ = {};
    } else {
      job.quad = *next;
    }
    progress = true;
  }
  Job& newest = jobs_.back();
  if (newest.access.acquire(cache_, newest.fetches, newest.quad.quad.origin, counters.cache_hits,
                            counters.cache_merged, counters.cache_misses,
                            packing_of(newest.quad.quad, newest.target))) {
    waits_ = false;
    progress = true;
  }
  return progress;
}

// Stacks are those of several samples of a tiled target: their sectors are one single-sample tile apart.
structures::Packing ColorWrite::packing_of(const messages::QuadMessage& quad, uint32_t target) const {
  const bool stacks = spec_.compression && quad.state->samples > 1;
  if (!stacks && !spec_.whole_lines) return {};
  const func::TargetView view = messages::color_view(quad, target);
  structures::Packing packing = {.owned = view.has_lines_in_tiles(spec_.line_bytes)};
  const uint32_t stride = arch::kTileSize * arch::kTileSize * view.bytes;
  if (!stacks || !view.tiled || !std::has_single_bit(stride) || view.base % stride) return packing;
  packing.stack = {static_cast<uint8_t>(view.samples), static_cast<uint16_t>(stride)};
  packing.surface = view.base;
  return packing;
}

// Requests the colors that the quad will need once it is shaded, as far as there is room now.
void ColorWrite::prefetch(const messages::QuadMessage& quad) {
  const messages::DrawState& state = *quad.state;
  for (uint32_t target = 0; target < arch::kColorTargets; target++) {
    if (!state.target[target].enabled || !func::needs_destination(state.target[target])) continue;
    for (uint32_t sample = 0; sample < state.samples; sample++) {
      const uint32_t mask = state.samples > 1 ? func::sample_lanes(quad.alive, sample) : quad.mask;
      if (!mask) continue;
      structures::QuadAccess access(messages::color_view(quad, target), quad.x, quad.y, mask,
                                    spec_.line_bytes, sample);
      counters.prefetches_dropped += !access.prefetch(cache_, spec_.prefetches, quad.origin,
                                                      counters.prefetches, packing_of(quad, target));
    }
  }
}

void ColorWrite::count_samples(const messages::QuadMessage& quad) {
  const arch::Registers& registers = quad.state->registers;
  if (registers.query.samples_passed && !func::counts_early(registers))
    samples_ += messages::count_alive(quad, quad.state->samples);
}

bool ColorWrite::finish(Cycle now) {
  Job& oldest = jobs_.front();
  if (oldest.quad.quad.draw_end) {
    if (!draw_done.ready(now)) return false;
    draw_done.send(now, {oldest.quad.quad.origin.draw, oldest.quad.samples});
    jobs_.drop();
    return true;
  }
  if (free_ > now || !oldest.access.acquired() || (oldest.fetches && !oldest.access.ready(cache_)))
    return false;
  write(oldest);
  if (spec_.bytes_per_cycle) {
    const uint32_t bytes = 4 * oldest.quad.quad.state->target[oldest.target].bytes;
    free_ = now + std::max(1u, (bytes + spec_.bytes_per_cycle - 1) / spec_.bytes_per_cycle);
  }
  oldest.access.release(cache_);
  jobs_.drop();
  if (!jobs_.empty() && jobs_.front().quad.outputs) prefetch_on_host(jobs_.front().quad.outputs->output[0]);
  return true;
}

void ColorWrite::write(Job& job) {
  const messages::QuadMessage& quad = job.quad.quad;
  const func::TargetState& state = quad.state->target[job.target];
  const auto& output = job.quad.outputs->output;
  const func::Primitive& primitive = quad.primitive->primitive;
  const bool logs_color = quad.state->log && job.sample == 0 && func::has_display_color(*state.format);
  uint32_t color[4] = {};
  float coverage[4];
  if (primitive.line.smooth) func::smooth_coverage(primitive, func::quad_positions(quad.x, quad.y), coverage);
  uint32_t of_lane[4][4], of_lane1[4][4] = {};
  by_lane(output[job.target], of_lane);
  if (state.dual_source || state.alpha_to_one) by_lane(output[1], of_lane1);
  for (uint32_t lane = 0; lane < 4; lane++) {
    if (!(job.mask >> lane & 1)) continue;
    uint32_t *const source = of_lane[lane], *const source1 = of_lane1[lane];
    if (primitive.line.smooth) source[3] = func::smooth_alpha(state, source[3], coverage[lane]);
    alignas(16) std::byte element[16] = {};
    if (job.fetches) std::memcpy(element, job.access.pixel(cache_, lane), state.bytes);
    func::write_pixel(state, source, source1, element);
    job.access.write(cache_, lane, element);
    if (logs_color) color[lane] = func::display_color(*state.format, state.layout, element);
  }
  count_written(job, logs_color ? color : nullptr);
}

void ColorWrite::count_written(const Job& job, const uint32_t* color) {
  const messages::QuadMessage& quad = job.quad.quad;
  const uint64_t fragments = count_of_four(job.mask);
  counters.fragments += fragments;
  if (quad.state->tiles) {
    messages::TileCount& tile = quad.state->tiles->at(quad.x, quad.y);
    tile.written += static_cast<uint32_t>(fragments);
    tile.last_write = domain().now();
  }
  if (quad.state->log) messages::log_written(*quad.state->log, quad, job.mask, job.target, job.sample, color);
  if (quad.state->of_driver) counters.driver_fragments += fragments;
  if (job.fetches) counters.blended += fragments;
}

bool ColorWrite::control(Cycle now) {
  CUTAWAY_CHECK(!control_in.peek(now) || (jobs_.empty()), "{}: an order while quads are under way", path());
  return structures::obey_control(now, cache_, control_in, control_out);
}

std::string ColorWrite::why_busy() const {
  if (jobs_.empty() && cache_.idle()) return "";
  return fmt::format("{} quads waiting, {} memory accesses", jobs_.size(), cache_.outstanding());
}

}  // namespace cutaway::boxes
