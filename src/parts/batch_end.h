#pragma once

#include <utility>

#include "engine/wire.h"
#include "parts/messages.h"

namespace cutaway::parts {

// The end of a batch or a draw, to the box that follows and to the command processor: what the batch gave,
// which is counted anew from here on. Both wires have room.
inline void send_batch_end(engine::Cycle now, engine::Out<PrimitiveMessage>& primitives,
                           engine::Out<DrawAssembled>& told, DrawAssembled& assembled, const DrawState* state,
                           const Origin& origin, bool draw_end) {
  PrimitiveMessage end;
  end.state = state;
  end.origin = origin;
  end.draw_end = draw_end;
  end.batch_end = !draw_end;
  primitives.send(now, std::move(end));
  assembled.draw = origin.draw;
  told.send(now, assembled);
  assembled = {};
}

}  // namespace cutaway::parts
