#include <benchmark/benchmark.h>

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

}  // namespace
}  // namespace cutaway
