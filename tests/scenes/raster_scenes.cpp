#include "scenes/raster_scenes.h"

#include <array>

#include "scenes/parts.h"

namespace cutaway::scenes {
namespace {

using arch::Stage;

template <class Enum>
uint32_t number(Enum value) {
  return static_cast<uint32_t>(value);
}

struct Vertex {
  float x, y, z, r, g, b, a;
};

// Positions in pixels of a square target.
void vertices(Builder& b, const std::vector<Vertex>& list, float size) {
  std::vector<float> values;
  for (const Vertex& v : list)
    for (const float value : {v.x / size * 2 - 1, v.y / size * 2 - 1, v.z, 1.0f, v.r, v.g, v.b, v.a})
      values.push_back(value);
  b.vertices(values, {4, 4});
}

void blend_over(Builder& b) {
  arch::ColorTarget& target = b.registers.color.target[0];
  target.blend = 1;
  target.color_source = target.alpha_source = number(arch::BlendFactor::kSrcAlpha);
  target.color_destination = target.alpha_destination = number(arch::BlendFactor::kOneMinusSrcAlpha);
}

// Ends of 24 lines around a centre, every third of whole half pixels.
std::vector<Vertex> star(float x, float y, float radius) {
  static constexpr std::array<std::pair<float, float>, 12> kDirections{{{1, 0},
                                                                        {0.97f, 0.26f},
                                                                        {0.87f, 0.5f},
                                                                        {0.71f, 0.71f},
                                                                        {0.5f, 0.87f},
                                                                        {0.26f, 0.97f},
                                                                        {0, 1},
                                                                        {-0.26f, 0.97f},
                                                                        {-0.5f, 0.87f},
                                                                        {-0.71f, 0.71f},
                                                                        {-0.87f, 0.5f},
                                                                        {-0.97f, 0.26f}}};
  std::vector<Vertex> list;
  for (const float side : {1.0f, -1.0f})
    for (const auto& [dx, dy] : kDirections) {
      list.push_back({x + dx * side * 2, y + dy * side * 2, 0.5f, 1, 1, 1, 1});
      list.push_back({x + dx * side * radius, y + dy * side * radius, 0.5f, 1, dx * 0.5f + 0.5f, 0, 1});
    }
  return list;
}

}  // namespace

Scene logic_operations() {
  Builder b("logic-operations");
  b.clear(0, 0, 0, 1);
  color_programs(b);
  vertices(b,
           {{0, 0, 0, 0, 0.2f, 1, 0},
            {64, 0, 0, 1, 0.4f, 0, 1},
            {0, 64, 0, 0.3f, 1, 0.5f, 0.5f},
            {64, 64, 0, 1, 1, 1, 1}},
           64);
  b.registers.assembly.topology = number(arch::Topology::kTriangleStrip);
  b.draw(4);
  for (uint32_t op = 0; op < 16; op++) {
    const auto x = static_cast<float>(op % 4 * 16 + 2), y = static_cast<float>(op / 4 * 16 + 2);
    vertices(b,
             {{x, y, 0, 1, 0, 0.6f, 0.7f},
              {x + 12, y, 0, 0.2f, 0.5f, 0.9f, 1},
              {x, y + 12, 0, 0, 1, 0.1f, 0},
              {x + 12, y + 12, 0, 0.7f, 0.7f, 0.3f, 0.2f}},
             64);
    b.registers.color.logic_op_enable = 1;
    b.registers.color.logic_op = op;
    b.registers.color.target[0].write_mask = op % 3 == 0 ? 15 : 7;
    b.draw(4);
  }
  b.end_frame();
  return b.take();
}

Scene line_modes() {
  Builder b("line-modes", 160, 160);
  b.clear(0, 0, 0.3f, 1);
  color_programs(b);
  blend_over(b);
  auto& raster = b.registers.raster;
  uint32_t cell = 0;
  for (const auto mode :
       {arch::LineMode::kRectangular, arch::LineMode::kBresenham, arch::LineMode::kRectangularSmooth})
    for (const float width : {1.0f, 3.4f})
      for (const uint32_t stipple : {0u, 0x1c47u | 1u << 16}) {
        raster.line_mode = number(mode);
        raster.line_width = width;
        raster.line_stipple = stipple;
        const auto x = static_cast<float>(cell % 4 * 40 + 20), y = static_cast<float>(cell / 4 * 40 + 20);
        b.registers.assembly.topology = number(arch::Topology::kLineList);
        b.registers.assembly.provoking_vertex = cell % 2;
        vertices(b, star(x + 0.5f, y + 0.5f, 18), 160);
        b.draw(48);
        cell++;
      }
  // Strips that the pattern runs along, with a restart, partly beyond the target.
  b.registers.assembly.topology = number(arch::Topology::kLineStrip);
  for (uint32_t i = 0; i < 3; i++) {
    raster.line_mode = i + 1;
    raster.line_width = 2;
    raster.line_stipple = 0x0f0f | 3 << 16;
    std::vector<Vertex> list;
    for (uint32_t k = 0; k < 14; k++)
      list.push_back({-20.0f + static_cast<float>(k) * 15.3f, 128.0f + static_cast<float>(i * 10 + k % 3 * 4),
                      0.5f, 1, 1, static_cast<float>(k) / 14, 1});
    vertices(b, list, 160);
    b.registers.assembly.provoking_vertex = i % 2;
    b.draw(14);
  }
  b.end_frame();
  return b.take();
}

Scene polygon_modes() {
  Builder b("polygon-modes", 128, 128);
  b.depth(b.surface(arch::Format::D32_SFLOAT, 128, 128));
  b.clear(0.1f, 0.1f, 0.1f, 1);
  color_programs(b, arch::Interpolation::kFlat);
  auto& raster = b.registers.raster;
  b.registers.depth.depth_test = b.registers.depth.depth_write = 1;
  b.registers.depth.depth_compare = number(arch::Compare::kLessOrEqual);
  b.registers.assembly.topology = number(arch::Topology::kTriangleStrip);
  for (uint32_t i = 0; i < 8; i++) {
    const auto x = static_cast<float>(i % 4 * 32), y = static_cast<float>(i / 4 * 64);
    const std::vector<Vertex> list{{x + 3, y + 4, 0.2f, 1, 0, 0, 1},
                                   {x + 28, y + 6, 0.9f, 0, 1, 0, 1},
                                   {x + 5, y + 30, 0.4f, 0, 0, 1, 1},
                                   {x + 29, y + 33, 0.8f, 1, 1, 0, 1},
                                   {x + 4, y + 60, 0.3f, 0, 1, 1, 1}};
    vertices(b, list, 128);
    b.registers.assembly.provoking_vertex = i % 2;
    // Filled, then its edges or vertices on top, biased towards the eye.
    raster.polygon_mode = number(arch::PolygonMode::kFill);
    raster.cull_mode = raster.depth_bias = 0;
    if (i % 4 != 3) b.draw(5);
    raster.polygon_mode = number(i % 2 ? arch::PolygonMode::kPoint : arch::PolygonMode::kLine);
    raster.line_mode = number(i / 4 ? arch::LineMode::kBresenham : arch::LineMode::kRectangular);
    raster.line_width = i == 2 ? 3.0f : 1.0f;
    raster.line_stipple = i == 6 ? 0x3333 | 1 << 16 : 0;
    raster.cull_mode = i == 4 ? arch::kCullBack : arch::kCullNone;
    raster.depth_bias = 1;
    raster.depth_bias_slope = -1, raster.depth_bias_constant = -2,
    raster.depth_bias_clamp = i == 2 ? -0.01f : 0;
    vertices(b,
             {{x + 3, y + 4, 0.2f, 1, 1, 1, 1},
              {x + 28, y + 6, 0.9f, 1, 0.5f, 1, 1},
              {x + 5, y + 30, 0.4f, 1, 1, 0.5f, 1},
              {x + 29, y + 33, 0.8f, 0.5f, 1, 1, 1},
              {x + 4, y + 60, 0.3f, 0.5f, 0.5f, 1, 1}},
             128);
    b.draw(5);
  }
  // Through the eye plane, the near plane and far outside.
  b.registers.assembly.topology = number(arch::Topology::kTriangleList);
  raster.polygon_mode = number(arch::PolygonMode::kLine), raster.depth_bias = raster.line_stipple = 0;
  raster.cull_mode = 0;
  b.vertices({-0.9f, -0.9f, 0.1f,  1, 1,   1,   1,    1,  0.9f, 0.3f, 0.1f, 1,
              1,     1,     1,     1, 0,   4,   -3,   -2, 1,    1,    1,    1,  //
              -0.5f, 0.5f,  -0.2f, 1, 1,   0,   1,    1,  0.5f, 0.6f, 0.1f, 1,
              1,     0,     1,     1, 400, 900, 0.1f, 1,  1,    0,    1,    1},
             {4, 4});
  b.draw(6);
  b.end_frame();
  return b.take();
}

Scene large_points() {
  Builder b("large-points");
  b.clear(0, 0, 0, 1);
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nMOV o2, i1.w\nEND\n");
  b.program(Stage::kFragment, "MOV o0.xy, i34\nMOV o0.zw, i0\nEND\n", arch::kShaderReadsPointCoord);
  b.interpolants({1});
  b.registers.vertex_out.point_size = 2;
  b.registers.assembly.topology = number(arch::Topology::kPointList);
  std::vector<Vertex> list;
  for (uint32_t i = 0; i < 24; i++) {
    const auto at = static_cast<float>(i);
    list.push_back({at * 2.7f, 4 + static_cast<float>(i * i % 59), 0.5f, 0, 0, at / 24, 0.25f + at * 0.7f});
  }
  list.push_back({-0.5f, 10, 0.5f, 0, 0, 1, 40});       // the centre is outside: not drawn
  list.push_back({63.5f, 63.5f, 0.5f, 0, 0, 1, 1000});  // clamped to the greatest size
  vertices(b, list, 64);
  b.draw(25);
  b.registers.raster.scissor[0] = {40, 8, 20, 50};
  b.draw(1, 1, 25);
  b.end_frame();
  return b.take();
}

Scene depth_ranges() {
  Builder b("depth-ranges");
  b.depth(b.surface(arch::Format::D16_UNORM, 64, 64));
  b.clear(0, 0, 0, 1, 0.8f);
  color_programs(b);
  auto& raster = b.registers.raster;
  auto& depth = b.registers.depth;
  depth.depth_test = depth.depth_write = 1;
  depth.depth_compare = number(arch::Compare::kLess);
  for (uint32_t i = 0; i < 8; i++) {
    raster.depth_clamp = i & 1;
    raster.depth_clip = i >> 1 & 1;
    raster.depth_bias = i >> 2;
    raster.depth_bias_slope = 2, raster.depth_bias_clamp = 0.02f;
    raster.viewport[0].scale[2] = 0.5f, raster.viewport[0].offset[2] = 0.25f;
    raster.depth_range_min[0] = 0.25f, raster.depth_range_max[0] = 0.75f;
    depth.bounds_test = i == 5, depth.bounds_min = 0.1f, depth.bounds_max = 0.7f;
    const float y = static_cast<float>(i) * 8;
    vertices(b, {{0, y, -0.6f, 1, 0, 0, 1}, {64, y, 1.7f, 0, 1, 0, 1}, {20, y + 8, 0.3f, 0, 0, 1, 1}}, 64);
    b.draw(3);
    vertices(b, {{0, y, 1.3f, 1, 1, 0, 1}, {64, y, -0.5f, 0, 1, 1, 1}, {40, y + 8, 0.5f, 1, 1, 1, 1}}, 64);
    b.draw(3);
  }
  // Each of four instances goes to its own viewport.
  raster.depth_clamp = raster.depth_bias = 0, raster.depth_clip = 1, depth.bounds_test = 0;
  depth.depth_compare = number(arch::Compare::kAlways);
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nMOV o2.x, i32.y\nEND\n");
  b.registers.vertex_out.viewport_index = 2;
  raster.viewports = 4;
  for (uint32_t i = 0; i < 4; i++) {
    const float x = static_cast<float>(i) * 16 + 8;
    raster.viewport[i] = {{7, 5, 1}, {x, 32, 0}};
    raster.scissor[i] = {static_cast<int32_t>(i * 16), 0, 12, 64};
  }
  vertices(b, {{0, 0, 0.5f, 1, 1, 1, 1}, {70, 10, 0.5f, 0.5f, 0, 1, 1}, {20, 64, 0.5f, 0, 0.5f, 0, 1}}, 64);
  b.draw(3, 4);
  b.end_frame();
  return b.take();
}

// Layers that come nearer, under GREATER, with stencil next to the depth: more tiles than the Z caches hold,
// so that hierarchical Z knows the earlier layers. A color channel for each format.
Scene depths_with_stencil() {
  constexpr uint32_t kSize = 136;
  Builder b("depths-with-stencil", kSize, kSize);
  auto& depth = b.registers.depth;
  uint32_t channel = 0;
  for (const auto format :
       {arch::Format::D16_UNORM_S8_UINT, arch::Format::D24_UNORM_S8_UINT, arch::Format::D32_SFLOAT_S8_UINT}) {
    b.registers.color.target[0].write_mask = 1u << channel++;
    b.depth(b.surface(format, kSize, kSize));
    b.clear(0, 0, 0, 1, 0);
    color_programs(b);
    b.registers.assembly.topology = number(arch::Topology::kTriangleStrip);
    depth.depth_test = depth.depth_write = depth.hierarchical_z = 1;
    depth.depth_compare = number(arch::Compare::kGreater);
    depth.stencil_test = 1;
    depth.front = depth.back = {0, 0, 2, 7, 0xa5, 255, 255};  // replace where it passes; always
    for (const float z : {0.1f, 0.2f, 0.6f, 0.4f}) {
      const float size = kSize;
      vertices(b,
               {{0, 0, z, z, 0, z, 1},
                {size, 0, z, z, 1, z, 1},
                {0, size, z, 1, z, 0, 1},
                {size, size, z, 0, z, 1, 1}},
               size);
      b.draw(4);
    }
  }
  b.end_frame();
  return b.take();
}

std::vector<Scene> raster_scenes() {
  return {logic_operations(), line_modes(),   polygon_modes(),
          large_points(),     depth_ranges(), depths_with_stencil()};
}

}  // namespace cutaway::scenes
