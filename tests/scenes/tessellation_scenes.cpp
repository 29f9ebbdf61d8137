// Patches: control programs, the tessellator, evaluation programs.
#include <array>
#include <limits>
#include <string>

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {

using arch::Opcode;
using arch::QueryKind;
using arch::Stage;
using arch::TessDomain;
using arch::TessSpacing;
using arch::Topology;

namespace {

// Each invocation writes a vertex to the memory of its patch; after the barrier each reads its neighbour's.
// The factors are those of register c8 + patch modulo 4.
constexpr const char* kControl = R"(
    LDV r0, i32.y, v0
    LDV r1, i32.y, v1
    SHL r2.x, i32.y, c2.x
    IADD r2.x, r2.x, c2.y
    STW _, r2.x, r0
    IADD r2.y, r2.x, c2.z
    STW _, r2.y, r1
    BAR
    IADD r3.x, i32.y, c3.x
    AND r3.x, r3.x, c3.y
    SHL r3.x, r3.x, c2.x
    IADD r3.x, r3.x, c2.y
    IADD r3.x, r3.x, c2.z
    LDW r4, r3.x
    ADD r4, r4, r1
    MUL r4, r4, c3.w
    IADD r2.z, r2.x, c3.z
    STW _, r2.z, r4
    AND r5.x, i32.x, c3.y
    IEQ r6, r5.x, c4
    MOV r7, c8
    MOV r8, c9
    IF r6.y
      MOV r7, c10
      MOV r8, c11
    ENDIF
    IF r6.z
      MOV r7, c12
      MOV r8, c13
    ENDIF
    IF r6.w
      MOV r7, c14
      MOV r8, c15
    ENDIF
    STW _, c4.x, r7
    STW _.xy, c2.z, r8
    END)";
// Interpolates between the positions of four vertices, moved outwards; colors too.
constexpr const char* kEvaluation = R"(
    LDW r0, c0.x
    LDW r1, c0.y
    LDW r2, c0.z
    LDW r3, c0.w
    LRP r4, i33.x, r1, r0
    LRP r5, i33.x, r3, r2
    LRP o0, i33.y, r5, r4
    LDW r0, c1.x
    LDW r1, c1.y
    LDW r2, c1.z
    LDW r3, c1.w
    LRP r4, i33.x, r1, r0
    LRP r5, i33.x, r3, r2
    LRP r6, i33.y, r5, r4
    U2F r7.x, i32.x
    MUL r7.x, r7.x, c2.y
    FRC r7.y, r7.x
    ADD o1.xyz, r6, r7.y
    MOV o1.w, c2.x
    END)";

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// `count` patches of four vertices, squares that overlap their neighbours, blended.
Builder patches(const char* name, uint32_t count) {
  Builder b(name);
  b.clear(0.1f, 0, 0.2f, 1);
  b.program(Stage::kVertex, kPassColor);
  b.program(Stage::kTessControl, kControl);
  b.program(Stage::kTessEvaluation, kEvaluation);
  b.program(Stage::kFragment, kColor);
  b.interpolants({1});
  // 48 bytes of each vertex behind the factors: position, color, mean color.
  b.constants(
      Stage::kTessControl, 2,
      {bits(6), bits(32), bits(16), 0, bits(1), bits(3), bits(32), 0.5f, bits(0), bits(1), bits(2), bits(3)});
  b.constants(Stage::kTessControl, 8, {3,    4, 5,    2, 3,    2,    0, 0, 1,    1, 1, 1, 1, 1, 0, 0,
                                       2.5f, 7, 1.2f, 9, 6.5f, 3.5f, 0, 0, kNan, 2, 2, 2, 2, 2, 0, 0});
  b.constants(Stage::kTessEvaluation, 0,
              {bits(32), bits(96), bits(160), bits(224), bits(64), bits(128), bits(192), bits(256), 0.6f,
               0.37f, 0, 0});
  b.registers.assembly.topology = static_cast<uint32_t>(Topology::kPatchList);
  auto& tess = b.registers.tessellation;
  tess.patch_vertices = tess.output_vertices = 4;
  tess.patch_bytes = 304;
  tess.domain = static_cast<uint32_t>(TessDomain::kQuads);
  tess.inputs = {2, {0, 1}};
  auto& target = b.registers.color.target[0];
  target.blend = 1;
  target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kSrcAlpha);
  target.color_destination = target.alpha_destination =
      static_cast<uint32_t>(arch::BlendFactor::kOneMinusSrcAlpha);
  Random random(11);
  std::vector<float> values;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t corner = 0; corner < 4; corner++) {
      const float x = -1 + 2 * (static_cast<float>(i % 8) + 1.4f * static_cast<float>(corner % 2)) / 8;
      const float y = -1 + 2 * (static_cast<float>(i / 8 % 8) + (corner < 2 ? 0.0f : 1.6f)) / 8;
      values.insert(values.end(), {x + random.between(-0.05f, 0.05f), y, 0.5f, 1});
      for (uint32_t c = 0; c < 4; c++) values.push_back(random.between(0, 1));
    }
  b.vertices(values, {4, 4});
  return b;
}

