#pragma once

#include <utility>
#include <vector>

#include "engine/storage.h"
#include "engine/wire.h"
#include "structures/commit_queue.h"

// Port handling shared by all boxes with a commit queue. Functions return whether anything changed.
namespace cutaway::structures {

// Takes the vertices of a group from each shader unit.
inline bool take_shaded(engine::Cycle now, CommitQueue& queue,
                        engine::Inputs<messages::ShadedVertices>& from_shaders) {
  bool progress = false;
  from_shaders.for_filled([&](unsigned unit) {
    auto& in = from_shaders[unit];
    const messages::ShadedVertices* shaded = in.peek(now);
    if (!shaded) return;
    queue.take(*shaded);
    in.drop(now);
    progress = true;
  });
  return progress;
}

// True if the oldest vertex waits only for a place.
inline bool lacks_place(engine::Cycle now, const CommitQueue& queue,
                        const engine::Out<messages::VertexMessage>& out, const engine::Storage& storage) {
  return queue.ready() && out.ready(now) && queue.next_is_vertex() && !storage.ready(now);
}

// Sends the oldest vertex or marker, if there is room. Every vertex sent takes a place, even if it was sent
// before, because it is a copy from post-shading memory.
inline bool send_oldest(engine::Cycle now, CommitQueue& queue, engine::Out<messages::VertexMessage>& out,
                        engine::Storage& storage, messages::Pool<messages::StoredVertex>& vertices) {
  if (!queue.ready() || !out.ready(now) || lacks_place(now, queue, out, storage)) return false;
  const uint32_t cycles = queue.wire_cycles();
  messages::VertexMessage message = queue.pop();
  if (message.vertex) {
    messages::VertexRef copy = vertices.allocate();
    copy->output = message.vertex->output;
    copy->index = message.vertex->index;
    copy->instance = message.vertex->instance;
    copy->place = storage.take(now);
    message.vertex = std::move(copy);
  }
  out.send(now, std::move(message), cycles);
  return true;
}

}  // namespace cutaway::structures
