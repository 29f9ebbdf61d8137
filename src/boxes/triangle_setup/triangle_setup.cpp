#include "boxes/triangle_setup/triangle_setup.h"

#include "parts/setup_input.h"

namespace cutaway::boxes {

using engine::Cycle;

Cycle TriangleSetup::tick(Cycle now) {
  const parts::PrimitiveMessage* next = primitives_in.peek(now);
  if (!next) return idle(now);
  if (!primitives_out.ready(now)) return blocked(now, primitives_out);
  parts::PrimitiveMessage message = primitives_in.take(now);
  parts::SetupMessage out{.state = message.state, .origin = message.origin, .draw_end = message.draw_end};
  if (!message.draw_end) {
    counters.primitives++;
    const parts::PrimitiveGeometry geometry(*message.state, message.vertex, message.vertices,
                                            message.origin.primitive);
    out.primitive = pools_.primitives.allocate();
    const func::SetupResult result =
        func::setup(message.state->registers, geometry.input(), out.primitive->primitive);
    if (result != func::SetupResult::kAccepted) {
      (result == func::SetupResult::kCulledFace ? counters.culled_face : counters.culled_empty)++;
      return busy(now);
    }
    out.primitive->vertex = std::move(message.vertex);
    out.primitive->vertices = message.vertices;
    out.primitive->state = message.state;
    out.primitive->origin = message.origin;
  }
  primitives_out.send(now, std::move(out));
  return busy(now);
}

}  // namespace cutaway::boxes
