#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "func/raster/coverage.h"
#include "func/raster/setup.h"

// For the tests of this folder: registers, vertices, pictures of how often each pixel is drawn.
namespace cutaway::func::testing {

using Position = std::array<float, 4>;

// A framebuffer of width × height pixels with a viewport of the same size; no culling, no depth clip.
inline arch::Registers registers(uint32_t width, uint32_t height) {
  arch::Registers r{};
  r.raster.width = width, r.raster.height = height;
  r.raster.samples = 1;
  r.raster.line_width = 1;
  const float half_width = static_cast<float>(width) / 2, half_height = static_cast<float>(height) / 2;
  r.raster.viewport[0] = {{half_width, half_height, 1}, {half_width, half_height, 0}};
  r.raster.scissor[0] = {0, 0, width, height};
  r.raster.depth_range_max[0] = 1;
  return r;
}

// The clip-space position that such registers show at window position (x, y), in pixels.
inline Position at_window(const arch::Registers& r, double x, double y, float z = 0.5f, float w = 1) {
  const arch::Viewport& v = r.raster.viewport[0];
  return {static_cast<float>((x - v.offset[0]) / v.scale[0] * w),
          static_cast<float>((y - v.offset[1]) / v.scale[1] * w), z * w, w};
}

template <size_t kVertices>
SetupResult set_up(const arch::Registers& r, const std::array<Position, kVertices>& vertices,
                   Primitive& primitive, float point_size = 1, const ClipDistances* distances = nullptr) {
  float position[kVertices][4];
  for (size_t i = 0; i < kVertices; ++i)
    for (size_t c = 0; c < 4; ++c) position[i][c] = vertices[i][c];
  SetupInput input;
  input.position = position;
  input.vertices = kVertices;
  input.point_size = point_size;
  input.distances = distances;
  return setup(r, input, primitive);
}

// How often each pixel was drawn.
class Picture {
 public:
  Picture(int32_t width, int32_t height)
      : width_(width), height_(height), count_(static_cast<size_t>(width) * static_cast<size_t>(height)) {}

  int32_t width() const { return width_; }
  int32_t height() const { return height_; }
  int& at(int32_t x, int32_t y) { return count_[static_cast<size_t>(y) * width_ + x]; }
  int at(int32_t x, int32_t y) const { return count_[static_cast<size_t>(y) * width_ + x]; }
  int total() const {
    int sum = 0;
    for (int c : count_) sum += c;
    return sum;
  }

  template <class Visit>
  void draw(const Primitive& primitive, Visit visit, SampleOffset sample = {}) {
    for (int32_t y = primitive.y0 & ~7; y < primitive.y1; y += kTilePixels)
      for (int32_t x = primitive.x0 & ~7; x < primitive.x1; x += kTilePixels) {
        const uint64_t mask = tile_coverage(primitive, x, y, sample);
        for (int bit = 0; bit < 64; ++bit)
          if ((mask >> bit & 1) != 0) {
            ++at(x + bit % 8, y + bit / 8);
            visit(x + bit % 8, y + bit / 8);
          }
      }
  }
  void draw(const Primitive& primitive, SampleOffset sample = {}) {
    draw(
        primitive, [](int32_t, int32_t) {}, sample);
  }

 private:
  int32_t width_, height_;
  std::vector<int> count_;
};

// Uniform numbers that are the same on every host.
class Random {
 public:
  explicit Random(uint32_t seed) : generator_(seed) {}
  uint32_t bits() { return static_cast<uint32_t>(generator_()); }
  int32_t integer(int32_t low, int32_t high) {  // inclusive
    return low + static_cast<int32_t>(bits() % static_cast<uint32_t>(high - low + 1));
  }
  double real(double low, double high) { return low + (high - low) * (bits() / 4294967296.0); }

 private:
  std::mt19937 generator_;
};

// A triangle by three points of the window.
inline std::array<Position, 3> triangle(const arch::Registers& r, double x0, double y0, double x1, double y1,
                                        double x2, double y2) {
  return {at_window(r, x0, y0), at_window(r, x1, y1), at_window(r, x2, y2)};
}

}  // namespace cutaway::func::testing
