// Geometry programs, adjacency and chosen layers: on every machine what the emulator leaves in memory.
#include "scenes_on_shapes.h"

namespace cutaway::geometry_test {
namespace {

machine::Config with(Sets sets) {
  machine::Config config;
  set(config, "shader.stages", "vertex,geometry,fragment");
  return changed(std::move(config), sets);
}

// Two classes of shader units.
machine::Config split(const char* lanes) {
  machine::Config config;
  config.shaders.emplace_back().name = "vertex_shader";
  set(config, "shader.stages", "fragment");
  set(config, "vertex_shader.stages", "vertex,geometry");
  set(config, "vertex_shader.units", "3");
  set(config, "vertex_shader.group_lanes", lanes);
  set(config, "vertex_shader.simd_lanes", lanes);
  set(config, "vertex_shader.threads", "64");
  machine::check_rules(config);
  return config;
}

std::vector<Shape> shapes() {
  std::vector<Shape> all = {
      {"plain", with({})},
      {"small buffers", with({{"geometry_shading.output_vertices", "256"},
                              {"geometry_shading.groups", "1"},
                              {"geometry_shading.vertices", "3"},
                              {"geometry_shading.gather_cycles", "1"},
                              {"streamer.vertices", "64"},
                              {"triangle_setup.primitives", "1"},
                              {"wires.clipper_queue", "1"}})},
      {"little patience before a short queue",
       with({{"geometry_shading.gather_cycles", "3"}, {"wires.clipper_queue", "1"}})},
      {"few places for vertices", with({{"geometry_shading.vertices", "4"}, {"streamer.vertices", "70"}})},
      {"groups of 32 that wait", with({{"shader.group_lanes", "32"},
                                       {"shader.simd_lanes", "8"},
                                       {"shader.units", "4"},
                                       {"shader.threads", "256"},
                                       {"shader.input_threads", "64"},
                                       {"shader.issue", "scalar"},
                                       {"geometry_shading.output_vertices", "300"},
                                       {"geometry_shading.gather_cycles", "1024"},
                                       {"streamer.vertices", "64"}})},
      {"front ends", with({{"geometry.units", "3"}, {"geometry.batch", "2"}, {"shader.units", "3"}})},
      {"front ends with little room", with({{"geometry.units", "4"},
                                            {"geometry.batch", "6"},
                                            {"geometry_shading.groups", "2"},
                                            {"geometry_shading.output_vertices", "256"},
                                            {"geometry_shading.vertices", "5"},
                                            {"fragment_generation.units", "2"},
                                            {"shader.vertex_latency", "64"},
                                            {"shader.mhz", "571"}})},
      {"split", split("4")},
      {"split, single lanes", split("1")}};
  for (const char* lanes : {"8", "16", "64"})
    all.push_back({lanes, with({{"shader.group_lanes", lanes},
                                {"shader.simd_lanes", lanes},
                                {"shader.threads", "512"},
                                {"shader.input_threads", "128"},
                                {"geometry_shading.groups", "3"}})});
  return all;
}

TEST(GeometryPrograms, LeaveInMemoryWhatTheEmulatorLeaves) {
  expect_memory_of_emulator(scenes::geometry_scenes(), shapes());
}

// Checks the scenes' results in memory.
TEST(GeometryPrograms, CountWhatTheyGive) {
  const scenes::Scene scene = scenes::geometry_streams();
  machine::Machine gpu(with({}), arch::Memory(), {.query_values = reported_queries(scene)});
  scenes::play(scene, gpu);
  const auto expect = [&](uint32_t at, std::vector<uint64_t> expected) {
    std::vector<uint64_t> found;  // primitives assembled, invocations, primitives of them; of each stream
    for (const uint32_t i : {1u, 3u, 4u, 12u, 13u, 14u, 15u})
      found.push_back(gpu.memory(0).read_as<uint64_t>(scene.results + at + 8 * i));
    EXPECT_EQ(found, expected) << at;
  };
  expect(0, {14, 0, 0, 14, 0, 0, 0});
  // 40 points, twice each: one vertex to stream 0 and two to stream 1; the last ten emit two more.
  expect(128, {14 + 40, 80, 280, 14 + 100, 160, 0, 20});
  expect(256, {14 + 80, 160, 520, 14 + 180, 320, 0, 20});
  // Without a program: lines with neighbours, of 20 points 17.
  expect(384, {14 + 80 + 17, 160, 520, 14 + 180 + 17, 320, 0, 20});
}

TEST(GeometryPrograms, AreDeterministic) {
  const std::vector<Shape> all = shapes();
  expect_deterministic(scenes::geometry_scenes(), {all[0], all[1], all[2], all[4], all[6]});
}

}  // namespace
}  // namespace cutaway::geometry_test
