#include "scenes/parts.h"
#include "scenes/scenes.h"

// Textures as programs use them most: levels, layers, comparisons, cubes.
namespace cutaway::scenes {

using arch::Stage;

Scene textured_triangle() {
  Builder b("textured-triangle");
  b.clear(0, 0, 1, 1);
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 8, 8);
  b.fill_level(texture, 0, checkers(8, 1, 0xff0000ff, 0xffffffff));  // red and white
  textured_programs(b);
  const arch::Sampler nearest = sampler(arch::Filter::kNearest);
  b.textures({&texture, 1}, {&nearest, 1});
  b.vertices({-0.75f, -0.75f, 0, 1, 0, 0,  //
              0.75f, -0.75f, 0, 1, 1, 0,   //
              -0.75f, 0.75f, 0, 1, 0, 1},  //
             {4, 2});
  b.draw(3);
  b.end_frame();
  return b.take();
}

// Eight texels from pixel to pixel, where four tiles of the texture meet: each fragment reads four lines, and
// a quad sixteen.
Scene scattered_texels() {
  constexpr uint32_t kPixels = 32, kTexels = 256;
  Builder b("scattered-texels", kPixels, kPixels);
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, kTexels, kTexels);
  b.fill_level(texture, 0, checkers(kTexels, 3, 0xff2040ff, 0xff80ff10));
  textured_programs(b);
  const arch::Sampler linear = sampler(arch::Filter::kLinear);
  b.textures({&texture, 1}, {&linear, 1});
  const float from = -4.0f / kTexels, to = 1 + from;
  b.vertices({-1, -1, 0, 1, from, from, 1, -1, 0, 1, to, from, -1, 1, 0, 1, from, to, 1, 1, 0, 1, to, to},
             {4, 2});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw(4);
  b.end_frame();
  return b.take();
}

Scene mipmapped_floor() {
  Builder b("mipmapped-floor", 128, 96);
  b.clear(0.5f, 0.7f, 1, 1);
  const arch::Surface texture = b.surface(arch::Format::B8G8R8A8_UNORM, 64, 64, 7);
  constexpr uint32_t kLevelColors[] = {0xff202020, 0xffff0000, 0xff00ff00, 0xff0000ff,
                                       0xffffff00, 0xffff00ff, 0xff00ffff};
  for (uint32_t level = 0; level < 7; level++) {
    const uint32_t size = 64 >> level;
    b.fill_level(texture, level,
                 level < 4 ? checkers(size, std::max(1u, size / 8), 0xffffffff, kLevelColors[level])
                           : std::vector<uint32_t>(size_t{size} * size, kLevelColors[level]));
  }
  textured_programs(b);
  const arch::Sampler trilinear = sampler(arch::Filter::kLinear, arch::MipMode::kLinear);
  b.textures({&texture, 1}, {&trilinear, 1});
  // Four corners of a floor one unit below the eye, from w = 1 to w = 24; texture coordinates follow it.
  std::vector<float> values;
  for (const float w : {1.0f, 24.0f})
    for (const float x : {-30.0f, 30.0f})
      for (const float value : {x, 1.0f, 0.5f * w, w, x, w}) values.push_back(value);
  b.vertices(values, {4, 2});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw(4);
  b.end_frame();
  return b.take();
}

