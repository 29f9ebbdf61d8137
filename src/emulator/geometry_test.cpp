#include <set>

#include "command_stream/query_counters.h"
#include "emulator/testing/outcome.h"
#include "scenes/parts.h"

// Tests geometry programs, adjacency, streams and layers.
namespace cutaway::emulator {
namespace {

using arch::ProvokingVertex;
using arch::Stage;
using arch::Topology;
using scenes::bits;
using scenes::Builder;
using scenes::kPassTriangle;

// A strip of flat-colored triangles, of which some are back-facing.
Builder strip(ProvokingVertex provoking, Topology topology, uint32_t vertices) {
  Builder b("strip");
  b.clear(0, 0, 0, 1);
  b.program(Stage::kVertex, scenes::kPassColor);
  b.program(Stage::kFragment, scenes::kColor);
  b.interpolants({1}, arch::Interpolation::kFlat);
  b.registers.assembly.topology = static_cast<uint32_t>(topology);
  b.registers.assembly.provoking_vertex = static_cast<uint32_t>(provoking);
  b.registers.raster.cull_mode = arch::kCullBack;
  scenes::Random random(5);
  std::vector<float> values;
  for (uint32_t i = 0; i < vertices; i++) {
    const float x = -1 + 2 * static_cast<float>(i) / static_cast<float>(vertices), y = i % 2 ? 0.8f : -0.8f;
    values.insert(values.end(), {x + random.between(-0.1f, 0.3f), y, 0.5f, 1});
    for (uint32_t c = 0; c < 4; c++) values.push_back(random.between(0, 1));
  }
  b.vertices(values, {4, 4});
  return b;
}

// Number of visible colors.
size_t colors(const Outcome& outcome) {
  std::set<uint32_t> colors;
  for (uint32_t y = 0; y < 64; y++)
    for (uint32_t x = 0; x < 64; x++) colors.insert(outcome.pixel(x, y));
  return colors.size();
}

// A pass-through program changes nothing: winding and flat colors, for more triangles than a group has lanes.
TEST(Geometry, PassesTrianglesThrough) {
  for (const Topology topology : {Topology::kTriangleStrip, Topology::kTriangleList})
    for (const uint32_t vertices : {9u, 150u}) {
      Builder plain = strip(ProvokingVertex::kFirst, topology, vertices);
      plain.draw(vertices);
      plain.end_frame();
      Builder b = strip(ProvokingVertex::kFirst, topology, vertices);
      scenes::geometry_program(b, kPassTriangle, Topology::kTriangleStrip, 3);
      b.draw(vertices);
      b.end_frame();
      const Outcome expected(plain.take()), found(b.take());
      EXPECT_EQ(expected.pictures.back().rgba, found.pictures.back().rgba) << vertices;
      EXPECT_GE(colors(found), 3u);
    }
}

// A program's strip has as many vertices as the input, and its primitives share them. The last vertex
// provokes.
TEST(Geometry, EmitsStripsThatProvokeAsThePipelineSays) {
  constexpr const char* kStrip = R"(
      LDV o0, c0.x, v0
      LDV o1, c0.x, v1
      EMIT 0
      LDV o0, c0.y, v0
      LDV o1, c0.y, v1
      EMIT 0
      LDV o0, c0.z, v0
      LDV o1, c0.z, v1
      EMIT 0
      LDV o0, c0.w, v0
      LDV o1, c0.w, v1
      EMIT 0
      CUT 0
      END)";
  for (const ProvokingVertex provoking : {ProvokingVertex::kFirst, ProvokingVertex::kLast}) {
    Builder plain = strip(provoking, Topology::kTriangleStrip, 4);
    plain.draw(4);
    plain.end_frame();
    Builder b = strip(provoking, Topology::kLineListAdjacency, 4);  // four vertices, in order of arrival
    scenes::geometry_program(b, kStrip, Topology::kTriangleStrip, 4);
    b.draw(4);
    b.end_frame();
    const Outcome expected(plain.take()), found(b.take());
    EXPECT_EQ(expected.pictures.back().rgba, found.pictures.back().rgba);
    EXPECT_EQ(colors(found), 3u);  // two triangles and the background
  }
}

// Fills the target with a strip of four vertices, in a color made of the primitive id and the invocation.
constexpr const char* kFill = R"(
    MUL r0, c1.xyxy, c1.yyzz
    U2F r1.xy, i32
    MUL r1.xy, r1, c1.w
    MOV o1.xy, r1
    MOV o1.w, c1.y
    MOV o0, c1.xxzy
    EMIT 0
    MOV o0, c1.yxzy
    EMIT 0
    MOV o0, c1.xyzy
    EMIT 0
    MOV o0, c1.yyzy
    EMIT 0
    END)";

