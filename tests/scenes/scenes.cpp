#include "scenes/scenes.h"

#include <numbers>

#include "scenes/raster_scenes.h"
#include "scenes/texture_scenes.h"

namespace cutaway::scenes {
namespace {

using arch::Stage;

constexpr std::string_view kPassColor = "MOV o0, i0\nMOV o1, i1\nEND\n";
constexpr std::string_view kColor = "MOV o0, i0\nEND\n";

// A small generator of its own: the same numbers everywhere.
class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed) {}
  uint32_t next() { return (state_ = state_ * 1664525u + 1013904223u) >> 8; }
  float between(float low, float high) {
    return low + (high - low) * static_cast<float>(next()) / static_cast<float>(1 << 24);
  }

 private:
  uint32_t state_;
};

// Sine and cosine for scenes without libm: the same bits everywhere.
float sine(double x) {
  while (x > std::numbers::pi) x -= 2 * std::numbers::pi;
  double term = x, sum = x;
  for (int n = 1; n < 12; n++) sum += term *= -x * x / (2 * n * (2 * n + 1));
  return static_cast<float>(sum);
}
float cosine(double x) { return sine(x + std::numbers::pi / 2); }

std::vector<uint32_t> checkers(uint32_t size, uint32_t square, uint32_t a, uint32_t b) {
  std::vector<uint32_t> texels(size_t{size} * size);
  for (uint32_t y = 0; y < size; y++)
    for (uint32_t x = 0; x < size; x++) texels[y * size + x] = (x / square + y / square) % 2 ? b : a;
  return texels;
}

void depth_test(Builder& b, arch::Compare compare = arch::Compare::kLess, bool write = true) {
  b.registers.depth.depth_test = 1, b.registers.depth.depth_write = write;
  b.registers.depth.depth_compare = static_cast<uint32_t>(compare);
}

void color_programs(Builder& b) {
  b.program(Stage::kVertex, kPassColor);
  b.program(Stage::kFragment, kColor);
  b.interpolants({1});
}

void textured_programs(Builder& b) {
  b.program(Stage::kVertex, kPassColor);
  b.program(Stage::kFragment, "TEX o0, i0, t0, s0, 2D\nEND\n", arch::kShaderDerivatives);
  b.interpolants({1});
}

}  // namespace

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

Scene many_triangles(uint32_t triangles, uint32_t size) {
  Builder b("many-triangles", size, size);
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, size, size));
  b.clear(0.1f, 0.1f, 0.1f, 1);
  color_programs(b);
  depth_test(b);
  Random random(7);
  std::vector<float> values;
  for (uint32_t i = 0; i < triangles; i++) {
    const float x = random.between(-1, 1), y = random.between(-1, 1), w = random.between(0.5f, 2);
    const float color[3] = {random.between(0, 1), random.between(0, 1), random.between(0, 1)};
    for (uint32_t v = 0; v < 3; v++) {
      const float z = random.between(0, 1);
      for (const float value : {(x + random.between(-0.3f, 0.3f)) * w, (y + random.between(-0.3f, 0.3f)) * w,
                                z * w, w, color[0], color[1], color[2], 1.0f})
        values.push_back(value);
    }
  }
  b.vertices(values, {4, 4});
  b.draw(3 * triangles);
  b.end_frame();
  return b.take();
}

Scene depth_and_stencil() {
  Builder b("depth-and-stencil");
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, 64, 64));
  b.clear(0, 0, 0, 1);
  color_programs(b);
  // A diamond into stencil only: increments where the depth test passes.
  auto& depth = b.registers.depth;
  depth.stencil_test = 1;
  depth.front = {0, 0, 3, 7, 0, 255, 255};  // pass: increment and clamp; always
  depth.back = depth.front;
  b.registers.color.target[0].write_mask = 0;
  b.vertices({0,    -0.9f, 0, 1, 1, 1, 1, 1, 0.9f, 0,    0, 1, 1, 1, 1, 1, -0.9f, 0, 0, 1, 1, 1, 1, 1,  //
              0.9f, 0,     0, 1, 1, 1, 1, 1, 0,    0.9f, 0, 1, 1, 1, 1, 1, -0.9f, 0, 0, 1, 1, 1, 1, 1},
             {4, 4});
  b.draw(6);
  // Two triangles that cross in depth, drawn where stencil is 1.
  b.registers.color.target[0].write_mask = 15;
  depth.front = {0, 0, 0, 2, 1, 255, 255};  // equal to 1; keep
  depth.back = depth.front;
  depth_test(b);
  b.vertices({-1, -1, 0.1f, 1, 1, 0, 0, 1, 1, -1, 0.9f, 1, 1, 0, 0, 1, 0, 1, 0.5f, 1, 1, 0.5f, 0,    1,  //
              -1, -1, 0.9f, 1, 0, 1, 0, 1, 1, -1, 0.1f, 1, 0, 1, 0, 1, 0, 1, 0.5f, 1, 0, 1,    0.5f, 1},
             {4, 4});
  b.draw(6);
  b.end_frame();
  return b.take();
}

