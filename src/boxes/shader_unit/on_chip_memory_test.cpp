#include "boxes/shader_unit/on_chip_memory.h"

#include <array>

#include "boxes/shader_unit/group_bench_for_test.h"

namespace cutaway::boxes::on_chip_memory_test {
namespace {

using namespace group_test_bench;

// Cycles of a group of 8 whose lanes access word 0, `stride`, 2 x `stride` and so on of 8 banks.
Cycle cycles(std::string_view text, uint32_t stride, uint32_t banks = 8, uint64_t lanes = 255) {
  GroupBench bench(Stage::kCompute, text, 8);
  Group& group = bench.enter(1, lanes);
  for (uint32_t lane = 0; lane < 8; lane++) group.temporary[lane] = 4 * stride * lane;
  return bank_cycles(group, banks);
}

constexpr const char* kLoad = "LDW r1.x, r0.x\nEND\n";

TEST(OnChipMemory, WordsOfDifferentBanksTakeACycle) {
  EXPECT_EQ(cycles(kLoad, 1), 1u);
  EXPECT_EQ(cycles(kLoad, 3), 1u);
  EXPECT_EQ(cycles(kLoad, 2), 2u);
  EXPECT_EQ(cycles(kLoad, 8), 8u);
  EXPECT_EQ(cycles(kLoad, 8, 8, 0x0f), 4u);  // active lanes alone
}

TEST(OnChipMemory, AWordIsLoadedOnceButAtomicsFollowEachOther) {
  EXPECT_EQ(cycles(kLoad, 0), 1u);
  EXPECT_EQ(cycles("ATOMW r1.x, r0.x, c0.x, c0.x, OP(0)\nEND\n", 0), 8u);
}

TEST(OnChipMemory, AsManyLanesAsBanksAccessTogether) {
  EXPECT_EQ(cycles(kLoad, 1, 4), 2u);
  EXPECT_EQ(cycles(kLoad, 1, 64), 1u);
}

TEST(OnChipMemory, EachComponentIsAWord) { EXPECT_EQ(cycles("LDW r1, r0.x\nEND\n", 4), 4u); }

TEST(OnChipMemory, WordsOutsideReadAsZerosAndAreNotWritten) {
  std::array<uint32_t, 2> memory{11, 12};
  GroupBench load(Stage::kCompute, kLoad);
  Group& loads = load.enter(1);
  for (uint32_t lane = 0; lane < 4; lane++) loads.temporary[lane] = 4 * lane;
  access_on_chip(loads, [&](uint32_t) { return std::span(memory); });
  for (uint32_t lane = 0; lane < 4; lane++)
    EXPECT_EQ(loads.temporary[func::register_word(4, 1, 0, lane)], lane < 2 ? 11 + lane : 0);

  GroupBench store(Stage::kCompute, "STW _.x, r0.x, c1.x\nEND\n");
  Group& stores = store.enter(1);
  for (uint32_t lane = 0; lane < 4; lane++) stores.temporary[lane] = 4 * lane + 4;
  access_on_chip(stores, [&](uint32_t) { return std::span(memory); });
  EXPECT_EQ(memory[0], 11u);
  EXPECT_EQ(memory[1], 4u);  // c1.x
}

}  // namespace
}  // namespace cutaway::boxes::on_chip_memory_test
