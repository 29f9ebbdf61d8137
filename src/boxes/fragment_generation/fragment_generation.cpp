#include "boxes/fragment_generation/fragment_generation.h"

#include <algorithm>
#include <bit>

#include "boxes/fragment_generation/covered_blocks.h"
#include "func/raster/coverage.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;

FragmentGeneration::FragmentGeneration(std::string path, const FragmentGenerationSpec& spec, unsigned unit,
                                       unsigned front_ends)
    : Box(std::move(path)),
      primitives_in(front_ends),
      spec_(spec),
      map_(spec.tile_map()),
      unit_(unit),
      order_(ScanOrders::make(spec.order, {.tile = spec.tile,
                                           .rows = spec.scan_rows,
                                           .block = spec.block,
                                           .level_cycles = spec.level_cycles})),
      found_(spec.found_tiles) {}

std::vector<std::string_view> FragmentGeneration::costs_nothing() const {
  std::vector<std::string_view> work = {"The number of samples: all samples of a tile are tested together"};
  if (spec_.order == "recursive" || spec_.order == "hilbert")
    work.push_back(
        "Finding the first block of a descent, where `fragment_generation.order` is \"recursive\" or \"hilbert\"");
  else work.push_back("Finding the next own tile of a scanner");
  return work;
}

// A primitive that is done in the middle of a cycle leaves the tests of the rest of the cycle
// unused: one primitive per cycle.
Cycle FragmentGeneration::tick(Cycle now) {
  unsigned sent = send_found(now), tested = 0;
  if (!active_) {
    const bool passed = pass_turns(now);
    auto& port = primitives_in[turn_];
    const messages::SetupMessage* next = port.peek(now);
    const bool takes = next && (next->draw_end ? found_.empty() && tiles_out.ready(now) : room(now, sent));
    if ((passed || sent) && (!takes || next->batch_end)) return busy(now);
    if (!next && found_.empty()) return others_wait(now) ? starved(now, port) : idle(now);
    if (!takes && now < scanned_) return busy(now, scanned_);
    if (!takes) return blocked(now, tiles_out);
    if (next->draw_end) {
      tiles_out.send(now, {.state = next->state, .origin = next->origin, .draw_end = true});
      port.drop(now);
      pass_turn();
      return busy(now);
    }
    start(port.take(now));
    if (!active_) return busy(now);  // no part of it is in this rasteriser's tiles
  }
  for (; active_ && tested < spec_.tests_per_cycle && order_->ready(now); tested++) {
    if (order_->size() > func::kTilePixels) {
      look_at_block(now);
    } else {
      if (!room(now, sent)) break;
      sent += look_at_tile(now, sent);
    }
    advance();
  }
  if (tested || sent) return busy(now);
  if (!order_->ready(now)) {
    const bool scans = !found_.empty() && now < scanned_;
    return busy(now, scans ? std::min(scanned_, order_->ready_at()) : order_->ready_at());
  }
  return now < scanned_ ? busy(now, scanned_) : blocked(now, tiles_out);
}

// Sends waiting tiles, as many as fit in this cycle.
unsigned FragmentGeneration::send_found(Cycle now) {
  unsigned sent = 0;
  for (; !found_.empty() && can_send(now, sent); sent++) send(now, found_.pop());
  return sent;
}

// True if one more tile can be sent: the one before has been scanned.
bool FragmentGeneration::can_send(Cycle now, unsigned sent) const {
  return sent < spec_.tiles_per_cycle && now >= scanned_ && tiles_out.ready(now);
}

void FragmentGeneration::send(Cycle now, messages::TileMessage&& tile) {
  const unsigned cycles = cycles_of(tile);
  tiles_out.send(now, std::move(tile));
  if (cycles > 1) scanned_ = now + cycles;
}

// Cycles in which the pixels of a tile are drawn: one for each block with fragments, or a fixed number.
unsigned FragmentGeneration::cycles_of(const messages::TileMessage& tile) const {
  if (!spec_.pixels_per_cycle) return spec_.tile_cycles;
  return covered_blocks(tile.coverage, spec_.pixels_per_cycle);
}

