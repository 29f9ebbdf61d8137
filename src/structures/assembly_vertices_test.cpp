#include "structures/assembly_vertices.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "func/geometry/input_assembly.h"

namespace cutaway::structures {
namespace {

// A mock assembler with only the functions that are used.
struct Remembers {
  std::vector<uint32_t> numbers;
  uint32_t remembered() const { return static_cast<uint32_t>(numbers.size()); }
  uint32_t remembered(uint32_t i) const { return numbers[i]; }
};

TEST(AssemblyVertices, HoldsRememberedVertices) {
  messages::Pools pools;
  AssemblyVertices<3> vertices;
  const auto add = [&](uint32_t word) {
    messages::VertexRef vertex = pools.vertices.allocate();
    vertex->output[0][0] = word;
    return vertices.add(std::move(vertex));
  };
  const uint32_t a = add(10), b = add(11), c = add(12);
  EXPECT_EQ((std::set{a, b, c}).size(), 3u);
  EXPECT_EQ(vertices[b]->output[0][0], 11u);
  vertices.forget(Remembers{{a, c}});
  EXPECT_FALSE(vertices[b]);
  EXPECT_EQ(add(13), b);  // its number is free again
  EXPECT_EQ(vertices[a]->output[0][0], 10u);
  EXPECT_EQ(vertices[b]->output[0][0], 13u);
  vertices.clear();
  for (const uint32_t number : {a, b, c}) EXPECT_FALSE(vertices[number]);
  EXPECT_EQ(add(14), a);
}

// Any assembler finds its vertices; those that it does not remember are released at once.
TEST(AssemblyVertices, ServeEveryTopology) {
  for (uint32_t topology = 0; topology <= static_cast<uint32_t>(arch::Topology::kPatchList); topology++) {
    messages::Pools pools;
    AssemblyVertices<func::InputAssembler::kMostRemembered + 1> vertices;
    func::InputAssembler assembler(static_cast<arch::Topology>(topology), arch::ProvokingVertex::kFirst, 32);
    for (uint32_t i = 0; i < 100; i++) {
      messages::VertexRef vertex = pools.vertices.allocate();
      vertex->output[0][0] = i;
      const auto made = assembler.add(vertices.add(vertex));
      for (uint32_t v = 0; made && v < made->vertices; v++) {
        ASSERT_TRUE(vertices[made->vertex[v]]) << topology;
        EXPECT_LE(vertices[made->vertex[v]]->output[0][0], i);
      }
      vertices.forget(assembler);
      uint32_t held = 0;
      for (uint32_t number = 0; number <= func::InputAssembler::kMostRemembered; number++)
        held += vertices[number] ? 1 : 0;
      std::set<uint32_t> different;
      for (uint32_t r = 0; r < assembler.remembered(); r++) different.insert(assembler.remembered(r));
      EXPECT_EQ(held, different.size()) << topology << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace cutaway::structures
