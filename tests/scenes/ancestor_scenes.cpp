#include "scenes/ancestor_scenes.h"

#include <cmath>
#include <numbers>

#include "scenes/clear_scenes.h"
#include "scenes/meshes.h"
#include "scenes/parts.h"

namespace cutaway::scenes {
namespace {

using arch::Format;
using arch::Stage;

constexpr uint32_t kSize = 256;
constexpr double kPi = std::numbers::pi;

// ---- Common parts ----

// Depth of 24 bits and stencil of 8, as many samples as the target.
arch::Surface depth_surface(Builder& b, uint32_t size, uint32_t samples = 1) {
  return b.surface(Format::D24_UNORM_S8_UINT, size, size, 1, arch::Tiling::kTiled, 1, samples);
}

// Clears color, depth and stencil, and sets the depth test of the draws that follow.
void begin_frame(Builder& b, const arch::Surface& depth, const std::array<float, 4>& color) {
  b.depth(depth);
  b.registers.depth.hierarchical_z = 1;
  clear_color(b, b.color_target(), color);
  clear_depth(b, depth, 1, 0);
  depth_test(b);
}

// Draws two frames into two pictures in turn, so that one can be scanned out while the next is drawn.
Scene two_frames(Builder& b, const std::function<void()>& frame) {
  const arch::Surface first = b.color_target();
  const arch::Surface second = b.surface(Format::R8G8B8A8_UNORM, first.width, first.height);
  for (const arch::Surface& shown : {first, second}) {
    b.target(shown);
    frame();
    b.end_frame();
  }
  return b.take();
}

// c0 to c3: rows to clip space.
constexpr std::string_view kPosition =
    "DP4 o0.x, i0, c0\nDP4 o0.y, i0, c1\nDP4 o0.z, i0, c2\nDP4 o0.w, i0, c3\n";

// A distant light and its highlight at each vertex; o1 is the color. c4 direction to the light, c5 the eye,
// c6 color of the surface and exponent of the highlight, c7 ambient light, c8.x 0.
constexpr std::string_view kLight =
    "DP3 r0.x, i1, c4\n"
    "MAX r0.x, r0.x, c8.x\n"
    "ADD r1.xyz, c5, -i0\n"
    "DP3 r1.w, r1, r1\n"
    "RSQ r1.w, r1.w\n"
    "MAD r1.xyz, r1, r1.w, c4\n"
    "DP3 r1.w, r1, r1\n"
    "RSQ r1.w, r1.w\n"
    "MUL r1.xyz, r1, r1.w\n"
    "DP3 r0.y, r1, i1\n"
    "MAX r0.y, r0.y, c8.x\n"
    "POW r0.y, r0.y, c6.w\n"
    "MAD r2, r0.x, c6, c7\n"
    "MAD r2, r0.y, c8.y, r2\n"
    "MIN o1, r2, c8.z\n";

struct View {
  Vector eye, target;
  double angle;
  float near, far;
};

void set_lit(Builder& b, const View& view, const Vector& color) {
  std::vector<float> values = view_rows(view.eye, view.target, view.angle, view.near, view.far);
  const Vector light = normalized({0.5f, 0.8f, 0.6f}), around = 0.2f * color;
  values.insert(values.end(), {light[0], light[1], light[2], 0,  view.eye[0], view.eye[1], view.eye[2], 1,  //
                               color[0], color[1], color[2], 24, around[0],   around[1],   around[2],   1,  //
                               0,        0.6f,     1,        0});
  b.program(Stage::kVertex, std::string(kPosition) + std::string(kLight) + "END\n");
  b.program(Stage::kFragment, kColor);
  b.constants(Stage::kVertex, 0, values);
  b.interpolants({1});
}

void cull_back(Builder& b) { b.registers.raster.cull_mode = arch::kCullBack; }

// ---- A lit mesh without textures: a knot of 4,096 triangles ----

Vector knot(float t) {
  const double angle = 2 * kPi * t;
  const float r = 1.0f + 0.42f * cosine(3 * angle);
  return {r * cosine(2 * angle), r * sine(2 * angle), 0.42f * sine(3 * angle)};
}

Scene lit_mesh() {
  Builder b("lit-mesh", kSize, kSize);
  const arch::Surface depth = depth_surface(b, kSize);
  Mesh mesh;
  mesh.add_tube(128, 16, 0.24f, knot);
  return two_frames(b, [&] {
    begin_frame(b, depth, {0.1f, 0.1f, 0.2f, 1});
    cull_back(b);
    set_lit(b, {{0.4f, 0.9f, 4.6f}, {0, 0, 0}, 0.75, 2, 8}, {0.9f, 0.5f, 0.2f});
    set_mesh(b, mesh);
    draw_mesh(b, mesh);
  });
}

// ---- A sphere with a reflection map and mipmaps ----

constexpr uint32_t kFace = 128, kFaceLevels = 8;

uint32_t packed(const Vector& color) {
  uint32_t value = 0xff000000;
  for (uint32_t i = 0; i < 3; i++)
    value |= static_cast<uint32_t>(std::min(std::max(color[i], 0.0f), 1.0f) * 255) << 8 * i;
  return value;
}

// The environment map's color in a direction: a sky with a sun over a chequered floor.
Vector surroundings(const Vector& d) {
  if (d[1] >= 0) {
    const Vector sky = (1 - d[1]) * Vector{0.75f, 0.85f, 1} + d[1] * Vector{0.15f, 0.3f, 0.8f};
    return dot(d, normalized({0.5f, 0.8f, 0.6f})) > 0.985f ? Vector{1, 1, 0.8f} : sky;
  }
  const auto square = [&](float x) { return static_cast<int>(std::floor(2 * x / (0.05f - d[1]))); };
  const Vector floor =
      (square(d[0]) + square(d[2])) % 2 ? Vector{0.85f, 0.8f, 0.7f} : Vector{0.35f, 0.15f, 0.1f};
  const float haze = std::min(1.0f, -4 * d[1]);
  return haze * floor + (1 - haze) * Vector{0.75f, 0.85f, 1};
}

// s, t from -1 to 1 over a face of the map.
Vector direction(uint32_t face, float s, float t) {
  const Vector directions[] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
  return normalized(directions[face]);
}

// The next level: each texel the mean of four.
std::vector<uint32_t> halved(const std::vector<uint32_t>& texels, uint32_t size) {
  std::vector<uint32_t> half;
  for (uint32_t y = 0; y < size; y += 2)
    for (uint32_t x = 0; x < size; x += 2) {
      uint32_t value = 0;
      for (uint32_t shift = 0; shift < 32; shift += 8) {
        uint32_t sum = 2;
        for (const uint32_t at : {y * size + x, y * size + x + 1, (y + 1) * size + x, (y + 1) * size + x + 1})
          sum += texels[at] >> shift & 255;
        value |= sum / 4 << shift;
      }
      half.push_back(value);
    }
  return half;
}

void fill_levels(Builder& b, const arch::Surface& surface, std::vector<uint32_t> texels, uint32_t layer) {
  for (uint32_t level = 0; level < surface.levels; level++) {
    b.fill_level(surface, level, texels, layer);
    if (level + 1 < surface.levels) texels = halved(texels, surface.width >> level);
  }
}

arch::Surface reflection_map(Builder& b) {
  arch::Surface cube = b.surface(Format::R8G8B8A8_UNORM, kFace, kFace, kFaceLevels, arch::Tiling::kTiled, 6);
  cube.type = arch::Surface::make_type(arch::SurfaceType::kCube, arch::Tiling::kTiled);
  for (uint32_t face = 0; face < 6; face++) {
    std::vector<uint32_t> texels;
    for (uint32_t y = 0; y < kFace; y++)
      for (uint32_t x = 0; x < kFace; x++) {
        const auto at = [](uint32_t i) { return (2 * static_cast<float>(i) + 1) / float{kFace} - 1; };
        texels.push_back(packed(surroundings(direction(face, at(x), at(y)))));
      }
    fill_levels(b, cube, std::move(texels), face);
  }
  return cube;
}

Scene reflection_sphere() {
  Builder b("reflection-sphere", kSize, kSize);
  const arch::Surface depth = depth_surface(b, kSize), map = reflection_map(b);
  const arch::Sampler trilinear =
      sampler(arch::Filter::kLinear, arch::MipMode::kLinear, arch::Wrap::kClampToEdge);
  const View view{{0, 0.6f, 3.4f}, {0, 0, 0}, 0.7, 2, 6};
  Mesh sphere;
  sphere.add_grid(64, 32, [](float u, float v) {
    const double around = 2 * kPi * u, down = kPi * v;
    const Vector normal = {-sine(down) * sine(around), cosine(down), sine(down) * cosine(around)};
    return MeshVertex{normal, normal, {u, v}};
  });
  return two_frames(b, [&] {
    begin_frame(b, depth, {0.3f, 0.3f, 0.35f, 1});
    cull_back(b);
    // The view's direction, mirrored at the normal.
    b.program(Stage::kVertex, std::string(kPosition) +
                                  "ADD r0.xyz, i0, -c4\nDP3 r1.x, r0, i1\nADD r1.x, r1.x, r1.x\n"
                                  "MAD o1.xyz, -r1.x, i1, r0\nEND\n");
    b.program(Stage::kFragment, "TEX r0, i0, t0, s0, CUBE\nMAD o0, r0, c0, c1\nEND\n",
              arch::kShaderDerivatives);
    b.constants(Stage::kFragment, 0, {0.9f, 0.9f, 0.9f, 1, 0.02f, 0.02f, 0.04f, 0});
    std::vector<float> values = view_rows(view.eye, view.target, view.angle, view.near, view.far);
    values.insert(values.end(), {view.eye[0], view.eye[1], view.eye[2], 1});
    b.constants(Stage::kVertex, 0, values);
    b.interpolants({1});
    b.textures({&map, 1}, {&trilinear, 1});
    set_mesh(b, sphere);
    draw_mesh(b, sphere);
  });
}

// ---- Layered blending: 16 discs of glass before an opaque ground, from back to front ----

constexpr uint32_t kDiscs = 16, kCorners = 48;

// Triangles with a color at each corner: position (4), color (4).
void add_corner(std::vector<float>& values, float x, float y, float z, const std::array<float, 4>& color) {
  values.insert(values.end(), {x, y, z, 1});
  values.insert(values.end(), color.begin(), color.end());
}

void add_disc(std::vector<float>& values, uint32_t number) {
  const auto i = static_cast<float>(number);
  const double turn = 2 * kPi * number / kDiscs;
  const float x = 0.35f * cosine(3 * turn), y = 0.35f * sine(3 * turn), z = 0.9f - i / 20;
  const std::array<float, 4> rim = {0.5f + 0.5f * cosine(turn), 0.5f + 0.5f * sine(turn), 0.7f, 0.45f};
  const std::array<float, 4> middle = {rim[0], rim[1], rim[2], 0.1f};
  for (uint32_t corner = 0; corner < kCorners; corner++) {
    add_corner(values, x, y, z, middle);
    for (const uint32_t at : {corner, corner + 1}) {
      const double angle = 2 * kPi * at / kCorners;
      add_corner(values, x + 0.6f * cosine(angle), y + 0.6f * sine(angle), z, rim);
    }
  }
}

Scene layered_blending() {
  Builder b("layered-blending", kSize, kSize);
  const arch::Surface depth = depth_surface(b, kSize);
  std::vector<float> ground, discs;
  for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {3.0f, -1.0f}, {-1.0f, 3.0f}})
    add_corner(ground, x, y, 0.95f, {0.5f + 0.2f * x, 0.3f, 0.5f + 0.2f * y, 1});
  for (uint32_t i = 0; i < kDiscs; i++) add_disc(discs, i);
  return two_frames(b, [&] {
    begin_frame(b, depth, {0, 0, 0, 1});
    color_programs(b);
    b.vertices(ground, {4, 4});
    b.draw(3);
    depth_test(b, arch::Compare::kLess, false);
    auto& target = b.registers.color.target[0];
    target.blend = 1;
    target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kSrcAlpha);
    target.color_destination = target.alpha_destination =
        static_cast<uint32_t>(arch::BlendFactor::kOneMinusSrcAlpha);
    b.vertices(discs, {4, 4});
    b.draw(3 * kCorners * kDiscs);
  });
}

