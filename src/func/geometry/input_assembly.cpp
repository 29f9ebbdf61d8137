#include "func/geometry/input_assembly.h"

#include <algorithm>

namespace cutaway::func {

using arch::Topology;

InputAssembler::InputAssembler(Topology topology, arch::ProvokingVertex provoking, uint32_t patch_vertices,
                               uint32_t first_id)
    : topology_(topology),
      provoking_(provoking),
      patch_vertices_(std::clamp(patch_vertices, 1u, arch::kPatchVertices)),
      plain_(topology, provoking, first_id),
      next_id_(first_id) {}

// Makes a primitive of the first `vertices` held vertices.
InputPrimitive InputAssembler::make(uint8_t vertices, uint8_t first_provokes, uint8_t last_provokes) {
  InputPrimitive primitive;
  primitive.vertices = vertices;
  primitive.provoking = provoking_ == arch::ProvokingVertex::kLast ? last_provokes : first_provokes;
  primitive.id = next_id_++;
  primitive.strip = strip_;
  std::copy_n(held_.begin(), vertices, primitive.vertex.begin());
  return primitive;
}

void InputAssembler::drop(uint32_t vertices) {
  std::copy(held_.begin() + vertices, held_.begin() + count_, held_.begin());
  count_ -= vertices, first_ += vertices;
}

std::optional<InputPrimitive> InputAssembler::add_to_list(uint32_t vertices, uint8_t first_provokes,
                                                          uint8_t last_provokes) {
  if (count_ < vertices) return std::nullopt;
  strip_++;
  count_ = 0;
  return make(static_cast<uint8_t>(vertices), first_provokes, last_provokes);
}

std::optional<InputPrimitive> InputAssembler::add(uint32_t vertex) {
  if (is_plain()) {
    const auto assembled = plain_.add(vertex);
    if (!assembled) return std::nullopt;
    InputPrimitive primitive;
    const uint32_t n = assembled->vertices;
    primitive.vertices = assembled->vertices;
    // The provoking vertex comes first; by the last-vertex convention, last.
    const uint32_t begin = provoking_ == arch::ProvokingVertex::kLast ? 1 % n : 0;
    primitive.provoking = static_cast<uint8_t>((n - begin) % n);
    primitive.id = assembled->id, primitive.strip = assembled->strip;
    for (uint32_t i = 0; i < n; i++) primitive.vertex[i] = assembled->vertex[(begin + i) % n];
    return primitive;
  }
  held_[count_++] = vertex;
  switch (topology_) {
    case Topology::kLineListAdjacency:
      return add_to_list(4, 1, 2);
    case Topology::kTriangleListAdjacency:
      return add_to_list(6, 0, 4);
    case Topology::kPatchList:
      return add_to_list(patch_vertices_, 0, static_cast<uint8_t>(patch_vertices_ - 1));
    case Topology::kLineStripAdjacency: {
      if (count_ < 4) return std::nullopt;
      const InputPrimitive line = make(4, 1, 2);
      drop(1);
      return line;
    }
    case Topology::kTriangleStripAdjacency:
      // The next triangle is complete, so this one is not the last.
      if (first_ + count_ < 2 * triangle_ + 8) return std::nullopt;
      return strip_triangle(false);
    default:
      count_ = 0;
      return std::nullopt;
  }
}

// Vulkan "Triangle Strips With Adjacency": triangle i of a strip, by its vertex numbers.
InputPrimitive InputAssembler::strip_triangle(bool last) {
  const uint32_t i = triangle_++, n = 2 * i;
  const uint32_t before = at(i == 0 ? 1 : n - 2), after = at(last ? n + 5 : n + 6);
  const bool odd = i % 2 == 1;
  InputPrimitive triangle = make(6, odd ? 2 : 0, 4);
  triangle.vertex = {};
  if (odd) {
    const uint32_t order[6] = {at(n + 2), before, at(n), at(n + 3), at(n + 4), after};
    std::copy_n(order, 6, triangle.vertex.begin());
  } else {
    const uint32_t order[6] = {at(n), before, at(n + 2), after, at(n + 4), at(n + 3)};
    std::copy_n(order, 6, triangle.vertex.begin());
  }
  // The next primitive begins with the preceding vertex.
  if (n > first_) drop(n - first_);
  return triangle;
}

std::optional<InputPrimitive> InputAssembler::end_strip() {
  std::optional<InputPrimitive> triangle;
  if (topology_ == Topology::kTriangleStripAdjacency && first_ + count_ >= 2 * triangle_ + 6)
    triangle = strip_triangle(true);
  count_ = first_ = triangle_ = 0;
  return triangle;
}

std::optional<InputPrimitive> InputAssembler::restart() {
  plain_.restart();
  const auto waiting = end_strip();
  strip_++;
  return waiting;
}

std::optional<InputPrimitive> InputAssembler::begin_instance() {
  plain_.begin_instance();
  const auto waiting = end_strip();
  next_id_ = 0, strip_++;
  return waiting;
}

AssembledPrimitive without_adjacency(const InputPrimitive& primitive) {
  AssembledPrimitive assembled;
  assembled.id = primitive.id, assembled.strip = primitive.strip;
  const bool lines = primitive.vertices == 4, triangles = primitive.vertices == 6;
  const uint32_t n = lines ? 2u : triangles ? 3u : std::min<uint32_t>(primitive.vertices, 3);
  // Select the vertices of the line or triangle itself: consecutive ones, or every second one of a triangle.
  const uint32_t start = lines ? 1 : 0, step = triangles ? 2 : 1;
  const uint32_t provoking = (primitive.provoking - start) / step;
  assembled.vertices = static_cast<uint8_t>(n);
  assembled.first = static_cast<uint8_t>((n - provoking) % n);
  for (uint32_t i = 0; i < n; i++) assembled.vertex[i] = primitive.vertex[start + (provoking + i) % n * step];
  return assembled;
}

}  // namespace cutaway::func
