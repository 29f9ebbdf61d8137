#include "structures/draw_batches.h"

#include <gtest/gtest.h>
#include <tuple>
#include <vector>

#include "func/geometry/input_assembly.h"
#include "messages/testing/draws.h"

namespace cutaway::structures {
namespace {

using arch::Topology;

// Instance, id, and positions of the vertices.
using Assembled = std::tuple<uint32_t, uint32_t, std::vector<uint32_t>>;

struct Assembly {
  std::vector<Assembled> primitives;
  std::vector<uint32_t> taken;  // positions of vertices that the previous batch does not have

  void assemble(const arch::Registers& registers, const Batch& batch, uint32_t instance) {
    func::PrimitiveAssembler assembler(
        static_cast<Topology>(registers.assembly.topology),
        static_cast<arch::ProvokingVertex>(registers.assembly.provoking_vertex), batch.first_primitive);
    const auto add = [&](uint32_t position, bool repeated) {
      if (!repeated) taken.at(position)++;
      if (const auto made = assembler.add(position))
        primitives.emplace_back(instance, made->id, std::vector(made->vertex, made->vertex + made->vertices));
    };
    if (batch.centre) add(0, true);
    for (uint32_t i = batch.begin; i < batch.end; i++) add(i, i - batch.begin < batch.repeated);
  }
};

// Whole draws and batches of any size make the same primitives in the same order.
TEST(DrawBatches, MakeThePrimitivesOfTheDraw) {
  const auto state = messages::testing::plain_state();
  arch::Registers& registers = state->registers;
  const FrontEnds alone{.units = 1};
  for (uint32_t topology = 0; topology <= static_cast<uint32_t>(Topology::kTriangleFan); topology++)
    for (const auto provoking : {arch::ProvokingVertex::kFirst, arch::ProvokingVertex::kLast})
      for (uint32_t count = 0; count < 30; count++)
        for (const unsigned size : {2u, 4u, 10u}) {
          registers.assembly.topology = topology;
          registers.assembly.provoking_vertex = static_cast<uint32_t>(provoking);
          const command_stream::Draw draw{.count = count, .instances = 3};
          Assembly whole{.taken = std::vector<uint32_t>(count)}, cut = whole;
          const DrawBatches one(draw, registers, alone);
          ASSERT_TRUE(one.whole());
          ASSERT_EQ(one.count(), 1u);
          for (uint32_t instance = 0; instance < 3; instance++)
            whole.assemble(registers, one.batch(0), instance);

          const DrawBatches batches(draw, registers, {.units = 2, .batch = size});
          EXPECT_EQ(batches.whole(), whole.primitives.empty());
          if (batches.whole()) continue;
          for (uint32_t i = 0; i < batches.count(); i++) {
            const size_t before = cut.primitives.size();
            cut.assemble(registers, batches.batch(i), batches.batch(i).instance);
            EXPECT_GT(cut.primitives.size(), before);
            EXPECT_LE(cut.primitives.size(), before + size);
          }
          EXPECT_EQ(cut.primitives, whole.primitives) << topology << ' ' << count << ' ' << size;
          EXPECT_EQ(cut.taken, whole.taken) << topology << ' ' << count << ' ' << size;
        }
}

// Topologies with adjacency and patches are divided into whole primitives too.
TEST(DrawBatches, MakeTheWholePrimitivesOfTheDraw) {
  const auto state = messages::testing::plain_state();
  arch::Registers& registers = state->registers;
  registers.tessellation.patch_vertices = 5;
  using Whole = std::tuple<uint32_t, uint32_t, std::vector<uint32_t>>;
  const auto assemble = [&](const DrawBatches& batches) {
    std::vector<Whole> all;
    for (uint32_t i = 0; i < batches.count(); i++) {
      const Batch batch = batches.batch(i);
      for (uint32_t instance = batch.instance; instance < (batches.whole() ? 3 : batch.instance + 1);
           instance++) {
        func::InputAssembler assembler(static_cast<Topology>(registers.assembly.topology),
                                       arch::ProvokingVertex::kFirst, 5, batch.first_primitive);
        const auto keep = [&](const std::optional<func::InputPrimitive>& made) {
          if (made)
            all.emplace_back(instance, made->id,
                             std::vector(made->vertex.begin(), made->vertex.begin() + made->vertices));
        };
        for (uint32_t at = batch.begin; at < batch.end; at++) keep(assembler.add(at));
        keep(assembler.finish());
      }
    }
    return all;
  };
  for (const Topology topology : {Topology::kLineListAdjacency, Topology::kLineStripAdjacency,
                                  Topology::kTriangleListAdjacency, Topology::kPatchList})
    for (uint32_t count = 0; count < 50; count++)
      for (const unsigned size : {2u, 4u}) {
        registers.assembly.topology = static_cast<uint32_t>(topology);
        const command_stream::Draw draw{.count = count, .instances = 3};
        const DrawBatches cut(draw, registers, {.units = 2, .batch = size});
        const std::vector<Whole> expected = assemble(DrawBatches(draw, registers, {.units = 1}));
        EXPECT_EQ(cut.whole(), expected.empty());
        if (cut.whole()) continue;
        EXPECT_EQ(assemble(cut), expected) << static_cast<int>(topology) << ' ' << count;
      }
}

TEST(DrawBatches, AreOneWhereAPrimitiveDependsOnAllBeforeIt) {
  const auto state = messages::testing::plain_state();
  arch::Registers& registers = state->registers;
  const auto batches = [&](Topology topology, bool indexed) {
    registers.assembly.topology = static_cast<uint32_t>(topology);
    const command_stream::Draw draw{.indexed = indexed, .count = 50, .instances = 1};
    return DrawBatches(draw, registers, {.units = 3, .batch = 4}).count();
  };
  EXPECT_EQ(batches(Topology::kTriangleList, true), 4u);
  EXPECT_EQ(batches(Topology::kLineStrip, true), 13u);
  EXPECT_EQ(batches(Topology::kPatchList, true), 1u);  // without vertices: nothing is assembled
  EXPECT_EQ(batches(Topology::kLineListAdjacency, true), 3u);
  EXPECT_EQ(batches(Topology::kTriangleStripAdjacency, true), 1u);  // the last triangle differs
  registers.assembly.primitive_restart = 1;
  EXPECT_EQ(batches(Topology::kTriangleList, true), 1u);
  EXPECT_EQ(batches(Topology::kTriangleList, false), 4u);
  registers.raster.line_stipple = 0xffff;  // a pattern with factor 0
  EXPECT_EQ(batches(Topology::kLineStrip, false), 13u);
  registers.raster.line_stipple = 1 << 16 | 0x0f0f;
  EXPECT_EQ(batches(Topology::kLineStrip, false), 1u);
  EXPECT_EQ(batches(Topology::kLineList, false), 7u);
}

}  // namespace
}  // namespace cutaway::structures