// ---- A torus with 4 samples per pixel, resolved: of 2,304 triangles, and of 256 with fewer planes in a
// block of depths ----

Scene multisampled_torus(const std::string& name, uint32_t pieces, uint32_t sides) {
  constexpr uint32_t kSamples = 4;
  Builder b(name, kSize, kSize);
  const arch::Surface depth = depth_surface(b, kSize, kSamples);
  const arch::Surface drawn =
      b.surface(Format::R8G8B8A8_UNORM, kSize, kSize, 1, arch::Tiling::kTiled, 1, kSamples);
  Mesh torus;
  torus.add_tube(pieces, sides, 0.42f, [](float t) {
    return Vector{cosine(2 * kPi * t), sine(2 * kPi * t), 0};
  });
  return two_frames(b, [&] {
    const arch::Surface shown = b.color_target();
    b.target(drawn);
    b.registers.raster.samples = kSamples, b.registers.raster.sample_mask = ~0u;
    begin_frame(b, depth, {0.1f, 0.1f, 0.2f, 1});
    set_lit(b, {{1.6f, 2.2f, 2.9f}, {0, 0, 0}, 0.75, 2, 6}, {0.3f, 0.7f, 0.5f});
    set_mesh(b, torus);
    draw_mesh(b, torus);
    resolve_samples(b, drawn, shown);
  });
}

