#include "boxes/z_stencil/tile_reports.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "func/format/numeric.h"
#include "func/rop/depth_stencil.h"
#include "messages/draw_state.h"
#include "messages/target_of_quad.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

// True if the bytes of a field are there in every 32-bit element of a sector.
bool holds(messages::ByteMask readable, const arch::FormatInfo::Channel& field) {
  const uint64_t element = ((uint64_t{1} << field.bits / 8) - 1) << field.offset / 8;
  const messages::ByteMask needed = element * 0x1111111111111111;
  return (readable & needed) == needed;
}

void note_depth(const arch::FormatInfo& format, uint32_t element, messages::HzUpdate& update) {
  const auto depth = static_cast<float>(func::stored_depth(format, element));
  update.least = std::min(update.least, depth);
  update.greatest = std::max(update.greatest, depth);
}

bool holds_depths(messages::ByteMask readable, const arch::FormatInfo& format) {
  return holds(readable, format.depth);
}

}  // namespace

TileReports::TileReports(const TileReportsLimits& spec, uint32_t lines, uint32_t line_bytes,
                         ZStencilCounters& counters)
    : spec_(spec),
      counters_(counters),
      line_bytes_(line_bytes),
      uses_(lines),
      changed_(std::max(1u, spec.queue)),
      updates_(2 * lines) {}

void TileReports::acquired(const structures::QuadAccess& access, const messages::QuadMessage& quad,
                           uint8_t sample) {
  const func::TargetView& view = quad.state->depth_view;
  const bool describable = view.tiled && view.bytes == 4 && line_bytes_ == 256;
  const arch::Address surface = messages::depth_base(quad);
  for (uint32_t i = 0; i < access.lines(); i++) {
    Use& use = uses_[access.line(i)];
    use.surface = surface;
    use.x = quad.x & ~7, use.y = quad.y & ~7;
    use.epoch = quad.hz_epoch;
    use.format = describable ? &arch::format_info(quad.state->registers.depth.surface.format) : nullptr;
    use.sample = sample;
  }
}

void TileReports::tested(const structures::QuadAccess& access, const messages::QuadMessage& quad,
                         bool wrote) {
  if (!spec_.queue || access.lines() != 1) return;
  const uint32_t line = access.line(0);
  if (line != current_ && current_ != structures::Cache::kNone) {
    Use& left = uses_[current_];
    if (left.format && left.changed && !left.queued) {
      left.queued = !changed_.full();
      if (left.queued) changed_.push(current_);
      else counters_.tiles_put_off++;
    }
  }
  current_ = line;
  uses_[line].tested_epoch = quad.hz_epoch;
  uses_[line].changed |= wrote;
}

bool TileReports::read_next(Cycle now, const structures::Cache& cache) {
  if (changed_.empty() || now < free_) return false;
  const uint32_t line = changed_.pop();
  Use& use = uses_[line];
  // The line may have left the cache, or hold other bytes now.
  if (!std::exchange(use.queued, false) || !use.format || !holds_depths(cache.readable(line), *use.format))
    return true;
  free_ = now + spec_.line_cycles;
  if (updates_.full()) {
    counters_.tiles_put_off++;
    return true;
  }
  use.changed = false;
  use.told_epoch = use.tested_epoch;
  tell(use, use.tested_epoch, cache.readable(line), cache.data(line));
  return true;
}

void TileReports::look_after_evicted(structures::Cache& cache) {
  const structures::Cache::Evicted evicted = cache.take_evicted();
  if (evicted.line == structures::Cache::kNone) return;
  const Use use = std::exchange(uses_[evicted.line], {});
  if (current_ == evicted.line) current_ = structures::Cache::kNone;
  if (!use.format || !holds_depths(evicted.readable, *use.format)) return;
  if (spec_.queue && !use.changed && use.epoch == use.told_epoch) return;
  if (updates_.full()) {
    counters_.tiles_put_off++;
    return;
  }
  tell(use, use.epoch, evicted.readable, cache.data(evicted.line));
}

void TileReports::tell(const Use& use, uint32_t epoch, messages::ByteMask readable, const std::byte* data) {
  messages::HzUpdate update{.surface = use.surface,
                            .x = use.x,
                            .y = use.y,
                            .least = 1,
                            .greatest = 0,
                            .epoch = epoch,
                            .sample = use.sample};
  update.one_stencil = use.format->has_stencil() && holds(readable, use.format->stencil);
  const auto depth_bits =
      static_cast<uint32_t>(func::low_mask(use.format->depth.bits) << use.format->depth.offset);
  uint32_t least = ~0u, greatest = 0;
  for (uint32_t pixel = 0; pixel < 64; pixel++) {
    uint32_t element;
    std::memcpy(&element, data + pixel * 4, 4);
    const auto stencil = static_cast<uint8_t>(element >> use.format->stencil.offset);
    if (pixel == 0) update.stencil = stencil;
    update.one_stencil &= stencil == update.stencil;
    if (use.format->depth_float) {
      note_depth(*use.format, element, update);
    } else {  // fixed-point depths have the order of their codes
      least = std::min(least, element & depth_bits);
      greatest = std::max(greatest, element & depth_bits);
    }
  }
  if (!use.format->depth_float)
    for (const uint32_t element : {least, greatest}) note_depth(*use.format, element, update);
  counters_.tiles_told++;
  updates_.push(update);
}

void TileReports::forget() {
  std::fill(uses_.begin(), uses_.end(), Use{});
  while (!changed_.empty()) changed_.drop();
  current_ = structures::Cache::kNone;
}

}  // namespace cutaway::boxes
