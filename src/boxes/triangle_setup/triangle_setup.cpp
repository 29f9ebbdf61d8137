#include "boxes/triangle_setup/triangle_setup.h"

#include <algorithm>
#include <utility>

#include "messages/batch_end.h"
#include "messages/setup_input.h"

namespace cutaway::boxes {

using engine::Cycle;
using func::SetupResult;

std::vector<std::string_view> TriangleSetup::costs_nothing() const {
  return {"The number of edges and planes", "Finding the rasterisers that a primitive is for",
          "Finding out that nothing refers to a primitive any more: its place is free in the next cycle"};
}

// What is set up leaves in the same cycle where there is room. It looks at nothing while no rasteriser has
// room, and at no primitive while there is no place for another.
Cycle TriangleSetup::tick(Cycle now) {
  if (fault_) return idle(now);
  if (targets_) return send(now) ? busy(now) : blocked(now, primitives_out[full_]);
  if (now < free_at_) return busy(now, free_at_);
  const messages::PrimitiveMessage* next = primitives_in.peek(now);
  if (!next) return idle(now);
  const auto has_room = [now](const auto& port) { return port.ready(now); };
  if (std::none_of(primitives_out.begin(), primitives_out.end(), has_room))
    return blocked(now, primitives_out[0]);
  if (!next->is_end() && !storage.ready(now)) return blocked(now, storage);
  const bool end = next->is_end();
  take(now, *next);
  if (targets_ && !send(now)) return busy(now);
  const messages::PrimitiveMessage* behind = end ? nullptr : messages::end_behind(now, primitives_in);
  if (behind && std::all_of(primitives_out.begin(), primitives_out.end(), has_room)) {
    take_end(now, *behind);
    send(now);
  }
  return busy(now);
}

// The end of a draw or a batch goes to all rasterisers.
void TriangleSetup::take_end(Cycle now, const messages::PrimitiveMessage& end) {
  out_ = {.state = end.state, .origin = end.origin, .draw_end = end.draw_end, .batch_end = end.batch_end};
  targets_ = (1u << rasters_.units()) - 1;
  primitives_in.drop(now);
  stipple_.begin_draw();
}

void TriangleSetup::take(Cycle now, const messages::PrimitiveMessage& next) {
  if (next.is_end()) return take_end(now, next);
  counters.primitives += part_ == 0;
  draw_ = next.origin.draw;
  if (submission_ != next.origin.submission) {
    if (submission_ < next.origin.submission) work_ = command_stream::Work(limits_);
    submission_ = next.origin.submission;
  }
  const uint32_t parts = func::setup_parts(next.state->registers, next.vertices);
  counters.parts += parts > 1;
  messages::SetupMessage out{
      .primitive = pools_.primitives.allocate(), .state = next.state, .origin = next.origin};
  const SetupResult result = set_up(next, out.primitive);
  if (result == SetupResult::kAccepted) {
    out.primitive->place = storage.take(now);
    if (parts == 1 && next.vertices == 3) free_at_ = now + triangle_cycles_;
    const func::Primitive& primitive = out.primitive->primitive;
    fault_ = work_.primitive(primitive);
    fault_draw_ = next.origin.draw;
    targets_ = rasters_.owners(primitive.x0, primitive.y0, primitive.x1, primitive.y1);
    out_ = std::move(out);
  }
  const bool last = ++part_ == parts || func::rejects_all_parts(result);
  drawn_ |= result == SetupResult::kAccepted;
  if (!last) return;
  if (!drawn_) (result == SetupResult::kCulledFace ? counters.culled_face : counters.culled_empty)++;
  primitives_in.drop(now);
  part_ = 0, drawn_ = false;
}

// Sends to all its rasterisers, or to none.
bool TriangleSetup::send(Cycle now) {
  for (unsigned unit = 0; unit < primitives_out.size(); unit++) {
    if (!(targets_ >> unit & 1) || primitives_out[unit].ready(now)) continue;
    full_ = unit;
    return false;
  }
  for (unsigned unit = 0; unit < primitives_out.size(); unit++)
    if (targets_ >> unit & 1) primitives_out[unit].send(now, messages::SetupMessage(out_));
  out_ = {};
  targets_ = 0;
  return true;
}

std::string TriangleSetup::why_busy() const {
  if (targets_) return "a primitive waits for room";
  if (part_) return "a polygon is half set up";
  const Cycle now = domain().now();
  return primitives_in.peek(now) && !storage.ready(now) ? "a primitive waits for a place" : "";
}

SetupResult TriangleSetup::set_up(const messages::PrimitiveMessage& message,
                                  messages::PrimitiveRef& primitive) {
  const messages::MessageGeometry geometry(message, part_,
                                           stipple_.phase(message.vertices, part_, message.strip));
  const SetupResult result = func::setup(message.state->registers, geometry.input(), primitive->primitive);
  stipple_.advance(primitive->primitive);
  primitive->vertex = message.vertex;
  primitive->vertices = message.vertices;
  primitive->layer = command_stream::primitive_layer(message.state->registers, *message.vertex[0]);
  primitive->state = message.state;
  primitive->origin = message.origin;
  return result;
}

}  // namespace cutaway::boxes
