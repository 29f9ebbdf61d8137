#include "boxes/geometry_shading/geometry_shading.h"

#include <algorithm>
#include <bit>

#include "command_stream/legal.h"
#include "messages/batch_end.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;
using messages::PrimitiveMessage;

GeometryShading::GeometryShading(std::string path, const GeometryShadingSpec& spec, unsigned front_end,
                                 unsigned shaders, unsigned group_lanes, messages::Pools& pools)
    : Box(std::move(path)),
      emitted_in(shaders),
      storage(spec.vertices),
      spec_(spec),
      group_lanes_(group_lanes),
      pools_(pools),
      gathered_(Stage::kGeometry, front_end, spec.gather_cycles, pools),
      order_(spec.groups) {}

void GeometryShading::list_ports(engine::PortList& list) {
  list("primitives_in", primitives_in, "primitives, ends of batches");
  list("groups_out", groups_out, "groups of invocations with their primitives");
  list("emitted_in", emitted_in,
       "from each shader unit: the vertices that the invocations of a group have emitted");
  list("primitives_out", primitives_out, "primitives");
  list("assembled_out", assembled_out,
       "the end of a batch or a draw that has passed, and its counts for queries");
  list("storage", storage);
}

std::vector<std::string_view> GeometryShading::costs_nothing() const {
  return {
      "The ends of strips", "Taking the vertices that several shader units have emitted in the same cycle",
      "Passing a vertex on by its place",
      "The width of a vertex: the output buffer has room for a number of vertices, whatever their outputs",
      "Finding out that nothing refers to a vertex any more: its place is free in the next cycle"};
}

// From the end of the box to its start, so that what a part frees is used one cycle later at the earliest.
Cycle GeometryShading::tick(Cycle now) {
  sends_ = send(now);
  bool progress = sends_;
  progress |= take_emitted(now);
  progress |= send_group(now);
  progress |= gather(now);
  return account(now, progress);
}

Cycle GeometryShading::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  const Cycle goes = gathered_.closes();
  if (!order_.empty()) {
    const Entry& front = order_.front();
    if (front.is_end() && !assembled_out.ready(now)) return blocked(now, assembled_out, goes);
    if (front.is_end()) return blocked(now, primitives_out, goes);
    if (front.done && next_vertex_ > now) return busy(now, std::min(next_vertex_, goes));
    if (front.done && primitives_out.ready(now)) return blocked(now, storage, goes);
    if (front.done) return blocked(now, primitives_out, goes);
  }
  if (gathered_.closed() && !lacked_ && order_.takes_group()) return blocked(now, groups_out, goes);
  if (!order_.empty()) return starved(now, emitted_in[0], goes);
  if (!gathered_.empty()) return starved(now, primitives_in, goes);
  return primitives_in.peek(now) ? blocked(now, primitives_out) : idle(now);
}

// ---- Groups ----

uint32_t GeometryShading::most_lanes(const messages::DrawState& state) const {
  const uint32_t each = std::max(state.registers.geometry.max_vertices, 1u);
  return std::min(group_lanes_, spec_.output_vertices / each);
}

// Gathers one invocation per cycle. A group contains only one draw's invocations; the end of its batch or a
// timeout closes it.
bool GeometryShading::gather(Cycle now) {
  const PrimitiveMessage* next = primitives_in.peek(now);
  if (next && !gathered_.closed() && take(now, *next)) return true;
  return gathered_.close_in_time(now);
}

bool GeometryShading::take(Cycle now, const PrimitiveMessage& message) {
  if (message.is_end()) return take_end(now, message);
  if (!message.whole) {
    if (sends_ || !order_.empty() || !primitives_out.ready(now)) return false;
    counters.passed++;
    primitives_out.send(now, primitives_in.take(now));
    if (const PrimitiveMessage* end = messages::end_behind(now, primitives_in)) take_end(now, *end);
    return true;
  }
  messages::VertexGroup& group = gathered_.join(message);
  messages::GroupPrimitives& primitives = *group.primitives;
  primitives.primitive[group.lanes] = message.whole;
  primitives.id[group.lanes] = message.origin.primitive;
  primitives.invocation[group.lanes] = invocation_;
  primitives.emitted[group.lanes].clear();
  group.lanes++;
  gathered_.joined(now, group.lanes == most_lanes(*group.state));
  counters.primitives_in += invocation_ == 0;
  if (++invocation_ >= std::max(group.state->registers.geometry.invocations, 1u)) {
    invocation_ = 0;
    primitives_in.drop(now);
  }
  return true;
}