void shape(Builder& b, TessDomain domain, TessSpacing spacing, bool clockwise = false, bool points = false) {
  auto& tess = b.registers.tessellation;
  tess.domain = static_cast<uint32_t>(domain), tess.spacing = static_cast<uint32_t>(spacing);
  tess.clockwise = clockwise, tess.point_mode = points;
}

}  // namespace

// Squares with four kinds of factors, one of which culls, in each spacing.
Scene patches_of_squares() {
  Builder b = patches("patches-of-squares", 64);
  uint32_t first = 0;
  for (const TessSpacing spacing : {TessSpacing::kEqual, TessSpacing::kFractionalEven,
                                    TessSpacing::kFractionalOdd, TessSpacing::kPowerOfTwo}) {
    shape(b, TessDomain::kQuads, spacing);
    b.draw(68, 1, first);
    first += 60;
  }
  return ended_scene(b);
}

// Triangle, isoline and point output; culled by orientation; the last vertex provokes.
Scene patches_of_shapes() {
  Builder b = patches("patches-of-shapes", 48);
  b.registers.raster.cull_mode = arch::kCullBack;
  shape(b, TessDomain::kTriangles, TessSpacing::kFractionalOdd, true);
  b.draw(64);
  b.registers.assembly.provoking_vertex = static_cast<uint32_t>(arch::ProvokingVertex::kLast);
  b.interpolants({1}, arch::Interpolation::kFlat);
  shape(b, TessDomain::kTriangles, TessSpacing::kEqual, false);
  b.draw(64, 1, 32);
  b.registers.assembly.provoking_vertex = static_cast<uint32_t>(arch::ProvokingVertex::kFirst);
  shape(b, TessDomain::kIsolines, TessSpacing::kEqual);
  b.draw(64, 1, 64);
  shape(b, TessDomain::kQuads, TessSpacing::kFractionalEven, false, true);
  b.draw(64, 1, 96);
  return ended_scene(b);
}

// One patch after the other, each with the greatest number of triangles.
Scene patches_of_most() {
  Builder b = patches("patches-of-most", 8);
  b.constants(Stage::kTessControl, 8, {64, 64, 64, 64, 64, 64, 0, 0, 64, 2, 64, 1, 1, 33, 0, 0});
  shape(b, TessDomain::kQuads, TessSpacing::kEqual);
  b.draw(8);
  return ended_scene(b);
}

// 32 vertices of each patch, which leave little memory for others; instances, and indices that restart.
Scene patches_of_many_vertices() {
  Builder b = patches("patches-of-many-vertices", 64);
  auto& tess = b.registers.tessellation;
  tess.patch_vertices = 32, tess.output_vertices = 32;
  tess.patch_bytes = 32768;
  b.draw(192, 2);
  std::vector<uint16_t> order;
  for (uint16_t i = 0; i < 150; i++)
    order.push_back(i % 45 == 44 ? 0xffff : static_cast<uint16_t>(i * 7 % 256));
  b.registers.assembly.index_address = b.upload(order);
  b.registers.assembly.index_bytes = static_cast<uint32_t>(order.size() * 2);
  b.registers.assembly.primitive_restart = 1;
  b.draw_indexed(static_cast<uint32_t>(order.size()));
  return ended_scene(b);
}