Scene blending() {
  Builder b("blending");
  b.clear(0.2f, 0.2f, 0.2f, 1);
  color_programs(b);
  const auto pane = [&](float x, float y, float r, float g, float bl, float a) {
    b.vertices({x,     y,     0, 1, r, g, bl, a, x + 1, y, 0, 1, r, g, bl, a, x, y + 1, 0, 1, r, g, bl, a,  //
                x + 1, y + 1, 0, 1, r, g, bl, a},
               {4, 4});
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
    b.draw(4);
  };
  auto& target = b.registers.color.target[0];
  const auto mode = [&](arch::BlendFactor source, arch::BlendFactor destination, arch::BlendOp op) {
    target.blend = 1;
    target.color_source = target.alpha_source = static_cast<uint32_t>(source);
    target.color_destination = target.alpha_destination = static_cast<uint32_t>(destination);
    target.color_op = target.alpha_op = static_cast<uint32_t>(op);
  };
  mode(arch::BlendFactor::kSrcAlpha, arch::BlendFactor::kOneMinusSrcAlpha, arch::BlendOp::kAdd);
  pane(-0.9f, -0.9f, 1, 0, 0, 0.5f);
  pane(-0.5f, -0.6f, 0, 1, 0, 0.5f);
  mode(arch::BlendFactor::kOne, arch::BlendFactor::kOne, arch::BlendOp::kAdd);
  pane(-0.1f, -0.3f, 0, 0, 0.75f, 1);
  mode(arch::BlendFactor::kOne, arch::BlendFactor::kOne, arch::BlendOp::kReverseSubtract);
  pane(-0.7f, -0.1f, 0.15f, 0.15f, 0.15f, 0);
  mode(arch::BlendFactor::kOne, arch::BlendFactor::kOne, arch::BlendOp::kMax);
  target.write_mask = 5;  // red and blue
  pane(-0.2f, -0.05f, 0.5f, 1, 0.5f, 1);
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

Scene lines_and_points() {
  Builder b("lines-and-points");
  b.clear(0, 0, 0, 1);
  color_programs(b);
  std::vector<float> values;
  for (int i = 0; i < 16; i++) {
    const double angle = i * std::numbers::pi / 8 + 0.1;
    for (const float value :
         {0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f,  //
          0.9f * cosine(angle), 0.9f * sine(angle), 0.0f, 1.0f, 1.0f, i / 16.0f, 0.0f, 1.0f})
      values.push_back(value);
  }
  b.vertices(values, {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kLineList);
  b.draw(32);
  values.clear();
  for (int i = 0; i <= 8; i++) {
    const double angle = i * std::numbers::pi / 4;
    for (const float value : {0.7f * cosine(angle), 0.7f * sine(angle), 0.0f, 1.0f, 0.0f, 0.5f, 1.0f, 1.0f})
      values.push_back(value);
  }
  b.vertices(values, {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kLineStrip);
  b.draw(9);
  values.clear();
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      for (const float value :
           {(x * 8 + 4.5f) / 32 - 1, (y * 8 + 4.5f) / 32 - 1, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f})
        values.push_back(value);
  b.vertices(values, {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kPointList);
  b.draw(64);
  b.end_frame();
  return b.take();
}

Scene copies() {
  Builder b("copies");
  b.clear(0, 0, 0, 1);
  b.flush();
  // Rows of a buffer into a tiled texture, and the texture into the target, twice.
  std::vector<uint32_t> gradient(32 * 32);
  for (uint32_t y = 0; y < 32; y++)
    for (uint32_t x = 0; x < 32; x++) gradient[y * 32 + x] = 0xff000000 | (y * 8) << 8 | x * 8;
  arch::Surface rows = b.surface(arch::Format::R8G8B8A8_UNORM, 32, 32, 1, arch::Tiling::kLinear);
  b.fill_level(rows, 0, gradient);
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, 40, 40);
  arch::CopySurfacePacket copy{};
  copy.source = rows, copy.destination = texture;
  copy.destination_x = 3, copy.destination_y = 5;
  copy.width = 32, copy.height = 32, copy.depth = 1;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  copy.source = texture, copy.destination = b.color_target();
  copy.source_x = 3, copy.source_y = 5, copy.destination_x = 1, copy.destination_y = 2;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  copy.destination_x = 34, copy.destination_y = 30, copy.width = 29, copy.height = 31;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  // A detiled copy of the target, its first rows through a buffer copy, and a fill.
  const arch::Surface linear = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kLinear);
  arch::CopySurfacePacket out{};
  out.source = b.color_target(), out.destination = linear;
  out.width = out.height = 64, out.depth = 1;
  b.commands.packet(arch::Opcode::kCopySurface, out);
  const arch::Address bytes = b.allocate(4096);
  b.commands.packet(arch::Opcode::kCopyBuffer, arch::CopyBufferPacket{linear.address + 4, bytes + 12, 2000});
  b.commands.packet(arch::Opcode::kFillBuffer, arch::FillBufferPacket{bytes + 2016, 1020, 0x12345678});
  b.end_frame();
  Scene scene = b.take();
  scene.results = bytes;
  return scene;
}

Scene discards() {
  Builder b("discards");
  b.depth(b.surface(arch::Format::D32_SFLOAT, 64, 64));
  b.clear(0, 0, 0.3f, 1);
  depth_test(b);
  b.program(Stage::kVertex, kPassColor);
  b.interpolants({1});
  // Discards where x y > 0.3, after a loop that doubles a counter until it exceeds the interpolant's z.
  b.program(Stage::kFragment,
            "MUL r0.x, i0.x, i0.y\n"
            "FLT r0.y, c0.x, r0.x\n"
            "KIL r0.y\n"
            "MOV r1, c0.yyyy\n"
            "LOOP\n"
            "FGE r0.z, r1.x, i0.z\n"
            "BRK r0.z\n"
            "ADD r1.x, r1.x, r1.x\n"
            "NEXT\n"
            "ENDLOOP\n"
            "IF r0.w\n"
            "MOV r1.y, c0.w\n"
            "ENDIF\n"
            "MUL r1.x, r1.x, c0.z\n"
            "MOV o0, r1.xxyw\n"
            "END\n",
            arch::kShaderKills);
  b.constants(Stage::kFragment, 0, {0.3f, 1, 0.0625f, 0});
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarlyTestLateWrite);
  b.vertices({-1, -1, 0.5f, 1, -1, -1, 1,  1, 1, -1, 0.5f, 1, 1, -1, 4, 1, -1, 1, 0.5f, 1, -1, 1, 4, 1,  //
              1,  1,  0.5f, 1, 1,  1,  16, 1},
             {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw(4);
  // A pane behind: seen only through the holes.
  b.program(Stage::kFragment, "MOV o0, c0\nEND\n");
  b.constants(Stage::kFragment, 0, {1, 0.8f, 0, 1});
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarly);
  b.vertices({-0.8f, -0.8f, 0.75f, 1, 0.8f, -0.8f, 0.75f, 1, -0.8f, 0.8f, 0.75f, 1, 0.8f, 0.8f, 0.75f, 1},
             {4});
  b.draw(4);
  // Depth from the program, in waves across the screen that leave the range of depth on both sides.
  b.program(Stage::kFragment,
            "MUL r0.x, i32.x, c0.x\n"
            "SIN r0.x, r0.x\n"
            "MAD o8.x, r0.x, c0.y, c0.z\n"
            "MOV o0, c1\n"
            "END\n",
            arch::kShaderWritesDepth | arch::kShaderReadsFragCoord);
  b.constants(Stage::kFragment, 0, {0.4f, 0.75f, 0.5f, 0, 0, 0.6f, 0.2f, 1});
  b.registers.depth.mode = static_cast<uint32_t>(arch::DepthMode::kLate);
  b.vertices({-0.3f, -1, 0, 1, 0.3f, -1, 0, 1, -0.3f, 1, 0, 1, 0.3f, 1, 0, 1}, {4});
  b.draw(4);
  b.end_frame();
  return b.take();
}

Scene instances() {
  Builder b("instances");
  b.clear(0, 0, 0, 1);
  b.program(Stage::kVertex, "ADD o0.xy, i0.xyxy, i1.xyxy\nMOV o0.zw, c0.xyxy\nMOV o1, i2\nEND\n");
  b.constants(Stage::kVertex, 0, {0, 1, 0, 0});
  b.program(Stage::kFragment, kColor);
  b.interpolants({1}, arch::Interpolation::kFlat);
  // Positions as signed 16-bit numbers by vertex, offsets as halves and colors as bytes by instance.
  const std::vector<int16_t> position = {-6000, -6000, 0,    -6000, -6000, 0,    0,    0,
                                         2000,  2000,  6000, 2000,  2000,  6000, 6000, 6000};
  const std::vector<uint16_t> offset = {0xb800, 0xb800, 0x3800, 0xb800, 0xb800, 0x3800, 0x3800, 0x3800};
  const std::vector<uint32_t> color = {0xff0000ff, 0xff00ff00};  // for two instances each
  auto& assembly = b.registers.assembly;
  assembly.attribute[0] = {static_cast<uint32_t>(arch::Format::R16G16_SNORM), 0, 0};
  assembly.attribute[1] = {static_cast<uint32_t>(arch::Format::R16G16_SFLOAT), 1, 0};
  assembly.attribute[2] = {static_cast<uint32_t>(arch::Format::R8G8B8A8_UNORM), 2, 0};
  assembly.binding[0] = {b.upload(position), 32, 4, 0, 1};
  assembly.binding[1] = {b.upload(offset), 16, 4, 1, 1};
  assembly.binding[2] = {b.upload(color), 8, 4, 1, 2};
  // Two quads as strips of eight and nine bits below: restart between them.
  const std::vector<uint16_t> index = {0, 1, 2, 3, 0xffff, 4, 5, 6, 7};
  assembly.index_address = b.upload(index);
  assembly.index_bytes = 18, assembly.index_type = static_cast<uint32_t>(arch::IndexType::kUint16);
  assembly.primitive_restart = 1;
  assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw_indexed(9, 4);
  b.end_frame();
  return b.take();
}

Scene clipped() {
  Builder b("clipped", 96, 64);
  b.clear(0, 0, 0.2f, 1);
  color_programs(b);
  b.vertices({0,       -0.5f, 0.5f, 1, 1,    0,     0,  1,  60,     40,    30,   60,
              1,       1,     0,    1, -1,   8,     -2, -2, 0,      1,     0,    1,  // eye
              -3,      -0.2f, 0.5f, 1, 0,    1,     1,  1,  3,      -0.3f, 0.5f, 1,
              0,       0,     1,    1, 0,    0.1f,  2,  1,  1,      1,     1,    1,  // far
              -900000, 0.8f,  0,    1, 1,    0,     1,  1,  900000, 0.8f,  0,    1,
              1,       0,     1,    1, 0,    0.9f,  0,  1,  1,      0,     0,    1,  // band
              0.5f,    -0.9f, -1,   1, 1,    1,     1,  1,  0.9f,   -0.9f, 1,    1,
              0,       0,     0,    1, 0.7f, -0.2f, 1,  1,  0,      1,     0,    1},
             {4, 4});
  b.draw(12);
  b.end_frame();
  return b.take();
}

Scene animation(uint32_t frames) {
  Builder b("animation");
  for (uint32_t frame = 0; frame < frames; frame++) {
    b.clear(0, 0, 0, 1);
    b.program(Stage::kVertex, "DP2 o0.x, i0, c0\nDP2 o0.y, i0, c1\nMOV o0.zw, c1.zwzw\nMOV o1, i1\nEND\n");
    const double angle = 0.3 * frame;
    b.constants(Stage::kVertex, 0, {cosine(angle), -sine(angle), 0, 0, sine(angle), cosine(angle), 0, 1});
    b.program(Stage::kFragment, kColor);
    b.interpolants({1});
    b.vertices({0, -0.8f, 0, 1, 1, 0, 0, 1, 0.7f, 0.6f, 0, 1, 0, 1, 0, 1, -0.7f, 0.6f, 0, 1, 0, 0, 1, 1},
               {4, 4});
    b.draw(3);
    b.end_frame();
  }
  return b.take();
}

Scene queries() {
  Builder b("queries");
  b.depth(b.surface(arch::Format::D16_UNORM, 64, 64));
  b.clear(0, 0, 0, 1);
  color_programs(b);
  depth_test(b);
  const arch::Address results = b.allocate(512);
  const auto query = [&](arch::QueryKind kind, uint64_t offset) {
    b.commands.packet(arch::Opcode::kWriteQuery,
                      arch::QueryPacket{static_cast<uint32_t>(kind), results + offset, 0});
  };
  b.registers.query.samples_passed = 1;
  query(arch::QueryKind::kSamplesPassed, 0);
  b.vertices({-1, -1, 0.5f, 1, 1, 0, 0, 1, 1, -1, 0.5f, 1, 1, 0, 0, 1, -1, 1, 0.5f, 1, 1, 0, 0, 1,  //
              1,  1,  0.5f, 1, 1, 0, 0, 1},
             {4, 4});
  b.draw(3);
  query(arch::QueryKind::kSamplesPassed, 8);
  b.draw(3);  // hidden: not nearer
  query(arch::QueryKind::kSamplesPassed, 16);
  // The other half by an indirect draw in a called list.
  const std::vector<uint32_t> indirect = {3, 1, 1, 0};  // vertices 1 to 3
  arch::CommandWriter called;
  called.packet(arch::Opcode::kDrawIndirect, arch::IndirectPacket{b.upload(indirect), 1, 16, 0});
  const arch::Address list = b.upload(called.commands());
  b.send_state();
  b.commands.packet(arch::Opcode::kCall,
                    arch::CallPacket{list, static_cast<uint32_t>(called.commands().size())});
  query(arch::QueryKind::kSamplesPassed, 24);
  // Three indexed draws by arguments of which some lie in two sectors; a count allows two. Counted where the
  // program asks for early tests, though it discards all.
  const arch::Address indices = b.upload(std::vector<uint32_t>{0, 1, 2, 1, 2, 3});
  std::vector<uint32_t> indexed(64, 0);
  const std::array<uint32_t, 15> arguments = {3, 1, 0, 0, 0, 3, 2, 3, 0, 0, 6, 1, 0, 0, 0};
  std::copy(arguments.begin(), arguments.end(), indexed.begin() + 9);
  const arch::Address at = b.upload(indexed) + 36;
  const arch::Address most = b.upload(std::vector<uint32_t>{2});
  auto& assembly = b.registers.assembly;
  assembly.index_address = indices, assembly.index_bytes = 24;
  assembly.index_type = static_cast<uint32_t>(arch::IndexType::kUint32);
  b.registers.depth.depth_compare = static_cast<uint32_t>(arch::Compare::kEqual);
  b.program(Stage::kFragment, "KIL c0.x\nMOV o0, i0\nEND\n", arch::kShaderKills | arch::kShaderEarlyTests);
  b.constants(Stage::kFragment, 0, {1, 0, 0, 0});
  b.send_state();
  b.commands.packet(arch::Opcode::kDrawIndexedIndirect, arch::IndirectPacket{at, 3, 20, most});
  query(arch::QueryKind::kSamplesPassed, 32);
  b.commands.packet(arch::Opcode::kMarker, uint32_t{5});
  b.commands.packet(arch::Opcode::kWriteValue, arch::WriteValuePacket{results + 256, 42});
  b.commands.packet(arch::Opcode::kWaitValue, arch::WaitValuePacket{results + 256, 41});
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  return scene;
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

std::vector<Scene> all_scenes() {
  std::vector<Scene> scenes;
  scenes.push_back(textured_triangle());
  scenes.push_back(many_triangles(200));
  scenes.push_back(depth_and_stencil());
  scenes.push_back(blending());
  scenes.push_back(mipmapped_floor());
  scenes.push_back(lines_and_points());
  scenes.push_back(copies());
  scenes.push_back(discards());
  scenes.push_back(scratch_memory());
  scenes.push_back(invalidated_targets());
  scenes.push_back(instances());
  scenes.push_back(clipped());
  scenes.push_back(animation(3));
  scenes.push_back(queries());
  scenes.push_back(statistics());
  scenes.push_back(shadowed_layers());
  scenes.push_back(cube_map());
  for (Scene& scene : raster_scenes()) scenes.push_back(std::move(scene));
  scenes.push_back(anisotropic_textures());
  scenes.push_back(gathers());
  scenes.push_back(block_textures());
  scenes.push_back(stencil_textures());
  scenes.push_back(texel_buffers());
  scenes.push_back(volume_slices());
  scenes.push_back(multisampled(4));
  scenes.push_back(multisampled(8));
  return scenes;
}

}  // namespace cutaway::scenes
