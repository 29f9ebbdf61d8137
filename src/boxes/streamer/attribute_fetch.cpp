#include "boxes/streamer/attribute_fetch.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "func/shader/micro_op.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using messages::kSectorBytes;
using structures::Cache;

AttributeFetch::AttributeFetch(const Sizes& sizes, messages::Pool<messages::GroupVertices>& groups)
    : sizes_(sizes),
      width_(func::register_width(sizes.register_lanes ? sizes.register_lanes : sizes.group_lanes)),
      groups_(groups),
      fetches_(sizes.vertices),
      reads_(sizes.reads),
      cache_({.lines = sizes.cache_lines / 4 * 4,
              .ways = 4,
              .line_bytes = sizes.line_bytes,
              .whole_lines = true,
              .write_backs = std::max(4u, sizes.line_bytes / kSectorBytes),
              .misses = sizes.cache_mshrs,
              .replacement = sizes.cache_replacement}),
      banks_(sizes.cache_banks) {
  CUTAWAY_CHECK(sizes.group_lanes >= 1 && sizes.group_lanes <= width_ && width_ <= messages::kMaxGroupLanes);
}

void AttributeFetch::push(messages::SlotIndex slot, uint32_t vertex, uint32_t instance,
                          const messages::DrawCommand& command, uint32_t batch) {
  Fetch& fetch = fetches_.push();
  fetch.slot = slot;
  fetch.vertex = vertex, fetch.instance = instance;
  fetch.command = command;
  fetch.batch = batch;
  fetch.to_look_up = command.state->vertex().inputs_read() & ((1ull << arch::kVertexAttributes) - 1);
  fetch.missing = static_cast<uint32_t>(std::popcount(fetch.to_look_up));
}

// ---- Look-up ----

// Looks up attributes of the oldest vertex that still has some. A read pins its lines until it is delivered;
// reads are delivered in order, so that earlier ones always release theirs.
bool AttributeFetch::look_up(const Counts& counts) {
  bool progress = false;
  banks_.begin_cycle();
  uint32_t budget = sizes_.per_cycle;
  for (uint32_t i = 0; i < fetches_.size() && budget; i++) {
    Fetch& fetch = fetches_[i];
    for (; fetch.to_look_up && budget; budget--) {
      if (reads_.empty() || reads_.back().lines == reads_.back().lines_wanted) {
        if (reads_.full()) return progress;
        begin_read(fetch);
        progress = true;
      }
      Read& read = reads_.back();
      const uint8_t pinned = read.lines;
      pin_lines(read, fetch.command.origin, counts);
      progress |= read.lines > pinned;
      if (read.lines < read.lines_wanted) return progress;
      fetch.to_look_up &= fetch.to_look_up - 1;
    }
    if (fetch.to_look_up) break;
  }
  return progress;
}

void AttributeFetch::begin_read(const Fetch& fetch) {
  Read& read = reads_.push();
  read.attribute = static_cast<uint32_t>(std::countr_zero(fetch.to_look_up));
  read.plan = func::plan_vertex_fetch(fetch.command.state->registers.assembly, read.attribute, fetch.vertex,
                                      fetch.instance, fetch.command.draw.first_instance);
  const uint64_t first = read.plan.address / sizes_.line_bytes;
  const uint64_t last = (read.plan.address + read.plan.bytes - 1) / sizes_.line_bytes;
  read.lines_wanted = read.plan.reads_memory() ? static_cast<uint8_t>(last - first + 1) : 0;
}

// Pins as many lines as possible now.
void AttributeFetch::pin_lines(Read& read, const messages::Origin& origin, const Counts& counts) {
  for (; read.lines < read.lines_wanted; read.lines++) {
    const arch::Address address = (read.plan.address / sizes_.line_bytes + read.lines) * sizes_.line_bytes;
    const uint32_t set = banks_.any() ? cache_.set_of(address) : 0;
    if (!banks_.free(set)) {
      counts.bank_conflicts++;
      return;
    }
    const Cache::Outcome outcome = cache_.access(address, 1, origin, read.line[read.lines]);
    if (outcome == Cache::Outcome::kStall) return;
    banks_.take(set);
    (outcome == Cache::Outcome::kMiss ? counts.misses : counts.hits)++;
    counts.merged += outcome == Cache::Outcome::kHitUnderWay;
  }
}

