// Geometry programs, primitives with adjacency, and layers that programs choose.
#include <array>
#include <fmt/format.h>
#include <string>

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {

using arch::Opcode;
using arch::ProvokingVertex;
using arch::QueryKind;
using arch::Stage;
using arch::Topology;

namespace {

void assemble(Builder& b, Topology topology, ProvokingVertex provoking = ProvokingVertex::kFirst) {
  b.registers.assembly.topology = static_cast<uint32_t>(topology);
  b.registers.assembly.provoking_vertex = static_cast<uint32_t>(provoking);
}

// Draws without a geometry program from now on.
void no_geometry(Builder& b) { b.registers.shader[static_cast<uint32_t>(Stage::kGeometry)] = {}; }

// Positions and colors of a zigzag from left to right, with some steps backwards.
std::vector<float> zigzag(uint32_t count) {
  Random random(5);
  std::vector<float> values;
  for (uint32_t i = 0; i < count; i++) {
    const float x = -1 + 2 * static_cast<float>(i) / static_cast<float>(count), y = i % 2 ? 0.8f : -0.8f;
    values.insert(values.end(), {x + random.between(-0.1f, 0.3f), y, random.between(0, 1), 1});
    for (uint32_t c = 0; c < 4; c++) values.push_back(random.between(0, 1));
  }
  return values;
}

// Points that serve only as a number of primitives.
Builder points(const char* name, uint32_t count) {
  Builder b(name);
  b.clear(0, 0, 1, 1);
  color_programs(b, arch::Interpolation::kFlat);
  assemble(b, Topology::kPointList);
  b.vertices(std::vector<float>(size_t{8} * count, 1), {4, 4});
  return b;
}

// r1: primitive and invocation as numbers. A rectangle of color o1 from r2, c2.z wide.
constexpr std::string_view kNumbers = "U2F r1.xy, i32.xyxy\n";
constexpr std::string_view kRectangle = R"(
    MOV r2.zw, c1.zzzy
    MOV r3, c1.z
    MOV o0, r2
    EMIT 0
    ADD r3.x, r2.x, c2.z
    MOV o0.x, r3.x
    MOV o0.yzw, r2
    EMIT 0
    ADD r3.y, r2.y, c2.z
    MOV o0.x, r2.x
    MOV o0.y, r3.y
    MOV o0.zw, r2
    EMIT 0
    MOV o0.xy, r3
    MOV o0.zw, r2
    EMIT 0
    END)";

}  // namespace

Scene geometry_pass() {
  Builder b("geometry-pass");
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 64, 64));
  b.clear(0, 0, 0, 1);
  color_programs(b);
  depth_test(b);
  geometry_program(b, kPassTriangle, Topology::kTriangleStrip, 3);
  b.vertices(scattered_triangles(150), {4, 4});
  b.draw(450);
  b.interpolants({1}, arch::Interpolation::kFlat);
  b.vertices(zigzag(70), {4, 4});
  b.registers.raster.cull_mode = arch::kCullBack;
  for (const ProvokingVertex provoking : {ProvokingVertex::kFirst, ProvokingVertex::kLast}) {
    assemble(b, Topology::kTriangleStrip, provoking);
    b.draw(70);
  }
  return ended_scene(b);
}

// With four vertices: a strip of all, a strip of two without a triangle, one of the first three; then line
// strips along them.
Scene geometry_strips() {
  constexpr std::string_view kVertex[] = {"x", "y", "z", "w"};
  const auto emitted = [&](std::string_view vertices) {
    std::string text;
    for (const char v : vertices) {
      if (v == '|') {
        text += "CUT 0\n";
        continue;
      }
      for (const char* of : {"0", "1"})
        text += fmt::format("LDV o{}, c0.{}, v{}\n", of, kVertex[static_cast<size_t>(v - '0')], of);
      text += "EMIT 0\n";
    }
    return text + "END";
  };
  Builder b("geometry-strips");
  b.clear(0, 0, 0, 1);
  color_programs(b, arch::Interpolation::kFlat);
  b.vertices(zigzag(80), {4, 4});
  b.registers.raster.cull_mode = arch::kCullBack;
  for (const ProvokingVertex provoking : {ProvokingVertex::kFirst, ProvokingVertex::kLast}) {
    assemble(b, Topology::kLineListAdjacency, provoking);
    geometry_program(b, emitted("|0123|12||012|"), Topology::kTriangleStrip, 9);
    b.draw(40, 1, 0);
    geometry_program(b, emitted("03|12|"), Topology::kLineStrip, 4);
    b.draw(80);
  }
  return ended_scene(b);
}

