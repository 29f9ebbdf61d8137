#include "func/geometry/assembly.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace cutaway::func {
namespace {

using arch::ProvokingVertex;
using arch::Topology;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string text(const AssembledPrimitive& p) {
  std::string out = std::to_string(p.id) + ":";
  for (int i = 0; i < p.vertices; ++i) out += " " + std::to_string(p.vertex[i]);
  return out;
}

// Vertices 10, 11, ...
std::vector<std::string> assemble(Topology topology, int vertices,
                                  ProvokingVertex provoking = ProvokingVertex::kFirst) {
  PrimitiveAssembler assembler(topology, provoking);
  std::vector<std::string> out;
  for (int i = 0; i < vertices; ++i) {
    if (const auto p = assembler.add(static_cast<uint32_t>(10 + i))) out.push_back(text(*p));
    EXPECT_LE(assembler.remembered(), 2u);
  }
  return out;
}

TEST(Assembly, Points) { EXPECT_THAT(assemble(Topology::kPointList, 2), ElementsAre("0: 10", "1: 11")); }

TEST(Assembly, LineListDropsAnIncompleteLine) {
  EXPECT_THAT(assemble(Topology::kLineList, 5), ElementsAre("0: 10 11", "1: 12 13"));
}

TEST(Assembly, LineStrip) {
  EXPECT_THAT(assemble(Topology::kLineStrip, 4), ElementsAre("0: 10 11", "1: 11 12", "2: 12 13"));
}

TEST(Assembly, TriangleListDropsAnIncompleteTriangle) {
  EXPECT_THAT(assemble(Topology::kTriangleList, 8), ElementsAre("0: 10 11 12", "1: 13 14 15"));
}

TEST(Assembly, StripKeepsWindingAndProvokingVertexFirst) {
  EXPECT_THAT(assemble(Topology::kTriangleStrip, 6),
              ElementsAre("0: 10 11 12", "1: 11 13 12", "2: 12 13 14", "3: 13 15 14"));
}

TEST(Assembly, TriangleFanStartsAtTheSecondVertex) {
  EXPECT_THAT(assemble(Topology::kTriangleFan, 5), ElementsAre("0: 11 12 10", "1: 12 13 10", "2: 13 14 10"));
}

TEST(Assembly, LastProvokingVertexComesFirst) {
  const auto last = ProvokingVertex::kLast;
  EXPECT_THAT(assemble(Topology::kTriangleList, 3, last), ElementsAre("0: 12 10 11"));
  // (10 11 12), (12 11 13), (12 13 14)
  EXPECT_THAT(assemble(Topology::kTriangleStrip, 5, last),
              ElementsAre("0: 12 10 11", "1: 13 12 11", "2: 14 12 13"));
  EXPECT_THAT(assemble(Topology::kTriangleFan, 4, last), ElementsAre("0: 12 10 11", "1: 13 10 12"));
  EXPECT_THAT(assemble(Topology::kLineStrip, 3, last), ElementsAre("0: 11 10", "1: 12 11"));
}

// Vulkan "Primitive Topologies" lists the vertices of primitive i; tests the first of them.
TEST(Assembly, FirstIsTheVertexThatVulkansOrderBeginsWith) {
  const auto first = [](Topology topology, ProvokingVertex provoking, int vertices) {
    PrimitiveAssembler assembler(topology, provoking);
    std::optional<AssembledPrimitive> last;
    for (int i = 0; i < vertices; ++i)
      if (const auto p = assembler.add(static_cast<uint32_t>(10 + i))) last = p;
    return last->vertex[last->first];
  };
  for (const auto provoking : {ProvokingVertex::kFirst, ProvokingVertex::kLast}) {
    EXPECT_EQ(first(Topology::kLineList, provoking, 4), 12u);
    EXPECT_EQ(first(Topology::kLineStrip, provoking, 4), 12u);
    EXPECT_EQ(first(Topology::kTriangleList, provoking, 6), 13u);
    EXPECT_EQ(first(Topology::kTriangleStrip, provoking, 3), 10u);
    EXPECT_EQ(first(Topology::kTriangleFan, provoking, 3), 11u);
    EXPECT_EQ(first(Topology::kTriangleFan, provoking, 5), 13u);
  }
}

TEST(Assembly, RestartForgetsVerticesAndGoesOnCounting) {
  for (const Topology topology :
       {Topology::kTriangleList, Topology::kTriangleStrip, Topology::kTriangleFan}) {
    PrimitiveAssembler assembler(topology, ProvokingVertex::kFirst);
    for (uint32_t v : {0u, 1u, 2u}) assembler.add(v);
    assembler.add(3);
    assembler.restart();
    EXPECT_EQ(assembler.remembered(), 0u);
    EXPECT_FALSE(assembler.add(7));
    EXPECT_FALSE(assembler.add(8));
    const auto p = assembler.add(9);
    ASSERT_TRUE(p);
    EXPECT_EQ(text(*p).substr(0, 2), topology == Topology::kTriangleList ? "1:" : "2:");
  }
}

TEST(Assembly, AnInstanceCountsFromZero) {
  PrimitiveAssembler assembler(Topology::kLineStrip, ProvokingVertex::kFirst);
  assembler.add(0), assembler.add(1);
  assembler.begin_instance();
  EXPECT_FALSE(assembler.add(2));
  EXPECT_EQ(text(*assembler.add(3)), "0: 2 3");
}

TEST(Assembly, UnsupportedTopologiesGiveNothing) {
  EXPECT_FALSE(PrimitiveAssembler::supports(Topology::kPatchList));
  EXPECT_TRUE(PrimitiveAssembler::supports(Topology::kTriangleFan));
  EXPECT_THAT(assemble(Topology::kTriangleListAdjacency, 12), IsEmpty());
}

}  // namespace
}  // namespace cutaway::func
