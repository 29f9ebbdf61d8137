#pragma once

#include <utility>

#include "engine/wire.h"
#include "messages/messages.h"

namespace cutaway::messages {

// Sends the end of a batch or a draw to the next box, and the batch's counts, which are then reset, to the
// command processor. Both wires must have room.
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

// The end of a batch that has arrived behind a primitive taken in this cycle, or null. It is a mark on that
// primitive and passes with it; the end of a draw takes a cycle of its own.
inline const PrimitiveMessage* end_behind(engine::Cycle now, const engine::In<PrimitiveMessage>& primitives) {
  const PrimitiveMessage* next = primitives.peek(now);
  return next && next->batch_end ? next : nullptr;
}

}  // namespace cutaway::messages