// The end of a batch closes the group before it, and passes at once if nothing else is before it.
bool GeometryShading::take_end(Cycle now, const PrimitiveMessage& end) {
  if (!gathered_.empty()) {
    gathered_.close();
    return true;
  }
  if (order_.empty()) {
    if (sends_ || !primitives_out.ready(now) || !assembled_out.ready(now)) return false;
    send_end(now, end.state, end.origin, end.draw_end);
  } else {
    if (order_.full()) return false;
    order_.push_end(end.state, end.origin, end.draw_end);
  }
  primitives_in.drop(now);
  return true;
}

// Upper bound of the vertices that the group emits.
uint32_t GeometryShading::most_vertices() const {
  const messages::VertexGroup& group = gathered_.group();
  return group.lanes * group.state->registers.geometry.max_vertices;
}

bool GeometryShading::send_group(Cycle now) {
  if (!gathered_.closed()) return false;
  const bool lacks = reserved_ + most_vertices() > spec_.output_vertices;
  counters.output_stalls += lacks && !lacked_;
  lacked_ = lacks;
  if (lacks || !order_.takes_group() || !groups_out.ready(now)) return false;
  const messages::VertexGroup& group = gathered_.group();
  const uint16_t slot = order_.push_group(group.state, group.origin, group.lanes);
  order_[slot].reserved = most_vertices();
  reserved_ += most_vertices();
  counters.groups++;
  counters.invocations += group.lanes;
  groups_out.send(now, gathered_.take(slot));
  return true;
}

// Takes a group from each shader unit, and frees the room that it has reserved but not used.
bool GeometryShading::take_emitted(Cycle now) {
  bool progress = false;
  for (auto& in : emitted_in) {
    if (!in.peek(now)) continue;
    messages::EmittedPrimitives message = in.take(now);
    Entry& entry = order_[message.slot];
    uint32_t emitted = 0;
    for (uint32_t lane = 0; lane < entry.count; lane++)
      emitted += message.primitives->emitted[lane].vertices();
    reserved_ -= entry.reserved - emitted;
    entry.reserved = emitted;
    counters.vertices += emitted;
    entry.done = std::move(message.primitives);
    progress = true;
  }
  return progress;
}

// ---- Primitives, in order ----

bool GeometryShading::send(Cycle now) {
  if (order_.empty()) return false;
  Entry& entry = order_.front();
  if (entry.is_end()) {
    if (!primitives_out.ready(now) || !assembled_out.ready(now)) return false;
    send_end(now, entry.state, entry.origin, entry.draw_end);
  } else if (!entry.done || next_vertex_ > now || !primitives_out.ready(now) || !send_vertex(now, entry)) {
    return false;
  } else if (lane_ < entry.count) {
    return true;
  }
  reserved_ -= entry.reserved;
  lane_ = event_ = word_ = 0;
  order_.pop();
  return true;
}

void GeometryShading::send_end(Cycle now, const messages::DrawState* state, const messages::Origin& origin,
                               bool draw_end) {
  messages::send_batch_end(now, primitives_out, assembled_out, assembled_, state, origin, draw_end);
}

void GeometryShading::begin_draw(const Entry& entry) {
  assembled_.draw = entry.origin.draw;
  const arch::Registers& registers = entry.state->registers;
  for (Stream& stream : stream_)
    stream.assembler = {static_cast<arch::Topology>(registers.geometry.output_topology),
                        static_cast<arch::ProvokingVertex>(registers.assembly.provoking_vertex)};
}