// ---- Delivery ----

AttributeFetch::Delivery AttributeFetch::deliver(uint32_t& budget) {
  Delivery done;
  for (; budget && !fetches_.empty(); budget--) {
    if (group_closes(false)) {
      done.group_must_leave = true;
      break;
    }
    Fetch& fetch = fetches_.front();
    if (lanes_done_ == group_.lanes) {
      begin_lane(fetch);
      done.progress = true;
    }
    if (fetch.missing) {
      if (reads_.empty() || !arrived(reads_.front())) break;
      finish_read();
      fetch.missing--;
      done.progress = true;
    }
    if (fetch.missing == 0) {
      lanes_done_++;
      fetches_.drop();
      done.progress = true;
    }
  }
  return done;
}

bool AttributeFetch::arrived(const Read& read) const {
  if (read.lines < read.lines_wanted) return false;
  for (uint32_t i = 0; i < read.lines; i++) {
    const Piece here = piece(read, i);
    if (!cache_.ready(read.line[i], here.offset, here.bytes)) return false;
  }
  return true;
}

AttributeFetch::Piece AttributeFetch::piece(const Read& read, uint32_t line) const {
  const auto first = static_cast<uint32_t>(read.plan.address % sizes_.line_bytes);
  const uint32_t in_first = std::min(read.plan.bytes, sizes_.line_bytes - first);
  return line == 0 ? Piece{first, in_first} : Piece{0, read.plan.bytes - in_first};
}

void AttributeFetch::begin_lane(const Fetch& fetch) {
  const messages::DrawCommand& command = fetch.command;
  if (group_.lanes == 0) {
    group_.vertices = groups_.allocate();
    group_.state = command.state;
    group_.origin = command.origin;
    batch_ = fetch.batch;
  }
  const uint32_t lane = group_.lanes++;
  group_.vertices->slot[lane] = fetch.slot;
  group_.vertices->index[lane] = fetch.vertex;
  group_.vertices->instance[lane] = fetch.instance;
  const auto put = [&](uint32_t reg, const command_stream::InputRegister& value) {
    for (uint32_t c = 0; c < 4; c++)
      group_.vertices->word[func::register_word(width_, reg, c, lane)] = value[c];
  };
  put(arch::kInputVertexId,
      command_stream::vertex_id_input(command.state->registers, command.draw, fetch.vertex, fetch.instance));
  put(arch::kInputDraw, command_stream::draw_input(command.draw));
}

// Writes the oldest read to the newest lane, and releases its lines.
void AttributeFetch::finish_read() {
  const Read read = reads_.pop();
  std::byte bytes[kSectorBytes] = {};
  std::byte* to = bytes;
  for (uint32_t i = 0; i < read.lines; i++) {
    const Piece here = piece(read, i);
    to = std::copy_n(cache_.data(read.line[i]) + here.offset, here.bytes, to);
  }
  uint32_t value[4];
  func::finish_vertex_fetch(group_.state->registers.assembly, read.attribute, read.plan, bytes, value);
  for (uint32_t c = 0; c < 4; c++)
    group_.vertices->word[func::register_word(width_, read.attribute, c, group_.lanes - 1)] = value[c];
  for (uint32_t i = 0; i < read.lines; i++) cache_.unpin(read.line[i]);
}

bool AttributeFetch::group_closes(bool none_comes) const {
  if (group_.lanes == 0 || lanes_done_ < group_.lanes) return false;
  if (group_.lanes == sizes_.group_lanes) return true;
  if (fetches_.empty()) return none_comes;
  return fetches_.front().command.state != group_.state || fetches_.front().batch != batch_;
}

messages::VertexGroup AttributeFetch::take_group() {
  CUTAWAY_CHECK(group_.lanes && lanes_done_ == group_.lanes);
  lanes_done_ = 0;
  return std::exchange(group_, {});
}

}  // namespace cutaway::boxes
