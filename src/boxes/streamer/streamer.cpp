#include "boxes/streamer/streamer.h"

#include <bit>

namespace cutaway::boxes {

using engine::Cycle;
using parts::Cache;

Streamer::Streamer(std::string path, const StreamerSpec& spec, unsigned shaders, unsigned group_lanes,
                   parts::Pools& pools)
    : Box(std::move(path)),
      shaded_in(shaders),
      spec_(spec),
      group_lanes_(group_lanes),
      pools_(pools),
      index_(spec.index_sectors),
      slots_(spec.slots),
      post_cache_(spec.post_cache),
      order_(spec.queue),
      fetches_(spec.slots),
      reads_(spec.attribute_queue),
      cache_({.lines = spec.cache_lines / 4 * 4,
              .ways = 4,
              .line_bytes = parts::kSectorBytes,
              .write_backs = 4}) {
  if (spec.slots <= spec.post_cache)
    user_error("{}.slots: {} must be more than post_cache ({})", this->path(), spec.slots, spec.post_cache);
  for (unsigned i = spec.slots; i-- > 0;) free_slots_.push_back(static_cast<uint8_t>(i));
}

void Streamer::list_ports(engine::PortList& list) {
  list("draws_in", draws_in);
  list("groups_out", groups_out);
  list("shaded_in", shaded_in);
  list("vertices_out", vertices_out);
  list("index_memory_out", index_memory_out);
  list("index_memory_in", index_memory_in);
  list("memory_out", memory_out);
  list("memory_in", memory_in);
  list("control_in", control_in);
  list("control_out", control_out);
}

// From the end of the pipeline to its start, so that what a stage frees is used one cycle later at the
// earliest.
Cycle Streamer::tick(Cycle now) {
  blocked_on_group_ = false;
  bool progress = commit(now);
  progress |= take_shaded(now);
  progress |= memory(now);
  progress |= deliver_attributes(now);
  progress |= look_up_attributes(now);
  progress |= step_index(now);
  if (!progress) progress = close_group(now);
  progress |= parts::obey_control(now, cache_, control_in, control_out);
  return account(now, progress);
}

Cycle Streamer::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  if (!order_.empty()) {
    const Ordered& oldest = order_.front();
    if (oldest.kind != IndexedVertex::Kind::kVertex || slots_[oldest.slot].shaded)
      return blocked(now, vertices_out);
    if (blocked_on_group_) return blocked(now, groups_out);
    if (!reads_.empty()) return starved(now, memory_in);
    return starved(now, shaded_in[0]);
  }
  if (index_.active()) return starved(now, index_memory_in);
  return idle(now);
}

// One vertex per cycle to primitive assembly, in order; more than 16 outputs take the wire for longer
// (ATT-2).
bool Streamer::commit(Cycle now) {
  if (order_.empty() || !vertices_out.ready(now)) return false;
  const Ordered& oldest = order_.front();
  const bool vertex = oldest.kind == IndexedVertex::Kind::kVertex;
  if (vertex && !slots_[oldest.slot].shaded) return false;
  parts::VertexMessage message;
  message.state = oldest.state;
  message.origin = oldest.origin;
  if (vertex) message.vertex = slots_[oldest.slot].vertex;
  if (oldest.kind == IndexedVertex::Kind::kRestart) message.kind = parts::VertexMessage::Kind::kRestart;
  if (oldest.kind == IndexedVertex::Kind::kNextInstance)
    message.kind = parts::VertexMessage::Kind::kNextInstance;
  message.draw_end = oldest.kind == IndexedVertex::Kind::kDrawEnd;
  const uint32_t outputs = static_cast<uint32_t>(
      std::popcount(oldest.state->registers.shader[static_cast<uint32_t>(arch::Stage::kVertex)].outputs));
  vertices_out.send(now, std::move(message), vertex && outputs > 16 ? (outputs + 15) / 16 : 1);
  if (vertex) release_slot(oldest.slot);
  order_.pop();
  return true;
}

