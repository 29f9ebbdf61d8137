// FLUSH, INVALIDATE, CLEAR and WAIT_IDLE.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::cache_packets_test {
namespace {

using namespace testing;

TEST(CachePackets, FlushWaitsForDrawsAndReachesNamedCaches) {
  Bench bench;
  bench.draw();
  bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheColor});
  bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheTexture | arch::kCacheDepth});
  bench.draw();
  ASSERT_TRUE(bench.run()) << bench.fault();
  ASSERT_EQ(bench.caches[1]->orders.size(), 1u);
  EXPECT_EQ(bench.caches[1]->orders[0].second.kind, Control::Kind::kFlush);
  EXPECT_GT(bench.caches[1]->orders[0].first, bench.pipeline.draws[0].first + bench.pipeline.latency);
  for (size_t cache : {0u, 2u}) {
    ASSERT_EQ(bench.caches[cache]->orders.size(), 1u);
    EXPECT_EQ(bench.caches[cache]->orders[0].second.kind, Control::Kind::kInvalidate);
    EXPECT_GT(bench.caches[cache]->orders[0].first, bench.caches[1]->orders[0].first + 20);
  }
  EXPECT_GT(bench.pipeline.draws[1].first, bench.caches[0]->orders[0].first + 20);
}

// Hierarchical Z, in the first unit, forgets only bounds of depths that other units may have overwritten.
TEST(CachePackets, InvalidateKeepsHzBoundsOfUntouchedDepth) {
  const auto told = [](const std::function<void(Bench&)>& between, bool host = false) {
    Bench bench({}, {}, {}, {}, true);
    auto state = messages::testing::plain_state();
    state->registers.depth.surface = messages::testing::surface(arch::Format::D32_SFLOAT, 64, 64, kData);
    bench.set(state->registers, state->registers.depth);
    bench.draw();
    between(bench);
    EXPECT_TRUE(!host || bench.run());
    if (host) bench.box.host_wrote({kData + 100, kData + 104}), bench.commands.take(), bench.state();
    bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
    bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
    EXPECT_TRUE(bench.run()) << bench.fault();
    return bench.caches[0]->orders.size();
  };
  constexpr uint64_t kBytes = 64 * 64 * 4;
  const auto fill = [](arch::Address at) {
    return [at](Bench& b) { b.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{at, 64, 1}); };
  };
  EXPECT_EQ(told([](Bench& b) { b.draw(); }), 0u);
  EXPECT_EQ(told(fill(kData + kBytes)), 0u);
  EXPECT_EQ(told(fill(kData + kBytes - 64)), 1u);  // the second INVALIDATE finds nothing new
  EXPECT_EQ(told([](Bench& b) {
              b.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{kData, 1});
            }),
            1u);
  const auto target = [](arch::Address at, uint32_t write_mask) {
    return [=](Bench& b) {
      auto state = messages::testing::plain_state();
      auto& color = state->registers.color.target[0];
      color.surface = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, at);
      color.write_mask = write_mask;
      b.set(state->registers, state->registers.color);
      b.draw();
    };
  };
  EXPECT_EQ(told(target(kData + kBytes, 15)), 0u);
  EXPECT_EQ(told(target(kData, 15)), 1u);
  EXPECT_EQ(told(target(kData, 0)), 0u);
  EXPECT_EQ(told([](Bench&) {}, true), 1u);
}