// ---- A room in fog: depth first, then color where depth is equal ----

// Fog by e^-(density x distance)^2, as e^x = 2^(x / ln 2). o1 coordinates and distance, o2 light of a lamp.
// c4 the eye, c5 the lamp, c6 its color, c7 ambient light, c8 (0, 1 / reach of the lamp^2, 1, 0).
constexpr std::string_view kInRoom =
    "MOV o1.xy, i2\nADD r0.xyz, i0, -c4\nDP3 r0.w, r0, r0\nMOV o1.z, r0.w\n"
    "ADD r1.xyz, c5, -i0\nDP3 r1.w, r1, r1\nRSQ r2.x, r1.w\nDP3 r2.y, r1, i1\nMUL r2.y, r2.y, r2.x\n"
    "MAX r2.y, r2.y, c8.x\nMAD r2.z, r1.w, c8.y, c8.z\nRCP r2.z, r2.z\nMUL r2.y, r2.y, r2.z\n"
    "MAD o2, r2.y, c6, c7\n";

// c0.x -density^2 / ln 2, c1 color of the fog. The square of the distance is interpolated linearly, an error
// too small to see in fog.
constexpr std::string_view kFogged =
    "TEX r0, i0, t0, s0, 2D\nMUL r0, r0, i1\nMUL r1.x, i0.z, c0.x\nEX2 r1.x, r1.x\nLRP o0, r1.x, r0, c1\n"
    "END\n";

