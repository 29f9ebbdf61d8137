#include "boxes/tessellation/tessellation.h"

#include "draw/legal.h"
#include "func/geometry/input_assembly.h"
#include "func/shader/micro_op.h"
#include "parts/batch_end.h"
#include "parts/draw_state.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;
using parts::PrimitiveMessage;

Tessellation::Tessellation(std::string path, const TessellationSpec& spec, unsigned front_end,
                           unsigned shaders, unsigned group_lanes, parts::Pools& pools,
                           arch::Address own_memory)
    : Box(std::move(path)),
      patches_in(shaders),
      points_in(shaders),
      memory(spec.patch_memory),
      storage(spec.vertices),
      spec_(spec),
      front_end_(front_end),
      group_lanes_(group_lanes),
      width_(func::register_width(group_lanes)),
      pools_(pools),
      control_(Stage::kTessControl, front_end, spec.gather_cycles, pools),
      order_(spec.groups),
      post_cache_(spec.post_cache),
      commit_(spec.queue, spec.slots, Stage::kTessEvaluation, spec.memory_slots),
      memory_slots_(spec.slots, spec.memory_slots, spec.read_back, spec.queue, shaders, own_memory, pools) {}

void Tessellation::list_ports(engine::PortList& list) {
  list("primitives_in", primitives_in, "patches and other primitives, ends of batches");
  list("patch_groups_out", patch_groups_out, "groups of patches with their memory");
  list("patches_in", patches_in, "from each shader unit: groups whose control programs have ended");
  list("point_groups_out", point_groups_out, "groups of points");
  list("points_in", points_in, "from each shader unit: shaded points");
  list("primitives_out", primitives_out, "primitives");
  list("assembled_out", assembled_out,
       "the end of a batch or a draw that has passed, and what queries count of it");
  if (spec_.memory_slots) {
    list("memory_out", memory_out, "writes and reads of points that have slots in memory");
    list("memory_in", memory_in, "replies");
  }
  list("memory", memory);
  list("storage", storage);
}

std::vector<std::string_view> Tessellation::costs_nothing() const {
  return {"Culling a patch by its factors, beside the cycle in which they are read",
          "Computing the points of a primitive: all are known when the walk of the patch begins",
          "Finding out that nothing refers to a vertex any more: its place is free in the next cycle"};
}

// From the end of the box to its start, so that what a part frees is used one cycle later at the earliest.
Cycle Tessellation::tick(Cycle now) {
  bool progress = send(now);
  progress |= read_back(now);
  progress |= memory_slots_.take(now, points_in, memory_out, commit_);
  progress |= take_patches(now);
  if (points_.lanes && points_close()) progress |= send_points(now);
  progress |= walk(now);
  progress |= send_control(now);
  progress |= gather(now);
  // A group never waits for points that wait for it.
  const bool walks_later = patch_ && now < walks_;
  if (!progress && points_.lanes && !walks_later) progress = send_points(now);
  return account(now, progress);
}

Cycle Tessellation::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  const Cycle goes = control_.closes();
  if (patch_ && now < walks_) return busy(now, std::min(goes, walks_));
  if (ready()) {
    if (next_vertex_ > now) return busy(now, std::min(goes, next_vertex_));
    if (!primitives_out.ready(now)) return blocked(now, primitives_out, goes);
    if (!commit_.next_is_vertex()) return blocked(now, assembled_out, goes);
    return blocked(now, storage, goes);
  }
  if (memory_slots_.reads()) return starved(now, memory_in, goes);
  if (memory_slots_.sends()) return blocked(now, memory_out, goes);
  if (points_.lanes) return blocked(now, point_groups_out, goes);
  if (control_.closed() && order_.takes_group()) return blocked(now, patch_groups_out, goes);
  if (!commit_.empty()) return starved(now, points_in[0], goes);
  if (!order_.empty()) return starved(now, patches_in[0], goes);
  if (!control_.empty()) return starved(now, primitives_in, goes);
  if (lacked_ && primitives_in.peek(now)) return blocked(now, memory);
  return primitives_in.peek(now) ? blocked(now, primitives_out) : idle(now);
}

