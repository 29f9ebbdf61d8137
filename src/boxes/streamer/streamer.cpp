#include "boxes/streamer/streamer.h"

#include "messages/draw_state.h"
#include "structures/cache_port.h"
#include "structures/commit_port.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::DrawCommand;
using messages::SlotIndex;
using messages::VertexMessage;

Streamer::Streamer(std::string path, const StreamerSpec& spec, const structures::FrontEnds& front_ends,
                   unsigned unit, unsigned shaders, unsigned group_lanes, unsigned register_lanes,
                   messages::Pools& pools)
    : Box(std::move(path)),
      shaded_in(shaders),
      storage(spec.vertices),
      unit_(unit),
      per_cycle_(spec.vertices_per_cycle),
      attributes_per_cycle_(spec.attributes_per_cycle),
      pools_(pools),
      index_(spec.index_sectors, front_ends),
      post_cache_(spec.post_cache),
      attributes_({.vertices = spec.slots,
                   .reads = spec.attribute_queue,
                   .per_cycle = spec.attributes_per_cycle,
                   .cache_lines = spec.cache_lines,
                   .line_bytes = spec.line_bytes,
                   .cache_mshrs = spec.cache_mshrs,
                   .cache_banks = spec.cache_banks,
                   .cache_replacement = spec.cache_replacement,
                   .group_lanes = group_lanes,
                   .register_lanes = register_lanes},
                  pools.group_vertices),
      commit_(spec.queue, spec.slots, arch::Stage::kVertex),
      reuse_(spec.reuse),
      overlaps_draws_(spec.overlaps_draws),
      fill_cycles_(messages::kSectorBytes / spec.fill_bytes) {
  if (spec.slots <= spec.post_cache)
    user_error("{}.slots: {} must be more than post_cache ({})", this->path(), spec.slots, spec.post_cache);
}

void Streamer::list_ports(engine::PortList& list) {
  list("draws_in", draws_in, "draws");
  list("groups_out", groups_out,
       "groups of vertices with their input registers, and the number of the front end");
  list("shaded_in", shaded_in, "from each shader unit: the vertices of a group");
  list("vertices_out", vertices_out, "vertices, restarts, ends of instances and batches, in order");
  list("index_memory_out", index_memory_out, "reads of index buffers");
  list("index_memory_in", index_memory_in, "replies");
  list("memory_out", memory_out, "reads of the vertex fetch cache");
  list("memory_in", memory_in, "replies");
  list("control_in", control_in, "an order to flush or invalidate");
  list("control_out", control_out, "the order is carried out");
  list("storage", storage);
}

std::vector<std::string_view> Streamer::costs_nothing() const {
  return {"Looking an index up in the post-shading cache", "Converting attributes",
          "Reading and writing the tags and lines of the cache, apart from the cycle of the look-up",
          "Finding out that nothing refers to a vertex any more: its place is free in the next cycle"};
}

// From the end of the pipeline to its start, so that what a stage frees is used one cycle later at the
// earliest.
Cycle Streamer::tick(Cycle now) {
  bool progress = false;
  for (unsigned i = 0; i < per_cycle_; i++) {
    if (!structures::send_oldest(now, commit_, vertices_out, storage, pools_.vertices)) break;
    progress = true;
  }
  progress |= structures::take_shaded(now, commit_, shaded_in);
  progress |= memory(now);
  progress |= deliver_attributes(now);
  progress |= attributes_.look_up(
      {counters.cache_hits, counters.cache_merged, counters.cache_misses, counters.bank_conflicts});
  for (unsigned i = 0; i < per_cycle_ && step_index(now); i++) progress = true;
  // Closes a group rather than let it wait for vertices that wait for it.
  if (!progress && group_closes()) progress = send_group(now);
  progress |= structures::obey_control(now, attributes_.cache(), control_in, control_out);
  return account(now, progress);
}

const engine::Port* Streamer::short_of() const {
  if (commit_.empty() || commit_.ready()) return nullptr;
  if (has_backlog()) return nullptr;
  const uint32_t fetched = attributes_.vertices() + attributes_.lanes_in_group();
  return 2 * fetched < commit_.size() ? &shaded_in[0] : nullptr;
}

Cycle Streamer::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  if (now < fills_until_ && memory_in.peek(now)) return busy(now, fills_until_);
  if (!commit_.empty()) {
    if (structures::lacks_place(now, commit_, vertices_out, storage)) return blocked(now, storage);
    if (commit_.ready()) return blocked(now, vertices_out);
    if (group_closes()) return blocked(now, groups_out);
    if (attributes_.reading()) return starved(now, memory_in);
    return starved(now, shaded_in[0]);
  }
  if (index_.active()) return starved(now, index_memory_in);
  return idle(now);
}

