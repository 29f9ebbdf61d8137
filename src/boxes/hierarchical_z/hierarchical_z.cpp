#include "boxes/hierarchical_z/hierarchical_z.h"

#include <algorithm>
#include <bit>

#include "command_stream/primitive_geometry.h"
#include "func/raster/coverage.h"
#include "func/raster/interpolate.h"
#include "func/raster/samples.h"
#include "messages/draw_state.h"
#include "messages/log_fragments.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

// True if the primitive covers all samples of the tile. If a full half comes by itself, as an order of
// rasterisation may have it, the primitive is asked about the other.
bool covers_all(const messages::TileMessage& tile) {
  constexpr uint64_t kUpperHalf = 0xffffffff;
  const uint32_t samples = tile.state->samples;
  const auto full = [&](const std::array<uint64_t, func::kMaxSamples>& sample, uint64_t any) {
    const auto all = [](uint64_t covered) { return covered == ~0ull; };
    return all(any) && (samples == 1 || std::all_of(sample.begin(), sample.begin() + samples, all));
  };
  if (full(tile.samples, tile.coverage)) return true;
  if (tile.coverage != kUpperHalf && tile.coverage != ~kUpperHalf) return false;
  const func::Primitive& primitive = tile.primitive->primitive;
  if (samples == 1) return func::tile_coverage(primitive, tile.x, tile.y) == ~0ull;
  const func::TileSamples whole =
      func::tile_samples(primitive, tile.x, tile.y, tile.state->registers.raster.sample_mask);
  return full(whole.sample, whole.any);
}

// Drops what is known of memory that a clear writes as another surface.
void note_clear(HzMemory& memory, const arch::ClearPacket& packet) {
  arch::Surface layer = packet.surface;
  for (uint32_t i = 0; i < packet.surface.layer_count; i++, layer.base_layer++)
    memory.written_as(depth_image(layer, layer.samples()));
}

}  // namespace

HierarchicalZ::HierarchicalZ(std::string path, const HierarchicalZSpec& spec, structures::TileMap rops,
                             structures::OwnedTiles own)
    : Box(std::move(path)),
      quads_out(rops.units()),
      updates_in(rops.units()),
      spec_(spec),
      rops_(std::move(rops)),
      memory_(spec.entries, spec.surfaces, std::move(own)),
      buffer_(memory_, {spec.bits, spec.exponent_bits}, spec.accepts, spec.flip) {
  if (spec.enabled && spec.stencil) stencils_.emplace(memory_);
}

std::vector<std::string_view> HierarchicalZ::costs_nothing() const {
  return {"Opening every entry of a surface", "Giving entries to a surface, and taking them from others",
          "Updates: it takes all that have come"};
}

Cycle HierarchicalZ::tick(Cycle now) {
  bool progress = take_updates(now);
  for (unsigned i = 0; i < spec_.tiles_per_cycle; i++) {
    if (!pending_) {
      if (!process(now)) break;
      progress = true;
    }
    if (!pending_) continue;
    const uint32_t quad_before = next_quad_, end_before = end_sent_;
    const bool done = send_quads(now);
    progress |= done || next_quad_ != quad_before || end_sent_ != end_before;
    if (!done) break;
  }
  progress |= control(now);
  if (progress) return busy(now);
  if (cleared_at_ > now) return busy(now, cleared_at_);
  return pending_ ? blocked(now, quads_out[blocked_by_]) : idle(now);
}

// A clear takes as many cycles as its entries need.
bool HierarchicalZ::control(Cycle now) {
  const messages::Control* order = control_in.peek(now);
  if (!order) return false;
  if (order->kind == messages::Control::Kind::kInvalidate) memory_.forget();
  if (order->kind == messages::Control::Kind::kClear && !cleared_at_) {
    note_clear(memory_, *order->clear);
    const uint32_t tiles = buffer_.clear(*order->clear);
    if (stencils_) stencils_->clear(*order->clear, buffer_.epoch());
    counters.tiles_cleared += tiles;
    cleared_at_ = now + (tiles + spec_.clear_tiles - 1) / spec_.clear_tiles;
  }
  if (cleared_at_ > now || !control_out.ready(now)) return false;
  cleared_at_ = 0;
  control_out.send(now, {order->kind});
  control_in.drop(now);
  return true;
}

// Drops what is known of memory that a draw writes as another surface, or as several layers, maybe through
// other rasterisers alone.
void HierarchicalZ::note_draw(const arch::Registers& registers) {
  const arch::Surface& surface = registers.depth.surface;
  const arch::FormatInfo& format = arch::format_info(surface.format);
  if (!format.has_depth() && !format.has_stencil()) return;
  if (command_stream::chooses_layer(registers)) memory_.drop(surface);
  else memory_.written_as(depth_image(surface, func::sample_count(registers)));
}

bool HierarchicalZ::take_updates(Cycle now) {
  bool progress = false;
  for (auto& port : updates_in) {
    while (const messages::HzUpdate* update = port.peek(now)) {
      const HzBuffer::Outcome outcome = buffer_.update(*update);
      counters.updates += outcome == HzBuffer::Outcome::kNarrowed;
      counters.updates_stale += outcome == HzBuffer::Outcome::kStale;
      if (stencils_) stencils_->update(*update);
      port.drop(now);
      progress = true;
    }
  }
  return progress;
}

