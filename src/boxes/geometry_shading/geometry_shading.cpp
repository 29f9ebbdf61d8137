#include "boxes/geometry_shading/geometry_shading.h"

#include <algorithm>
#include <bit>

#include "draw/legal.h"
#include "parts/batch_end.h"
#include "parts/draw_state.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;
using parts::PrimitiveMessage;

GeometryShading::GeometryShading(std::string path, const GeometryShadingSpec& spec, unsigned front_end,
                                 unsigned shaders, unsigned group_lanes, parts::Pools& pools)
    : Box(std::move(path)),
      emitted_in(shaders),
      storage(spec.vertices),
      spec_(spec),
      front_end_(front_end),
      group_lanes_(group_lanes),
      pools_(pools),
      // Beside the groups an end for each, so that ends never wait for groups.
      entry_(size_t{2} * spec.groups),
      order_(2 * spec.groups) {
  for (auto slot = static_cast<uint16_t>(entry_.size()); slot-- > 0;) free_slots_.push_back(slot);
}

void GeometryShading::list_ports(engine::PortList& list) {
  list("primitives_in", primitives_in);
  list("groups_out", groups_out);
  list("emitted_in", emitted_in);
  list("primitives_out", primitives_out);
  list("assembled_out", assembled_out);
  list("storage", storage);
}

// From the end of the box to its start, so that what a part frees is used one cycle later at the earliest.
Cycle GeometryShading::tick(Cycle now) {
  bool progress = send(now);
  progress |= take_emitted(now);
  progress |= send_group(now);
  progress |= gather(now);
  return account(now, progress);
}

Cycle GeometryShading::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  const Cycle goes = group_.primitives && !closed_ ? grown_ + spec_.gather_cycles : engine::kAsleep;
  if (!order_.empty()) {
    const Entry& front = entry_[order_.front()];
    if (front.lanes == 0 && !assembled_out.ready(now)) return blocked(now, assembled_out, goes);
    if (front.lanes == 0) return blocked(now, primitives_out, goes);
    if (front.emitted && next_vertex_ > now) return busy(now, std::min(next_vertex_, goes));
    if (front.emitted && primitives_out.ready(now)) return blocked(now, storage, goes);
    if (front.emitted) return blocked(now, primitives_out, goes);
  }
  if (closed_ && !lacked_ && !order_.full() && groups_under_way_ < spec_.groups)
    return blocked(now, groups_out, goes);
  if (!order_.empty()) return starved(now, emitted_in[0], goes);
  if (group_.primitives) return starved(now, primitives_in, goes);
  return primitives_in.peek(now) ? blocked(now, primitives_out) : idle(now);
}

// ---- Groups ----

uint32_t GeometryShading::most_lanes(const parts::DrawState& state) const {
  const uint32_t each = std::max(state.registers.geometry.max_vertices, 1u);
  return std::min(group_lanes_, spec_.output_vertices / each);
}

// An invocation a cycle. A group holds those of one draw; the end of its batch closes it, and so does
// waiting.
bool GeometryShading::gather(Cycle now) {
  const PrimitiveMessage* next = primitives_in.peek(now);
  if (next && !closed_ && take(now, *next)) return true;
  if (!group_.primitives || closed_ || now < grown_ + spec_.gather_cycles) return false;
  closed_ = true;
  return true;
}

bool GeometryShading::take(Cycle now, const PrimitiveMessage& message) {
  if (message.is_end()) {
    if (group_.primitives) return closed_ = true;
    if (order_.empty()) {
      if (!primitives_out.ready(now) || !assembled_out.ready(now)) return false;
      send_end(now, message.state, message.origin, message.draw_end);
      primitives_in.drop(now);
      return true;
    }
    if (order_.full()) return false;
    const uint16_t slot = free_slots_.back();
    free_slots_.pop_back();
    Entry& entry = entry_[slot];
    entry.state = message.state, entry.origin = message.origin, entry.draw_end = message.draw_end;
    order_.push(slot);
    primitives_in.drop(now);
    return true;
  }
  if (!message.whole) {
    if (!order_.empty() || !primitives_out.ready(now)) return false;
    counters.passed++;
    primitives_out.send(now, primitives_in.take(now));
    return true;
  }
  if (!group_.primitives) {
    group_.stage = Stage::kGeometry;
    group_.primitives = pools_.group_primitives.allocate();
    group_.state = message.state;
    group_.origin = message.origin;
    group_.front_end = front_end_;
    group_.lanes = 0;
  }
  parts::GroupPrimitives& primitives = *group_.primitives;
  primitives.primitive[group_.lanes] = message.whole;
  primitives.id[group_.lanes] = message.origin.primitive;
  primitives.invocation[group_.lanes] = invocation_;
  primitives.emitted[group_.lanes].clear();
  closed_ = ++group_.lanes == most_lanes(*group_.state);
  grown_ = now;
  counters.primitives_in += invocation_ == 0;
  if (++invocation_ >= std::max(group_.state->registers.geometry.invocations, 1u)) {
    invocation_ = 0;
    primitives_in.drop(now);
  }
  return true;
}

// That the group may emit.
uint32_t GeometryShading::most_vertices() const {
  return group_.lanes * group_.state->registers.geometry.max_vertices;
}