Builder points(uint32_t count) {
  Builder b("points");
  b.clear(0, 0, 1, 1);
  b.program(Stage::kVertex, scenes::kPassColor);
  b.program(Stage::kFragment, scenes::kColor);
  b.interpolants({1}, arch::Interpolation::kFlat);
  b.registers.assembly.topology = static_cast<uint32_t>(Topology::kPointList);
  std::vector<float> values(size_t{8} * count, 1);
  b.vertices(values, {4, 4});
  return b;
}

uint64_t statistic(const Outcome& outcome, arch::Address at, command_stream::Statistic which) {
  return outcome.gpu->memory(0).read_as<uint64_t>(at + 8 * static_cast<uint64_t>(which));
}

// The last invocation of the last primitive that covers a pixel remains. All are counted.
TEST(Geometry, KeepsTheOrderOfPrimitivesAndInvocations) {
  for (const uint32_t invocations : {1u, 3u, 32u}) {
    Builder b = points(3);
    scenes::geometry_program(b, kFill, Topology::kTriangleStrip, 4, invocations);
    b.registers.query.statistics = 1;
    b.draw(3);
    const arch::Address at = b.allocate(256);
    b.commands.packet(arch::Opcode::kWriteQuery,
                      arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kStatistics), at, 0});
    b.end_frame();
    const Outcome outcome(b.take());
    const uint32_t green = invocations == 1 ? 0 : invocations == 3 ? 255 : 255;
    EXPECT_EQ(outcome.pixel(5, 60), 0xff000000u | green << 8 | 255) << invocations;
    EXPECT_EQ(statistic(outcome, at, command_stream::Statistic::kInputPrimitives), 3u);
    EXPECT_EQ(statistic(outcome, at, command_stream::Statistic::kGeometryInvocations), 3u * invocations);
    EXPECT_EQ(statistic(outcome, at, command_stream::Statistic::kGeometryPrimitives), 6u * invocations);
    EXPECT_EQ(statistic(outcome, at, command_stream::Statistic::kClippingInvocations), 6u * invocations);
  }
}

// Vertices beyond the maximum are dropped; so is an incomplete triangle.
TEST(Geometry, EmitsNoMoreThanItSays) {
  for (const uint32_t most : {0u, 2u, 3u, 4u}) {
    Builder b = points(1);
    scenes::geometry_program(b, kFill, Topology::kTriangleStrip, most);
    b.draw(1);
    b.end_frame();
    const Outcome outcome(b.take());
    EXPECT_EQ(outcome.pixel(2, 5) == 0xffff0000u, most < 3) << most;
    EXPECT_EQ(outcome.pixel(61, 60) == 0xffff0000u, most < 4) << most;
  }
}

