#include "boxes/triangle_setup/triangle_setup.h"

#include <utility>

#include "parts/setup_input.h"

namespace cutaway::boxes {

using engine::Cycle;
using func::SetupResult;

Cycle TriangleSetup::tick(Cycle now) {
  if (fault_) return idle(now);
  const parts::PrimitiveMessage* next = primitives_in.peek(now);
  if (!next) return idle(now);
  if (!primitives_out[0].ready(now)) return blocked(now, primitives_out[0]);
  if (next->draw_end) {
    primitives_out[0].send(now, {.state = next->state, .origin = next->origin, .draw_end = true});
    primitives_in.drop(now);
    stipple_.begin_draw();
    return busy(now);
  }
  counters.primitives += part_ == 0;
  const uint32_t parts = func::setup_parts(next->state->registers, next->vertices);
  counters.parts += parts > 1;
  parts::SetupMessage out{
      .primitive = pools_.primitives.allocate(), .state = next->state, .origin = next->origin};
  const SetupResult result = set_up(*next, out.primitive);
  if (result == SetupResult::kAccepted) {
    fault_ = work_.primitive(out.primitive->primitive);
    fault_draw_ = next->origin.draw;
  }
  const bool last = ++part_ == parts || func::rejects_all_parts(result);
  drawn_ |= result == SetupResult::kAccepted;
  if (last) {
    if (!drawn_) (result == SetupResult::kCulledFace ? counters.culled_face : counters.culled_empty)++;
    primitives_in.drop(now);
    part_ = 0, drawn_ = false;
  }
  if (result == SetupResult::kAccepted) primitives_out[0].send(now, std::move(out));
  return busy(now);
}

SetupResult TriangleSetup::set_up(const parts::PrimitiveMessage& message, parts::PrimitiveRef& primitive) {
  const parts::MessageGeometry geometry(message, part_,
                                        stipple_.phase(message.vertices, part_, message.strip));
  const SetupResult result = func::setup(message.state->registers, geometry.input(), primitive->primitive);
  stipple_.advance(primitive->primitive);
  primitive->vertex = message.vertex;
  primitive->vertices = message.vertices;
  primitive->state = message.state;
  primitive->origin = message.origin;
  return result;
}

}  // namespace cutaway::boxes
