#include <benchmark/benchmark.h>
#include <bit>
#include <string>

#include "emulator/emulator.h"
#include "scenes/scenes.h"

// Frames and shaded fragments per second of the emulator on one core.
namespace cutaway {
namespace {

void run(benchmark::State& state, const scenes::Scene& scene) {
  uint64_t fragments = 0, frames = 0;
  for (auto _ : state) {
    const auto gpu = emulator::make_emulator();
    scenes::play(scene, *gpu);
    fragments += gpu->totals().fragments_shaded;
    frames += scene.frames;
  }
  state.counters["fragments"] =
      benchmark::Counter(static_cast<double>(fragments), benchmark::Counter::kIsRate);
  state.counters["frames"] = benchmark::Counter(static_cast<double>(frames), benchmark::Counter::kIsRate);
}

// Layers of 640x480 textured, bilinear, depth tested.
void BM_TexturedLayers(benchmark::State& state) { run(state, scenes::textured_layers(8, 640, 480)); }
BENCHMARK(BM_TexturedLayers)->Unit(benchmark::kMillisecond);

void BM_ManyTriangles(benchmark::State& state) { run(state, scenes::many_triangles(5000, 512)); }
BENCHMARK(BM_ManyTriangles)->Unit(benchmark::kMillisecond);

// Inputs of a loop of texture instructions: a half-float cube of 64x64, a list of places on it, a depth map,
// an array and a volume.
struct Textures {
  explicit Textures(scenes::Builder& b) {
    using enum arch::Format;
    std::vector<uint16_t> halves(6 * 64 * 64 * 4);
    for (size_t i = 0; i < halves.size(); i++) halves[i] = static_cast<uint16_t>(0x3000 + i * 37 % 0x0c00);
    cube = described(b.upload(halves), R16G16B16A16_SFLOAT, arch::SurfaceType::kCube, 64, 64);
    cube.layers = cube.layer_count = 6;
    std::vector<float> places(2 * kTaps);
    for (size_t i = 0; i < places.size(); i++) places[i] = static_cast<float>(i * 29 % 97) / 48 - 1;
    list = described(b.upload(places), R32G32_SFLOAT, arch::SurfaceType::kTexelBuffer, kTaps, 1);
    std::vector<uint32_t> words(4 * 64 * 64);
    for (size_t i = 0; i < words.size(); i++) words[i] = static_cast<uint32_t>(i * 2654435761u);
    array = described(b.upload(words), R8G8B8A8_UNORM, arch::SurfaceType::k2D, 64, 64);
    array.layers = array.layer_count = 4;
    volume = described(array.address, R8G8B8A8_UNORM, arch::SurfaceType::k3D, 64, 64);
    volume.depth = 4;
    std::vector<float> depths(64 * 64);
    for (size_t i = 0; i < depths.size(); i++) depths[i] = static_cast<float>(i * 31 % 101) / 100;
    depth = described(b.upload(depths), D32_SFLOAT, arch::SurfaceType::k2D, 64, 64);
  }
  static arch::Surface described(arch::Address address, arch::Format format, arch::SurfaceType type,
                                 uint32_t width, uint32_t height) {
    arch::Surface surface{};
    surface.address = address;
    surface.format = static_cast<uint32_t>(format);
    surface.type = arch::Surface::make_type(type, arch::Tiling::kLinear);
    surface.width = width, surface.height = height, surface.depth = 1;
    surface.levels = surface.level_count = surface.layers = surface.layer_count = 1;
    surface.swizzle = arch::kSwizzleIdentity;
    return surface;
  }

  static constexpr uint32_t kTaps = 64;
  arch::Surface cube, list, array, volume, depth;
};

// 128x128 pixels, each the mean of kTaps samples about its place: r2 is the tap's place, r1 receives it.
scenes::Scene taps(const char* tap) {
  scenes::Builder b("taps", 128, 128);
  const Textures textures(b);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  const std::string program = std::string(
                                  "MOV r0, c0.x\nMOV r3, c0.x\nLOOP\nIGE r0.y, r0.x, c0.y\nBRK r0.y\n"
                                  "MOV r0.zw, c0.x\nTXF r2, r0.xzzz, c0.x, t1, BUFFER\n"
                                  "MAD r2.xy, r2, c1.x, i0\nMOV r2.zw, i0\n") +
                              tap +
                              "\nADD r3, r3, r1\nIADD r0.x, r0, c0.z\nNEXT\nENDLOOP\nMUL o0, r3, c1.y\nEND\n";
  b.program(arch::Stage::kFragment, program, arch::kShaderDerivatives);
  const auto integer = [](uint32_t value) { return std::bit_cast<float>(value); };
  b.constants(arch::Stage::kFragment, 0,
              {0, integer(Textures::kTaps), integer(1), 0, 0.125f, 1.0f / Textures::kTaps, 0, 0});
  b.interpolants({1});
  arch::Sampler samplers[] = {scenes::sampler(arch::Filter::kLinear), scenes::sampler(arch::Filter::kLinear)};
  samplers[1].compare = static_cast<uint32_t>(arch::Compare::kLess) + 1;
  const arch::Surface surfaces[] = {textures.cube, textures.list, textures.array, textures.volume,
                                    textures.depth};
  b.textures(surfaces, samplers);
  b.vertices({-1, -1, 0, 1, -1, -1, 1, 0.5f, 3, -1, 0, 1, 3, -1, 1, 0.5f, -1, 3, 0, 1, -1, 3, 1, 0.5f},
             {4, 4});
  b.draw(3);
  b.end_frame();
  return b.take();
}

void BM_CubeTaps(benchmark::State& state) { run(state, taps("TXL r1, r2, c0.x, t0, s0, CUBE")); }
BENCHMARK(BM_CubeTaps)->Unit(benchmark::kMillisecond);

void BM_PlainTaps(benchmark::State& state) { run(state, taps("TEX r1, r2, t2, s0, 2D")); }
BENCHMARK(BM_PlainTaps)->Unit(benchmark::kMillisecond);

void BM_ArrayTaps(benchmark::State& state) { run(state, taps("TEX r1, r2, t2, s0, 2DARRAY")); }
BENCHMARK(BM_ArrayTaps)->Unit(benchmark::kMillisecond);

void BM_VolumeTaps(benchmark::State& state) { run(state, taps("TEX r1, r2, t3, s0, 3D")); }
BENCHMARK(BM_VolumeTaps)->Unit(benchmark::kMillisecond);

void BM_ComparedTaps(benchmark::State& state) { run(state, taps("TEX r1, r2, t4, s1, 2D, SHADOW")); }
BENCHMARK(BM_ComparedTaps)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cutaway