// Patches with and without geometry programs, and draws without patches. `results`: statistics, and generated
// primitives from byte 128.
Scene patches_and_programs() {
  Builder b = patches("patches-and-programs", 48);
  const arch::Address results = b.allocate(256);
  b.registers.query.statistics = 1;
  for (uint32_t i = 0; i < 3; i++) {
    b.registers.assembly.topology = static_cast<uint32_t>(Topology::kPatchList);
    b.program(Stage::kTessControl, kControl);
    b.program(Stage::kTessEvaluation, kEvaluation);
    b.draw(28, 1, 16 * i);
    b.program(Stage::kGeometry, R"(
        LDV o0, c0.x, v0
        LDV o1, c0.x, v1
        EMIT 0
        LDV o0, c0.y, v0
        LDV o1, c0.y, v1
        EMIT 0
        LDV r0, c0.z, v0
        ADD o0, r0, c1
        LDV o1, c0.z, v1
        EMIT 0
        END)");
    b.constants(Stage::kGeometry, 0, {bits(0), bits(1), bits(2), 0, 0.03f, 0.02f, 0, 0});
    b.registers.geometry.output_topology = static_cast<uint32_t>(Topology::kTriangleStrip);
    b.registers.geometry.max_vertices = 3;
    b.registers.geometry.inputs = {2, {0, 1}};
    b.draw(24, 1, 64 + 16 * i);
    b.registers.shader[static_cast<uint32_t>(Stage::kTessControl)].instructions = 0;
    b.registers.shader[static_cast<uint32_t>(Stage::kTessEvaluation)].instructions = 0;
    b.registers.assembly.topology = static_cast<uint32_t>(Topology::kTriangleStrip);
    b.draw(11, 1, 20 * i);
    b.registers.shader[static_cast<uint32_t>(Stage::kGeometry)].instructions = 0;
    b.draw(9, 1, 30 * i);
  }
  write_query(b, QueryKind::kStatistics, results);
  write_query(b, QueryKind::kGeneratedOfStream0, results + 128);
  return ended_scene(b, results);
}

// Patch programs and geometry programs that store: at `results` the invocations of control programs, at 8
// those of geometry programs, and from 64 the numbers of patches, stored by evaluation programs.
Scene stores_of_stages() {
  Builder b = patches("stores-of-stages", 24);
  b.stores = true;
  const arch::Address results = b.allocate(256);
  const std::string counts = "ATOM _.x, c20.x, c20.y, c20.z, t0, OP(0)\n";
  b.program(Stage::kTessControl, counts + kControl, arch::kShaderWritesMemory);
  b.constants(Stage::kTessControl, 20, {bits(0), bits(1), bits(0), 0});
  b.program(Stage::kTessEvaluation,
            std::string("SHL r20.x, i32.x, c20.x\n"
                        "IADD r20.x, r20.x, c20.y\n"
                        "STB _.x, r20.x, i32.x, t0\n") +
                kEvaluation,
            arch::kShaderWritesMemory);
  b.constants(Stage::kTessEvaluation, 20, {bits(2), bits(64), 0, 0});
  geometry_program(b, counts + std::string(kPassTriangle), Topology::kTriangleStrip, 3);
  b.registers.shader[static_cast<uint32_t>(Stage::kGeometry)].flags |= arch::kShaderWritesMemory;
  b.constants(Stage::kGeometry, 20, {bits(8), bits(1), bits(0), 0});
  for (const Stage stage : {Stage::kTessControl, Stage::kTessEvaluation, Stage::kGeometry})
    b.textures(std::array{raw_buffer(results, 256)}, {}, stage);
  b.draw(96);
  return ended_scene(b, results);
}

std::vector<Scene> tessellation_scenes() {
  std::vector<Scene> all;
  for (const auto make : {patches_of_squares, patches_of_shapes, patches_of_most, patches_of_many_vertices,
                          patches_and_programs})
    all.push_back(make());
  return all;
}

}  // namespace cutaway::scenes
