// Pull-model interpolation: on every machine what the emulator leaves in memory, and not on chips without it.
#include "command_stream/clocked.h"
#include "scenes_on_shapes.h"

namespace cutaway::pull_test {
namespace {

machine::Config with(Sets sets) {
  machine::Config config;
  set(config, "interpolator.pulls", "1");
  return changed(std::move(config), sets);
}

// Two classes of shader units, of which one shades fragments.
machine::Config split() {
  machine::Config config;
  config.shaders.emplace_back().name = "vertex_shader";
  for (const auto& [path, value] : Sets{{"interpolator.pulls", "2"},
                                        {"shader.stages", "fragment"},
                                        {"shader.units", "3"},
                                        {"shader.mhz", "650"},
                                        {"vertex_shader.stages", "vertex"},
                                        {"vertex_shader.units", "1"}})
    set(config, path, value);
  machine::check_rules(config);
  return config;
}

std::vector<Shape> shapes() {
  machine::Config d3d11;
  machine::load_config(d3d11, "d3d11");
  return {{"plain", with({})},
          {"no room", with({{"interpolator.pull_depth", "1"},
                            {"interpolator.depth", "2"},
                            {"interpolator.base_latency", "20"},
                            {"interpolator.max_latency", "40"},
                            {"rop.units", "1"},
                            {"reorder_buffer.entries", "4"}})},
          {"warps", with({{"interpolator.pulls", "4"},
                          {"rop.units", "4"},
                          {"memory.channels", "4"},
                          {"shader.group_lanes", "32"},
                          {"shader.simd_lanes", "8"},
                          {"shader.units", "4"},
                          {"shader.threads", "256"},
                          {"shader.input_threads", "64"},
                          {"shader.issue", "scalar"},
                          {"shader.mhz", "1200"}})},
          {"groups of 64 in a slow clock", with({{"shader.group_lanes", "64"},
                                                 {"shader.simd_lanes", "16"},
                                                 {"shader.threads", "256"},
                                                 {"shader.input_threads", "64"},
                                                 {"shader.mhz", "171"},
                                                 {"shader.ways", "2"}})},
          {"split", split()},
          {"d3d11", d3d11}};
}

TEST(Pulls, LeaveInMemoryWhatTheEmulatorLeaves) {
  expect_memory_of_emulator(scenes::pull_scenes(), shapes());
}

TEST(Pulls, AreDeterministic) { expect_deterministic(scenes::pull_scenes(), shapes()); }

TEST(Pulls, AreRefusedByNameOnChipsWithoutThem) {
  machine::Config config;
  config.name = "attila";
  for (const scenes::Scene& scene : scenes::pull_scenes()) {
    EXPECT_FALSE(runs(scene, config.abilities()));
    machine::Machine gpu(config, arch::Memory(), {});
    scenes::play(scene, gpu);
    arch::Fault fault;
    ASSERT_TRUE(gpu.fault(fault));
    EXPECT_NE(fault.text.find("attila has no pull-model interpolation"), std::string::npos) << fault.text;
  }
}

TEST(Pulls, MoreThanTheEvaluatorsAreRefused) {
  machine::Config config;
  set(config, "interpolator.pulls", "3");
  EXPECT_THROW(machine::check_rules(config), UserError);
  set(config, "rop.units", "3");
  machine::check_rules(config);
}

}  // namespace
}  // namespace cutaway::pull_test
