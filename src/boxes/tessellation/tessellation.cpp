#include "boxes/tessellation/tessellation.h"

#include <algorithm>

#include "command_stream/legal.h"
#include "messages/batch_end.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;
using messages::PrimitiveMessage;

namespace {

// KB of memory that a patch takes.
uint32_t patch_places(const messages::DrawState& state) {
  return std::max((state.registers.tessellation.patch_bytes + 1023) / 1024, 1u);
}

}  // namespace

Tessellation::Tessellation(std::string path, const TessellationSpec& spec, unsigned front_end,
                           unsigned shaders, unsigned group_lanes, messages::Pools& pools,
                           arch::Address own_memory)
    : Box(std::move(path)),
      patches_in(shaders),
      points_in(shaders),
      memory(spec.patch_memory),
      storage(spec.vertices),
      spec_(spec),
      patches_(spec.groups, spec.gather_cycles, front_end, group_lanes, pools),
      walk_(spec.patch_cycles),
      post_cache_(spec.post_cache),
      points_(front_end, group_lanes, pools),
      commit_(spec.queue, spec.slots, Stage::kTessEvaluation, spec.memory_slots),
      memory_slots_(spec.slots, spec.memory_slots, spec.read_back, spec.queue, shaders, own_memory, pools),
      assembly_(pools) {}

void Tessellation::list_ports(engine::PortList& list) {
  list("primitives_in", primitives_in, "patches and other primitives, ends of batches");
  list("patch_groups_out", patch_groups_out, "groups of patches with their memory");
  list("patches_in", patches_in, "from each shader unit: groups whose control programs have ended");
  list("point_groups_out", point_groups_out, "groups of points");
  list("points_in", points_in, "from each shader unit: shaded points");
  list("primitives_out", primitives_out, "primitives");
  list("assembled_out", assembled_out,
       "the end of a batch or a draw that has passed, and its counts for queries");
  if (spec_.memory_slots) {
    list("memory_out", memory_out, "writes and reads of points that have slots in memory");
    list("memory_in", memory_in, "replies");
  }
  list("memory", memory);
  list("storage", storage);
}

std::vector<std::string_view> Tessellation::costs_nothing() const {
  return {"Culling a patch by its factors, apart from the cycle in which they are read",
          "Computing the points of a primitive: all are known when the walk of the patch begins",
          "Finding out that nothing refers to a vertex any more: its place is free in the next cycle"};
}

// From the end of the box to its start, so that what a part frees is used one cycle later at the earliest.
Cycle Tessellation::tick(Cycle now) {
  sends_ = send(now);
  bool progress = sends_;
  progress |= read_back(now);
  progress |= memory_slots_.take(now, points_in, memory_out, commit_);
  progress |= take_patches(now);
  if (!points_.empty() && points_.closed_to(walk_.state())) progress |= send_points(now);
  progress |= walk(now);
  progress |= send_patches(now);
  progress |= gather(now);
  // A group that is not full leaves when nothing else moves: the points that it waits for may wait for it.
  if (!progress && !points_.empty() && !walk_.waits(now)) progress = send_points(now);
  return account(now, progress);
}

Cycle Tessellation::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  const Cycle closes = patches_.closes();
  if (walk_.waits(now)) return busy(now, std::min(closes, walk_.starts()));
  if (ready()) {
    if (next_vertex_ > now) return busy(now, std::min(closes, next_vertex_));
    if (!primitives_out.ready(now)) return blocked(now, primitives_out, closes);
    if (!commit_.next_is_vertex()) return blocked(now, assembled_out, closes);
    return blocked(now, storage, closes);
  }
  if (memory_slots_.reads()) return starved(now, memory_in, closes);
  if (memory_slots_.sends()) return blocked(now, memory_out, closes);
  if (!points_.empty()) return blocked(now, point_groups_out, closes);
  if (patches_.can_send()) return blocked(now, patch_groups_out, closes);
  if (!commit_.empty()) return starved(now, points_in[0], closes);
  if (!patches_.empty()) return starved(now, patches_in[0], closes);
  if (patches_.gathers()) return starved(now, primitives_in, closes);
  if (lacks_memory_ && primitives_in.peek(now)) return blocked(now, memory);
  return primitives_in.peek(now) ? blocked(now, primitives_out) : idle(now);
}

