#include "func/geometry/input_assembly.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::func {
namespace {

using arch::ProvokingVertex;
using arch::Topology;
using Numbers = std::vector<uint32_t>;

// All primitives of a strip or list with `vertices` vertices, numbered from 0.
std::vector<InputPrimitive> all(Topology topology, uint32_t vertices, ProvokingVertex provoking,
                                uint32_t patch_vertices = 0) {
  InputAssembler assembler(topology, provoking, patch_vertices);
  std::vector<InputPrimitive> made;
  assembler.begin_instance();
  for (uint32_t i = 0; i < vertices; i++)
    if (const auto primitive = assembler.add(i)) made.push_back(*primitive);
  if (const auto primitive = assembler.finish()) made.push_back(*primitive);
  return made;
}

Numbers numbers(const InputPrimitive& primitive) {
  return {primitive.vertex.begin(), primitive.vertex.begin() + primitive.vertices};
}

std::vector<Numbers> orders(Topology topology, uint32_t vertices, uint32_t patch_vertices = 0) {
  std::vector<Numbers> orders;
  for (const InputPrimitive& primitive : all(topology, vertices, ProvokingVertex::kFirst, patch_vertices)) {
    EXPECT_EQ(primitive.id, orders.size());
    orders.push_back(numbers(primitive));
  }
  return orders;
}

TEST(InputAssembly, LinesWithAdjacency) {
  EXPECT_EQ(orders(Topology::kLineListAdjacency, 11), (std::vector<Numbers>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(orders(Topology::kLineStripAdjacency, 6),
            (std::vector<Numbers>{{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}}));
  EXPECT_TRUE(orders(Topology::kLineStripAdjacency, 3).empty());
}

TEST(InputAssembly, PatchesTakeTheirVertices) {
  EXPECT_EQ(orders(Topology::kPatchList, 11, 5), (std::vector<Numbers>{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}}));
  EXPECT_EQ(orders(Topology::kPatchList, 2, 1), (std::vector<Numbers>{{0}, {1}}));
  EXPECT_EQ(orders(Topology::kPatchList, 64, 32).at(1).back(), 63u);
}

// Vulkan "Triangle Strips With Adjacency": the vertices in its table, with any number of leftover vertices.
TEST(InputAssembly, TriangleStripsWithAdjacencyAreThoseOfTheTable) {
  EXPECT_TRUE(orders(Topology::kTriangleStripAdjacency, 5).empty());
  for (uint32_t extra : {0u, 1u}) {
    EXPECT_EQ(orders(Topology::kTriangleStripAdjacency, 6 + extra),
              (std::vector<Numbers>{{0, 1, 2, 5, 4, 3}}));
    EXPECT_EQ(orders(Topology::kTriangleStripAdjacency, 8 + extra),
              (std::vector<Numbers>{{0, 1, 2, 6, 4, 3}, {4, 0, 2, 5, 6, 7}}));
    EXPECT_EQ(orders(Topology::kTriangleStripAdjacency, 10 + extra),
              (std::vector<Numbers>{{0, 1, 2, 6, 4, 3}, {4, 0, 2, 5, 6, 8}, {4, 2, 6, 9, 8, 7}}));
    EXPECT_EQ(orders(Topology::kTriangleStripAdjacency, 12 + extra),
              (std::vector<Numbers>{
                  {0, 1, 2, 6, 4, 3}, {4, 0, 2, 5, 6, 8}, {4, 2, 6, 10, 8, 7}, {8, 4, 6, 9, 10, 11}}));
  }
  EXPECT_EQ(orders(Topology::kTriangleListAdjacency, 13),
            (std::vector<Numbers>{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}));
}

TEST(InputAssembly, ProvokingVerticesAreVulkans) {
  const auto provoking = [](Topology topology, uint32_t vertices, ProvokingVertex which) {
    Numbers found;
    for (const InputPrimitive& primitive : all(topology, vertices, which))
      found.push_back(primitive.vertex[primitive.provoking]);
    return found;
  };
  EXPECT_EQ(provoking(Topology::kTriangleStripAdjacency, 10, ProvokingVertex::kFirst), (Numbers{0, 2, 4}));
  EXPECT_EQ(provoking(Topology::kTriangleStripAdjacency, 10, ProvokingVertex::kLast), (Numbers{4, 6, 8}));
  EXPECT_EQ(provoking(Topology::kLineStripAdjacency, 5, ProvokingVertex::kFirst), (Numbers{1, 2}));
  EXPECT_EQ(provoking(Topology::kLineStripAdjacency, 5, ProvokingVertex::kLast), (Numbers{2, 3}));
  EXPECT_EQ(provoking(Topology::kTriangleListAdjacency, 12, ProvokingVertex::kFirst), (Numbers{0, 6}));
  EXPECT_EQ(provoking(Topology::kTriangleListAdjacency, 12, ProvokingVertex::kLast), (Numbers{4, 10}));
  EXPECT_EQ(provoking(Topology::kTriangleStrip, 5, ProvokingVertex::kFirst), (Numbers{0, 1, 2}));
  EXPECT_EQ(provoking(Topology::kTriangleStrip, 5, ProvokingVertex::kLast), (Numbers{2, 3, 4}));
  EXPECT_EQ(provoking(Topology::kTriangleFan, 4, ProvokingVertex::kFirst), (Numbers{1, 2}));
  EXPECT_EQ(provoking(Topology::kTriangleFan, 4, ProvokingVertex::kLast), (Numbers{2, 3}));
}

// Vulkan "Triangle Strips", "Triangle Fans": the order keeps the winding; the provoking vertex is the first,
// or by the last-vertex convention the last.
TEST(InputAssembly, PlainPrimitivesAreInVulkansOrder) {
  const auto order = [](Topology topology, uint32_t vertices, ProvokingVertex which) {
    std::vector<Numbers> orders;
    for (const InputPrimitive& primitive : all(topology, vertices, which))
      orders.push_back(numbers(primitive));
    return orders;
  };
  using Orders = std::vector<Numbers>;
  EXPECT_EQ(order(Topology::kTriangleStrip, 5, ProvokingVertex::kFirst),
            (Orders{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
  EXPECT_EQ(order(Topology::kTriangleStrip, 5, ProvokingVertex::kLast),
            (Orders{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}}));
  EXPECT_EQ(order(Topology::kTriangleFan, 4, ProvokingVertex::kFirst), (Orders{{1, 2, 0}, {2, 3, 0}}));
  EXPECT_EQ(order(Topology::kTriangleFan, 4, ProvokingVertex::kLast), (Orders{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(order(Topology::kLineStrip, 3, ProvokingVertex::kLast), (Orders{{0, 1}, {1, 2}}));
  EXPECT_EQ(order(Topology::kTriangleList, 3, ProvokingVertex::kLast), (Orders{{0, 1, 2}}));
}

TEST(InputAssembly, RestartsEndStripsAndInstancesCountAnew) {
  InputAssembler assembler(Topology::kTriangleStripAdjacency, ProvokingVertex::kFirst);
  for (uint32_t i = 0; i < 6; i++) EXPECT_FALSE(assembler.add(i));
  const auto first = assembler.restart();
  ASSERT_TRUE(first);
  EXPECT_EQ(numbers(*first), (Numbers{0, 1, 2, 5, 4, 3}));
  for (uint32_t i = 10; i < 16; i++) EXPECT_FALSE(assembler.add(i));
  const auto second = assembler.begin_instance();
  ASSERT_TRUE(second);
  EXPECT_EQ(numbers(*second), (Numbers{10, 11, 12, 15, 14, 13}));
  EXPECT_EQ(second->id, 1u);
  for (uint32_t i = 0; i < 6; i++) assembler.add(i);
  EXPECT_EQ(assembler.finish()->id, 0u);
  EXPECT_FALSE(assembler.finish());
}

// Renamed handles refer to the same vertices.
TEST(InputAssembly, RememberedVerticesGoByOtherNames) {
  InputAssembler assembler(Topology::kTriangleStripAdjacency, ProvokingVertex::kFirst);
  std::vector<Numbers> made;
  const auto note = [&](const std::optional<InputPrimitive>& primitive) {
    if (!primitive) return;
    made.push_back(numbers(*primitive));
    for (uint32_t& vertex : made.back()) vertex %= 100;
  };
  for (uint32_t i = 0; i < 16; i++) {
    note(assembler.add(i));
    for (uint32_t k = 0; k < assembler.remembered(); k++)
      assembler.rename_remembered(k, assembler.remembered(k) % 100 + 100 * i);
  }
  note(assembler.finish());
  EXPECT_EQ(made, orders(Topology::kTriangleStripAdjacency, 16));
}

TEST(InputAssembly, AdjacentVerticesAreNotRasterised) {
  for (const ProvokingVertex which : {ProvokingVertex::kFirst, ProvokingVertex::kLast}) {
    for (const InputPrimitive& primitive : all(Topology::kTriangleStripAdjacency, 12, which)) {
      const AssembledPrimitive triangle = without_adjacency(primitive);
      ASSERT_EQ(triangle.vertices, 3);
      EXPECT_EQ(triangle.vertex[0], primitive.vertex[primitive.provoking]);
      for (uint32_t i = 0; i < 3; i++)
        EXPECT_EQ(triangle.vertex[(triangle.first + i) % 3], primitive.vertex[2 * i]);
    }
    const AssembledPrimitive line = without_adjacency(all(Topology::kLineListAdjacency, 4, which).at(0));
    ASSERT_EQ(line.vertices, 2);
    EXPECT_EQ(line.vertex[line.first], 1u);
    EXPECT_EQ(line.vertex[0], which == ProvokingVertex::kFirst ? 1u : 2u);
    // Plain topologies give the plain assembler's primitives.
    PrimitiveAssembler plain(Topology::kTriangleStrip, which);
    const auto wide = all(Topology::kTriangleStrip, 6, which);
    size_t n = 0;
    for (uint32_t i = 0; i < 6; i++)
      if (const auto expected = plain.add(i)) {
        const AssembledPrimitive found = without_adjacency(wide.at(n++));
        EXPECT_EQ(found.vertices, expected->vertices);
        for (uint32_t k = 0; k < 3; k++) EXPECT_EQ(found.vertex[k], expected->vertex[k]);
      }
  }
}

}  // namespace
}  // namespace cutaway::func
