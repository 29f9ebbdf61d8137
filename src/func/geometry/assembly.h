#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "arch/state.h"

namespace cutaway::func {

// A primitive as the assembler emits it. vertex[] holds the numbers passed to add(). The provoking vertex
// comes first; the others follow so that a triangle keeps the winding that Vulkan "Primitive Topologies"
// defines.
struct AssembledPrimitive {
  uint8_t vertices = 0;  // 1 to 3
  uint8_t first = 0;     // index in vertex[] of the first vertex in Vulkan's order: the start of a line
  uint32_t vertex[3] = {};
  uint32_t id = 0;     // primitive id: counts from 0 in each instance, across restarts
  uint32_t strip = 0;  // of lines: equal for the lines of a strip, different for neighbours in a list
};

// Assembles primitives from a sequence of vertices (Vulkan "Primitive Topologies"). Each vertex completes at
// most one primitive. Remembers at most two vertices: the centre and the last vertex of a fan, the last two
// of a strip, the incomplete primitive of a list. A restart or the end drops an incomplete primitive.
class PrimitiveAssembler {
 public:
  PrimitiveAssembler() = default;
  // Patches and adjacency topologies give no primitives; InputAssembler handles them. first_id: id of the
  // first primitive.
  PrimitiveAssembler(arch::Topology topology, arch::ProvokingVertex provoking, uint32_t first_id = 0)
      : topology_(topology), provoking_(provoking), next_id_(first_id) {}

  static bool supports(arch::Topology topology);

  // Adds a vertex, identified by any number that the caller uses: a handle or an ordinal.
  std::optional<AssembledPrimitive> add(uint32_t vertex);

  // Primitive restart: forgets the vertices, continues to count primitives.
  void restart() { count_ = 0, strip_++; }
  // Next instance: forgets the vertices and counts primitives from 0.
  void begin_instance() { count_ = 0, next_id_ = 0, strip_++; }

  // Number of remembered vertices (0 to 2): their handles must stay valid.
  uint32_t remembered() const { return count_ < 2 ? count_ : 2; }
  uint32_t remembered(uint32_t i) const { return held_[i]; }
  // Replaces the handle of remembered vertex i.
  void rename_remembered(uint32_t i, uint32_t vertex) { held_[i] = vertex; }

 private:
  std::optional<AssembledPrimitive> emit(uint32_t a, uint32_t b, uint32_t c, uint8_t vertices, uint8_t first);

  arch::Topology topology_ = arch::Topology::kTriangleList;
  arch::ProvokingVertex provoking_ = arch::ProvokingVertex::kFirst;
  uint32_t held_[2] = {};
  uint32_t count_ = 0;  // vertices since the restart; lists: since the last primitive
  uint32_t next_id_ = 0, strip_ = 0;
};
static_assert(std::is_trivially_copyable_v<PrimitiveAssembler>);

}  // namespace cutaway::func
