#pragma once

#include "messages/messages.h"

namespace cutaway::messages {

// Z and stencil → color write of the same ROP: a quad that is going to be shaded, for its colors to be read
// meanwhile. Nothing waits for it.
struct QuadAhead {
  QuadMessage quad;
};
inline uint32_t work_of(const QuadAhead& message) { return message.quad.origin.work; }

}  // namespace cutaway::messages