// ---- Patches ----

// Takes a patch, or a primitive and the end of its batch, a cycle. A group that waits closes in time, or at
// once if the next patch lacks memory: what holds the memory may wait for this group.
bool Tessellation::gather(Cycle now) {
  const PrimitiveMessage* next = primitives_in.peek(now);
  if (next && !patches_.closed() && take(now, *next)) return true;
  return patches_.close_in_time(now, !lacks_memory_);
}

bool Tessellation::take(Cycle now, const PrimitiveMessage& message) {
  if (message.is_end()) return take_end(now, message);
  if (command_stream::is_on(message.state->registers, Stage::kTessControl)) return take_patch(now, message);
  if (sends_ || !empty() || !primitives_out.ready(now)) return false;
  counters.passed++;
  primitives_out.send(now, primitives_in.take(now));
  if (const PrimitiveMessage* end = messages::end_behind(now, primitives_in)) take_end(now, *end);
  return true;
}

// The end of a batch closes the group before it, and passes at once if nothing else is before it.
bool Tessellation::take_end(Cycle now, const PrimitiveMessage& end) {
  if (patches_.gathers()) {
    patches_.close();
    return true;
  }
  if (empty()) {
    if (sends_ || !primitives_out.ready(now) || !assembled_out.ready(now)) return false;
    send_end(now, end.state, end.origin, end.draw_end);
  } else {
    if (!patches_.takes_end()) return false;
    patches_.add_end(end);
  }
  primitives_in.drop(now);
  return true;
}

bool Tessellation::take_patch(Cycle now, const PrimitiveMessage& message) {
  const uint32_t places = patch_places(*message.state);
  const bool lacks = memory.free(now) < places;
  counters.memory_stalls += lacks && !lacks_memory_;
  lacks_memory_ = lacks;
  if (lacks) return false;
  messages::Patch& patch = patches_.add(now, message);
  for (uint32_t i = 0; i < places; i++) patch.places.push_back(memory.take(now));
  counters.patches++;
  primitives_in.drop(now);
  return true;
}

bool Tessellation::send_patches(Cycle now) {
  if (!patches_.can_send() || !patch_groups_out.ready(now)) return false;
  counters.control_groups++;
  patch_groups_out.send(now, patches_.send());
  return true;
}

// Takes a group from each shader unit.
bool Tessellation::take_patches(Cycle now) {
  bool progress = false;
  for (auto& in : patches_in) {
    if (!in.peek(now)) continue;
    patches_.finish(in.take(now));
    progress = true;
  }
  return progress;
}

// ---- Points ----

// Enters the next points of a patch, or begins the next patch, or passes an end.
bool Tessellation::walk(Cycle now) {
  if (walk_.active()) return enter_points(now);
  if (patches_.empty()) return false;
  if (patches_.next_is_end()) {
    if (commit_.full()) return false;
    pass_end();
    return true;
  }
  if (!patches_.next_has_patch()) return false;
  begin_patch(now);
  return true;
}

// Puts an end into the order of points. The next draw's points have another state: none is found again.
void Tessellation::pass_end() {
  while (!post_cache_.empty()) commit_.release(post_cache_.evict());
  messages::VertexMessage end;
  end.state = patches_.next().state;
  end.origin = patches_.next().origin;
  end.draw_end = patches_.next().draw_end;
  end.kind = messages::VertexMessage::Kind::kBatchEnd;
  commit_.push_mark(std::move(end));
  patches_.pop_end();
}

void Tessellation::begin_patch(Cycle now) {
  const messages::DrawState* state = patches_.next().state;
  if (state->registers.query.statistics) assembled_.counts[command_stream::Statistic::kTessControlPatches]++;
  if (!walk_.begin(now, patches_.patch(), state, patches_.next().origin)) counters.patches_culled++;
  patches_.pop_patch();
}

bool Tessellation::enter_points(Cycle now) {
  if (walk_.waits(now)) return false;
  bool progress = false;
  for (uint32_t i = 0; i < spec_.points_per_cycle && walk_.active(); i++) {
    if (commit_.full() || !enter_point()) break;
    counters.points++;
    walk_.advance();
    progress = true;
  }
  return progress;
}

