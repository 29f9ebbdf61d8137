// 64-bit floats: on every machine what the emulator leaves in memory, and not on chips without them.
#include "command_stream/clocked.h"
#include "scenes_on_shapes.h"

namespace cutaway::doubles_test {
namespace {

machine::Config with(Sets sets) {
  machine::Config config;
  for (const auto& [path, value] : Sets{{"shader.stages", "vertex,fragment,compute"},
                                        {"shader.stores", "vertex,fragment,compute"},
                                        {"shader.threads", "1024"},
                                        {"storage_cache.slices", "2"},
                                        {"shader.double_passes", "2"}})
    set(config, path, value);
  return changed(std::move(config), sets);
}

std::vector<Shape> shapes() {
  machine::Config d3d11;
  machine::load_config(d3d11, "d3d11");
  return {{"plain", with({})},
          {"at once", with({{"shader.double_passes", "1"}, {"shader.ways", "4"}})},
          {"warps", with({{"shader.double_passes", "8"},
                          {"shader.group_lanes", "32"},
                          {"shader.simd_lanes", "8"},
                          {"shader.issue", "scalar"},
                          {"shader.mhz", "1200"}})},
          {"d3d11", d3d11}};
}

TEST(Doubles, LeaveInMemoryWhatTheEmulatorLeaves) {
  expect_memory_of_emulator(scenes::double_scenes(), shapes());
}

TEST(Doubles, AreDeterministic) { expect_deterministic(scenes::double_scenes(), shapes()); }

TEST(Doubles, AreRefusedByNameOnChipsWithoutThem) {
  for (const char* chip : {"attila", "geforce6800", "g80"}) {
    machine::Config config;
    machine::load_config(config, chip);
    const scenes::Scene scene = scenes::doubles();
    EXPECT_FALSE(runs(scene, config.abilities()));
    machine::Machine gpu(config, arch::Memory(), {});
    scenes::play(scene, gpu);
    arch::Fault fault;
    ASSERT_TRUE(gpu.fault(fault));
    EXPECT_NE(fault.text.find(std::string(chip) + " has no 64-bit floats"), std::string::npos) << fault.text;
  }
}

// Programs of all stages can, or none: of two classes of shader units both have to.
TEST(Doubles, AreOfAllStages) {
  machine::Config config;
  config.shaders.emplace_back().name = "vertex_shader";
  for (const auto& [path, value] :
       Sets{{"shader.stages", "fragment"}, {"vertex_shader.stages", "vertex"}, {"shader.double_passes", "2"}})
    set(config, path, value);
  EXPECT_FALSE(config.abilities().doubles);
  set(config, "vertex_shader.double_passes", "3");
  EXPECT_TRUE(config.abilities().doubles);
  EXPECT_EQ(on_machine(scenes::doubles(), config).memory, on_emulator(scenes::doubles()));
}

}  // namespace
}  // namespace cutaway::doubles_test