// Lists and strips of lines and triangles, with and without adjacency, restarted, in three instances.
Scene adjacency() {
  Builder b("adjacency");
  b.depth(b.surface(arch::Format::D16_UNORM, 64, 64));
  b.clear(0, 0, 0, 1);
  color_programs(b, arch::Interpolation::kFlat);
  b.vertices(zigzag(90), {4, 4});
  depth_test(b, arch::Compare::kLessOrEqual);
  std::vector<uint16_t> order;
  for (uint16_t i = 0; i < 80; i++) {
    order.push_back(i);
    if (i % 26 == 25) order.push_back(0xffff);  // within a primitive, and after one
  }
  auto& assembly = b.registers.assembly;
  assembly.index_address = b.upload(order);
  assembly.index_bytes = static_cast<uint32_t>(order.size() * 2);
  for (const bool program : {false, true})
    for (const Topology topology : {Topology::kLineListAdjacency, Topology::kLineStripAdjacency,
                                    Topology::kTriangleListAdjacency, Topology::kTriangleStripAdjacency}) {
      assemble(b, topology, program ? ProvokingVertex::kLast : ProvokingVertex::kFirst);
      if (program) geometry_program(b, kPassTriangle, Topology::kTriangleStrip, 3);
      for (const uint32_t first : {0u, 1u}) {
        if (first) b.constants(Stage::kGeometry, 0, {bits(1), bits(3), bits(5), bits(0)});
        assembly.primitive_restart = 1;
        b.draw_indexed(static_cast<uint32_t>(order.size()), 3);
        assembly.primitive_restart = 0;
        b.draw(43, 2, first);
      }
    }
  return ended_scene(b);
}

Scene geometry_invocations() {
  Builder b = points("geometry-invocations", 40);
  for (const uint32_t invocations : {3u, 32u}) {
    geometry_program(b,
                     std::string(kNumbers) +
                         "MAD r2.x, r1.y, c2.x, c1.x\n"
                         "MAD r2.y, r1.x, c2.y, c1.x\n"
                         "MUL o1.xy, r1, c2.xyxy\n"
                         "MOV o1.zw, c1.y\n" +
                         std::string(kRectangle),
                     Topology::kTriangleStrip, 4, invocations);
    b.constants(Stage::kGeometry, 2, {0.05f, 0.04f, 0.3f, 0});
    b.draw(invocations == 3 ? 7 : 40);
  }
  return ended_scene(b);
}

// Each point emits as many vertices as its number, so the first emits none; at most the maximum counts.
Scene geometry_uneven() {
  constexpr std::string_view kRow = R"(
      U2F r0.x, i32.x
      MAD r0.y, r0.x, c2.x, c2.y
      MOV r1.x, c1.z
      LOOP
        SGE r2.x, r1.x, r0.x
        BRK r2.x
        MAD o0.x, r1.x, c2.x, c2.y
        MAD o0.y, r1.x, c2.z, r0.y
        MOV o0.zw, c1.zzzy
        MUL o1, r0.x, c2.w
        EMIT 0
        ADD r1.x, r1.x, c1.y
        SGE r2.x, r1.x, r3.x
        IF r2.x
          MOV r3.x, c3.x
          CUT 0
        ENDIF
      NEXT
      ENDLOOP
      END)";
  Builder b = points("geometry-uneven", 60);
  const auto row = [&](Topology output, uint32_t most) {
    geometry_program(b, kRow, output, most);
    b.constants(Stage::kGeometry, 2, {2.0f / 64, -1 + 1.0f / 64, 1.0f / 64, 1.0f / 60, 17, 0, 0, 0});
    b.draw(60);
  };
  row(Topology::kTriangleStrip, 60);
  row(Topology::kLineStrip, 21);
  row(Topology::kPointList, 33);
  row(Topology::kTriangleStrip, 2);  // no triangle
  row(Topology::kPointList, 0);
  return ended_scene(b);
}

