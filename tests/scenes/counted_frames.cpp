#include "scenes/counted_frames.h"

#include <algorithm>
#include <cmath>

#include "scenes/clear_scenes.h"
#include "scenes/parts.h"

namespace cutaway::scenes {
namespace {

using arch::Format;
using arch::Stage;

enum class CountedFragments { kColor, kTextured, kFogged };

struct Counts {
  uint32_t width, height;
  uint32_t draws;
  uint32_t floats;        // of a vertex: position (3), color (the rest)
  uint32_t instructions;  // of the vertex program
  CountedFragments fragments;
  uint32_t samples = 1;
  bool depth = true, blend = false, cull = false;
};

// ---- Programs ----

// One of several lights near the surface, with attenuation and a highlight, 22 instructions; the color so far
// is r0.
constexpr std::string_view kNearLight =
    "ADD r1.xyz, c6, -i0\nDP3 r1.w, r1, r1\nRSQ r2.x, r1.w\nMUL r1.xyz, r1, r2.x\nMUL r2.y, r1.w, r2.x\n"
    "MAD r2.z, r2.y, c7.x, c7.y\nMAD r2.z, r1.w, c7.z, r2.z\nRCP r2.z, r2.z\nDP3 r2.w, r1, i1\n"
    "MAX r2.w, r2.w, c5.x\nADD r3.xyz, r1, c8\nDP3 r3.w, r3, r3\nRSQ r3.w, r3.w\nMUL r3.xyz, r3, r3.w\n"
    "DP3 r4.x, r3, i1\nMAX r4.x, r4.x, c5.x\nPOW r4.x, r4.x, c9.w\nMUL r2.w, r2.w, r2.z\nMUL r4.x, r4.x, r2.z\n"
    "MAD r0, r2.w, c9, r0\nMAD r0, r4.x, c8, r0\nMIN r0, r0, c4.x\n";
constexpr uint32_t kLightInstructions = 22, kPositionInstructions = 4;

// The position, as many lights as there is room for, and a chain of instructions each of which needs the one
// before.
std::string vertex_program(uint32_t instructions) {
  std::string text =
      "DP4 o0.x, i0, c0\nDP4 o0.y, i0, c1\nDP4 o0.z, i0, c2\nDP4 o0.w, i0, c3\nMUL r0, i1, c4\n";
  uint32_t left = instructions - kPositionInstructions - 2;
  for (; left >= kLightInstructions; left -= kLightInstructions) text += kNearLight;
  for (; left; left--) text += "MAD r0, r0, c4, c5\n";
  return text + "MOV o1, r0\nEND\n";
}

void set_programs(Builder& b, const Counts& counts) {
  b.program(Stage::kVertex, vertex_program(counts.instructions));
  b.constants(Stage::kVertex, 0,
              {1, 0, 0, 0, 0,    1, 0, 0, 0,    0, 1,    0, 0,    0,    0, 1, 1,    1,    1,    1,
               0, 0, 0, 0, 0.4f, 2, 3, 1, 0.5f, 1, 0.1f, 0, 0.1f, 0.1f, 1, 0, 0.1f, 0.1f, 0.1f, 16});
  b.interpolants({1});
  switch (counts.fragments) {
    case CountedFragments::kColor:
      b.program(Stage::kFragment, kColor);
      break;
    case CountedFragments::kTextured:
      b.program(Stage::kFragment, "TEX r0, i0, t0, s0, 2D\nMUL o0, r0, c0\nEND\n", arch::kShaderDerivatives);
      b.constants(Stage::kFragment, 0, {1, 1, 1, 1});
      break;
    case CountedFragments::kFogged:
      b.program(
          Stage::kFragment,
          "MUL r1.x, i0.z, c0.x\nEX2 r1.x, r1.x\nMIN r1.x, r1.x, c0.y\nMUL r0, i0, r1.x\nMOV o0, r0\nEND\n");
      b.constants(Stage::kFragment, 0, {-0.5f, 1, 0, 0});
      break;
  }
}

// ---- CountedVertices ----

class CountedVertices {
 public:
  explicit CountedVertices(const Counts& counts) : counts_(counts) {}
  // x, y in pixels, z from 0 to 1; u, v: coordinates or color.
  void add(double x, double y, float z, float u, float v) {
    values.push_back(static_cast<float>(2 * x / counts_.width - 1));
    values.push_back(static_cast<float>(2 * y / counts_.height - 1));
    values.push_back(z);
    values.push_back(u), values.push_back(v);
    for (uint32_t i = 5; i < counts_.floats; i++) values.push_back(0.5f);
  }
  std::vector<float> values;

