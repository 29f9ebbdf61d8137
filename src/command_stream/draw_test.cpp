#include "command_stream/draw.h"

#include <gtest/gtest.h>

#include "command_stream/fragment_input.h"
#include "command_stream/primitive_geometry.h"
#include "command_stream/program.h"
#include "command_stream/query_counters.h"

namespace cutaway::command_stream {
namespace {

TEST(Draw, AllPacketsComeDownToOne) {
  const Draw plain = make_draw(arch::DrawPacket{3, 2, 7, 5}, 4);
  EXPECT_FALSE(plain.indexed);
  EXPECT_EQ(plain.count, 3u);
  EXPECT_EQ(plain.instances, 2u);
  EXPECT_EQ(plain.first, 7u);
  EXPECT_EQ(plain.first_instance, 5u);
  EXPECT_EQ(plain.number, 4u);
  const uint32_t words[] = {6, 2, 9, ~0u, 5};
  const Draw indexed = make_draw(true, words, 1);
  EXPECT_TRUE(indexed.indexed);
  EXPECT_EQ(indexed.count, 6u);
  EXPECT_EQ(indexed.first, 9u);
  EXPECT_EQ(indexed.vertex_offset, ~0u);
  EXPECT_EQ(indexed.first_instance, 5u);
  EXPECT_EQ(make_draw(false, std::span(words).first(draw_words(false))).first_instance, ~0u);
}

TEST(Draw, ByteCountGivesWholeVertices) {
  const auto vertices = [](uint32_t filled) {
    return make_draw(arch::DrawByteCountPacket{.offset = 8, .stride = 12, .instances = 1}, filled).count;
  };
  EXPECT_EQ(vertices(8 + 36), 3u);
  EXPECT_EQ(vertices(8 + 35), 2u);
  EXPECT_EQ(vertices(4), 0u);
}

// docs/hardware.md: the ids that a program sees, with and without the bases.
TEST(Draw, VertexIds) {
  arch::Registers registers{};
  const Draw plain{.count = 3, .first = 100, .first_instance = 7, .number = 2};
  EXPECT_EQ(vertex_id_input(registers, plain, 102, 1), (InputRegister{2, 1, 100, 7}));
  registers.assembly.vertex_base_in_id = 1;
  EXPECT_EQ(vertex_id_input(registers, plain, 102, 1), (InputRegister{102, 8, 100, 7}));
  const Draw indexed{.indexed = true, .count = 3, .first = 100, .vertex_offset = ~0u};
  EXPECT_EQ(vertex_id_input(registers, indexed, 4, 0), (InputRegister{4, 0, ~0u, 0}));
  EXPECT_EQ(draw_input(plain), (InputRegister{2, 0, 0, 0}));
}

TEST(PrimitiveGeometry, ReadsWhatTheRegistersName) {
  arch::Registers registers{};
  registers.vertex_out.point_size = registers.vertex_out.viewport_index = arch::kNoOutput;
  ShadedVertex vertex[3]{};
  const ShadedVertex* const all[3] = {&vertex[0], &vertex[1], &vertex[2]};
  for (uint32_t v = 0; v < 3; v++)
    for (uint32_t o = 0; o < arch::kShaderOutputs; o++)
      for (uint32_t c = 0; c < 4; c++) {
        const auto value = static_cast<float>(100 * v + 4 * o + c);
        std::memcpy(&vertex[v].output[o][c], &value, 4);
      }
  const func::AssembledPrimitive triangle{.vertices = 3, .first = 1, .id = 9};
  const PrimitiveGeometry plain(registers, triangle, all);
  EXPECT_EQ(plain.input().position[2][3], 203);
  EXPECT_EQ(plain.input().primitive_id, 9u);
  EXPECT_EQ(plain.input().viewport, 0u);
  EXPECT_EQ(plain.input().point_size, 1);
  EXPECT_EQ(plain.input().distances, nullptr);

  // Distances occupy two registers; the point size is that of the triangle's corner.
  registers.vertex_out.clip_distance = 5, registers.vertex_out.clip_distances = 4;
  registers.vertex_out.cull_distances = 2;
  registers.vertex_out.point_size = 8, registers.vertex_out.viewport_index = 9;
  vertex[0].output[9][0] = 3;
  const PrimitiveGeometry full(registers, triangle, all, 1, 6);
  EXPECT_EQ(full.input().distances[1][3], 123);
  EXPECT_EQ(full.input().distances[1][5], 125);
  EXPECT_EQ(full.input().viewport, 3u);
  EXPECT_EQ(full.input().point_size, 232);  // of vertex (1 + 1) % 3
  EXPECT_EQ(full.input().stipple_phase, 6u);
}

TEST(FragmentInput, OfAQuad) {
  func::Primitive primitive{};
  primitive.front_facing = true, primitive.id = 12;
  QuadInput value;
  fragment_input(primitive, 2, func::quad_samples({1, 2, 4, 0x80}), value);
  for (uint32_t lane = 0; lane < 4; lane++) {
    EXPECT_EQ(value[0][lane], ~0u);
    EXPECT_EQ(value[1][lane], 2u);
    EXPECT_EQ(value[3][lane], 12u);
  }
  EXPECT_EQ(value[2][0], 1u);
  EXPECT_EQ(value[2][3], 0x80u);
}

TEST(QueryCounters, AreFoundByKindAndAdded) {
  QueryCounters counters, more;
  counters[Statistic::kComputeInvocations] = 5;
  more.samples_passed = 1, more.primitives_written[0] = 2, more.primitives_needed[0] = 3;
  more[Statistic::kComputeInvocations] = 4;
  counters += more;
  EXPECT_EQ(counters.value(arch::QueryKind::kSamplesPassed, 0), 1u);
  EXPECT_EQ(counters.value(arch::QueryKind::kPrimitives, 0), 2u);
  EXPECT_EQ(counters.value(arch::QueryKind::kPrimitives, 1), 3u);
  EXPECT_EQ(counters.value(arch::QueryKind::kStatistics, 10), 9u);
  EXPECT_EQ(counters.value(arch::QueryKind::kStatistics, 0), 0u);
}

std::shared_ptr<const Program> program(arch::Stage stage, std::string_view text, std::string& error,
                                       uint32_t temporaries = 2) {
  std::vector<isa::EncodedInstruction> words;
  for (const isa::Instruction& instruction : isa::assemble(text)) words.push_back(isa::encode(instruction));
  return make_program(stage, std::move(words), temporaries, 0, 4, error);
}

TEST(Program, KnowsWhatItReadsAndWrites) {
  std::string error;
  const auto made =
      program(arch::Stage::kFragment, "TEX r0, i3.xyyy, t5, s0, 2D\nADD o0.xy, r0, i1.zwzw\nEND\n", error);
  ASSERT_TRUE(made) << error;
  EXPECT_EQ(made->inputs_read, 1u << 3 | 1u << 1);
  EXPECT_EQ(made->inputs[1], 0b1100);
  EXPECT_EQ(made->outputs, 1u);
  EXPECT_EQ(made->zeroed_outputs, 1u);  // .zw are never written
  EXPECT_TRUE(made->zeroed_temporaries.empty());
  EXPECT_EQ(made->resources, std::vector<uint32_t>{5});
  EXPECT_FALSE(made->uniform);
  EXPECT_FALSE(made->writes_memory);
  EXPECT_TRUE(program(arch::Stage::kFragment, "MOV o0, c0\nEND\n", error)->uniform);
}

// A slot named by thousands of instructions is listed once.
TEST(Program, NamesASlotOnce) {
  std::string text, error;
  for (uint32_t i = 0; i < 2000; i++) text += "STB _.x, c0.x, c0.y, t" + std::to_string(i % 3 + 4) + "\n";
  const auto made = program(arch::Stage::kCompute, text + "END\n", error);
  ASSERT_TRUE(made) << error;
  EXPECT_EQ(made->stored, (std::vector<uint32_t>{4, 5, 6}));
  EXPECT_EQ(made->resources, (std::vector<uint32_t>{4, 5, 6}));
}

TEST(Program, IllegalProgramIsRejected) {
  std::string error;
  EXPECT_FALSE(program(arch::Stage::kVertex, "DDX o0, i0\nEND\n", error));
  EXPECT_NE(error.find("cannot have DDX"), error.npos);
  EXPECT_FALSE(program(arch::Stage::kVertex, "MOV o0, r7\nEND\n", error));
}

}  // namespace
}  // namespace cutaway::command_stream