// At `results`: statistics of a draw without a geometry program, of one that emits to streams 0, 1 and 3, of
// one that is not rasterised, and of lines with adjacency (0, 128, 256, 384); behind each, at 96, the
// primitives that each stream generated.
Scene geometry_streams() {
  constexpr std::string_view kStreams = R"(
      U2F r0.x, i32.x
      MUL o0.x, r0.x, c2.x
      MOV o0.yzw, c1.zzzy
      MOV o1, r0.x
      EMIT 0
      EMIT 1
      CUT 1
      EMIT 1
      SGE r1.x, r0.x, c2.y
      IF r1.x
        EMIT 3
        EMIT 0
        CUT 0
      ENDIF
      END)";
  Builder b = points("geometry-streams", 40);
  const arch::Address results = b.allocate(512);
  const auto counts = [&](uint32_t at) {
    write_query(b, QueryKind::kStatistics, results + at);
    for (uint32_t i = 0; i < arch::kStreams; i++)
      write_query(b, static_cast<QueryKind>(static_cast<uint32_t>(QueryKind::kGeneratedOfStream0) + i),
                  results + at + 96 + 8 * i);
  };
  b.registers.query.statistics = 1;
  b.draw(7, 2);
  counts(0);
  geometry_program(b, kStreams, Topology::kPointList, 6, 2);
  b.constants(Stage::kGeometry, 2, {0.02f, 30, 0, 0});
  b.draw(40);
  counts(128);
  b.registers.raster.rasterizer_discard = 1;
  b.draw(20, 2);
  counts(256);
  b.registers.query.statistics = 0;
  b.draw(20);
  b.registers.query.statistics = 1;
  b.registers.raster.rasterizer_discard = 0;
  no_geometry(b);
  assemble(b, Topology::kLineStripAdjacency);
  b.draw(20);
  counts(384);
  return ended_scene(b, results);
}

// Rectangles that cross in depth, each invocation in its own layer; before and after them draws that choose
// no layer, and draws that choose one without a geometry program.
Scene geometry_layers() {
  Builder b("geometry-layers");
  arch::Surface color = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kTiled, 5);
  arch::Surface depth = b.surface(arch::Format::D24_UNORM_S8_UINT, 64, 64, 1, arch::Tiling::kTiled, 5);
  color.base_layer = depth.base_layer = 1;
  color.layer_count = depth.layer_count = 4;
  b.target(color);
  b.depth(depth);
  b.clear(0, 0, 0, 1);
  color_programs(b, arch::Interpolation::kFlat);
  depth_test(b, arch::Compare::kLess);
  b.vertices(scattered_triangles(60), {4, 4});
  b.draw(90);
  const auto layered = [&](bool on) {
    b.registers.vertex_out.layer = on ? 2 : arch::kNoOutput;
    b.registers.raster.layers = on ? 3 : 1;
  };
  layered(true);
  // The fourth invocation's layer does not exist: it draws to the first.
  geometry_program(b, "MOV o2.x, i32.y\n" + std::string(kPassTriangle), Topology::kTriangleStrip, 3, 4);
  b.draw(180);
  no_geometry(b);
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nMOV o2.x, c0.x\nEND\n");
  for (const uint32_t layer : {1u, 2u}) {
    b.constants(Stage::kVertex, 0, {bits(layer), 0, 0, 0});
    depth_test(b, layer == 1 ? arch::Compare::kLess : arch::Compare::kGreater);
    b.draw(60, 1, 0);
  }
  layered(false);
  b.program(Stage::kVertex, kPassColor);
  depth_test(b, arch::Compare::kLess);
  b.draw(180);
  return ended_scene(b);
}