// Without an INVALIDATE it forgets before the next draw or clear of depth, behind the draws before that.
TEST(CachePackets, InvalidatesHzBoundsWhenDepthIsOverwritten) {
  const auto told = [](const std::function<void(Bench&)>& next) {
    Bench bench({}, {}, {}, {}, true);
    auto state = messages::testing::plain_state();
    state->registers.depth.surface = messages::testing::surface(arch::Format::D32_SFLOAT, 64, 64, kData);
    bench.set(state->registers, state->registers.depth);
    bench.draw();
    bench.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{kData, 64, 1});
    next(bench);
    EXPECT_TRUE(bench.run()) << bench.fault();
    std::vector<Control::Kind> kinds;
    for (const auto& [cycle, order] : bench.caches[0]->orders) kinds.push_back(order.kind);
    if (bench.pipeline.draws.size() > 1) {
      EXPECT_GT(bench.caches[0]->orders.at(0).first, bench.pipeline.draws[0].first + bench.pipeline.latency);
    }
    return kinds;
  };
  using Kinds = std::vector<Control::Kind>;
  EXPECT_EQ(told([](Bench&) {}), Kinds{});
  EXPECT_EQ(told([](Bench& b) { b.draw(), b.draw(); }), Kinds{Control::Kind::kInvalidate});
  const auto clear = [](arch::Format format, arch::Address at) {
    return [=](Bench& b) {
      arch::ClearPacket packet{};
      packet.surface = messages::testing::surface(format, 64, 64, at);
      packet.width = packet.height = 64;
      packet.value[0] = 0x3f800000;
      b.commands.packet(Opcode::kClear, packet);
    };
  };
  EXPECT_EQ(told(clear(arch::Format::D32_SFLOAT, kData)).at(0), Control::Kind::kInvalidate);
}

// A clear comes behind all draws and before all that follows. Memory is cleared when the caches have
// answered.
TEST(CachePackets, ClearGoesToCachesThenToMemory) {
  for (const bool depth : {false, true}) {
    Bench bench;
    arch::ClearPacket clear{};
    clear.surface = messages::testing::surface(depth ? arch::Format::D16_UNORM : arch::Format::R8G8B8A8_UNORM,
                                               64, 64, kData);
    clear.width = clear.height = 64, clear.value[0] = 17;
    bench.draw();
    bench.commands.packet(Opcode::kClear, clear);
    bench.draw();
    ASSERT_TRUE(bench.run()) << bench.fault();
    const auto& used = bench.caches[depth ? 0 : 1]->orders;
    ASSERT_EQ(used.size(), 1u);
    EXPECT_TRUE(bench.caches[depth ? 1 : 0]->orders.empty() && bench.caches[2]->orders.empty());
    EXPECT_EQ(used[0].second.kind, Control::Kind::kClear);
    EXPECT_EQ(used[0].second.clear->value[0], 17u);
    EXPECT_GT(used[0].first, bench.pipeline.draws[0].first + bench.pipeline.latency);
    ASSERT_EQ(bench.copies.orders.size(), 1u);
    EXPECT_EQ(bench.copies.orders[0].second.kind, Opcode::kClear);
    EXPECT_GT(bench.copies.orders[0].first, used[0].first + bench.caches[0]->latency);
    EXPECT_GT(bench.pipeline.draws[1].first, bench.copies.orders[0].first + bench.copies.latency);
    EXPECT_EQ(bench.box.counters.clears, 1u);
  }
}

TEST(CachePackets, SkippedInvalidateIsAcknowledged) {
  Bench bench;
  bench.box.skip_invalidate = arch::kCacheTexture;
  bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheAll});
  bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
  ASSERT_TRUE(bench.run());
  EXPECT_EQ(bench.caches[1]->orders.size(), 2u);
  EXPECT_EQ(bench.caches[2]->orders.size(), 1u);
}

TEST(CachePackets, WaitIdleWaitsForUnwatchedCopiesAndPresentForAll) {
  Bench bench({.watched_copies = 0});
  bench.copies.latency = 300;
  bench.commands.packet(Opcode::kCopyBuffer, arch::CopyBufferPacket{kData, kData + 64, 64});
  bench.draw();
  bench.commands.packet(Opcode::kWaitIdle);
  bench.draw();
  bench.present();
  ASSERT_TRUE(bench.run()) << bench.fault();
  const Cycle copied = bench.copies.orders.at(0).first + 300;
  EXPECT_LT(bench.pipeline.draws[0].first, copied);
  EXPECT_GT(bench.pipeline.draws[1].first, copied);
  bench.sim.run(bench.clock, 2);
  ASSERT_EQ(bench.dac.orders.size(), 1u);
  EXPECT_GT(bench.dac.orders[0].first, bench.pipeline.draws[1].first + bench.pipeline.latency);
}

}  // namespace
}  // namespace cutaway::boxes::cache_packets_test
