// LOAD_FEEDBACK, STORE_FEEDBACK and DRAW_BYTE_COUNT, and copies of captured buffers.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::testing::feedback_packets_test {
namespace {

using Kind = messages::FeedbackOrder::Kind;

const command_stream::Abilities kCaptures{.gpu = "chip", .feedback = true};

struct FeedbackBench : Bench {
  FeedbackBench() : Bench({}, {}, {}, kCaptures) { memory.memory.write_as<uint32_t>(kData + 60, 480); }
  void counter(Opcode opcode, uint32_t buffer, arch::Address address) {
    commands.packet(opcode, arch::FeedbackPacket{buffer, address});
  }
  void capture(bool on, arch::Address address = 0, uint32_t bytes = 0) {
    registers.feedback.on = on;
    registers.feedback.outputs = 0;
    registers.feedback.buffer[2] = {address, bytes, 16};
    set(registers, registers.feedback);
  }
  std::vector<Kind> kinds() const {
    std::vector<Kind> all;
    for (const auto& [cycle, order] : counters->seen) all.push_back(order.kind);
    return all;
  }
  arch::Registers registers{};
};

// No buffer is filled when a submission begins. A load of address 0 empties one buffer.
TEST(FeedbackPackets, LoadsAndStoresReachStreamOut) {
  FeedbackBench bench;
  bench.counter(Opcode::kLoadFeedback, 1, kData + 60);
  bench.counter(Opcode::kStoreFeedback, 1, kData + 128);
  bench.counter(Opcode::kLoadFeedback, 1, 0);
  bench.counter(Opcode::kStoreFeedback, 1, kData + 132);
  bench.memory.memory.write_as<uint32_t>(kData + 132, 7);
  ASSERT_TRUE(bench.run()) << bench.fault();
  EXPECT_THAT(bench.kinds(),
              ::testing::ElementsAre(Kind::kEmptyAll, Kind::kSet, Kind::kAsk, Kind::kSet, Kind::kAsk));
  EXPECT_EQ(bench.memory.memory.read_as<uint32_t>(kData + 128), 480u);
  EXPECT_EQ(bench.memory.memory.read_as<uint32_t>(kData + 132), 0u);
}

TEST(FeedbackPackets, WaitForDrawsBeforeThem) {
  for (const Opcode opcode : {Opcode::kLoadFeedback, Opcode::kStoreFeedback}) {
    FeedbackBench bench;
    bench.pipeline.latency = 300;
    bench.capture(true);
    bench.draw();
    bench.counter(opcode, 0, kData);
    ASSERT_TRUE(bench.run()) << bench.fault();
    // The first order empties the buffers, before the draw.
    ASSERT_EQ(bench.counters->seen.size(), 2u);
    EXPECT_LT(bench.counters->seen[0].first, bench.pipeline.draws.at(0).first);
    EXPECT_GE(bench.counters->seen[1].first, bench.pipeline.draws.at(0).first + 300);
  }
}

TEST(FeedbackPackets, DrawByteCountDrawsAsManyAsTheCounterSays) {
  FeedbackBench bench;
  bench.commands.packet(Opcode::kDrawByteCount, arch::DrawByteCountPacket{kData + 60, 32, 16, 2, 3});
  ASSERT_TRUE(bench.run()) << bench.fault();
  ASSERT_EQ(bench.pipeline.draws.size(), 1u);
  const command_stream::Draw& draw = bench.pipeline.draws[0].second.draw;
  EXPECT_EQ(draw.count, (480u - 32) / 16);
  EXPECT_EQ(draw.instances, 2u);
}

// A draw that captures waits for copies to and from all of its buffers.
TEST(FeedbackPackets, CapturesWaitForCopiesOfTheirBuffers) {
  const auto waits = [](arch::Address address, uint32_t bytes, bool on) {
    FeedbackBench bench;
    bench.copies.latency = 2000;
    bench.commands.packet(Opcode::kCopyBuffer, arch::CopyBufferPacket{kData, kData + 0x1000, 64});
    bench.capture(on, address, bytes);
    bench.draw();
    EXPECT_TRUE(bench.run()) << bench.fault();
    return bench.pipeline.draws.at(0).first > 2000;
  };
  EXPECT_TRUE(waits(kData + 0x1000, 64, true));
  EXPECT_TRUE(waits(kData + 0xf00, 0x104, true)) << "its end";
  EXPECT_TRUE(waits(kData, 64, true)) << "what is still read";
  EXPECT_FALSE(waits(kData + 0x1000, 64, false));
  EXPECT_FALSE(waits(kData + 0x2000, 64, true));
  EXPECT_FALSE(waits(kData + 0x1000, 0, true));
}

TEST(FeedbackPackets, RefusedByChipsWithoutFeedback) {
  Bench bench;
  bench.commands.packet(Opcode::kLoadFeedback, arch::FeedbackPacket{0, 0});
  EXPECT_FALSE(bench.run());
  EXPECT_THAT(bench.fault(), ::testing::HasSubstr("no transform feedback"));
}

}  // namespace
}  // namespace cutaway::boxes::testing::feedback_packets_test
