#pragma once

#include <vector>

#include "engine/wire.h"
#include "parts/commit_queue.h"

// What every box with a commit queue does with its ports. Each returns whether anything changed.
namespace cutaway::parts {

// The vertices of a group from each shader unit.
inline bool take_shaded(engine::Cycle now, CommitQueue& queue,
                        std::vector<engine::In<ShadedVertices>>& from_shaders) {
  bool progress = false;
  for (auto& in : from_shaders) {
    const ShadedVertices* shaded = in.peek(now);
    if (!shaded) continue;
    queue.take(*shaded);
    in.drop(now);
    progress = true;
  }
  return progress;
}

// The oldest vertex or mark, if there is room for it.
inline bool send_oldest(engine::Cycle now, CommitQueue& queue, engine::Out<VertexMessage>& out) {
  if (!queue.ready() || !out.ready(now)) return false;
  const uint32_t cycles = queue.wire_cycles();
  out.send(now, queue.pop(), cycles);
  return true;
}

}  // namespace cutaway::parts