Scene shadowed_layers() {
  Builder b("shadowed-layers", 96, 64);
  b.clear(0, 0, 0.2f, 1);
  // Three layers of depths: a disc that is nearer in each. A line of four colors.
  arch::Surface depths = b.surface(arch::Format::D32_SFLOAT, 16, 16, 1, arch::Tiling::kTiled, 3);
  for (uint32_t layer = 0; layer < 3; layer++) {
    std::vector<uint32_t> texels(16 * 16);
    for (uint32_t y = 0; y < 16; y++)
      for (uint32_t x = 0; x < 16; x++) {
        const int dx = 2 * static_cast<int>(x) - 15, dy = 2 * static_cast<int>(y) - 15;
        const float depth = dx * dx + dy * dy < 120 ? 0.6f - 0.2f * static_cast<float>(layer) : 1.0f;
        std::memcpy(&texels[y * 16 + x], &depth, 4);
      }
    b.fill_level(depths, 0, texels, layer);
  }
  arch::Surface line = b.surface(arch::Format::R8G8B8A8_UNORM, 4, 1);
  line.type = arch::Surface::make_type(arch::SurfaceType::k1D, arch::Tiling::kTiled);
  b.fill_level(line, 0, std::vector<uint32_t>{0xff0000ff, 0xff00ff00, 0xffff0000, 0xffffffff});
  b.program(Stage::kVertex, kPassColor);
  b.interpolants({1});
  // The reference falls from left to right; layers change from top to bottom.
  b.program(Stage::kFragment,
            "MOV r0, i0\n"
            "TEX r1.x, r0, t0, s0, 2DARRAY, SHADOW\n"
            "TEX r2, r0, t1, s1, 1D\n"
            "MUL o0, r1.xxxx, r2\n"
            "END\n",
            arch::kShaderDerivatives);
  const std::vector<arch::Surface> surfaces = {depths, line};
  std::vector<arch::Sampler> samplers(2, sampler(arch::Filter::kLinear));
  samplers[0].compare = static_cast<uint32_t>(arch::Compare::kLessOrEqual) + 1;
  b.textures(surfaces, samplers);
  b.vertices({-1, -1, 0, 1, 0, 0, -0.5f, 0.9f, 1, -1, 0, 1, 3, 0, -0.5f, 0.1f,  //
              -1, 1,  0, 1, 0, 3, 2.5f,  0.9f, 1, 1,  0, 1, 3, 3, 2.5f,  0.1f},
             {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw(4);
  b.end_frame();
  return b.take();
}

Scene cube_map() {
  Builder b("cube-map", 96, 64);
  b.clear(0, 0, 0, 1);
  arch::Surface cube = b.surface(arch::Format::R8G8B8A8_UNORM, 4, 4, 3, arch::Tiling::kTiled, 6);
  cube.type = arch::Surface::make_type(arch::SurfaceType::kCube, arch::Tiling::kTiled);
  constexpr uint32_t kFaceColors[] = {0xff0000ff, 0xffffff00, 0xff00ff00, 0xffff00ff, 0xffff0000, 0xff00ffff};
  for (uint32_t face = 0; face < 6; face++)
    for (uint32_t level = 0; level < 3; level++)
      b.fill_level(cube, level, checkers(4 >> level, 1, kFaceColors[face], level ? 0xff404040 : 0xffffffff),
                   face);
  b.program(Stage::kVertex, kPassColor);
  b.program(Stage::kFragment, "TEX o0, i0, t0, s0, CUBE\nEND\n", arch::kShaderDerivatives);
  b.interpolants({1});
  const arch::Sampler trilinear = sampler(arch::Filter::kLinear, arch::MipMode::kLinear);
  b.textures({&cube, 1}, {&trilinear, 1});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  // Towards the corner of three positive faces on the left, of three negative ones on the right.
  for (const float sign : {1.0f, -1.0f}) {
    const float x = sign > 0 ? -1 : 0;
    b.vertices(
        {x, -1, 0, 1, 3 * sign, -sign,     sign,     1, x + 1, -1, 0, 1, -sign,     3 * sign, sign,     1,  //
         x, 1,  0, 1, 2 * sign, -2 * sign, 3 * sign, 1, x + 1, 1,  0, 1, -2 * sign, 2 * sign, 3 * sign, 1},
        {4, 4});
    b.draw(4);
  }
  b.end_frame();
  return b.take();
}

Scene textured_layers(uint32_t layers, uint32_t width, uint32_t height) {
  Builder b("textured-layers", width, height);
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, width, height));
  b.clear(0, 0, 0, 1);
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 256, 256);
  b.fill_level(texture, 0, checkers(256, 16, 0xff4080c0, 0xffffffff));
  textured_programs(b);
  const arch::Sampler bilinear = sampler(arch::Filter::kLinear);
  b.textures({&texture, 1}, {&bilinear, 1});
  depth_test(b);
  std::vector<float> values;
  for (uint32_t layer = 0; layer < layers; layer++) {
    const float z = 1 - static_cast<float>(layer + 1) / static_cast<float>(layers + 1);
    for (const float y : {-1.0f, 3.0f})
      for (const float x : {-1.0f, 3.0f})
        if (x < 3 || y < 3)
          for (const float value : {x, y, z, 1.0f, 2 * x, 2 * y}) values.push_back(value);
  }
  b.vertices(values, {4, 2});
  b.draw(3 * layers);
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