// ---- Primitives, in order ----

// The oldest is there: a point in memory must have been read for its turn in the order.
bool Tessellation::ready() const {
  return commit_.ready() && (!commit_.next_is_elsewhere() || memory_slots_.next_has_place());
}

// Points in memory whose turn comes.
bool Tessellation::read_back(Cycle now) {
  if (!spec_.memory_slots) return false;
  const bool answered = memory_slots_.take_reply(now, memory_in, commit_);
  const MemorySlots::Read read = memory_slots_.read(now, memory_out, commit_);
  counters.points_read_back += read == MemorySlots::Read::kPoint;
  return answered || read != MemorySlots::Read::kNothing;
}

// The oldest point or end. A point takes a place, also one that has been sent before: it is a copy of what
// post-shading memory holds.
bool Tessellation::send(Cycle now) {
  if (!ready() || next_vertex_ > now || !primitives_out.ready(now)) return false;
  if (!commit_.next_is_vertex()) {
    if (!assembled_out.ready(now)) return false;
    const parts::VertexMessage end = commit_.pop();
    send_end(now, end.state, end.origin, end.draw_end);
    return true;
  }
  if (!storage.ready(now)) return false;
  next_vertex_ = now + commit_.wire_cycles();
  if (commit_.next_is_elsewhere()) memory_slots_.pop(commit_.next_slot());
  const parts::VertexMessage message = commit_.pop();
  parts::VertexRef copy = pools_.vertices.allocate();
  copy->output = message.vertex->output;
  copy->index = message.vertex->index, copy->instance = message.vertex->instance;
  copy->place = storage.take(now);
  corner_[corners_++] = std::move(copy);
  const arch::TessellationRegisters& registers = message.state->registers.tessellation;
  const bool lines = registers.domain == static_cast<uint32_t>(arch::TessDomain::kIsolines);
  if (corners_ == (registers.point_mode ? 1u : lines ? 2u : 3u)) send_primitive(now, message);
  return true;
}

void Tessellation::send_end(Cycle now, const parts::DrawState* state, const parts::Origin& origin,
                            bool draw_end) {
  parts::send_batch_end(now, primitives_out, assembled_out, assembled_, state, origin, draw_end);
}

// The first point of each primitive provokes, or the last by the convention of the last vertex.
void Tessellation::send_primitive(Cycle now, const parts::VertexMessage& last) {
  const arch::Registers& registers = last.state->registers;
  const bool last_provokes =
      registers.assembly.provoking_vertex == static_cast<uint32_t>(arch::ProvokingVertex::kLast);
  PrimitiveMessage out;
  out.state = last.state;
  out.origin = last.origin;
  if (draw::is_on(registers, Stage::kGeometry)) {
    out.whole = pools_.whole_primitives.allocate();
    out.whole->vertices = corners_;
    for (uint32_t i = 0; i < corners_; i++) out.whole->vertex[i] = std::move(corner_[i]);
  } else {
    func::InputPrimitive primitive;
    primitive.vertices = static_cast<uint8_t>(corners_);
    primitive.provoking = static_cast<uint8_t>(last_provokes ? corners_ - 1 : 0);
    for (uint32_t i = 0; i < corners_; i++) primitive.vertex[i] = i;
    const func::AssembledPrimitive assembled = func::without_adjacency(primitive);
    for (uint32_t i = 0; i < corners_; i++) out.vertex[i] = std::move(corner_[assembled.vertex[i]]);
    out.vertices = assembled.vertices;
    out.first = assembled.first;
    out.strip = strip_;
    if (registers.query.statistics) assembled_.counts.primitives_generated[0]++;
  }
  strip_++;
  corners_ = 0;
  counters.primitives++;
  primitives_out.send(now, std::move(out));
}

std::string Tessellation::why_busy() const {
  if (order_.empty() && commit_.empty() && control_.empty() && !patch_ && memory_slots_.idle()) return "";
  return fmt::format("{} groups and ends in order, {} patches gathered, {} points in order, {} in a group",
                     order_.size(), patches_, commit_.size(), points_.lanes);
}

}  // namespace cutaway::boxes
