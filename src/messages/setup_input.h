#pragma once

#include "command_stream/primitive_geometry.h"
#include "messages/draw_state.h"
#include "messages/messages.h"

namespace cutaway::messages {

// The geometry of a primitive in flight, for clipping and setup.
struct MessageGeometry : command_stream::PrimitiveGeometry {
  explicit MessageGeometry(const PrimitiveMessage& message, uint32_t part = 0, uint32_t stipple_phase = 0)
      : PrimitiveGeometry(
            message.state->registers,
            {.vertices = message.vertices, .first = message.first, .id = message.origin.primitive},
            std::array{vertex(message, 0), vertex(message, 1), vertex(message, 2)}.data(), part,
            stipple_phase) {}

 private:
  static const ShadedVertex* vertex(const PrimitiveMessage& message, uint32_t i) {
    return i < message.vertices ? &*message.vertex[i] : nullptr;
  }
};

}  // namespace cutaway::messages
