// Transform feedback: on every machine what the emulator leaves in memory.
#include "scenes_on_shapes.h"

namespace cutaway::feedback_test {
namespace {

machine::Config with(Sets sets) {
  machine::Config config;
  set(config, "shader.stages", "vertex,geometry,fragment");
  set(config, "stream_out.units", "1");
  return changed(std::move(config), sets);
}

std::vector<Shape> shapes() {
  return {{"plain", with({})},
          {"a sector at a time", with({{"stream_out.bytes_per_cycle", "4"},
                                       {"stream_out.sectors", "1"},
                                       {"stream_out.writes", "1"},
                                       {"wires.clipper_queue", "1"},
                                       {"wires.memory_queue", "1"}})},
          {"a wide path", with({{"stream_out.bytes_per_cycle", "64"},
                                {"stream_out.sectors", "16"},
                                {"stream_out.writes", "256"}})},
          {"slow memory", with({{"memory.latency", "400"}, {"memory.channels", "1"}})},
          {"front ends", with({{"geometry.units", "3"}, {"geometry.batch", "2"}, {"shader.units", "3"}})},
          {"front ends with little room", with({{"geometry.units", "4"},
                                                {"geometry.batch", "6"},
                                                {"geometry_shading.groups", "2"},
                                                {"geometry_shading.output_vertices", "256"},
                                                {"geometry_shading.vertices", "5"},
                                                {"streamer.vertices", "64"},
                                                {"triangle_setup.primitives", "1"},
                                                {"stream_out.writes", "2"},
                                                {"fragment_generation.units", "2"}})}};
}

TEST(TransformFeedback, LeavesInMemoryWhatTheEmulatorLeaves) {
  expect_memory_of_emulator(scenes::feedback_scenes(), shapes());
}

// Checks the scenes' results in memory: buffers that fill up, several streams.
TEST(TransformFeedback, CountsCapturedAndOverflowingPrimitives) {
  const auto run = [](const scenes::Scene& scene, const auto& check) {
    machine::Machine gpu(with({}), arch::Memory(), {.query_values = reported_queries(scene)});
    scenes::play(scene, gpu);
    check(gpu.memory(0), scene.results + 65536);
  };
  const auto counted = [](const arch::Memory& memory, arch::Address slot) {
    const auto difference = [&](arch::Address at) {
      return memory.read_as<uint64_t>(at + 8) - memory.read_as<uint64_t>(at);
    };
    return std::pair(difference(slot), difference(slot + 32));
  };
  // Six draws of 30 to 32 triangles of 96 bytes each: 186 of them, of which 170 fit.
  run(scenes::feedback_triangles(), [&](const arch::Memory& memory, arch::Address counters) {
    EXPECT_EQ(memory.read_as<uint32_t>(counters), 170u * 96);
    EXPECT_EQ(counted(memory, counters + 64), std::pair(uint64_t{170}, uint64_t{186}));
  });
  run(scenes::feedback_streams(), [&](const arch::Memory& memory, arch::Address counters) {
    std::vector<uint64_t> written, needed;
    for (uint32_t i = 0; i < arch::kStreams; i++) {
      const auto [w, n] = counted(memory, counters + 128 + 128 * i);
      written.push_back(w), needed.push_back(n);
    }
    EXPECT_EQ(needed[1], 2u * 2 * 290);
    EXPECT_EQ(written[1], 20000u / 20);
    EXPECT_EQ(written[3], 500u / 4);
    EXPECT_GT(needed[3], written[3]);
    EXPECT_EQ(written[2], needed[2]);  // captured to no buffer
    EXPECT_EQ(memory.read_as<uint32_t>(counters + 12), 500u);
  });
}

TEST(TransformFeedback, IsDeterministic) { expect_deterministic(scenes::feedback_scenes(), shapes()); }

}  // namespace
}  // namespace cutaway::feedback_test