// Lanes diverge: each emits as often as its primitive's id says. Lines end at cuts.
TEST(Geometry, LanesEmitAsOftenAsTheyLike) {
  constexpr const char* kRow = R"(
      U2F r0.x, i32.x
      MAD r0.y, r0.x, c2.x, c2.y
      MOV r1.x, c1.z
      LOOP
        SGE r2.x, r1.x, r0.x
        BRK r2.x
        MAD o0.x, r1.x, c2.x, c2.y
        MOV o0.y, r0.y
        MOV o0.zw, c1.zzzy
        MOV o1, c1.yyyy
        EMIT 0
        ADD r1.x, r1.x, c1.y
      NEXT
      ENDLOOP
      END)";
  Builder b = points(40);
  scenes::geometry_program(b, kRow, Topology::kPointList, 40);
  b.constants(Stage::kGeometry, 2, {2.0f / 64, -1 + 1.0f / 64, 0, 0});
  b.registers.vertex_out.point_size = arch::kNoOutput;
  b.draw(40);
  b.end_frame();
  const Outcome outcome(b.take());
  for (uint32_t y = 0; y < 64; y++)
    for (uint32_t x = 0; x < 64; x++)
      EXPECT_EQ(outcome.pixel(x, y) == ~0u, y < 40 && x < y) << x << ", " << y;
}

// A missing vertex, and a register that the previous stage does not write, read as zeros.
TEST(Geometry, ReadsZerosOutsideOfItsPrimitive) {
  constexpr const char* kRead = R"(
      MOV o0, c1.zzzy
      LDV r0, c0.y, v0
      LDV r1, -c0.y, v0
      LDV r2, c0.x, v1
      LDV r3, c0.x, v2
      ADD r0, r0, r1
      ADD r0, r0, r2
      ADD r0, r0, r3
      ADD o1, r0, c1.zzzy
      EMIT 0
      END)";
  Builder b = points(1);
  scenes::geometry_program(b, kRead, Topology::kPointList, 1);
  b.registers.geometry.inputs = {2, {0, arch::kNoOutput}};
  b.draw(1);
  b.end_frame();
  const Outcome outcome(b.take());
  EXPECT_EQ(outcome.pixel(31, 31), 0xff000000u);
  EXPECT_EQ(colors(outcome), 2u);
}

// Each invocation draws to its own layer of color and depth; one beyond the last goes to the first.
TEST(Geometry, ChoosesLayers) {
  constexpr const char* kLayers = R"(
      U2F r1.x, i32.y
      MAD o1.x, r1.x, c1.w, c1.w
      MOV o1.w, c1.y
      MOV o2.x, i32.y
      MOV o0, c1.xxzy
      EMIT 0
      MOV o0, c1.yxzy
      EMIT 0
      MOV o0, c1.xyzy
      EMIT 0
      MOV o0, c1.yyzy
      EMIT 0
      END)";
  Builder b("layers");
  const arch::Surface color = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kTiled, 5);
  const arch::Surface depth = b.surface(arch::Format::D32_SFLOAT, 64, 64, 1, arch::Tiling::kTiled, 5);
  arch::Surface from_one = color, depth_from_one = depth;
  from_one.base_layer = depth_from_one.base_layer = 1;
  from_one.layer_count = depth_from_one.layer_count = 4;
  b.target(from_one);
  b.depth(depth_from_one);
  b.program(Stage::kVertex, scenes::kPassColor);
  b.program(Stage::kFragment, scenes::kColor);
  b.interpolants({1}, arch::Interpolation::kFlat);
  b.registers.assembly.topology = static_cast<uint32_t>(Topology::kPointList);
  b.vertices({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {4, 4});
  scenes::geometry_program(b, kLayers, Topology::kTriangleStrip, 4, 4);
  b.constants(Stage::kGeometry, 1, {-1, 1, 0.25f, 0.25f});
  scenes::depth_test(b, arch::Compare::kGreater);
  b.registers.vertex_out.layer = 2;
  b.registers.raster.layers = 3;
  b.draw(2);
  b.submit(false);
  const Outcome outcome(b.take());
  const auto layer = [&](const arch::Surface& surface, uint32_t number) {
    const arch::LevelLayout level = arch::level_layout(surface, 0);
    return outcome.gpu->memory(0).read_as<uint32_t>(arch::element_address(surface, level, 9, 50, 0, number));
  };
  EXPECT_EQ(layer(color, 0), 0u);
  EXPECT_EQ(layer(color, 1), 0xff000040u);  // the first one wins the depth test; the fourth goes here too
  EXPECT_EQ(layer(color, 2), 0xff000080u);
  EXPECT_EQ(layer(color, 3), 0xff0000bfu);
  EXPECT_EQ(layer(color, 4), 0u);
  EXPECT_EQ(layer(depth, 0), 0u);
  for (uint32_t i = 1; i < 4; i++) EXPECT_EQ(layer(depth, i), std::bit_cast<uint32_t>(0.25f)) << i;
  EXPECT_EQ(layer(depth, 4), 0u);
}