// Takes a tile and tests it. Returns true if there was one; it is then tile_, unless rejected.
bool HierarchicalZ::process(Cycle now) {
  if (!tiles_in.peek(now)) return false;
  tile_ = tiles_in.take(now);
  pending_ = true;
  next_quad_ = end_sent_ = 0;
  if (tile_.draw_end) {
    draw_ = 0;
    note_draw(tile_.state->registers);
    return true;
  }
  if (draw_ != tile_.origin.draw || submission_ != tile_.origin.submission) {
    draw_ = tile_.origin.draw;
    submission_ = tile_.origin.submission;
    note_draw(tile_.state->registers);
    buffer_.begin_draw(tile_.state->registers);
    if (stencils_) stencils_->begin_draw(tile_.state->registers, tile_.state->depth, buffer_.epoch());
  }
  counters.tiles++;
  using Verdict = HzBuffer::Verdict;
  const auto [verdict, whole] = test_tile();
  accepted_ = verdict == Verdict::kAccepted;
  whole_ = whole;
  counters.tiles_accepted += accepted_;
  if (verdict == Verdict::kRejected) {
    counters.tiles_rejected++;
    const auto fragments = static_cast<uint64_t>(std::popcount(tile_.coverage));
    counters.fragments_rejected += fragments;
    if (tile_.state->tiles)
      tile_.state->tiles->at(tile_.x, tile_.y).killed_hz += static_cast<uint32_t>(fragments);
    if (tile_.state->log) messages::log_tile(*tile_.state->log, tile_);
    if (tile_.state->of_driver) counters.driver_fragments_rejected += fragments;
    tile_ = {};
    pending_ = false;
  }
  return true;
}

HierarchicalZ::Tested HierarchicalZ::test_tile() {
  if (!spec_.enabled) return {};
  const bool upper = !(tile_.coverage >> 32), lower = !(tile_.coverage << 32);
  const FirstHalf here = upper || lower ? half_of(tile_) : FirstHalf{};
  FirstHalf& first = halves_[static_cast<uint32_t>(tile_.x) / func::kTilePixels % halves_.size()];
  if (lower && first.is_of(here)) return first.tested;
  Tested tested;
  const bool stencil_fails =
      stencils_ && stencils_->rejects(tile_.primitive->primitive.front_facing, tile_.x, tile_.y);
  counters.tiles_rejected_stencil += stencil_fails;
  if (stencil_fails) tested.verdict = HzBuffer::Verdict::kRejected;
  else tested.verdict = buffer_.test(tile_.state->registers, tile_.primitive->primitive, tile_.x, tile_.y);
  counters.tiles_opened = buffer_.opened();
  tested.whole = tested.verdict == HzBuffer::Verdict::kAccepted && covers_all(tile_);
  if (upper) first = here, first.tested = tested;
  return tested;
}

HierarchicalZ::FirstHalf HierarchicalZ::half_of(const messages::TileMessage& tile) const {
  const func::Primitive& of = tile.primitive->primitive;
  return {.x = tile.x,
          .y = tile.y,
          .origin = tile.origin,
          .bounds = {of.x0, of.y0, of.x1, of.y1},
          .depth = {of.depth.constant, of.depth.k1, of.depth.k2},
          .tested = {}};
}

// Sends as many quads as there is room for. Returns true when the tile is done.
bool HierarchicalZ::send_quads(Cycle now) {
  if (tile_.draw_end) return send_end(now);
  const unsigned unit = rops_.owner(tile_.x, tile_.y);
  for (; next_quad_ < func::kTileQuads; next_quad_++) {
    const uint8_t mask = func::quad_mask(tile_.coverage, next_quad_);
    if (!mask) continue;
    if (!quads_out[unit].ready(now)) {
      blocked_by_ = unit;
      return false;
    }
    messages::QuadMessage& quad = quads_out[unit].put(now);
    quad.primitive = tile_.primitive;
    quad.state = tile_.state;
    quad.origin = tile_.origin;
    quad.x = tile_.x + func::quad_x(next_quad_);
    quad.y = tile_.y + func::quad_y(next_quad_);
    quad.mask = mask;
    quad.rop = static_cast<uint8_t>(unit);
    quad.hz_epoch = buffer_.epoch();
    quad.accepted = accepted_;
    quad.whole_tile = whole_;
    quad.full_sub_tile = func::full_half(tile_.coverage, next_quad_);
    counters.quads++;
    if (!tile_.state->ends_before_shading) quad.number = next_number_++;
    if (tile_.state->samples > 1) {
      quad.covered = quad.alive =
          func::TileSamples{.sample = tile_.samples, .any = tile_.coverage}.quad(next_quad_);
      continue;
    }
    quad.covered = mask;
    func::depth<4>(tile_.primitive->primitive, func::quad_positions(quad.x, quad.y), {}, quad.z.data());
  }
  tile_ = {};
  pending_ = false;
  return true;
}

bool HierarchicalZ::send_end(Cycle now) {
  for (unsigned unit = 0; unit < quads_out.size(); unit++) {
    if (end_sent_ >> unit & 1) continue;
    if (!quads_out[unit].ready(now)) {
      blocked_by_ = unit;
      return false;
    }
    messages::QuadMessage& quad = quads_out[unit].put(now);
    quad.state = tile_.state;
    quad.origin = tile_.origin;
    quad.draw_end = true;
    end_sent_ |= 1u << unit;
  }
  tile_ = {};
  pending_ = false;
  return true;
}

std::string HierarchicalZ::why_busy() const { return pending_ ? "a tile is half sent" : ""; }

}  // namespace cutaway::boxes
