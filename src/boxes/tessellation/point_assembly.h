#pragma once

#include <array>
#include <cstdint>

#include "engine/storage.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// Puts shaded points together to points, lines or triangles, in the order in which they come.
class PointAssembly {
 public:
  explicit PointAssembly(messages::Pools& pools) : pools_(pools) {}

  // Adds a copy of the point's vertex, which owns `place`. Returns whether a primitive is complete: take() it
  // before the next point.
  bool add(const messages::VertexMessage& point, engine::Place place);
  // For a geometry program a whole primitive; else its vertices, the provoking one marked. It has state and
  // origin of its last point.
  messages::PrimitiveMessage take();

 private:
  messages::Pools& pools_;
  std::array<messages::VertexRef, 3> corner_;
  uint32_t corners_ = 0;  // in the primitive so far
  const messages::DrawState* state_ = nullptr;
  messages::Origin origin_;
  uint32_t strip_ = 0;  // each primitive is a strip of its own
};

}  // namespace cutaway::boxes
