#pragma once

#include <array>
#include <optional>

#include "arch/registers.h"
#include "func/geometry/assembly.h"

namespace cutaway::func {

// A primitive as programs that work on primitives see it: all its vertices in Vulkan's order ("Primitive
// Topologies"), with adjacency the adjacent ones among them. vertex[] holds what was fed in.
struct InputPrimitive {
  uint8_t vertices = 0;   // of lines and triangles with adjacency 4 and 6
  uint8_t provoking = 0;  // which of vertex[]
  uint32_t id = 0;        // counts from 0 in each instance, through restarts
  uint32_t strip = 0;     // of lines: AssembledPrimitive
  std::array<uint32_t, arch::kPatchVertices> vertex{};
};

// Makes such primitives from vertices that come one by one. Of a strip of triangles with adjacency the last
// triangle has another vertex beside it than those before it, so that each comes when the next one is
// complete and the last with the strip's end.
class InputAssembler {
 public:
  static constexpr uint32_t kMostRemembered = arch::kPatchVertices;

  InputAssembler() = default;
  // patch_vertices: of each patch, 1 to arch::kPatchVertices; other topologies have no use for it. first_id:
  // of the first primitive.
  InputAssembler(arch::Topology topology, arch::ProvokingVertex provoking, uint32_t patch_vertices = 0,
                 uint32_t first_id = 0);

  std::optional<InputPrimitive> add(uint32_t vertex);
  // Each gives the primitive that was waiting for the end of its strip. finish(): at the end of the draw.
  std::optional<InputPrimitive> restart();
  std::optional<InputPrimitive> begin_instance();
  std::optional<InputPrimitive> finish() { return end_strip(); }

  // Vertices that are remembered: as PrimitiveAssembler's.
  uint32_t remembered() const { return is_plain() ? plain_.remembered() : count_; }
  uint32_t remembered(uint32_t i) const { return is_plain() ? plain_.remembered(i) : held_[i]; }
  void rename_remembered(uint32_t i, uint32_t vertex) {
    if (is_plain()) plain_.rename_remembered(i, vertex);
    else held_[i] = vertex;
  }

 private:
  bool is_plain() const { return PrimitiveAssembler::supports(topology_); }
  uint32_t at(uint32_t number) const { return held_[number - first_]; }
  InputPrimitive make(uint8_t vertices, uint8_t first_provokes, uint8_t last_provokes);
  std::optional<InputPrimitive> add_to_list(uint32_t vertices, uint8_t first_provokes, uint8_t last_provokes);
  InputPrimitive strip_triangle(bool last);
  std::optional<InputPrimitive> end_strip();
  void drop(uint32_t vertices);

  arch::Topology topology_ = arch::Topology::kTriangleList;
  arch::ProvokingVertex provoking_ = arch::ProvokingVertex::kFirst;
  uint32_t patch_vertices_ = 0;
  PrimitiveAssembler plain_;  // points, lines and triangles
  std::array<uint32_t, kMostRemembered> held_{};
  uint32_t count_ = 0;     // held
  uint32_t first_ = 0;     // number of the first of them in its strip
  uint32_t triangle_ = 0;  // of a strip, the next one
  uint32_t next_id_ = 0, strip_ = 0;
};

// What is rasterised of such a primitive: without what is adjacent, the provoking vertex first.
AssembledPrimitive without_adjacency(const InputPrimitive& primitive);

}  // namespace cutaway::func
