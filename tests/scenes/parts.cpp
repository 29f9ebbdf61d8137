#include "scenes/parts.h"

#include <numbers>

namespace cutaway::scenes {

using arch::Stage;

float sine(double x) {
  while (x > std::numbers::pi) x -= 2 * std::numbers::pi;
  double term = x, sum = x;
  for (int n = 1; n < 12; n++) sum += term *= -x * x / (2 * n * (2 * n + 1));
  return static_cast<float>(sum);
}
float cosine(double x) { return sine(x + std::numbers::pi / 2); }

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

}  // namespace cutaway::scenes