void Streamer::release_slot(uint8_t index) {
  Slot& slot = slots_[index];
  if (--slot.users) return;
  slot = {};
  free_slots_.push_back(index);
}

bool Streamer::take_shaded(Cycle now) {
  bool progress = false;
  for (auto& port : shaded_in) {
    if (!port.peek(now)) continue;
    const parts::ShadedVertices shaded = port.take(now);
    for (uint32_t lane = 0; lane < shaded.lanes; lane++) {
      slots_[shaded.slot[lane]].vertex = shaded.vertex[lane];
      slots_[shaded.slot[lane]].shaded = true;
    }
    progress = true;
  }
  return progress;
}

bool Streamer::memory(Cycle now) {
  bool progress = parts::take_reply(now, cache_, memory_in);
  if (const parts::MemoryReply* reply = index_memory_in.peek(now)) {
    index_.reply(*reply);
    index_memory_in.drop(now);
    progress = true;
  }
  progress |= parts::send_request(now, cache_, memory_out);
  arch::Address sector;
  uint32_t tag;
  if (index_.wants(sector, tag) && index_memory_out.ready(now)) {
    index_memory_out.send(now, {.address = sector, .tag = tag, .origin = index_.command().origin});
    index_.asked();
    progress = true;
  }
  return progress;
}

// ---- Indices and the post-shading cache ----

bool Streamer::step_index(Cycle now) {
  if (!index_.active()) {
    if (!draws_in.peek(now)) return false;
    // Another draw has another state: its vertices are not those of the last one.
    forget_cache();
    index_.start(draws_in.take(now));
    counters.draws++;
    return true;
  }
  if (order_.full() || !index_.available()) return false;
  const IndexedVertex item = index_.next();
  if (item.kind == IndexedVertex::Kind::kVertex) {
    if (!allocate(item)) return false;
    counters.indices++;
  } else {
    order_.push({item.kind, 0, index_.command().origin, index_.command().state});
  }
  index_.take();
  return true;
}

bool Streamer::allocate(const IndexedVertex& item) {
  const parts::DrawCommand& command = index_.command();
  if (command.draw.indexed) {
    for (uint32_t i = 0; i < post_cache_.size(); i++) {
      const Cached& cached = post_cache_[i];
      if (cached.vertex != item.vertex || cached.instance != item.instance) continue;
      slots_[cached.slot].users++;
      order_.push({item.kind, cached.slot, command.origin, command.state});
      counters.post_cache_hits++;
      return true;
    }
  }
  if (free_slots_.empty() || fetches_.full()) return false;
  const uint8_t slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot].users = 1;
  if (command.draw.indexed) {
    if (post_cache_.full()) release_slot(post_cache_.pop().slot);  // first in, first out
    post_cache_.push({item.vertex, item.instance, slot});
    slots_[slot].users++;
  }
  order_.push({item.kind, slot, command.origin, command.state});
  Fetch& fetch = fetches_.push();
  fetch.slot = slot;
  fetch.vertex = item.vertex, fetch.instance = item.instance;
  fetch.draw = command.draw;
  fetch.to_look_up = command.state->vertex().inputs_read() & ((1ull << arch::kVertexAttributes) - 1);
  fetch.missing = static_cast<uint32_t>(std::popcount(fetch.to_look_up));
  fetch.origin = command.origin;
  fetch.state = command.state;
  counters.vertices_shaded++;
  counters.driver_vertices_shaded += command.state->of_driver;
  return true;
}

void Streamer::forget_cache() {
  while (!post_cache_.empty()) release_slot(post_cache_.pop().slot);
}

std::string Streamer::why_busy() const {
  if (order_.empty() && !index_.active()) return "";
  return fmt::format("{} vertices in order, {} fetches, {} slots free, {} lanes in a group", order_.size(),
                     fetches_.size(), free_slots_.size(), group_.lanes);
}

}  // namespace cutaway::boxes
