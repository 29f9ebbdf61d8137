// Patches: on every machine what the emulator leaves in memory.
#include "emulator/emulator.h"
#include "scenes_on_shapes.h"

namespace cutaway::tessellation_test {
namespace {

// Wide groups, since the invocations of a patch share one.
machine::Config with(Sets sets) {
  machine::Config config;
  set(config, "shader.stages", "vertex,tess-control,tess-evaluation,geometry,fragment");
  set(config, "shader.group_lanes", "32");
  set(config, "shader.simd_lanes", "32");
  set(config, "shader.threads", "256");
  set(config, "shader.input_threads", "64");
  return changed(std::move(config), sets);
}

Shape split() {
  machine::Config config;
  config.shaders.emplace_back().name = "vertex_shader";
  set(config, "shader.stages", "fragment");
  set(config, "vertex_shader.stages", "vertex,tess-control,tess-evaluation,geometry");
  set(config, "vertex_shader.units", "3");
  set(config, "vertex_shader.group_lanes", "32");
  set(config, "vertex_shader.simd_lanes", "8");
  set(config, "vertex_shader.threads", "128");
  machine::check_rules(config);
  return {"split", config};
}

std::vector<Shape> shapes() {
  return {{"plain", with({})},
          {"small buffers", with({{"tessellation.groups", "1"},
                                  {"tessellation.patch_memory", "32"},
                                  {"tessellation.gather_cycles", "1"},
                                  {"tessellation.slots", "8"},
                                  {"tessellation.post_cache", "7"},
                                  {"tessellation.queue", "1"},
                                  {"tessellation.vertices", "3"},
                                  {"tessellation.points_per_cycle", "1"},
                                  {"geometry_shading.output_vertices", "256"},
                                  {"geometry_shading.groups", "1"},
                                  {"geometry_shading.vertices", "3"},
                                  {"streamer.vertices", "64"},
                                  {"triangle_setup.primitives", "1"},
                                  {"wires.clipper_queue", "1"}})},
          // Most points find no slot on the chip.
          {"points in memory", with({{"tessellation.slots", "8"},
                                     {"tessellation.post_cache", "7"},
                                     {"tessellation.memory_slots", "500"},
                                     {"tessellation.read_back", "1"},
                                     {"tessellation.queue", "1024"},
                                     {"tessellation.points_per_cycle", "16"},
                                     {"geometry.units", "2"},
                                     {"shader.units", "3"},
                                     {"memory.crossbar_latency", "7"}})},
          {"few slots in memory", with({{"tessellation.slots", "9"},
                                        {"tessellation.post_cache", "8"},
                                        {"tessellation.memory_slots", "3"},
                                        {"tessellation.read_back", "64"},
                                        {"tessellation.queue", "40"},
                                        {"wires.memory_queue", "1"}})},
          {"little memory, groups of 64 that wait", with({{"shader.group_lanes", "64"},
                                                          {"shader.simd_lanes", "16"},
                                                          {"shader.units", "4"},
                                                          {"tessellation.patch_memory", "33"},
                                                          {"tessellation.gather_cycles", "1024"},
                                                          {"tessellation.patch_cycles", "200"},
                                                          {"tessellation.points_per_cycle", "16"},
                                                          {"streamer.vertices", "64"}})},
          {"front ends", with({{"geometry.units", "3"},
                               {"geometry.batch", "2"},
                               {"shader.units", "3"},
                               {"fragment_generation.units", "2"},
                               {"tessellation.slots", "40"},
                               {"tessellation.post_cache", "2"},
                               {"shader.issue", "scalar"},
                               {"shader.mhz", "571"}})},
          split()};
}

TEST(Tessellation, LeavesInMemoryWhatTheEmulatorLeaves) {
  expect_memory_of_emulator(scenes::tessellation_scenes(), shapes());
}

// Checks the scenes' results in memory.
TEST(Tessellation, CountsWhatItMakes) {
  const scenes::Scene scene = scenes::patches_and_programs();
  auto emulator = emulator::make_emulator();
  scenes::play(scene, *emulator);
  machine::Machine gpu(with({}), arch::Memory(), {.query_values = reported_queries(scene)});
  scenes::play(scene, gpu);
  const auto of = [&](arch::Gpu& from, uint32_t i) {
    return from.memory(0).read_as<uint64_t>(scene.results + 8 * i);
  };
  // Primitives assembled, invocations of geometry programs, primitives of them, patches; what came out.
  for (const uint32_t i : {1u, 3u, 4u, 8u, 16u}) {
    EXPECT_EQ(of(gpu, i), of(*emulator, i)) << i;
    EXPECT_GT(of(gpu, i), 30u) << i;
  }
  EXPECT_EQ(of(gpu, 8), 3u * (7 + 6));
}

// Points that go out to memory and come back: written once, with all that its program writes, and read at
// least once.
TEST(Tessellation, PointsThatLieInMemoryComeBack) {
  const scenes::Scene scene = scenes::patches_of_squares();
  const auto counters = [&](const char* slots) {
    machine::Machine gpu(with({{"tessellation.slots", "8"},
                               {"tessellation.post_cache", "7"},
                               {"tessellation.memory_slots", slots},
                               {"tessellation.queue", "512"}}),
                         arch::Memory());
    scenes::play(scene, gpu);
    EXPECT_EQ(gpu.memory(0).hash(), on_emulator(scene)) << slots;
    std::map<std::string, uint64_t> found;
    for (const machine::ClientTraffic& client : gpu.traffic())
      if (client.name == "tessellation0")
        found["written"] = client.write_bytes, found["read"] = client.read_bytes;
    for (const Counter& counter : gpu.simulator().counters().counters())
      if (counter.path == "gpu.tessellation0") found[counter.name] = *counter.value;
    return found;
  };
  const auto none = counters("0"), some = counters("300");
  EXPECT_FALSE(none.contains("written"));
  EXPECT_EQ(none.at("points_spilled"), 0u);
  EXPECT_GT(some.at("points_spilled"), 1000u);
  EXPECT_EQ(some.at("points_shaded"), none.at("points_shaded"));
  // The position and a color: two outputs, in one sector.
  EXPECT_EQ(some.at("written"), 64 * some.at("points_spilled"));
  EXPECT_EQ(some.at("read"), 64 * some.at("points_read_back"));
  EXPECT_GE(some.at("points_read_back"), some.at("points_spilled"));
}

TEST(Tessellation, IsDeterministic) { expect_deterministic(scenes::tessellation_scenes(), shapes()); }

// Checks stores of programs of all these stages, and counts their runs by atomics.
TEST(Tessellation, ItsProgramsStore) {
  machine::Config config = with({{"storage_cache.slices", "2"}, {"storage_cache.atomics_per_cycle", "4"}});
  for (const arch::Stage stage :
       {arch::Stage::kTessControl, arch::Stage::kTessEvaluation, arch::Stage::kGeometry})
    config.shaders.front().topology.stores.add(stage);
  const scenes::Scene scene = scenes::stores_of_stages();
  ASSERT_TRUE(runs(scene, config.abilities()));
  machine::Machine gpu(config, arch::Memory());
  scenes::play(scene, gpu);
  EXPECT_EQ(gpu.memory(0).hash(), on_emulator(scene));
  const auto word = [&](uint32_t at) { return gpu.memory(0).read_as<uint32_t>(scene.results + at); };
  EXPECT_EQ(word(0), 96u);
  EXPECT_GT(word(8), 200u);
  for (uint32_t patch = 1; patch < 24; patch++)
    EXPECT_EQ(word(64 + 4 * patch), patch % 4 == 3 ? 0 : patch) << "every fourth is culled";
}

}  // namespace
}  // namespace cutaway::tessellation_test