// True if there is room for one more tile with fragments.
bool FragmentGeneration::room(Cycle now, unsigned sent) const {
  return !found_.full() || (found_.empty() && can_send(now, sent));
}

// Enters a block if it may contain part of the primitive and part of this rasteriser's tiles.
void FragmentGeneration::look_at_block(Cycle now) {
  counters.blocks_tested++;
  const int32_t x = order_->x(), y = order_->y(), size = order_->size();
  if ((map_.owners(x, y, x + size, y + size) >> unit_ & 1) &&
      func::tile_overlaps(current_.primitive->primitive, x, y, size))
    order_->enter(now);
}

// Returns true if the tile was sent.
bool FragmentGeneration::look_at_tile(Cycle now, unsigned sent) {
  counters.tiles_tested++;
  if (!owned_here()) return false;
  const func::TileSamples samples = coverage_here();
  if (!samples.any) return false;
  counters.tiles++;
  const auto fragments = static_cast<uint64_t>(std::popcount(samples.any));
  counters.fragments += fragments;
  if (current_.state->tiles)
    current_.state->tiles->at(order_->x(), order_->y()).generated += static_cast<uint32_t>(fragments);
  if (current_.state->of_driver) counters.driver_fragments += fragments;
  messages::TileMessage tile{.primitive = current_.primitive,
                             .state = current_.state,
                             .origin = current_.origin,
                             .x = order_->x(),
                             .y = order_->y(),
                             .coverage = samples.any,
                             .samples = samples.sample};
  const bool at_once = found_.empty() && can_send(now, sent);
  if (at_once) send(now, std::move(tile));
  else found_.push(std::move(tile));
  return at_once;
}

// Consumes ends of batches at the inputs: at most one per front end and cycle.
bool FragmentGeneration::pass_turns(Cycle now) {
  size_t passed = 0;
  for (; passed < primitives_in.size(); passed++) {
    const messages::SetupMessage* next = primitives_in[turn_].peek(now);
    if (!next || !next->batch_end) break;
    primitives_in[turn_].drop(now);
    pass_turn();
  }
  return passed > 0;
}

// True if other front ends wait for their turn.
bool FragmentGeneration::others_wait(Cycle now) const {
  return std::any_of(primitives_in.begin(), primitives_in.end(),
                     [&](const auto& in) { return in.peek(now); });
}

std::string FragmentGeneration::why_busy() const {
  if (active_) return "a primitive is half traversed";
  if (!found_.empty()) return "tiles wait to be sent";
  return others_wait(domain().now()) ? "primitives wait for their turn" : "";
}

// All samples of a tile, or of the half that is visited, are tested together.
func::TileSamples FragmentGeneration::coverage_here() const {
  const func::Primitive& primitive = current_.primitive->primitive;
  const uint32_t mask = current_.state->registers.raster.sample_mask;
  func::TileSamples here;
  if (current_.state->samples > 1) here = func::tile_samples(primitive, order_->x(), order_->y(), mask);
  else if (mask & 1) here.any = func::tile_coverage(primitive, order_->x(), order_->y());
  here.any &= order_->part();
  for (uint64_t& covered : here.sample) covered &= order_->part();
  return here;
}

void FragmentGeneration::start(const messages::SetupMessage& message) {
  current_ = message;
  active_ = true;
  counters.primitives++;
  const func::Primitive& primitive = message.primitive->primitive;
  order_->start({.left = primitive.x0 & ~7,
                 .top = primitive.y0 & ~7,
                 .right = (primitive.x1 - 1) & ~7,
                 .bottom = (primitive.y1 - 1) & ~7});
  if (!order_->looks_beyond() && !owned_here()) advance();
}

// Moves to the next tile of this rasteriser, or to the next block or tile that the scan order tests.
void FragmentGeneration::advance() {
  do
    if (!order_->next()) {
      active_ = false;
      current_ = {};
      return;
    }
  while (!order_->looks_beyond() && !owned_here());
}

}  // namespace cutaway::boxes
