// Measures the whole machine's throughput without a memory bottleneck, over 100,000 cycles.
// CUTAWAY_ACCOUNTS=1 prints every unit's waits.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "emulator/emulator.h"
#include "gpu_run.h"
#include "scenes/clear_scenes.h"

namespace cutaway::throughput_test {
namespace {

constexpr uint64_t kWindow = 100'000;

// Memory that does not bind, and shader units enough; widths, queues and latencies of the paper otherwise.
machine::Config unbound(unsigned shader_units) {
  machine::Config c;
  c.shaders.front().topology.units = shader_units;
  c.memory.channels = 16;
  c.memory.bytes_per_cycle = 64;
  c.memory.latency = 1;
  c.memory.read_to_write = c.memory.write_to_read = 0;
  c.memory.queue = 64;
  c.wires.memory_latency = 1;
  c.wires.memory_queue = 32;
  return c;
}

// Prints waits by neighbour, to find a bottleneck.
void print_accounts(engine::Simulator& simulator) {
  simulator.settle();
  for (const auto& box : simulator.boxes()) {
    const engine::Account account = box->account();
    printf("  %-26s busy %4.1f%%", box->path().c_str(),
           100.0 * double(account.busy) / double(account.cycles));
    for (const auto& wait : account.waits)
      if (wait.cycles * 50 > account.cycles)
        printf(", %s %s %.1f%%", wait.starved ? "starved" : "blocked", wait.port.c_str(),
               100.0 * double(wait.cycles) / double(account.cycles));
    printf("\n");
  }
}

// The rate of a counter per cycle: the most that a window of 100,000 cycles counted.
double rate(const scenes::Scene& scene, const machine::Config& config,
            const std::vector<std::string>& counters) {
  constexpr uint64_t kStep = 2'000;
  machine::Machine gpu(config, arch::Memory());
  engine::Simulator& simulator = gpu.simulator();
  engine::Sampler& sampler = simulator.sample(*simulator.domains()[0], {.interval = kStep});
  scenes::play(scene, gpu);
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << fault.text;
  std::vector<uint64_t> totals(sampler.rows());  // up to the end of each row
  for (const std::string& counter : counters) {
    const std::vector<uint64_t> values = sampler.column(counter);
    for (size_t row = 0; row < totals.size(); row++) totals[row] += values[row];
  }
  std::partial_sum(totals.begin(), totals.end(), totals.begin());
  uint64_t most = 0;
  const size_t rows = kWindow / kStep;
  EXPECT_GT(totals.size(), rows) << "the scene is over before the window: " << gpu.cycles() << " cycles";
  for (size_t row = rows; row < totals.size(); row++) most = std::max(most, totals[row] - totals[row - rows]);
  if (std::getenv("CUTAWAY_ACCOUNTS")) print_accounts(simulator);
  return double(most) / double(kWindow);
}

void expect_rate(const char* what, double measured, double expected) {
  printf("%s: %.4f per cycle, expected %.0f\n", what, measured, expected);
  EXPECT_GE(measured, 0.98 * expected) << what;
  EXPECT_LE(measured, 1.001 * expected) << what;
}

// Rectangles over the whole target, one color.
scenes::Scene fill(uint32_t width, uint32_t height, uint32_t times) {
  scenes::Builder b("fill", width, height);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  b.constants(arch::Stage::kFragment, 0, {1, 0.5f, 0.25f, 1});
  std::vector<float> values;
  for (uint32_t i = 0; i < times; i++)
    for (float value : {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}) values.push_back(value);
  b.vertices(values, {4});
  b.draw(3 * times);
  b.end_frame();
  return b.take();
}

// 2 Z and color units, 4 fragments each (ATT-3).
TEST(Throughput, EightFragmentsPerCycle) {
  expect_rate(
      "fragments",
      rate(fill(1024, 1024, 1), unbound(8), {"gpu.color_write0.fragments", "gpu.color_write1.fragments"}), 8);
}

// A strip of triangles, each over one pixel or facing away (ATT-3).
scenes::Scene strip(uint32_t triangles, bool culled) {
  scenes::Builder b("strip", 256, 1024);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  b.constants(arch::Stage::kFragment, 0, {1, 0.5f, 0.25f, 1});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  if (culled) b.registers.raster.cull_mode = 3;
  // A zigzag between two lines two pixels apart, to and fro: every triangle covers the middle of one pixel,
  // but for two without area where it turns.
  std::vector<float> values;
  for (uint32_t i = 0; i < triangles + 2; i++) {
    const uint32_t column = i / 2 % 250, row = i / 2 / 250 % 256;
    const uint32_t x = row % 2 ? 249 - column : column, y = 4 * row + 2 * (i % 2);
    for (float value : {float(x) / 128 - 1 + 0.001f, float(y) / 512 - 1 + 0.001f, 0.0f, 1.0f})
      values.push_back(value);
  }
  b.vertices(values, {4});
  b.draw(triangles + 2);
  b.end_frame();
  return b.take();
}

TEST(Throughput, OneTrianglePerCycle) {
  const scenes::Scene scene = strip(110'000, false);
  expect_rate("triangles drawn", rate(scene, unbound(8), {"gpu.triangle_setup0.primitives"}), 1);
  expect_rate("fragments of as many triangles",
              rate(scene, unbound(8), {"gpu.color_write0.fragments", "gpu.color_write1.fragments"}), 1);
}

TEST(Throughput, OneCulledTrianglePerCycle) {
  expect_rate("triangles culled",
              rate(strip(110'000, true), unbound(8),
                   {"gpu.triangle_setup0.culled_face", "gpu.triangle_setup0.culled_empty"}),
              1);
}

// For triangles that setup culls: rasterisers receive only ends of batches. Shader units and memory are no
// bottleneck.
double triangles_culled(const scenes::Scene& scene, unsigned front_ends, unsigned batch) {
  machine::Config config = unbound(16);
  config.geometry = {.units = front_ends, .batch = batch};
  std::vector<std::string> counters;
  for (unsigned i = 0; i < front_ends; i++)
    for (const char* counter : {"culled_face", "culled_empty"})
      counters.push_back(fmt::format("gpu.triangle_setup{}.{}", i, counter));
  return rate(scene, config, counters);
}

// The walk over vertices is the bottleneck: a triangle of a strip takes one vertex, a batch two more, which
// it shares with the previous batch, and its end also takes a cycle.
TEST(Throughput, FrontEndsMakeTrianglesSideBySide) {
  constexpr double kBatch = 64;
  const scenes::Scene culled = strip(420'000, true);
  const double alone = triangles_culled(culled, 1, 64);
  EXPECT_NEAR(alone, 1, 0.001);
  for (const unsigned front_ends : {2u, 4u}) {
    const double expected = front_ends * kBatch / (kBatch + 2 + 1);
    const double measured = triangles_culled(culled, front_ends, 64);
    printf("triangles culled by %u front ends: %.4f per cycle, expected %.4f\n", front_ends, measured,
           expected);
    EXPECT_GE(measured, 0.98 * expected);
    EXPECT_LE(measured, 1.001 * expected);
  }
}

// A texture as large as the target, read bilinearly 60 times over all of it: a shader unit that issues one
// instruction a cycle, and one to end, keeps its texture unit busy.
scenes::Scene textured(uint32_t size) {
  scenes::Builder b("textured", size, size);
  const arch::Surface texture = b.surface(arch::Format::R8G8B8A8_UNORM, size, size);
  std::string text;
  for (int i = 0; i < 59; i++) text += fmt::format("TEX r{}, i0, t0, s0, 2D\n", i % 4);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(arch::Stage::kFragment, text + "TEX o0, i0, t0, s0, 2D\nEND\n", arch::kShaderDerivatives);
  b.interpolants({1});
  const arch::Sampler linear = scenes::sampler(arch::Filter::kLinear);
  b.textures({&texture, 1}, {&linear, 1});
  b.vertices({-1, -1, 0, 1, 0, 0, 3, -1, 0, 1, 2, 0, -1, 3, 0, 1, 0, 2}, {4, 2});
  b.draw(3);
  b.end_frame();
  return b.take();
}

TEST(Throughput, AQuadOfBilinearSamplesPerCycleAndTextureUnit) {
  const std::vector<std::string> counters = {"gpu.texture0.bilinear_samples",
                                             "gpu.texture1.bilinear_samples"};
  // In turns both units always have quads; by tiles one waits at times for its next tile.
  machine::Config quads = unbound(2);
  quads.work_distributor.fragments = "turns";
  expect_rate("bilinear samples", rate(textured(160), quads, counters), 2 * 4);
  machine::Config one = quads;
  one.texture.step_fragments = 1;
  expect_rate("bilinear samples, one a step", rate(textured(96), one, counters), 2);
}

// A program of 60 operations that do not hang on one another, on all of the target.
scenes::Scene arithmetic() {
  scenes::Builder b("arithmetic", 128, 256);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  std::string text;
  for (int i = 0; i < 60; i++) text += fmt::format("MUL r{}, c0, c1\n", i % 4);
  b.program(arch::Stage::kFragment, text + "MOV o0, r0\nEND\n");
  b.constants(arch::Stage::kFragment, 0, {1, 0.5f, 0.25f, 1, 0.5f, 0.5f, 0.5f, 1});
  b.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
  b.draw(3);
  b.end_frame();
  return b.take();
}

// An instruction a cycle of the shader unit's own clock, counted in cycles of the core.
TEST(Throughput, OneInstructionPerCycleOfTheShaderClock) {
  const scenes::Scene scene = arithmetic();
  for (const unsigned times : {1u, 3u}) {
    machine::Config config = unbound(1);
    config.shaders.front().topology.mhz = times * config.gpu.core_mhz;
    config.shaders.front().unit.free_end = false;  // the counter has END too
    expect_rate(times == 1 ? "instructions" : "instructions at three times the clock",
                rate(scene, config, {"gpu.shader0.instructions"}), times);
  }
}

// Color, depth and stencil of a screen, on ATTILA. Without tags they are written.
TEST(Throughput, AScreenIsClearedInLessThanAThousandCycles) {
  const scenes::Scene scene = scenes::only_clears(640, 480);
  const uint64_t expected = on_emulator(scene);
  machine::Config fast, slow;
  slow.color_write.fast_clear = slow.z_stencil.fast_clear = false;
  const Outcome tagged = on_machine(scene, fast), written = on_machine(scene, slow);
  EXPECT_EQ(tagged.memory, expected);
  EXPECT_EQ(written.memory, expected);
  printf("clears of 640x480: %llu cycles with tags, %llu without\n",
         static_cast<unsigned long long>(tagged.cycles), static_cast<unsigned long long>(written.cycles));
  EXPECT_LT(tagged.cycles, 1000u);
  EXPECT_GT(written.cycles, 2 * 640 * 480 * 4 / 64u);
}

// The host writes memory whose blocks are cleared, between submissions.
TEST(Throughput, HostWritesMakeBlocksPlain) {
  const scenes::Scene scene = scenes::only_clears(64, 64);
  const auto emulator = emulator::make_emulator();
  machine::Machine gpu({}, arch::Memory());
  scenes::play(scene, *emulator);
  scenes::play(scene, gpu);
  const std::vector<std::byte> bytes(100, std::byte{0x5a});
  for (arch::Gpu* each : {static_cast<arch::Gpu*>(emulator.get()), static_cast<arch::Gpu*>(&gpu)})
    each->write(0, scene.color.address + 500, bytes);
  EXPECT_EQ(gpu.memory(0).hash(), emulator->memory(0).hash());
}

}  // namespace
}  // namespace cutaway::throughput_test
