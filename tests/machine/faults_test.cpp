// Bugs that hardware could have, planted in the mechanism: each must show as memory that differs from the
// emulator's, and the same scene without it must not differ.
#include <algorithm>

#include "gpu_run.h"
#include "scenes/clear_scenes.h"
#include "scenes/fault_scenes.h"

namespace cutaway {
namespace {

void expect_found(const scenes::Scene& scene, const machine::Faults& faults,
                  const machine::Config& config = {}) {
  const uint64_t expected = on_emulator(scene);
  machine::MachineOptions options;
  EXPECT_EQ(on_machine(scene, config, options).memory, expected) << "without the fault";
  options.faults = faults;
  EXPECT_NE(on_machine(scene, config, options).memory, expected) << "with the fault";
}

TEST(Faults, ADroppedDirtyBitIsFound) {
  scenes::Builder b("fill");
  b.clear(0.25f, 0.5f, 0.75f, 1);
  b.end_frame();
  const scenes::Scene scene = b.take();
  for (uint64_t write : {1u, 100u, 2000u}) expect_found(scene, {.drop_dirty_bit = write});
}

TEST(Faults, ADroppedTagIsFound) {
  const scenes::Scene scene = scenes::only_clears(640, 480);
  for (uint64_t block : {1u, 4000u, 4801u, 9600u}) expect_found(scene, {.drop_tag = block});
}

TEST(Faults, ALostBitOfACompressedBlockIsFound) {
  const scenes::Scene scene = scenes::cleared_depth("depth", arch::Format::D24_UNORM_S8_UINT, 1);
  for (uint64_t sector : {1u, 5u}) expect_found(scene, {.drop_packed_bit = sector});
}

TEST(Faults, ASkippedTextureInvalidateIsFound) {
  expect_found(scenes::texture_written_between_draws(), {.skip_texture_invalidate = true});
}

TEST(Faults, ReleaseInCompletionOrderIsFound) {
  expect_found(scenes::glass_panes(), {.release_in_completion_order = true});
}

// ---- Packets removed from a command stream ----

uint32_t count_packets(const scenes::Scene& scene, arch::Opcode opcode) {
  uint32_t count = 0;
  while (true) {
    const scenes::Scene edited = scenes::without_packet(scene, opcode, count);
    bool same = true;
    for (size_t i = 0; i < scene.events.size(); i++) same &= edited.events[i].data == scene.events[i].data;
    if (same) return count;
    count++;
  }
}

TEST(Faults, EachFlushThatIsRemovedIsFound) {
  const scenes::Scene scene = scenes::rendered_then_read();
  const uint64_t expected = on_emulator(scene);
  EXPECT_EQ(on_machine(scene, {}).memory, expected);
  const uint32_t flushes = count_packets(scene, arch::Opcode::kFlush);
  EXPECT_EQ(flushes, 3u);
  for (uint32_t n = 0; n < flushes; n++) {
    const scenes::Scene edited = scenes::without_packet(scene, arch::Opcode::kFlush, n);
    EXPECT_NE(on_machine(edited, {}).memory, on_emulator(edited)) << n;
  }
}

TEST(Faults, AnInvalidateThatIsRemovedIsFound) {
  const scenes::Scene scene = scenes::texture_written_between_draws();
  EXPECT_EQ(on_machine(scene, {}).memory, on_emulator(scene));
  const scenes::Scene edited = scenes::without_packet(scene, arch::Opcode::kInvalidate, 0);
  EXPECT_NE(on_machine(edited, {}).memory, on_emulator(edited));
}

}  // namespace
}  // namespace cutaway