// Sends the next vertex of the group, and the ends of strips before it and after the last. Returns false
// while it waits for a place.
bool GeometryShading::send_vertex(Cycle now, Entry& entry) {
  if (assembled_.draw != entry.origin.draw) begin_draw(entry);
  if (!skip_cuts(entry)) return true;
  const func::EmittedStrips& emitted = entry.done->emitted[lane_];
  const uint32_t stream = func::EmittedStrips::event_stream(emitted.events()[event_]);
  if (leaves(entry, stream) && !storage.ready(now)) return false;
  assemble(now, entry, stream, emitted.words().data() + word_);
  event_++;
  const auto outputs =
      static_cast<uint32_t>(std::popcount(entry.state->stage[Stage::kGeometry].program->outputs));
  word_ += outputs * 4;
  if (entry.reserved) entry.reserved--, reserved_--;
  next_vertex_ = now + std::max((outputs + 15) / 16, 1u);
  skip_cuts(entry);
  return true;
}

// Moves to the next vertex. Returns false if there is none.
bool GeometryShading::skip_cuts(const Entry& entry) {
  for (; lane_ < entry.count; end_lane(entry)) {
    const auto& events = entry.done->emitted[lane_].events();
    for (; event_ < events.size(); event_++) {
      if (!func::EmittedStrips::is_cut(events[event_])) return true;
      end_strip(stream_[func::EmittedStrips::event_stream(events[event_])]);
    }
  }
  return false;
}

// An invocation's end also ends its strips.
void GeometryShading::end_lane(const Entry& entry) {
  if (entry.state->registers.query.statistics)
    assembled_.counts[command_stream::Statistic::kGeometryInvocations]++;
  for (Stream& stream : stream_) end_strip(stream);
  lane_++;
  event_ = word_ = 0;
}

void GeometryShading::end_strip(Stream& stream) {
  stream.assembler.restart();
  stream.vertices.clear();
}

// True if primitives of the stream are sent on: the rasterisers take stream 0, transform feedback all.
bool GeometryShading::leaves(const Entry& entry, uint32_t stream) {
  return stream == 0 || entry.state->registers.feedback.on;
}

void GeometryShading::assemble(Cycle now, const Entry& entry, uint32_t number, const uint32_t* words) {
  messages::VertexRef vertex = pools_.vertices.allocate();
  vertex->output = {};
  vertex->index = messages::kEmittedVertex, vertex->instance = 0;
  uint64_t left = entry.state->stage[Stage::kGeometry].program->outputs;
  for (; left; left &= left - 1, words += 4)
    std::copy_n(words, 4, vertex->output[static_cast<uint32_t>(std::countr_zero(left))].begin());
  const bool leaves = this->leaves(entry, number);
  if (leaves) vertex->place = storage.take(now);
  Stream& stream = stream_[number];
  const auto primitive = stream.assembler.add(stream.vertices.add(std::move(vertex)));
  if (primitive) {
    if (entry.state->registers.query.statistics) {
      assembled_.counts[command_stream::Statistic::kGeometryPrimitives]++;
      assembled_.counts.primitives_generated[number]++;
    }
    if (leaves) {
      PrimitiveMessage out;
      for (uint32_t i = 0; i < primitive->vertices; i++)
        out.vertex[i] = stream.vertices[primitive->vertex[i]];
      out.vertices = primitive->vertices;
      out.first = primitive->first;
      out.strip = primitive->strip;
      out.stream = static_cast<uint8_t>(number);
      out.state = entry.state;
      out.origin = entry.origin;
      out.origin.primitive = entry.done->id[lane_];
      primitives_out.send(now, std::move(out));
      counters.primitives++;
    }
  }
  stream.vertices.forget(stream.assembler);
}

std::string GeometryShading::why_busy() const {
  if (order_.empty() && gathered_.empty()) return "";
  return fmt::format("{} groups and ends in order, {} invocations in a group, {} vertices reserved",
                     order_.size(), gathered_.group().lanes, reserved_);
}

}  // namespace cutaway::boxes