// Streams have separate buffers and counters; only stream 0 is rasterised.
TEST(Geometry, CapturesStreams) {
  constexpr const char* kStreams = R"(
      U2F r0.x, i32.x
      MOV o0, c1.zzzy
      MOV o1, r0.x
      EMIT 0
      ADD o1.x, r0.x, c2.x
      EMIT 1
      ADD o1.x, r0.x, c2.y
      EMIT 1
      CUT 1
      EMIT 3
      END)";
  Builder b = points(40);
  scenes::geometry_program(b, kStreams, Topology::kPointList, 4);
  b.constants(Stage::kGeometry, 2, {100, 200, 0, 0});
  const arch::Address results = b.allocate(4096);
  auto& feedback = b.registers.feedback;
  feedback.on = 1, feedback.outputs = 3;
  feedback.buffer[0] = {results, 1024, 8};
  feedback.buffer[1] = {results + 1024, 1024, 4};
  feedback.buffer[2] = {results + 2048, 30, 4};  // room for seven
  feedback.output[0] = arch::FeedbackOutput::make(1, 0, 0, 4, 0);
  feedback.output[1] = arch::FeedbackOutput::make(1, 0, 1, 0, 1);
  feedback.output[2] = arch::FeedbackOutput::make(1, 0, 2, 0, 3);
  b.registers.query.statistics = 1;
  b.draw(40);
  const arch::Address counts = results + 3072;
  const auto count = [&](arch::QueryKind kind, uint32_t at) {
    b.commands.packet(arch::Opcode::kWriteQuery,
                      arch::QueryPacket{static_cast<uint32_t>(kind), counts + at, 0});
  };
  count(arch::QueryKind::kPrimitives, 0);
  count(arch::QueryKind::kPrimitivesOfStream1, 16);
  count(arch::QueryKind::kPrimitivesOfStream2, 32);
  count(arch::QueryKind::kPrimitivesOfStream3, 48);
  for (uint32_t i = 0; i < 4; i++)
    count(static_cast<arch::QueryKind>(static_cast<uint32_t>(arch::QueryKind::kGeneratedOfStream0) + i),
          64 + 8 * i);
  b.commands.packet(arch::Opcode::kStoreFeedback, arch::FeedbackPacket{2, counts + 96});
  b.end_frame();
  const Outcome outcome(b.take());
  const arch::Memory& memory = outcome.gpu->memory(0);
  for (uint32_t i = 0; i < 40; i++) {
    EXPECT_EQ(memory.read_as<float>(results + 8 * i + 4), static_cast<float>(i));
    EXPECT_EQ(memory.read_as<float>(results + 1024 + 8 * i), static_cast<float>(i + 100));
    EXPECT_EQ(memory.read_as<float>(results + 1028 + 8 * i), static_cast<float>(i + 200));
  }
  EXPECT_EQ(memory.read_as<float>(results + 2048 + 24), 206.0f);
  EXPECT_EQ(memory.read_as<uint32_t>(results + 2048 + 28), 0u);
  const uint64_t expected[] = {40, 40, 80, 80, 0, 0, 7, 40, 40, 80, 0, 40};
  for (uint32_t i = 0; i < 12; i++) EXPECT_EQ(memory.read_as<uint64_t>(counts + 8 * i), expected[i]) << i;
  EXPECT_EQ(memory.read_as<uint32_t>(counts + 96), 28u);
}

