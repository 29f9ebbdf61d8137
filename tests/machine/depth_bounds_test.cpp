// Tests that hierarchical Z's bounds survive a submission as long as they are valid.
#include <gtest/gtest.h>

#include "emulator/emulator.h"
#include "machine/machine.h"
#include "scenes/timing_scenes.h"

namespace cutaway {
namespace {

// Fragments in tiles that the machine rejects; its memory is the emulator's.
uint64_t rejected(const scenes::Scene& scene, bool accepts = false) {
  const auto emulator = emulator::make_emulator({});
  machine::Config config;
  config.hierarchical_z.accepts = accepts;
  machine::Machine gpu(config, arch::Memory());
  scenes::play(scene, *emulator);
  scenes::play(scene, gpu);
  arch::Fault fault;
  EXPECT_FALSE(gpu.fault(fault)) << fault.text;
  EXPECT_EQ(gpu.memory(0).hash(), emulator->memory(0).hash()) << scene.name;
  uint64_t fragments = 0;
  for (const Counter& counter : gpu.simulator().counters().counters())
    if (counter.name == "fragments_rejected") fragments += *counter.value;
  return fragments;
}

TEST(DepthBounds, SurviveSubmissionsIfTheSurfaceIsUnwritten) {
  // All of 64x64, but in the last tile of each of the two Z units: they tell of a tile when they go on to the
  // next.
  EXPECT_EQ(rejected(scenes::depth_over_submissions(false)), 64u * 64 - 2 * 64);
  EXPECT_EQ(rejected(scenes::depth_over_submissions(true)), 0u);
}

// No INVALIDATE tells of it: what comes before the last draw is older than the copy.
TEST(DepthBounds, AreForgottenWhenTheSurfaceIsWritten) {
  for (const bool accepts : {false, true})
    for (const bool nearer : {false, true})
      EXPECT_EQ(rejected(scenes::depth_written_behind(nearer), accepts), 0u) << accepts << nearer;
}

}  // namespace
}  // namespace cutaway
