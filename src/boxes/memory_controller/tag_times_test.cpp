// Times of clears, and of cleared and compressed blocks, in the memory controller.
#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "boxes/memory_controller/tags_for_test.h"

namespace cutaway::boxes::tag_times_test {
namespace {

using namespace block_tags_bench;

// A number of blocks per cycle, and not a cycle less.
TEST(BlockTags, AClearTakesTheCyclesOfItsBlocks) {
  const auto cycles = [](unsigned rate, uint64_t blocks) {
    MemoryControllerSpec spec = kSpec;
    spec.clear_blocks = rate;
    Bench bench(spec, {{}});
    bench.clears.messages.push_back(
        {.layer = {0x1000, 0x10000}, .run = {0x1000, blocks * 256}, .value = value_of(1)});
    bench.sim.run(bench.clock, 1000);
    EXPECT_EQ(bench.cleared.received.size(), 1u);
    EXPECT_EQ(bench.cleared.received.at(0).second.cleared.bytes, blocks * 256);
    return bench.cleared.received.at(0).first;
  };
  const Cycle refused = cycles(1, 0);
  for (unsigned rate : {1u, 3u, 16u})
    for (uint64_t blocks : {1u, 48u, 49u})
      EXPECT_EQ(cycles(rate, blocks), refused + (blocks + rate - 1) / rate);
}

// A read of a cleared sector is answered without the bus.
TEST(BlockTags, RepliesWaitForTheirTransfers) {
  const auto arrival = [](bool cleared) {
    Bench bench(kSpec, {{read(0x1000, 2)}});
    if (cleared) bench.controller.tags().clear({0x1000, 0x1000}, {0x1000, 0x1000}, value_of(1));
    bench.sim.run(bench.clock, 200);
    EXPECT_EQ(bench.controller.client_counters[0].read_bytes, cleared ? 0u : 64u);
    return bench.arrivals(0).at(0);
  };
  EXPECT_EQ(arrival(true), arrival(false) - 4);  // 64 bytes at 16 per cycle
}

// Sectors transferred in sequence, plus the expander's latency.
TEST(PackedBlocks, RepliesWaitForTheirSectorsAndTheExpander) {
  const Depths depths(4095);
  const auto arrivals = [&](bool packed, unsigned expand_latency, MemoryRequest request) {
    MemoryControllerSpec spec = kSpec;
    spec.expand_latency = expand_latency;
    spec.read_to_write = 0;
    Bench bench(spec, {{request, read(kBlock + 64, 3)}});
    BlockTags& tags = bench.controller.tags();
    tags.clear({kBlock, 256}, {kBlock, 256}, value_of(1));
    for (uint32_t s = 0; s < 4; s++) {
      MemoryRequest block = write(kBlock + 64 * s, 9);
      block.packed = packed ? 2 : 4;
      if (packed && s < 2) std::copy_n(depths.packed.begin() + 64 * s, 64, block.data.begin());
      if (!packed || s < 2) tags.write(block);
    }
    bench.sim.run(bench.clock, 300);
    return bench.arrivals(0);
  };
  const Cycle plain = arrivals(false, 0, read(kBlock)).at(0), sector = 4;  // 64 bytes at 16 per cycle
  EXPECT_EQ(arrivals(true, 0, read(kBlock)).at(0), plain + sector);
  EXPECT_EQ(arrivals(true, 11, read(kBlock)).at(0), plain + sector + 11);
  // The second read finds the block expanded.
  EXPECT_EQ(arrivals(true, 11, read(kBlock)).at(1), plain + sector + 11 + 1);
  // A write of one sector: two are read and four written.
  EXPECT_EQ(arrivals(true, 0, write(kBlock, 1)).at(0),
            arrivals(false, 0, write(kBlock, 1)).at(0) + 5 * sector);
}

// Simultaneous reads of cleared sectors before a read of one that is not: a limited number per cycle.
TEST(BlockTags, ClearedReadsTakeNoBusTurn) {
  const auto arrivals = [](unsigned lookups) {
    MemoryControllerSpec spec = kSpec;
    spec.channels = 1, spec.tag_lookups = lookups;
    // The first keeps the bus busy until the others have arrived.
    spec.bytes_per_cycle = 1;
    std::vector<MemoryRequest> requests{read(0x8000)};
    for (uint32_t i = 0; i < 4; i++) requests.push_back(read(0x1000 + 64 * i));
    requests.push_back(read(0x8040));
    Bench bench(spec, {requests});
    bench.controller.tags().clear({0x1000, 0x1000}, {0x1000, 0x1000}, value_of(1));
    bench.sim.run(bench.clock, 400);
    return bench.arrivals(0);
  };
  const std::vector<Cycle> one = arrivals(1), two = arrivals(2), four = arrivals(4), five = arrivals(5);
  EXPECT_EQ(four.at(5), one.at(5) - 3);
  EXPECT_EQ(two.at(5), one.at(5) - 2);
  EXPECT_EQ(five.at(5), four.at(5) - 1) << "the one that needs memory goes with them";
}

}  // namespace
}  // namespace cutaway::boxes::tag_times_test
