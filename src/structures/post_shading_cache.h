#pragma once

#include <cstdint>
#include <optional>

#include "messages/messages.h"
#include "structures/ring.h"

namespace cutaway::structures {

// The post-shading (post-transform) vertex cache (ATT-7): maps a vertex to the slot of post-shading memory in
// which it is shaded or in flight. First in, first out: a hit does not extend a vertex's stay. The cache does
// not know a slot's contents or when it is free: whoever inserts a slot must keep it in use until it is
// evicted.
class PostShadingCache {
 public:
  explicit PostShadingCache(uint32_t vertices) : vertices_(vertices) {}

  std::optional<messages::SlotIndex> find(uint32_t vertex, uint32_t instance) const {
    for (uint32_t i = 0; i < vertices_.size(); i++) {
      const Cached& cached = vertices_[i];
      if (cached.vertex == vertex && cached.instance == instance) return cached.slot;
    }
    return {};
  }

  bool full() const { return vertices_.full(); }
  bool has_room(uint32_t vertices) const { return vertices_.size() + vertices <= vertices_.capacity(); }
  bool empty() const { return vertices_.empty(); }
  // Requires that the cache is not full.
  void insert(uint32_t vertex, uint32_t instance, messages::SlotIndex slot) {
    vertices_.push({vertex, instance, slot});
  }
  // Evicts the oldest vertex and returns its slot.
  messages::SlotIndex evict() { return vertices_.pop().slot; }

 private:
  struct Cached {
    uint32_t vertex = 0, instance = 0;
    messages::SlotIndex slot = 0;
  };
  Ring<Cached> vertices_;
};

}  // namespace cutaway::structures
