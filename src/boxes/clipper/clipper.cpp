#include "boxes/clipper/clipper.h"

#include "func/raster/clip.h"
#include "messages/setup_input.h"

namespace cutaway::boxes {

using engine::Cycle;

std::vector<std::string_view> Clipper::costs_nothing() const {
  return {"Clipping: a primitive that crosses planes takes no longer than another",
          "The number of clip planes and cull distances"};
}

Cycle Clipper::tick(Cycle now) {
  const messages::PrimitiveMessage* next = primitives_in.peek(now);
  if (!next) return idle(now);
  if (!primitives_out.ready(now)) return blocked(now, primitives_out);
  messages::PrimitiveMessage message = primitives_in.take(now);
  if (!message.is_end()) {
    counters.primitives++;
    const arch::Registers& registers = message.state->registers;
    const messages::MessageGeometry geometry(message);
    if (registers.raster.rasterizer_discard ||
        func::trivial_reject(registers, geometry.input()) != func::SetupResult::kAccepted) {
      counters.rejected++;
      return busy(now);
    }
  }
  primitives_out.send(now, std::move(message));
  return busy(now);
}

}  // namespace cutaway::boxes