 private:
  const Counts& counts_;
};

void set_counted_vertices(Builder& b, const Counts& counts, const CountedVertices& vertices) {
  // Components beyond position and color lie beside them, and are read with their line.
  std::vector<uint32_t> components = {3};
  for (uint32_t left = counts.floats - 3; left;) {
    components.push_back(std::min(left, 4u));
    left -= components.back();
  }
  b.vertices(vertices.values, components);
}

// A strip of `pairs` pairs of vertices over a band from (left, top): `front` squares to the right, and the
// others back to the left behind them; or the other way around.
struct Band {
  double left, top, width, height;
  uint32_t pairs, front;
  bool behind_first = false;
};

void add_band(CountedVertices& vertices, const Band& band) {
  const uint32_t squares = band.pairs - 1;
  for (uint32_t i = 0; i < band.pairs; i++) {
    const bool first = i <= band.front;
    const double at = first ? double(i) / band.front : 1 - double(i - band.front) / (squares - band.front);
    const float z = first == band.behind_first ? 0.75f : 0.25f;
    for (const double down : {1.0, 0.0})
      vertices.add(band.left + at * band.width, band.top + down * band.height,
                   z + 0.1f * static_cast<float>(at), static_cast<float>(at),
                   static_cast<float>((band.top + down * band.height) / 512));
  }
}

void set_index(Builder& b, const std::vector<uint32_t>& index) {
  auto& assembly = b.registers.assembly;
  assembly.index_address = b.upload(index);
  assembly.index_bytes = static_cast<uint32_t>(4 * index.size());
  assembly.index_type = static_cast<uint32_t>(arch::IndexType::kUint32);
}

// ---- Frames ----

Scene one_frame(Builder& b, const Counts& counts, const std::function<void()>& draws) {
  const arch::Surface shown = b.color_target();
  const auto tiled = arch::Tiling::kTiled;
  arch::Surface depth{}, drawn{};
  if (counts.depth)
    depth = b.surface(Format::D24_UNORM_S8_UINT, counts.width, counts.height, 1, tiled, 1, counts.samples);
  if (counts.samples > 1)
    drawn = b.surface(Format::R8G8B8A8_UNORM, counts.width, counts.height, 1, tiled, 1, counts.samples);
  b.target(counts.samples > 1 ? drawn : shown);
  b.registers.raster.samples = counts.samples, b.registers.raster.sample_mask = ~0u;
  clear_color(b, b.color_target(), {0.1f, 0.1f, 0.2f, 1});
  if (counts.depth) {
    b.depth(depth);
    b.registers.depth.hierarchical_z = 1;
    clear_depth(b, depth, 1, 0);
    depth_test(b);
  }
  if (counts.cull) b.registers.raster.cull_mode = arch::kCullBack;
  if (counts.blend) {
    auto& target = b.registers.color.target[0];
    target.blend = 1;
    target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kSrcAlpha);
    target.color_destination = target.alpha_destination =
        static_cast<uint32_t>(arch::BlendFactor::kOneMinusSrcAlpha);
  }
  set_programs(b, counts);
  draws();
  if (counts.samples > 1) b.target(shown);
  b.end_frame();
  return b.take();
}

void set_strip(Builder& b) {
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
}

// Every draw a strip; the strips lie below one another in a field of width x height pixels in the middle.
struct StripShape {
  uint32_t vertices, front;
  double width, height;
  bool turns = false;  // every second strip draws what lies behind first
};

Scene strips(const std::string& name, const Counts& counts, const StripShape& shape) {
  Builder b(name, counts.width, counts.height);
  arch::Surface texture{};
  if (counts.fragments == CountedFragments::kTextured) {
    texture = b.surface(Format::R8G8B8A8_UNORM, 256, 256);
    b.fill_level(texture, 0, checkers(256, 16, 0xff3060a0, 0xffe0d0b0));
  }
  const arch::Sampler linear = sampler(arch::Filter::kLinear);
  CountedVertices vertices(counts);
  const double row = shape.height / counts.draws;
  for (uint32_t i = 0; i < counts.draws; i++)
    add_band(vertices, {(counts.width - shape.width) / 2, (counts.height - shape.height) / 2 + i * row,
                        shape.width, row, shape.vertices / 2, shape.front, shape.turns && i % 2});
  return one_frame(b, counts, [&] {
    set_counted_vertices(b, counts, vertices);
    set_strip(b);
    if (texture.width) b.textures({&texture, 1}, {&linear, 1});
    for (uint32_t i = 0; i < counts.draws; i++) b.draw(shape.vertices, 1, i * shape.vertices);
  });
}

// One triangle of 125 x 126 / 2 pixels.
Scene counted_triangle() {
  const Counts counts{250, 250, 1, 7, 16, CountedFragments::kColor, 1, false};
  Builder b("counted-triangle", counts.width, counts.height);
  CountedVertices vertices(counts);
  vertices.add(62, 62, 0.5f, 0, 0), vertices.add(62, 187.5, 0.5f, 0, 1), vertices.add(187.5, 62, 0.5f, 1, 0);
  return one_frame(b, counts, [&] {
    set_counted_vertices(b, counts, vertices);
    b.draw(3);
  });
}

// Squares of a grid, two triangles each, as a list without an index.
void add_squares(CountedVertices& vertices, uint32_t columns, uint32_t squares, double side, float z) {
  for (uint32_t i = 0; i < squares; i++) {
    const double x = 200 + side * (i % columns), y = 120 + side * (i / columns);
    const float u = static_cast<float>(i % columns) / static_cast<float>(columns);
    for (const auto& [right, down] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1}})
      vertices.add(x + side * right, y + side * down, z, u, 0.5f);
  }
}

