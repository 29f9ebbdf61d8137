#pragma once

#include <array>
#include <optional>

#include "arch/registers.h"
#include "func/geometry/assembly.h"

namespace cutaway::func {

// A primitive as tessellation and geometry programs see it: all its vertices in Vulkan's order ("Primitive
// Topologies"), including adjacent ones. vertex[] holds the numbers passed to add().
struct InputPrimitive {
  uint8_t vertices = 0;   // lines and triangles with adjacency have 4 and 6
  uint8_t provoking = 0;  // index in vertex[]
  uint32_t id = 0;        // counts from 0 in each instance, across restarts
  uint32_t strip = 0;     // as AssembledPrimitive::strip
  std::array<uint32_t, arch::kPatchVertices> vertex{};
};

// Assembles such primitives from a sequence of vertices. In a strip of triangles with adjacency, the last
// triangle has a different adjacent vertex than those before it. So each triangle is emitted when the next
// one is complete, and the last one at the end of the strip.
class InputAssembler {
 public:
  static constexpr uint32_t kMostRemembered = arch::kPatchVertices;

  InputAssembler() = default;
  // patch_vertices: vertices per patch, 1 to arch::kPatchVertices; ignored for other topologies. first_id: id
  // of the first primitive.
  InputAssembler(arch::Topology topology, arch::ProvokingVertex provoking, uint32_t patch_vertices = 0,
                 uint32_t first_id = 0);

  std::optional<InputPrimitive> add(uint32_t vertex);
  // Both return the primitive that was waiting for the end of its strip. Call finish() at the end of the
  // draw.
  std::optional<InputPrimitive> restart();
  std::optional<InputPrimitive> begin_instance();
  std::optional<InputPrimitive> finish() { return end_strip(); }

  // Number of remembered vertices: as in PrimitiveAssembler.
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
  uint32_t count_ = 0;     // vertices held
  uint32_t first_ = 0;     // number in its strip of the first held vertex
  uint32_t triangle_ = 0;  // of a strip: number of the next triangle
  uint32_t next_id_ = 0, strip_ = 0;
};

// The primitive to rasterise: without adjacent vertices, provoking vertex first.
AssembledPrimitive without_adjacency(const InputPrimitive& primitive);

}  // namespace cutaway::func