bool Streamer::memory(Cycle now) {
  bool progress = false;
  if (now >= fills_until_ && structures::take_reply(now, attributes_.cache(), memory_in)) {
    fills_until_ = now + fill_cycles_;
    progress = true;
  }
  if (const messages::MemoryReply* reply = index_memory_in.peek(now)) {
    index_.reply(*reply);
    index_memory_in.drop(now);
    progress = true;
  }
  progress |= structures::send_request(now, attributes_.cache(), memory_out);
  arch::Address sector;
  uint32_t tag;
  if (index_.wants(sector, tag) && index_memory_out.ready(now)) {
    index_memory_out.send(now, {.address = sector, .tag = tag, .origin = index_.command().origin});
    index_.asked();
    progress = true;
  }
  return progress;
}

// ---- Groups ----

bool Streamer::deliver_attributes(Cycle now) {
  bool progress = false;
  uint32_t attributes = attributes_per_cycle_;
  for (unsigned i = 0; i < per_cycle_; i++) {
    const AttributeFetch::Delivery done = attributes_.deliver(attributes);
    progress |= done.progress;
    if (!done.group_must_leave || !send_group(now)) break;
    progress = true;
  }
  return progress;
}

bool Streamer::group_closes() const {
  return attributes_.group_closes(!index_.active() || commit_.full() || !commit_.has_free_slot());
}

bool Streamer::send_group(Cycle now) {
  if (!groups_out.ready(now)) return false;
  messages::VertexGroup group = attributes_.take_group();
  group.front_end = unit_;
  groups_out.send(now, std::move(group));
  return true;
}

// ---- Indices and the post-shading cache ----

namespace {

VertexMessage mark(IndexedVertex::Kind kind, const DrawCommand& command) {
  VertexMessage message;
  message.state = command.state;
  message.origin = command.origin;
  if (kind == IndexedVertex::Kind::kRestart) message.kind = VertexMessage::Kind::kRestart;
  if (kind == IndexedVertex::Kind::kNextInstance) message.kind = VertexMessage::Kind::kNextInstance;
  if (kind == IndexedVertex::Kind::kBatchEnd) message.kind = VertexMessage::Kind::kBatchEnd;
  message.draw_end = kind == IndexedVertex::Kind::kDrawEnd;
  return message;
}

}  // namespace

bool Streamer::step_index(Cycle now) {
  if (!index_.active()) {
    if (!draws_in.peek(now) || !(overlaps_draws_ || commit_.empty())) return false;
    // Another draw has another state: earlier vertices are not reused.
    forget_cache();
    in_primitive_ = 0;
    index_.start(draws_in.take(now));
    counters.draws++;
    return true;
  }
  if (commit_.full() || !index_.available()) return false;
  const IndexedVertex item = index_.next();
  if (item.kind == IndexedVertex::Kind::kVertex) {
    if (!enter(item)) return false;
    counters.indices++;
  } else {
    in_primitive_ = 0;
    commit_.push_mark(mark(item.kind, index_.command()));
  }
  index_.take();
  return true;
}

// Called before a primitive for which room may be too small.
void Streamer::begin_vertex_batch() {
  const uint32_t vertices = structures::vertices_of_list_primitive(index_.command().state->registers);
  if (in_primitive_ != 0 || post_cache_.empty() || post_cache_.has_room(vertices)) return;
  forget_cache();
  vertex_batch_++;
}

void Streamer::end_vertex() {
  if (++in_primitive_ >= structures::vertices_of_list_primitive(index_.command().state->registers))
    in_primitive_ = 0;
}

// Enters a vertex into the order: in the slot in which it is found, or in a new one, for which it is fetched.
bool Streamer::enter(const IndexedVertex& item) {
  const DrawCommand& command = index_.command();
  if (command.draw.indexed) {
    if (reuse_ == VertexReuse::kBatches) begin_vertex_batch();
    if (const auto slot = post_cache_.find(item.vertex, item.instance)) {
      end_vertex();
      commit_.push_vertex(*slot, command.state, command.origin, item.batch);
      counters.post_cache_hits++;
      return true;
    }
  }
  if (!commit_.has_free_slot()) return false;
  const SlotIndex slot = commit_.push_new_vertex(command.state, command.origin, item.batch);
  if (command.draw.indexed) {
    if (post_cache_.full()) commit_.release(post_cache_.evict());
    post_cache_.insert(item.vertex, item.instance, slot);
    commit_.hold(slot);
  }
  end_vertex();
  attributes_.push(slot, item.vertex, item.instance, command, vertex_batch_);
  counters.vertices_shaded++;
  counters.driver_vertices_shaded += command.state->of_driver;
  return true;
}

void Streamer::forget_cache() {
  while (!post_cache_.empty()) commit_.release(post_cache_.evict());
}

std::string Streamer::why_busy() const {
  if (commit_.empty() && !index_.active()) return "";
  return fmt::format("{} vertices in order, {} fetches, {} slots free, {} lanes in a group", commit_.size(),
                     attributes_.vertices(), commit_.free_slots(), attributes_.lanes_in_group());
}

}  // namespace cutaway::boxes