Mesh hall() {
  Mesh mesh;
  mesh.add_room({-4, 0, -24}, {4, 4, 2}, 12);
  for (uint32_t row = 0; row < 6; row++)
    for (const float x : {-2.2f, 2.2f}) {
      const float z = -4.0f * static_cast<float>(row) - 1;
      mesh.add_grid(12, 4, [&](float u, float v) {
        const double angle = 2 * kPi * u;
        const Vector normal = {sine(angle), 0, cosine(angle)};
        return MeshVertex{Vector{x, 4 * v, z} + 0.45f * normal, normal, {3 * u, 4 * v}};
      });
    }
  Random random(7);
  for (int i = 0; i < 10; i++) {
    const float x = random.between(-1.6f, 0.8f), z = random.between(-22, -5), size = random.between(0.5f, 1);
    mesh.add_box({x, 0, z}, {x + size, size, z + size}, 2);
  }
  return mesh;
}

// Stones with joints.
std::vector<uint32_t> stones(uint32_t size) {
  std::vector<uint32_t> texels;
  Random random(3);
  for (uint32_t y = 0; y < size; y++)
    for (uint32_t x = 0; x < size; x++) {
      const uint32_t shifted = x + y / 32 % 2 * 32;
      const bool joint = y % 32 < 3 || shifted % 64 < 3;
      const float shade = (joint ? 0.35f : 0.75f) + random.between(-0.1f, 0.1f);
      texels.push_back(packed({shade, 0.9f * shade, 0.75f * shade}));
    }
  return texels;
}

