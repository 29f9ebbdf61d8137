#include "command_stream/query_counters.h"
#include "emulator/testing/outcome.h"
#include "scenes/parts.h"

// Tests patches through control program, tessellator and evaluation program.
namespace cutaway::emulator {
namespace {

using arch::Stage;
using arch::Topology;
using scenes::bits;
using scenes::Builder;

constexpr const char* kControl = R"(
    LDV r0, i32.y, v0
    SHL r1.x, i32.y, c2.x
    IADD r1.x, r1.x, c2.y
    STW _, r1.x, r0
    STW _, c2.z, c0
    STW _.xy, c2.w, c1
    END)";
// Interpolates the positions of the four vertices; the color is the position in the domain.
constexpr const char* kEvaluation = R"(
    LDW r0, c0.x
    LDW r1, c0.y
    LDW r2, c0.z
    LDW r3, c0.w
    LRP r4, i33.x, r1, r0
    LRP r5, i33.x, r3, r2
    LRP o0, i33.y, r5, r4
    MOV o1.xyz, i33
    MOV o1.w, c1.x
    END)";

// Squares side by side, one patch each, in target space from left to right.
Builder patches(uint32_t count, float outer, float inner) {
  Builder b("patches");
  b.clear(0, 0, 1, 1);
  b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(Stage::kTessControl, kControl);
  b.program(Stage::kTessEvaluation, kEvaluation);
  b.program(Stage::kFragment, scenes::kColor);
  b.interpolants({1});
  b.constants(Stage::kTessControl, 0,
              {outer, outer, outer, outer, inner, inner, 0, 0, bits(4), bits(32), bits(0), bits(16)});
  b.constants(Stage::kTessEvaluation, 0, {bits(32), bits(48), bits(64), bits(80), 1, 0, 0, 0});
  b.registers.assembly.topology = static_cast<uint32_t>(Topology::kPatchList);
  auto& tess = b.registers.tessellation;
  tess.patch_vertices = tess.output_vertices = 4;
  tess.patch_bytes = 96;
  tess.domain = static_cast<uint32_t>(arch::TessDomain::kQuads);
  tess.inputs = {1, {0}};
  std::vector<float> values;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t corner = 0; corner < 4; corner++) {
      const float x = -1 + 2 * static_cast<float>(i + corner % 2) / static_cast<float>(count);
      values.insert(values.end(), {x, corner < 2 ? -1.0f : 1.0f, 0, 1});
    }
  b.vertices(values, {4});
  return b;
}

// However a patch is divided, its pixels are drawn once, and equal the undivided ones. More patches than a
// group of the control program holds.
TEST(TessellationStage, DrawsPatches) {
  for (const uint32_t count : {1u, 4u, 64u})
    for (const arch::TessSpacing spacing : {arch::TessSpacing::kEqual, arch::TessSpacing::kFractionalOdd}) {
      Builder b = patches(count, 2.7f, 4.2f);
      b.registers.tessellation.spacing = static_cast<uint32_t>(spacing);
      b.registers.query.statistics = b.registers.query.samples_passed = 1;
      b.draw(count * 4);
      const arch::Address at = b.allocate(256);
      b.commands.packet(arch::Opcode::kWriteQuery,
                        arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kStatistics), at, 0});
      b.commands.packet(
          arch::Opcode::kWriteQuery,
          arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kSamplesPassed), at + 128, 0});
      b.end_frame();
      const Outcome outcome(b.take());
      const arch::Memory& memory = outcome.gpu->memory(0);
      EXPECT_EQ(memory.read_as<uint64_t>(at + 128), 64u * 64);
      const auto statistic = [&](command_stream::Statistic which) {
        return memory.read_as<uint64_t>(at + 8 * static_cast<uint64_t>(which));
      };
      EXPECT_EQ(statistic(command_stream::Statistic::kInputPrimitives), count);
      EXPECT_EQ(statistic(command_stream::Statistic::kTessControlPatches), count);
      // 3 segments on each edge, 5 inside.
      EXPECT_EQ(statistic(command_stream::Statistic::kTessEvaluationInvocations), count * (12 + 16));
      EXPECT_EQ(statistic(command_stream::Statistic::kClippingInvocations), count * (2 * 9 + 4 * (3 + 3)));
      const uint32_t width = 64 / count;
      for (const uint32_t x : {0u, 31u, 63u}) {
        const double u = (x % width + 0.5) / width, v = 40.5 / 64;
        const uint32_t color = outcome.pixel(x, 40);
        EXPECT_NEAR(color & 255, 255 * u, 2) << count;
        EXPECT_NEAR(color >> 8 & 255, 255 * v, 2);
      }
    }
}

TEST(TessellationStage, CullsPatches) {
  for (const float factor : {0.0f, -1.0f}) {
    Builder b = patches(2, factor, 3);
    b.draw(8);
    b.end_frame();
    EXPECT_EQ(Outcome(b.take()).pixel(20, 20), 0xffff0000u);
  }
}

// Triangles have the winding in the registers, seen with u pointing right and v down, as these patches lie.
TEST(TessellationStage, TurnsTriangles) {
  for (const uint32_t clockwise : {0u, 1u})
    for (const arch::FrontFace front : {arch::FrontFace::kCounterClockwise, arch::FrontFace::kClockwise}) {
      Builder b = patches(1, 3, 3);
      b.registers.tessellation.clockwise = clockwise;
      b.registers.raster.cull_mode = arch::kCullBack;
      b.registers.raster.front_face = static_cast<uint32_t>(front);
      b.draw(4);
      b.end_frame();
      EXPECT_EQ(Outcome(b.take()).pixel(20, 20) != 0xffff0000u, clockwise == static_cast<uint32_t>(front));
    }
}

// A geometry program after it receives the tessellator's triangles.
TEST(TessellationStage, FeedsGeometryPrograms) {
  Builder b = patches(3, 2, 2);
  b.program(Stage::kGeometry, R"(
      LDV r0, c0.x, v0
      LDV r1, c0.y, v0
      LDV r2, c0.z, v0
      ADD r0, r0, r1
      ADD r0, r0, r2
      MUL o0, r0, c0.w
      MOV o1, c1
      EMIT 0
      END)");
  b.constants(Stage::kGeometry, 0, {bits(0), bits(1), bits(2), 1.0f / 3, 1, 1, 1, 1});
  b.registers.geometry.output_topology = static_cast<uint32_t>(Topology::kPointList);
  b.registers.geometry.max_vertices = 1;
  b.registers.geometry.inputs = {1, {0}};
  b.draw(12);
  b.end_frame();
  const Outcome outcome(b.take());
  uint32_t white = 0;
  for (uint32_t y = 0; y < 64; y++)
    for (uint32_t x = 0; x < 64; x++) white += outcome.pixel(x, y) == ~0u;
  EXPECT_EQ(white, 3u * 8);  // one point per triangle
}

}  // namespace
}  // namespace cutaway::emulator
