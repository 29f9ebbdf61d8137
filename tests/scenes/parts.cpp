#include "scenes/parts.h"

#include <numbers>
#include <string>

namespace cutaway::scenes {

using arch::Stage;

float sine(double x) {
  while (x > std::numbers::pi) x -= 2 * std::numbers::pi;
  double term = x, sum = x;
  for (int n = 1; n < 12; n++) sum += term *= -x * x / (2 * n * (2 * n + 1));
  return static_cast<float>(sum);
}
float cosine(double x) { return sine(x + std::numbers::pi / 2); }

Scene ended_scene(Builder& b, arch::Address results) {
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  return scene;
}

void write_query(Builder& b, arch::QueryKind kind, arch::Address address) {
  b.commands.packet(arch::Opcode::kWriteQuery, arch::QueryPacket{static_cast<uint32_t>(kind), address, 0});
}

arch::Surface raw_buffer(arch::Address address, uint32_t bytes) {
  arch::Surface buffer{};
  buffer.address = address;
  buffer.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
  buffer.width = bytes;
  buffer.height = buffer.depth = buffer.levels = buffer.layers = buffer.level_count = buffer.layer_count = 1;
  buffer.swizzle = arch::kSwizzleIdentity;
  return buffer;
}

std::vector<uint32_t> checkers(uint32_t size, uint32_t square, uint32_t a, uint32_t b) {
  std::vector<uint32_t> texels(size_t{size} * size);
  for (uint32_t y = 0; y < size; y++)
    for (uint32_t x = 0; x < size; x++) texels[y * size + x] = (x / square + y / square) % 2 ? b : a;
  return texels;
}

void depth_test(Builder& b, arch::Compare compare, bool write) {
  b.registers.depth.depth_test = 1, b.registers.depth.depth_write = write;
  b.registers.depth.depth_compare = static_cast<uint32_t>(compare);
}

void color_programs(Builder& b, arch::Interpolation mode) {
  b.program(Stage::kVertex, kPassColor);
  b.program(Stage::kFragment, kColor);
  b.interpolants({1}, mode);
}

void textured_programs(Builder& b) {
  b.program(Stage::kVertex, kPassColor);
  b.program(Stage::kFragment, "TEX o0, i0, t0, s0, 2D\nEND\n", arch::kShaderDerivatives);
  b.interpolants({1});
}

void geometry_program(Builder& b, std::string_view text, arch::Topology output, uint32_t max_vertices,
                      uint32_t invocations) {
  b.program(Stage::kGeometry, text);
  b.constants(Stage::kGeometry, 0, {bits(0), bits(1), bits(2), bits(3), -1, 1, 0, 0.5f});
  auto& registers = b.registers.geometry;
  registers.output_topology = static_cast<uint32_t>(output);
  registers.max_vertices = max_vertices;
  registers.invocations = invocations;
  registers.inputs = {2, {0, 1}};
}

void resolve_samples(Builder& b, const arch::Surface& from, const arch::Surface& to) {
  const uint32_t samples = from.samples();
  b.flush();
  b.depth({});
  b.target(to);
  b.registers.depth = {};
  b.registers.raster.samples = 1, b.registers.raster.sample_mask = 1;
  b.registers.raster.sample_shading = 0;
  b.registers.raster.alpha_to_coverage = b.registers.raster.alpha_to_one = 0;
  b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
  std::string text = "F2I r0.xy, i32\nTXF r1, r0, c0, t0, 2DMS\n";
  for (uint32_t s = 1; s < samples; s++)
    text += "TXF r2, r0, c" + std::to_string(s) + ", t0, 2DMS\nADD r1, r1, r2\n";
  text += "TXQS r2.x, t0, 2DMS\nU2F r2.x, r2\nRCP r2.x, r2.x\nMUL o0, r1, r2.x\nEND\n";
  b.program(Stage::kFragment, text, arch::kShaderReadsFragCoord);
  std::vector<float> constants;
  for (uint32_t s = 0; s < samples; s++) constants.insert(constants.end(), {bits(0), bits(s), 0, 0});
  b.constants(Stage::kFragment, 0, constants);
  b.textures({&from, 1}, {});
  b.interpolants({});
  b.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
  b.draw(3);
}

std::vector<float> scattered_triangles(uint32_t triangles) {
  Random random(8);
  std::vector<float> values;
  for (uint32_t i = 0; i < 3 * triangles; i += 3) {
    const float x = random.between(-1, 1), y = random.between(-1, 1);
    for (uint32_t v = 0; v < 3; v++) {
      values.insert(values.end(), {x + random.between(-0.3f, 0.3f), y + random.between(-0.3f, 0.3f),
                                   random.between(0, 1), 1});
      for (uint32_t c = 0; c < 4; c++) values.push_back(random.between(0, 1));
    }
  }
  return values;
}

}  // namespace cutaway::scenes
