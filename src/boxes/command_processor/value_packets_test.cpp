// WRITE_VALUE, WAIT_VALUE and WRITE_QUERY.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::value_packets_test {
namespace {

using namespace testing;

TEST(ValuePackets, WriteValueAfterWorkAndWaitForIt) {
  Bench bench;
  bench.draw();
  bench.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{kData + 8, 0x1122334455667788});
  bench.commands.packet(Opcode::kWaitValue, arch::WaitValuePacket{kData + 8, 0x1122334455667787});
  bench.draw();
  ASSERT_TRUE(bench.run()) << bench.fault();
  uint64_t value = 0;
  bench.memory.memory.read(kData + 8, &value, 8);
  EXPECT_EQ(value, 0x1122334455667788u);
  for (const auto& [cycle, request] : bench.memory.seen)
    if (request.write) { EXPECT_GT(cycle, bench.pipeline.draws[0].first + bench.pipeline.latency); }
}

TEST(ValuePackets, QueryWaitsForDrawsBeforeIt) {
  Bench bench;
  const uint64_t before = 99;
  bench.memory.memory.write(kData, &before, 8);
  bench.draw();
  bench.commands.packet(Opcode::kWriteQuery, arch::QueryPacket{0, kData, 0});
  ASSERT_TRUE(bench.run()) << bench.fault();
  uint64_t value = 1;
  bench.memory.memory.read(kData, &value, 8);
  EXPECT_EQ(value, 0u);
  for (const auto& [cycle, request] : bench.memory.seen)
    if (request.write) { EXPECT_GT(cycle, bench.pipeline.draws[0].first + bench.pipeline.latency); }
}

TEST(ValuePackets, StatisticsAndTimestampsGoIntoSlots) {
  Bench bench;
  const std::vector<messages::QueryValue> reported = {{7, kData + 72, 50},  {7, kData + 168, 51},
                                                      {7, kData + 200, 52}, {7, kData + 232, 53},
                                                      {7, kData + 296, 54}, {7, kData + 512, 77}};
  bench.box.report_queries(reported);
  bench.draw();
  bench.draw();
  bench.commands.packet(Opcode::kWriteQuery, arch::QueryPacket{2, kData, 2});
  bench.commands.packet(Opcode::kWriteQuery, arch::QueryPacket{1, kData + 512, 1});
  ASSERT_TRUE(bench.run()) << bench.fault();
  arch::QuerySlot slot[11];
  bench.memory.memory.read(kData, slot, sizeof slot);
  EXPECT_EQ(slot[0].end, 6u);  // vertices
  EXPECT_EQ(slot[1].end, 2u);  // primitives
  EXPECT_EQ(slot[2].end, 50u);
  EXPECT_EQ(slot[3].end, 0u);
  EXPECT_EQ(slot[5].end, 51u);
  EXPECT_EQ(slot[10].end, 0u);  // compute invocations
  for (const arch::QuerySlot& s : slot) EXPECT_EQ(s.available, 1u);
  bench.memory.memory.read(kData + 512, slot, 32);
  EXPECT_EQ(slot[0].begin, 77u);
  EXPECT_EQ(slot[0].available, 0u);
}

}  // namespace
}  // namespace cutaway::boxes::value_packets_test
