#include "boxes/clipper/clipper.h"

#include "func/raster/clip.h"
#include "messages/batch_end.h"
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
  const bool end = next->is_end();
  if (end || accepts(*next)) primitives_out.send(now, primitives_in.take(now));
  else primitives_in.drop(now);
  if (!end && messages::end_behind(now, primitives_in) && primitives_out.ready(now))
    primitives_out.send(now, primitives_in.take(now));
  return busy(now);
}

bool Clipper::accepts(const messages::PrimitiveMessage& message) {
  counters.primitives++;
  const arch::Registers& registers = message.state->registers;
  const messages::MessageGeometry geometry(message);
  if (!registers.raster.rasterizer_discard &&
      func::trivial_reject(registers, geometry.input()) == func::SetupResult::kAccepted)
    return true;
  counters.rejected++;
  return false;
}

}  // namespace cutaway::boxes
