#include <benchmark/benchmark.h>

#include "func/raster/coverage.h"
#include "func/raster/hz.h"
#include "func/raster/interpolate.h"
#include "func/raster/setup.h"

// Host time of the rasterisation functions, per triangle, tile and quad.
namespace cutaway::func {
namespace {

arch::Registers registers() {
  arch::Registers r{};
  r.raster.width = r.raster.height = 512;
  r.raster.viewport[0] = {{256, 256, 1}, {256, 256, 0}};
  r.raster.scissor[0] = {0, 0, 512, 512};
  r.depth.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
  return r;
}

constexpr float kSnapped[3][4] = {
    {-0.9f, -0.8f, 0.1f, 1}, {0.7f, -0.6f, 0.9f, 1.5f}, {0.1f, 0.9f, 0.4f, 1.2f}};
constexpr float kClipped[3][4] = {
    {-0.9f, -0.8f, 0.1f, 1}, {0.7f, -0.6f, 0.9f, -1.5f}, {0.1f, 0.9f, 0.4f, 1.2f}};

Primitive set_up(const arch::Registers& r, const float (*position)[4]) {
  SetupInput input;
  input.position = position, input.vertices = 3;
  Primitive primitive;
  benchmark::DoNotOptimize(setup(r, input, primitive));
  return primitive;
}

void setup_triangle(benchmark::State& state) {
  const arch::Registers r = registers();
  for (auto _ : state) benchmark::DoNotOptimize(set_up(r, state.range(0) != 0 ? kClipped : kSnapped));
}
BENCHMARK(setup_triangle)->ArgName("clipped")->Arg(0)->Arg(1);

// All tiles within the bounds: outside, inside and crossed ones.
void coverage_tile(benchmark::State& state) {
  const Primitive primitive = set_up(registers(), kSnapped);
  int64_t tiles = 0;
  for (auto _ : state)
    for (int32_t y = primitive.y0 & ~7; y < primitive.y1; y += 8)
      for (int32_t x = primitive.x0 & ~7; x < primitive.x1; x += 8) {
        benchmark::DoNotOptimize(tile_coverage(primitive, x, y));
        ++tiles;
      }
  state.SetItemsProcessed(tiles);
}
BENCHMARK(coverage_tile);

void coverage_crossed_tile(benchmark::State& state) {
  const Primitive primitive = set_up(registers(), kSnapped);
  for (auto _ : state) benchmark::DoNotOptimize(tile_coverage(primitive, 24, 48));
}
BENCHMARK(coverage_crossed_tile);

void hz_tile(benchmark::State& state) {
  const Primitive primitive = set_up(registers(), kSnapped);
  for (auto _ : state) benchmark::DoNotOptimize(tile_min_depth(primitive, 248, 248));
}
BENCHMARK(hz_tile);

void depth_quad(benchmark::State& state) {
  const Primitive primitive = set_up(registers(), kSnapped);
  float z[4];
  for (auto _ : state) {
    depth<4>(primitive, quad_positions(250, 250), {}, z);
    benchmark::DoNotOptimize(z);
  }
}
BENCHMARK(depth_quad);

void barycentrics_quad(benchmark::State& state) {
  const Primitive primitive = set_up(registers(), kSnapped);
  Barycentrics<4> weights;
  for (auto _ : state) {
    barycentrics<4>(primitive, quad_positions(250, 250), {}, weights);
    benchmark::DoNotOptimize(weights);
  }
}
BENCHMARK(barycentrics_quad);

void interpolate_vec4_quad(benchmark::State& state) {
  const Primitive primitive = set_up(registers(), kSnapped);
  Barycentrics<4> weights;
  barycentrics<4>(primitive, quad_positions(250, 250), {}, weights);
  uint32_t out[4][4];
  for (auto _ : state) {
    for (auto& component : out)
      interpolate<4>(arch::Interpolation::kPerspective, 3, weights, 0x3f800000, 0x40000000, 0x40400000,
                     component);
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(interpolate_vec4_quad);

}  // namespace
}  // namespace cutaway::func