// 8,686 triangles of 7.3 pixels in two draws, of which the second one's lie behind.
Scene counted_spaceship() {
  const Counts counts{640, 480, 2, 7, 16, CountedFragments::kColor};
  constexpr uint32_t kFront = 3118, kBehind = 1225, kColumns = 62;
  const double side = std::sqrt(63614.0 / (kFront + kBehind));
  Builder b("counted-spaceship", counts.width, counts.height);
  CountedVertices vertices(counts);
  add_squares(vertices, kColumns, kFront, side, 0.25f);
  add_squares(vertices, kColumns, kBehind, side, 0.75f);
  return one_frame(b, counts, [&] {
    set_counted_vertices(b, counts, vertices);
    b.draw(6 * kFront);
    b.draw(6 * kBehind, 1, 6 * kFront);
  });
}

// A sheet of 154 x 260 squares, each as large as a pixel, in one strip by an index that goes to and fro: each
// row but the first repeats the vertex at which it begins.
Scene counted_micropolygons() {
  const Counts counts{200, 200, 1, 11, 40, CountedFragments::kColor};
  constexpr uint32_t kColumns = 154, kRows = 260;
  Builder b("counted-micropolygon", counts.width, counts.height);
  CountedVertices vertices(counts);
  std::vector<uint32_t> index;
  for (uint32_t row = 0; row <= kRows; row++)
    for (uint32_t column = 0; column <= kColumns; column++) {
      const double u = double(column) / kColumns, v = double(row) / kRows;
      vertices.add(counts.width * u, counts.height * v, 0.5f, static_cast<float>(u), static_cast<float>(v));
    }
  for (uint32_t row = 0; row < kRows; row++) {
    if (row) index.push_back(index.back());
    for (uint32_t i = 0; i <= kColumns; i++)
      for (const uint32_t down : {0u, 1u})
        index.push_back((row + down) * (kColumns + 1) + (row % 2 ? kColumns - i : i));
  }
  return one_frame(b, counts, [&] {
    set_counted_vertices(b, counts, vertices);
    set_strip(b);
    set_index(b, index);
    b.draw_indexed(static_cast<uint32_t>(index.size()));
  });
}

// 13 cubes one over another, blended: of each, three sides beside one another, and three before them.
Scene counted_cubes() {
  const Counts counts{384, 364, 1, 8, 16, CountedFragments::kColor, 1, false, true};
  constexpr uint32_t kSquares = 13 * 6;
  constexpr double kWidth = 105.7, kHeight = kWidth / 3;
  Builder b("counted-blendedcubes", counts.width, counts.height);
  CountedVertices vertices(counts);
  std::vector<uint32_t> index;
  Random random(5);
  double left = 0, top = 0;
  for (uint32_t i = 0; i < kSquares; i++) {
    if (i % 6 == 0) left = random.between(0, 278), top = random.between(0, 258);
    for (const auto& [right, down] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}})
      vertices.add(left + kWidth * right, top + kHeight * (i % 3 + down), 0.5f, static_cast<float>(right),
                   static_cast<float>(down));
    for (const uint32_t corner : {0u, 1u, 2u, 2u, 1u, 3u}) index.push_back(4 * i + corner);
  }
  return one_frame(b, counts, [&] {
    set_counted_vertices(b, counts, vertices);
    set_index(b, index);
    b.draw_indexed(static_cast<uint32_t>(index.size()));
  });
}

}  // namespace

std::vector<NamedScene> counted_frames() {
  return {
      {"counted-triangle", counted_triangle},
      {"counted-spaceship", counted_spaceship},
      {"counted-torus",
       [] {
         return strips("counted-torus", {640, 480, 120, 10, 16, CountedFragments::kColor, 4},
                       {62, 15, 406, 389, true});
       }},
      {"counted-spheremap",
       [] {
         return strips("counted-spheremap", {500, 500, 35, 16, 31, CountedFragments::kTextured},
                       {72, 18, 295, 294.8});
       }},
      {"counted-8lights",
       [] {
         return strips("counted-8lights",
                       {300, 300, 50, 7, 186, CountedFragments::kColor, 1, true, false, true},
                       {100, 23, 116, 115.5});
       }},
      {"counted-micropolygon", counted_micropolygons},
      {"counted-blendedcubes", counted_cubes},
      {"counted-simplefog",
       [] {
         return strips("counted-simplefog", {500, 500, 80, 9, 16, CountedFragments::kFogged},
                       {32, 8, 156, 157});
       }},
  };
}

}  // namespace cutaway::scenes