bool GeometryShading::send_group(Cycle now) {
  if (!closed_) return false;
  const bool lacks = reserved_ + most_vertices() > spec_.output_vertices;
  counters.output_stalls += lacks && !lacked_;
  lacked_ = lacks;
  if (lacks || order_.full() || groups_under_way_ == spec_.groups || !groups_out.ready(now)) return false;
  groups_under_way_++;
  const uint16_t slot = free_slots_.back();
  free_slots_.pop_back();
  Entry& entry = entry_[slot];
  entry.state = group_.state, entry.origin = group_.origin, entry.lanes = group_.lanes;
  entry.reserved = most_vertices();
  reserved_ += entry.reserved;
  order_.push(slot);
  counters.groups++;
  counters.invocations += group_.lanes;
  group_.slot = slot;
  groups_out.send(now, std::move(group_));
  group_ = {};
  closed_ = false;
  return true;
}

// A group from each shader unit. What it has not emitted is free again.
bool GeometryShading::take_emitted(Cycle now) {
  bool progress = false;
  for (auto& in : emitted_in) {
    if (!in.peek(now)) continue;
    parts::EmittedPrimitives message = in.take(now);
    Entry& entry = entry_[message.slot];
    uint32_t emitted = 0;
    for (uint32_t lane = 0; lane < entry.lanes; lane++)
      emitted += message.primitives->emitted[lane].vertices();
    reserved_ -= entry.reserved - emitted;
    entry.reserved = emitted;
    counters.vertices += emitted;
    entry.emitted = std::move(message.primitives);
    progress = true;
  }
  return progress;
}

// ---- Primitives, in order ----

bool GeometryShading::send(Cycle now) {
  if (order_.empty()) return false;
  Entry& entry = entry_[order_.front()];
  if (entry.lanes == 0) {
    if (!primitives_out.ready(now) || !assembled_out.ready(now)) return false;
    send_end(now, entry.state, entry.origin, entry.draw_end);
  } else if (!entry.emitted || next_vertex_ > now || !primitives_out.ready(now) || !send_vertex(now, entry)) {
    return false;
  } else if (lane_ < entry.lanes) {
    return true;
  }
  reserved_ -= entry.reserved;
  groups_under_way_ -= entry.lanes != 0;
  lane_ = event_ = word_ = 0;
  entry = {};
  free_slots_.push_back(order_.pop());
  return true;
}

void GeometryShading::send_end(Cycle now, const parts::DrawState* state, const parts::Origin& origin,
                               bool draw_end) {
  parts::send_batch_end(now, primitives_out, assembled_out, assembled_, state, origin, draw_end);
}

void GeometryShading::begin_draw(const Entry& entry) {
  assembled_.draw = entry.origin.draw;
  const arch::Registers& registers = entry.state->registers;
  for (Stream& stream : stream_)
    stream.assembler = {static_cast<arch::Topology>(registers.geometry.output_topology),
                        static_cast<arch::ProvokingVertex>(registers.assembly.provoking_vertex)};
}

// The next vertex of the group, and the ends of strips before it and behind the last. False: it waits for a
// place.
bool GeometryShading::send_vertex(Cycle now, Entry& entry) {
  if (assembled_.draw != entry.origin.draw) begin_draw(entry);
  if (!skip_cuts(entry)) return true;
  const func::EmittedStrips& emitted = entry.emitted->emitted[lane_];
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

// To the next vertex. False: there is none.
bool GeometryShading::skip_cuts(const Entry& entry) {
  for (; lane_ < entry.lanes; end_lane(entry)) {
    const auto& events = entry.emitted->emitted[lane_].events();
    for (; event_ < events.size(); event_++) {
      if (!func::EmittedStrips::is_cut(events[event_])) return true;
      end_strip(stream_[func::EmittedStrips::event_stream(events[event_])]);
    }
  }
  return false;
}

// The strips of an invocation end with it.
void GeometryShading::end_lane(const Entry& entry) {
  if (entry.state->registers.query.statistics) assembled_.counts[draw::Statistic::kGeometryInvocations]++;
  for (Stream& stream : stream_) end_strip(stream);
  lane_++;
  event_ = word_ = 0;
}

void GeometryShading::end_strip(Stream& stream) {
  stream.assembler.restart();
  stream.vertices.clear();
}

// Whether primitives of the stream are sent on: the rasterisers take stream 0, transform feedback all.
bool GeometryShading::leaves(const Entry& entry, uint32_t stream) {
  return stream == 0 || entry.state->registers.feedback.on;
}

void GeometryShading::assemble(Cycle now, const Entry& entry, uint32_t number, const uint32_t* words) {
  parts::VertexRef vertex = pools_.vertices.allocate();
  vertex->output = {};
  vertex->index = parts::kEmittedVertex, vertex->instance = 0;
  uint64_t left = entry.state->stage[Stage::kGeometry].program->outputs;
  for (; left; left &= left - 1, words += 4)
    std::copy_n(words, 4, vertex->output[static_cast<uint32_t>(std::countr_zero(left))].begin());
  const bool leaves = this->leaves(entry, number);
  if (leaves) vertex->place = storage.take(now);
  Stream& stream = stream_[number];
  const auto primitive = stream.assembler.add(stream.vertices.add(std::move(vertex)));
  if (primitive) {
    if (entry.state->registers.query.statistics) {
      assembled_.counts[draw::Statistic::kGeometryPrimitives]++;
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
      out.origin.primitive = entry.emitted->id[lane_];
      primitives_out.send(now, std::move(out));
      counters.primitives++;
    }
  }
  stream.vertices.forget(stream.assembler);
}

std::string GeometryShading::why_busy() const {
  if (order_.empty() && !group_.primitives) return "";
  return fmt::format("{} groups and ends in order, {} invocations in a group, {} vertices reserved",
                     order_.size(), group_.lanes, reserved_);
}

}  // namespace cutaway::boxes