// Enters the next point into the order: in the slot in which the cache finds it, or in a new one, to be
// shaded. Fails if no slot is free, or the group must leave before the point joins it.
bool Tessellation::enter_point() {
  const uint32_t point = walk_.point();
  if (const auto slot = post_cache_.find(point, walk_.number())) {
    commit_.push_vertex(*slot, walk_.state(), walk_.origin());
    if (commit_.is_elsewhere(*slot)) memory_slots_.push(*slot);
    counters.post_cache_hits++;
    return true;
  }
  const messages::DrawState* state = walk_.state();
  if (!points_.empty() && points_.closed_to(state)) return false;
  if (!commit_.has_free_slot()) return false;
  const messages::SlotIndex slot = commit_.push_new_vertex(state, walk_.origin());
  if (post_cache_.full()) commit_.release(post_cache_.evict());
  post_cache_.insert(point, walk_.number(), slot);
  commit_.hold(slot);
  if (commit_.is_elsewhere(slot)) {
    const command_stream::Program* program = state->stage[Stage::kTessEvaluation].program.get();
    memory_slots_.begin(slot, program ? program->outputs : 0, walk_.origin());
    memory_slots_.push(slot);
    counters.points_spilled++;
  }
  points_.add(slot, walk_.patch(), walk_.coordinate(), state, walk_.origin());
  if (state->registers.query.statistics)
    assembled_.counts[command_stream::Statistic::kTessEvaluationInvocations]++;
  counters.points_shaded++;
  return true;
}

bool Tessellation::send_points(Cycle now) {
  if (!point_groups_out.ready(now)) return false;
  counters.evaluation_groups++;
  point_groups_out.send(now, points_.take());
  return true;
}

// ---- Primitives ----

// The oldest point or end can leave; a point in memory, once it has been read back.
bool Tessellation::ready() const {
  return commit_.ready() && (!commit_.next_is_elsewhere() || memory_slots_.next_has_place());
}

// Reads points in memory whose turn comes.
bool Tessellation::read_back(Cycle now) {
  if (!spec_.memory_slots) return false;
  const bool answered = memory_slots_.take_reply(now, memory_in, commit_);
  const MemorySlots::Read read = memory_slots_.read(now, memory_out, commit_);
  counters.points_read_back += read == MemorySlots::Read::kPoint;
  return answered || read != MemorySlots::Read::kNothing;
}

// Sends the oldest point or end on. A point takes a place each time it leaves, since each primitive has a
// copy of its own.
bool Tessellation::send(Cycle now) {
  if (!ready() || next_vertex_ > now || !primitives_out.ready(now)) return false;
  if (!commit_.next_is_vertex()) {
    if (!assembled_out.ready(now)) return false;
    const messages::VertexMessage end = commit_.pop();
    send_end(now, end.state, end.origin, end.draw_end);
    return true;
  }
  if (!storage.ready(now)) return false;
  next_vertex_ = now + commit_.wire_cycles();
  if (commit_.next_is_elsewhere()) memory_slots_.pop(commit_.next_slot());
  if (assembly_.add(commit_.pop(), storage.take(now))) send_primitive(now);
  return true;
}

void Tessellation::send_end(Cycle now, const messages::DrawState* state, const messages::Origin& origin,
                            bool draw_end) {
  messages::send_batch_end(now, primitives_out, assembled_out, assembled_, state, origin, draw_end);
}

// Primitives of a geometry program are counted behind it.
void Tessellation::send_primitive(Cycle now) {
  PrimitiveMessage primitive = assembly_.take();
  if (!primitive.whole && primitive.state->registers.query.statistics)
    assembled_.counts.primitives_generated[0]++;
  counters.primitives++;
  primitives_out.send(now, std::move(primitive));
}

std::string Tessellation::why_busy() const {
  if (empty() && !patches_.gathers() && memory_slots_.idle()) return "";
  return fmt::format("{} groups and ends in order, {} patches gathered, {} points in order, {} in a group",
                     patches_.size(), patches_.gathered(), commit_.size(), points_.lanes());
}

}  // namespace cutaway::boxes