// Fragment programs see the input primitive's id, or the program's.
TEST(Geometry, NumbersPrimitives) {
  for (const bool says : {false, true}) {
    Builder b = points(3);
    scenes::geometry_program(b, kFill, Topology::kTriangleStrip, 4, 2);
    if (says) b.registers.primitive_id_output = 3;  // o2
    b.program(Stage::kGeometry, std::string("MOV o2.x, c0.w\n") + kFill);
    b.program(Stage::kFragment, "U2F r0, i33.w\nMUL o0, r0, c0\nEND\n");
    b.constants(Stage::kFragment, 0, {0.2f, 0.2f, 0.2f, 1});
    b.draw(3);
    b.end_frame();
    const uint32_t number = says ? 3 : 2;
    EXPECT_EQ(Outcome(b.take()).pixel(1, 1) & 255, 51 * number);
  }
}

// Without a geometry program adjacent vertices are not drawn.
TEST(Geometry, AdjacentVerticesAreOnlyForPrograms) {
  const auto picture = [](Topology topology, const std::vector<uint16_t>& order) {
    Builder b = strip(ProvokingVertex::kFirst, topology, 16);
    b.registers.assembly.index_address = b.upload(order);
    b.registers.assembly.index_bytes = static_cast<uint32_t>(order.size() * 2);
    b.registers.raster.cull_mode = 0;
    b.draw_indexed(static_cast<uint32_t>(order.size()));
    b.end_frame();
    return Outcome(b.take()).pictures.back().rgba;
  };
  EXPECT_EQ(picture(Topology::kTriangleListAdjacency, {0, 9, 1, 10, 2, 11, 4, 0, 5, 1, 7, 3}),
            picture(Topology::kTriangleList, {0, 1, 2, 4, 5, 7}));
  EXPECT_EQ(picture(Topology::kTriangleStripAdjacency, {0, 9, 1, 10, 2, 11, 3, 12, 4, 13}),
            picture(Topology::kTriangleStrip, {0, 1, 2, 3, 4}));
  EXPECT_EQ(picture(Topology::kLineListAdjacency, {9, 0, 1, 10, 11, 2, 3, 12}),
            picture(Topology::kLineList, {0, 1, 2, 3}));
  EXPECT_EQ(picture(Topology::kLineStripAdjacency, {9, 0, 1, 2, 3, 12}),
            picture(Topology::kLineStrip, {0, 1, 2, 3}));
}

// Enough vertices that batches of the vertex stage end within strips.
TEST(Geometry, StripsGoOnFromBatchToBatch) {
  const auto picture = [](Topology topology, uint32_t vertices, bool geometry_on) {
    Builder b = strip(ProvokingVertex::kFirst, topology, 1000);
    b.registers.raster.cull_mode = 0;
    if (geometry_on) {
      scenes::geometry_program(b, kPassTriangle, Topology::kTriangleStrip, 3);
      b.constants(Stage::kGeometry, 0, {bits(0), bits(2), bits(4), bits(3)});
    }
    b.draw(vertices);
    b.end_frame();
    return Outcome(b.take()).pictures.back().rgba;
  };
  EXPECT_EQ(picture(Topology::kTriangleStripAdjacency, 1000, true),
            picture(Topology::kTriangleStripAdjacency, 1000, false));
}

// A program's emitted vertices are limited.
TEST(Geometry, RefusesMoreThanItCanHold) {
  Builder b = points(1);
  std::string text;
  for (uint32_t i = 0; i < 9; i++) text += "MOV o" + std::to_string(i) + ", c0\n";
  scenes::geometry_program(b, (text + "EMIT 0\nEND\n").c_str(), Topology::kPointList, 256);
  b.draw(1);
  b.submit(false);
  std::unique_ptr<Emulator> gpu = make_emulator({});
  scenes::play(b.take(), *gpu);
  arch::Fault fault;
  ASSERT_TRUE(gpu->fault(fault));
  EXPECT_NE(fault.text.find("256 vertices of 9 outputs"), std::string::npos) << fault.text;
}

}  // namespace
}  // namespace cutaway::emulator