// Colors by the primitive id: first the count of the assembly, then the output of the program.
Scene geometry_ids() {
  Builder b = points("geometry-ids", 100);
  b.program(Stage::kFragment, "U2F r0, i33.w\nMUL o0, r0, c0\nEND\n");
  b.constants(Stage::kFragment, 0, {0.01f, 0.005f, 0.1f, 1});
  for (const bool says : {false, true}) {
    b.registers.primitive_id_output = says ? 3 : 0;  // o2
    geometry_program(b,
                     std::string(kNumbers) +
                         "IADD o2.x, i32.x, i32.y\n"
                         "MAD r2.x, r1.x, c2.x, c1.x\n"
                         "MAD r2.y, r1.y, c2.y, c2.w\n"
                         "MOV o1, c1.y\n" +
                         std::string(kRectangle),
                     Topology::kTriangleStrip, 4, 2);
    b.constants(Stage::kGeometry, 2, {0.02f, 0.4f, 0.1f, says ? 0.0f : -1.0f});
    b.draw(100);
  }
  return ended_scene(b);
}

// Alternates between draws with and without a program, of few triangles each; the last draws generate
// nothing.
Scene geometry_many_draws() {
  Builder b("geometry-many-draws");
  b.clear(0, 0, 0, 1);
  color_programs(b);
  b.vertices(scattered_triangles(60), {4, 4});
  const arch::ShaderRegisters none{};
  geometry_program(b, kPassTriangle, Topology::kTriangleStrip, 3);
  auto& shader = b.registers.shader[static_cast<uint32_t>(Stage::kGeometry)];
  const arch::ShaderRegisters pass = shader;
  for (uint32_t i = 0; i < 60; i++) {
    shader = i % 3 == 1 ? none : pass;
    b.registers.geometry.max_vertices = i < 50 ? 3 : 2;
    b.draw(3 * (i % 5), 1, 3 * (i % 50));
  }
  return ended_scene(b);
}

// 20 outputs of each stage, so that vertices take more than one cycle.
Scene geometry_outputs() {
  constexpr uint32_t kOutputs = 20;
  Builder b("geometry-outputs");
  b.clear(0, 0, 0, 1);
  std::string vertex = "MOV o0, i0\n", geometry, fragment = "MOV r0, c0\n";
  for (uint32_t i = 1; i < kOutputs; i++) {
    vertex += fmt::format("MUL o{}, i1, c{}\n", i, i);
    fragment += fmt::format("ADD r0, r0, i{}\n", i - 1);
  }
  for (const char* number : {"z", "y", "x"}) {  // reversed
    for (uint32_t i = 0; i < kOutputs; i++) geometry += fmt::format("LDV o{0}, c0.{1}, v{0}\n", i, number);
    geometry += "EMIT 0\n";
  }
  std::vector<float> factors;
  for (uint32_t i = 0; i < kOutputs; i++)
    for (uint32_t c = 0; c < 4; c++) factors.push_back((i + c) % 4 == 0 ? 0.2f : 0);
  b.program(Stage::kVertex, vertex + "END");
  b.constants(Stage::kVertex, 0, factors);
  b.program(Stage::kFragment, fragment + "MOV o0, r0\nEND");
  b.constants(Stage::kFragment, 0, {0, 0, 0, 0});
  b.interpolants({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
  geometry_program(b, geometry + "END", Topology::kTriangleStrip, 3);
  auto& inputs = b.registers.geometry.inputs;
  inputs.count = kOutputs;
  for (uint32_t i = 0; i < kOutputs; i++) inputs.source[i] = i;
  b.vertices(scattered_triangles(80), {4, 4});
  b.registers.raster.cull_mode = arch::kCullBack;
  b.draw(240);
  return ended_scene(b);
}

std::vector<Scene> geometry_scenes() {
  std::vector<Scene> all;
  for (const auto make :
       {geometry_pass, geometry_strips, adjacency, geometry_invocations, geometry_uneven, geometry_streams,
        geometry_layers, geometry_ids, geometry_many_draws, geometry_outputs})
    all.push_back(make());
  return all;
}

std::vector<Scene> optional_scenes() {
  std::vector<Scene> all = compute_scenes();
  for (Scene& scene : geometry_scenes()) all.push_back(std::move(scene));
  for (Scene& scene : tessellation_scenes()) all.push_back(std::move(scene));
  for (Scene& scene : feedback_scenes()) all.push_back(std::move(scene));
  for (Scene& scene : pull_scenes()) all.push_back(std::move(scene));
  for (Scene& scene : double_scenes()) all.push_back(std::move(scene));
  all.push_back(stores_of_stages());
  return all;
}

}  // namespace cutaway::scenes