Scene fogged_room() {
  Builder b("fogged-room", kSize, kSize);
  const arch::Surface depth = depth_surface(b, kSize);
  const arch::Surface stone = b.surface(Format::R8G8B8A8_UNORM, 128, 128, 8);
  fill_levels(b, stone, stones(128), 0);
  const arch::Sampler trilinear = sampler(arch::Filter::kLinear, arch::MipMode::kLinear);
  const Mesh mesh = hall();
  const Vector eye = {0.4f, 1.7f, 1.5f};
  std::vector<float> values = view_rows(eye, {0, 1.5f, -10}, 1.1, 0.25f, 32);
  values.insert(values.end(), {eye[0], eye[1],    eye[2], 1, 0.5f,  3.4f,  -6,   1,  //
                               1.1f,   1.0f,      0.8f,   1, 0.35f, 0.35f, 0.4f, 1,  //
                               0,      1 / 64.0f, 1,      0});
  return two_frames(b, [&] {
    begin_frame(b, depth, {0.5f, 0.55f, 0.6f, 1});
    cull_back(b);
    b.constants(Stage::kVertex, 0, values);
    b.constants(Stage::kFragment, 0, {-0.005f, 0, 0, 0, 0.5f, 0.55f, 0.6f, 1});
    set_mesh(b, mesh);
    auto& target = b.registers.color.target[0];
    target.write_mask = 0;
    b.program(Stage::kVertex, std::string(kPosition) + "END\n");
    b.registers.shader[static_cast<uint32_t>(Stage::kFragment)] = {};
    b.interpolants({});
    draw_mesh(b, mesh);
    target.write_mask = 15;
    depth_test(b, arch::Compare::kEqual, false);
    b.program(Stage::kVertex, std::string(kPosition) + std::string(kInRoom) + "END\n");
    b.program(Stage::kFragment, kFogged, arch::kShaderDerivatives);
    b.interpolants({1, 2});
    b.textures({&stone, 1}, {&trilinear, 1});
    draw_mesh(b, mesh);
  });
}

// ---- Micropolygons: 18,432 triangles with legs of half a pixel ----

Scene micropolygons() {
  constexpr uint32_t kSide = 96, kTarget = 64;  // squares, pixels
  Builder b("micropolygons", kTarget, kTarget);
  const arch::Surface depth = depth_surface(b, kTarget);
  // Heights of waves over a square of half the squares in pixels, seen from straight above.
  const auto height = [](float u, float v) { return 0.04f * (sine(9 * u + 1) + sine(7 * v + 5 * u)); };
  Mesh sheet;
  sheet.add_grid(kSide, kSide, [&](float u, float v) {
    constexpr float kExtent = kSide / 2.0f / kTarget;  // of clip space, half
    const float e = 0.01f, by_u = (height(u + e, v) - height(u - e, v)) / e,
                by_v = (height(u, v + e) - height(u, v - e)) / e;
    return MeshVertex{{kExtent * (2 * u - 1), kExtent * (2 * v - 1), height(u, v)},
                      normalized({-by_u, -by_v, 4 * kExtent}),
                      {u, v}};
  });
  return two_frames(b, [&] {
    begin_frame(b, depth, {0.1f, 0.1f, 0.2f, 1});
    cull_back(b);
    set_lit(b, {{0, 0, 4}, {0, 0, 0}, 1, 1, 8}, {0.4f, 0.6f, 0.9f});
    // No perspective, so that all triangles have one size: x, -y, depth 0.5 - z / 4.
    b.constants(Stage::kVertex, 0, {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -0.25f, 0.5f, 0, 0, 0, 1});
    set_mesh(b, sheet);
    draw_mesh(b, sheet);
  });
}

}  // namespace

std::vector<NamedScene> ancestor_scenes() {
  return {
      {"lit-mesh", lit_mesh},
      {"reflection-sphere", reflection_sphere},
      {"layered-blending", layered_blending},
      {"multisampled-torus", [] { return multisampled_torus("multisampled-torus", 48, 24); }},
      {"multisampled-torus-coarse", [] { return multisampled_torus("multisampled-torus-coarse", 16, 8); }},
      {"fogged-room", fogged_room},
      {"micropolygons", micropolygons}};
}

}  // namespace cutaway::scenes
