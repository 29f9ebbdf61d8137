#include "boxes/command_processor/state_storage.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::state_storage_test {
namespace {

using Changes = StateStorage::Changes;

CommandProcessorSpec all(const char* way) {
  CommandProcessorSpec spec;
  spec.register_state = spec.constant_state = spec.descriptor_state = way;
  return spec;
}

TEST(StateStorage, FlushWaitsForAllDrawsBeforeAChange) {
  StateStorage storage(all("flush"));
  const auto first = storage.take({1, 0, 0});
  EXPECT_TRUE(storage.room({0, 0, 0}));
  EXPECT_FALSE(storage.room({0, 1, 0}));
  const auto second = storage.take({0, 0, 0});
  storage.release(first);
  EXPECT_FALSE(storage.room({1, 0, 0}));
  storage.release(second);
  EXPECT_TRUE(storage.room({1, 1, 1}));
}

TEST(StateStorage, VersionsAreOneForKindsThatChangeTogether) {
  CommandProcessorSpec spec = all("versions");
  spec.state_versions = 2;
  StateStorage storage(spec);
  const auto first = storage.take({1, 0, 0});
  EXPECT_TRUE(storage.room({0, 1, 0}));
  const auto second = storage.take({0, 1, 0});
  EXPECT_FALSE(storage.room({0, 0, 1})) << "both versions are in use";
  EXPECT_TRUE(storage.room({0, 0, 0}));
  storage.release(first);
  EXPECT_TRUE(storage.room({0, 0, 1}));
  // The version that the last draw uses stays.
  const auto third = storage.take({0, 0, 1});
  EXPECT_FALSE(storage.room({1, 0, 0}));
  storage.release(second);
  storage.release(third);
}

// Ten spare blocks: changes of 4, 4 and 2 blocks leave, the next waits until the first draw has ended. The
// blocks that a draw has replaced are spare when no draw before it is under way.
TEST(StateStorage, RenamedBlocksBecomeSpareInOrder) {
  CommandProcessorSpec spec = all("renaming");
  spec.spare_state_blocks = 10;
  StateStorage storage(spec);
  const auto first = storage.take({100, 0, 0});  // in place: no draw is under way
  const auto second = storage.take({4, 0, 0}), third = storage.take({0, 4, 0}),
             fourth = storage.take({1, 0, 1});
  EXPECT_FALSE(storage.room({1, 0, 0}));
  storage.release(third);
  EXPECT_FALSE(storage.room({1, 0, 0})) << "the first draw is under way";
  storage.release(first);
  EXPECT_TRUE(storage.room({4, 0, 0}));
  EXPECT_FALSE(storage.room({5, 0, 0}));
  storage.release(second);
  EXPECT_TRUE(storage.room({10, 0, 0}));
  EXPECT_FALSE(storage.room({11, 0, 0}));
  storage.release(fourth);
  EXPECT_TRUE(storage.room({11, 0, 0})) << "no draw is under way";
}

TEST(StateStorage, StateThatPassesThroughNeverWaits) {
  StateStorage storage(all("pass-through"));
  for (int i = 0; i < 100; i++) {
    EXPECT_TRUE(storage.room({200, 1536, 576}));
    storage.take({200, 1536, 576});
  }
  EXPECT_TRUE(storage.travels(StateKind::kConstants));
  EXPECT_FALSE(StateStorage(all("versions")).travels(StateKind::kConstants));
}

TEST(StateStorage, EachKindHasItsWay) {
  CommandProcessorSpec spec = all("flush");
  spec.constant_state = "pass-through";
  spec.descriptor_state = "renaming";
  spec.spare_state_blocks = 2;
  StateStorage storage(spec);
  storage.take({1, 1, 1});
  EXPECT_TRUE(storage.room({0, 1536, 2}));
  EXPECT_FALSE(storage.room({1, 0, 0}));
  EXPECT_FALSE(storage.room({0, 0, 3}));
}

// Two stages: 2 * 16 KB of constants, 2 * 96 descriptors of 64 bytes, and the registers.
TEST(StateStorage, SaysItsBytes) {
  const uint64_t registers = sizeof(arch::Registers), constants = 32768, descriptors = 12288,
                 whole = registers + constants + descriptors;
  EXPECT_EQ(StateStorage(all("flush")).bytes(2), whole);
  EXPECT_EQ(StateStorage(all("versions")).bytes(2), 4 * whole);
  EXPECT_EQ(StateStorage(all("renaming")).bytes(2), whole + 128 * 64);
  EXPECT_EQ(StateStorage(all("pass-through")).bytes(2), 0u);
  CommandProcessorSpec spec = all("versions");
  spec.constant_state = "pass-through";
  spec.descriptor_state = "renaming";
  EXPECT_EQ(StateStorage(spec).bytes(2), 4 * registers + descriptors + 128 * 64);
}

TEST(StateBlocks, CountsChangedAndSetBlocks) {
  StateBlocks blocks;
  blocks.change_registers(60, 8);  // two blocks
  blocks.change_constants(arch::Stage::kFragment, 0, 64);
  blocks.change_constants(arch::Stage::kVertex, 0, 64);
  blocks.change_constants(arch::Stage::kVertex, 16, 32);  // the same again
  blocks.change_resources(arch::Stage::kFragment, 64, 64);
  blocks.change_samplers(arch::Stage::kFragment, 64, 64);
  EXPECT_EQ(blocks.changed(StateKind::kRegisters), 2u);
  EXPECT_EQ(blocks.changed(StateKind::kConstants), 2u);
  EXPECT_EQ(blocks.changed(StateKind::kDescriptors), 2u);
  blocks.drawn();
  EXPECT_EQ(blocks.changed(StateKind::kConstants), 0u);
  EXPECT_EQ(blocks.set(StateKind::kConstants), 2u);
  StateBlocks later;
  later.resume(blocks);
  EXPECT_EQ(later.changed(StateKind::kDescriptors), 2u);
  later.begin_submission();
  EXPECT_EQ(later.set(StateKind::kDescriptors), 0u);
}

}  // namespace
}  // namespace cutaway::boxes::state_storage_test
