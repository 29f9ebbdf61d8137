// Vertices by the length of their program, by primitive and by index; points and strips of geometry programs.
#include <fmt/format.h>

#include "scenes/closed_form_scenes.h"
#include "scenes/parts.h"
#include "scenes/rate_programs.h"

namespace cutaway::scenes {
namespace {

using arch::Stage;

// `instructions` independent instructions, the last two of which are the position and END.
enum class Kind {
  kSimd,     // all for the SIMD ALU
  kMixed,    // those before the last two alternate between the SIMD and the scalar ALU
  kIndexed,  // those before the last two read one of eight constants by the vertex's own index
};
void set_vertices(Builder& b, uint32_t instructions, Kind kind = Kind::kSimd) {
  std::string text;
  for (uint32_t i = 0; i + 2 < instructions; i++) {
    if (kind == Kind::kIndexed) text += fmt::format("LDC r{}, c0, i0.y, WINDOW(0, 8)\n", i % 4);
    else if (kind == Kind::kMixed && i % 2) text += fmt::format("RCP r{}.x, i0.x\n", 4 + i / 2 % 4);
    else text += fmt::format("MUL r{}, i0, i0\n", (kind == Kind::kMixed ? i / 2 : i) % 4);
  }
  b.program(Stage::kVertex, text + "MOV o0, i0\nEND\n");
  b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
}

// All vertices lie behind the viewer.
std::vector<float> hidden_vertices(uint32_t count) {
  std::vector<float> values;
  for (uint32_t i = 0; i < count; i++)
    for (const float value : {0.0f, static_cast<float>(i % 7), -5.0f, 1.0f}) values.push_back(value);
  return values;
}

Scene vertices(const std::string& name, uint32_t instructions, Kind kind) {
  constexpr uint32_t kVertices = 3000;
  Builder b(name);
  return three_frames(b, [&](uint32_t times) {
    set_vertices(b, instructions, kind);
    b.vertices(hidden_vertices(times * kVertices), {4});
    b.draw(times * kVertices);
  });
}

Scene branching_vertices(const std::string& name) {
  constexpr uint32_t kVertices = 3000;
  Builder b(name);
  return three_frames(b, [&](uint32_t times) {
    set_vertices(b, 2);
    b.program(Stage::kVertex, vertex_branches() + "MOV o0, i0\nEND\n");
    b.vertices(hidden_vertices(times * kVertices), {4});
    b.draw(times * kVertices);
  });
}

// Triangles of a strip without indices, drawn directly (most = 0) or through a geometry program that emits
// each again and declares `most` vertices at most.
Scene strip(const std::string& name, uint32_t most) {
  constexpr uint32_t kVertices = 3000;
  Builder b(name);
  return three_frames(b, [&](uint32_t times) {
    set_vertices(b, 2);
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
    if (most)
      geometry_program(b,
                       "LDV o0, c0.x, v0\nEMIT 0\nLDV o0, c0.y, v0\nEMIT 0\nLDV o0, c0.z, v0\nEMIT 0\nEND\n",
                       arch::Topology::kTriangleStrip, most);
    b.registers.geometry.inputs.count = 1;
    b.vertices(hidden_vertices(times * kVertices), {4});
    b.draw(times * kVertices);
  });
}

// Points; a geometry program emits `vertices` vertices for each.
Scene amplified(const std::string& name, uint32_t vertices) {
  constexpr uint32_t kPoints = 3072;
  Builder b(name);
  return three_frames(b, [&](uint32_t times) {
    set_vertices(b, 2);
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kPointList);
    std::string text = "LDV o0, c0.x, v0\n";
    for (uint32_t i = 0; i < vertices; i++) text += "EMIT 0\n";
    geometry_program(b, text + "END\n", arch::Topology::kPointList, vertices);
    b.registers.geometry.inputs.count = 1;
    b.vertices(hidden_vertices(times * kPoints), {4});
    b.draw(times * kPoints);
  });
}

// Triangles over `vertices` vertices, all behind the viewer, with a program of 32 instructions.
void draw_hidden(Builder& b, const std::vector<uint32_t>& index, uint32_t vertices) {
  set_vertices(b, 32);
  b.vertices(hidden_vertices(vertices), {4});
  auto& assembly = b.registers.assembly;
  assembly.index_address = b.upload(index);
  assembly.index_bytes = static_cast<uint32_t>(4 * index.size());
  assembly.index_type = static_cast<uint32_t>(arch::IndexType::kUint32);
  b.draw_indexed(static_cast<uint32_t>(index.size()));
}

// Blocks of 5x4 squares, each with vertices of its own: 30 of 40 triangles.
Scene grid_blocks(const std::string& name) {
  constexpr uint32_t kBlocks = 60, kColumns = 5, kRows = 4, kPitch = kColumns + 1;
  Builder b(name);
  return three_frames(b, [&](uint32_t times) {
    std::vector<uint32_t> index;
    for (uint32_t block = 0; block < times * kBlocks; block++)
      for (uint32_t square = 0; square < kColumns * kRows; square++) {
        const uint32_t at = block * kPitch * (kRows + 1) + square / kColumns * kPitch + square % kColumns;
        index.insert(index.end(), {at, at + 1, at + kPitch, at + 1, at + kPitch + 1, at + kPitch});
      }
    draw_hidden(b, index, times * kBlocks * kPitch * (kRows + 1));
  });
}

// A grid of `columns` squares a row, each of two triangles, row after row.
Scene grid(const std::string& name, uint32_t columns, uint32_t rows) {
  Builder b(name);
  return three_frames(b, [&](uint32_t times) {
    const uint32_t pitch = columns + 1, all_rows = times * rows;
    std::vector<uint32_t> index;
    for (uint32_t y = 0; y < all_rows; y++)
      for (uint32_t x = 0; x < columns; x++) {
        const uint32_t at = y * pitch + x;
        index.insert(index.end(), {at, at + 1, at + pitch, at + 1, at + pitch + 1, at + pitch});
      }
    draw_hidden(b, index, pitch * (all_rows + 1));
  });
}

}  // namespace

std::vector<NamedScene> vertex_rate_scenes() {
  std::vector<NamedScene> scenes;
  const auto add = [&](const std::string& name, auto make, auto... arguments) {
    scenes.push_back({name, [=] { return make(name, arguments...); }});
  };
  for (const uint32_t instructions : {2u, 4u, 5u, 8u, 16u, 32u, 64u})
    add(fmt::format("vertices-{}", instructions), vertices, instructions, Kind::kSimd);
  add("vertices-mixed-64", vertices, 64u, Kind::kMixed);
  add("vertices-indexed-32", vertices, 32u, Kind::kIndexed);
  add("vertices-branches", branching_vertices);
  add("strip-plain", strip, 0u);
  add("strip-geometry", strip, 3u);
  for (const uint32_t most : {16u, 32u, 64u, 128u})
    add(fmt::format("strip-geometry-most-{}", most), strip, most);
  for (const uint32_t vertices : {1u, 2u, 4u, 8u, 16u})
    add(fmt::format("amplified-{}", vertices), amplified, vertices);
  for (const uint32_t columns : {3u, 7u, 8u, 9u, 40u})
    add(fmt::format("grid-{}", columns), grid, columns, 1200 / columns);
  add("grid-blocks", grid_blocks);
  return scenes;
}

}  // namespace cutaway::scenes
