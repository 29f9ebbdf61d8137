#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "arch/state.h"

namespace cutaway::func {

// A primitive as the assembler gives it out. vertex[] holds what was fed in. The provoking vertex comes
// first; the others follow so that a triangle keeps the winding that Vulkan "Primitive Topologies" defines.
struct AssembledPrimitive {
  uint8_t vertices = 0;  // 1 to 3
  uint8_t first = 0;     // which of vertex[] Vulkan's order begins with: where a line starts
  uint32_t vertex[3] = {};
  uint32_t id = 0;     // primitive id: counts from 0 in each instance, through restarts
  uint32_t strip = 0;  // of lines: those of a strip share it, neighbours of a list do not
};

// Makes primitives from vertices that come one by one (Vulkan "Primitive Topologies"). Each vertex completes
// at most one primitive. Remembers at most two vertices: of a fan its centre and the last one, of a strip the
// last two, of a list what is incomplete. What is left incomplete at a restart or at the end is dropped.
class PrimitiveAssembler {
 public:
  PrimitiveAssembler() = default;
  // Patches and adjacency topologies are not assembled yet: they give no primitives.
  // first_id: of the first primitive.
  PrimitiveAssembler(arch::Topology topology, arch::ProvokingVertex provoking, uint32_t first_id = 0)
      : topology_(topology), provoking_(provoking), next_id_(first_id) {}

  static bool supports(arch::Topology topology);

  // Feeds a vertex, named by whatever number the caller uses for it: a handle or an ordinal.
  std::optional<AssembledPrimitive> add(uint32_t vertex);

  // Primitive restart: forgets the vertices, goes on counting primitives.
  void restart() { count_ = 0, strip_++; }
  // Next instance: forgets the vertices and counts primitives from 0.
  void begin_instance() { count_ = 0, next_id_ = 0, strip_++; }

  // Vertices that are remembered (0 to 2): their handles must stay valid.
  uint32_t remembered() const { return count_ < 2 ? count_ : 2; }
  uint32_t remembered(uint32_t i) const { return held_[i]; }
  // From here on remembered vertex i goes by another handle.
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
