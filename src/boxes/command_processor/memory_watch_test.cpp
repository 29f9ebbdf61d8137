#include "boxes/command_processor/memory_watch.h"

#include <gtest/gtest.h>

#include "arch/packet.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::memory_watch_test {
namespace {

using arch::Format;

constexpr arch::Address kTarget = 0x100000, kTexture = 0x200000;
constexpr uint32_t kWritten = arch::kCacheColor | arch::kCacheDepth | arch::kCacheStorage;

struct Draw {
  arch::Registers registers{};
  MemoryUse use;

  Draw& color(arch::Address address, Format format = Format::R8G8B8A8_UNORM) {
    auto& target = registers.color.target[0];
    target.surface = messages::testing::surface(format, 64, 64, address);
    target.write_mask = 15;
    use.written.insert(use.written.begin(), range_of(target.surface));
    return *this;
  }
  Draw& depth(arch::Address address) {
    registers.depth.surface = messages::testing::surface(Format::D32_SFLOAT, 64, 64, address);
    use.bound.push_back(range_of(registers.depth.surface));
    return *this;
  }
  Draw& reads(arch::Address address, uint64_t bytes = 64) {
    use.read.push_back({address, address + bytes});
    return *this;
  }
  Draw& stores(arch::Address address) {
    use.written.push_back({address, address + 64});
    return *this;
  }
};

// True if `after` needs a barrier that follows `before`.
bool waits(const Draw& before, const Draw& after) {
  MemoryWatch watch(64);
  watch.add_draw(before.registers, before.use);
  return watch.draw_needs_barrier(after.registers, after.use, 0);
}

TEST(MemoryWatch, ATargetIsDrawnToAgainWithoutABarrier) {
  EXPECT_FALSE(waits(Draw().color(kTarget), Draw().color(kTarget)));
  EXPECT_FALSE(waits(Draw().depth(kTarget), Draw().depth(kTarget)));
  EXPECT_FALSE(waits(Draw().color(kTarget), Draw().color(kTexture)));
  EXPECT_TRUE(waits(Draw().color(kTarget), Draw().color(kTarget, Format::R32_UINT)));
  EXPECT_TRUE(waits(Draw().color(kTarget), Draw().color(kTarget + 256)));
  EXPECT_TRUE(waits(Draw().color(kTarget), Draw().depth(kTarget)));
}

TEST(MemoryWatch, ReadersWaitForWritersAndWritersForBoth) {
  EXPECT_TRUE(waits(Draw().color(kTarget), Draw().reads(kTarget + 1024)));
  EXPECT_TRUE(waits(Draw().depth(kTarget), Draw().reads(kTarget)));
  EXPECT_TRUE(waits(Draw().stores(kTarget), Draw().reads(kTarget)));
  EXPECT_TRUE(waits(Draw().reads(kTarget), Draw().color(kTarget)));
  EXPECT_TRUE(waits(Draw().reads(kTarget), Draw().stores(kTarget)));
  EXPECT_TRUE(waits(Draw().stores(kTarget), Draw().stores(kTarget)));
  EXPECT_FALSE(waits(Draw().reads(kTexture), Draw().reads(kTexture)));
  EXPECT_FALSE(waits(Draw().color(kTarget), Draw().reads(kTexture)));
}

// A cache holds whole lines.
TEST(MemoryWatch, ComparesWholeLines) {
  EXPECT_TRUE(waits(Draw().stores(kTexture), Draw().reads(kTexture + 448)));
  EXPECT_FALSE(waits(Draw().stores(kTexture), Draw().reads(kTexture + 512)));
}

TEST(MemoryWatch, OverwrittenMemoryNeedsAnInvalidate) {
  MemoryWatch watch(64);
  const Draw draw = Draw().reads(kTexture);
  watch.overwritten({kTexture, kTexture + 4});
  watch.add_draw(draw.registers, draw.use);
  EXPECT_FALSE(watch.draw_needs_barrier(draw.registers, draw.use, arch::kCacheAll))
      << "it was written before its first use";
  watch.overwritten({kTarget, kTarget + 4});
  EXPECT_FALSE(watch.draw_needs_barrier(draw.registers, draw.use, arch::kCacheAll));
  watch.overwritten({kTexture, kTexture + 4});
  EXPECT_FALSE(watch.draw_needs_barrier(draw.registers, draw.use, 0));
  EXPECT_TRUE(watch.draw_needs_barrier(draw.registers, draw.use, arch::kCacheAll));
  watch.settled(0, arch::kCacheAll);
  EXPECT_FALSE(watch.draw_needs_barrier(draw.registers, draw.use, arch::kCacheAll));
}

TEST(MemoryWatch, ForgetsWhatHasBeenWrittenBackAndEmptied) {
  const auto waits_after = [](const Draw& before, uint32_t flushed, uint32_t invalidated) {
    MemoryWatch watch(64);
    watch.add_draw(before.registers, before.use);
    watch.settled(flushed, invalidated);
    const Draw store = Draw().stores(kTarget);
    return watch.draw_needs_barrier(store.registers, store.use, 0);
  };
  EXPECT_TRUE(waits_after(Draw().color(kTarget), arch::kCacheColor, 0));
  EXPECT_TRUE(waits_after(Draw().color(kTarget), 0, arch::kCacheColor));
  EXPECT_TRUE(waits_after(Draw().color(kTarget), arch::kCacheDepth, arch::kCacheDepth));
  EXPECT_FALSE(waits_after(Draw().color(kTarget), arch::kCacheColor, arch::kCacheColor));
  EXPECT_FALSE(waits_after(Draw().depth(kTarget), arch::kCacheDepth, arch::kCacheDepth));
  EXPECT_FALSE(waits_after(Draw().stores(kTarget), arch::kCacheStorage, arch::kCacheStorage));
  EXPECT_TRUE(waits_after(Draw().reads(kTarget), 0, arch::kCacheVertex));
  EXPECT_FALSE(waits_after(Draw().reads(kTarget), 0, arch::kCacheAll));
}

TEST(MemoryWatch, WithoutRoomEverythingMeetsIt) {
  MemoryWatch watch(2);
  for (const arch::Address address : {0x0u, 0x1000u, 0x1000u, 0x0u}) {
    const Draw draw = Draw().reads(address);
    watch.add_draw(draw.registers, draw.use);
  }
  const Draw other = Draw().reads(kTexture);
  EXPECT_FALSE(watch.draw_needs_barrier(other.registers, other.use, 0)) << "each counts once";
  watch.add_draw(other.registers, other.use);
  EXPECT_TRUE(watch.draw_needs_barrier(other.registers, other.use, 0));
  EXPECT_TRUE(watch.load_needs_barrier({0x800000, 0x800040}));
  watch.settled(kWritten, arch::kCacheAll);
  EXPECT_FALSE(watch.draw_needs_barrier(other.registers, other.use, 0));
}

TEST(MemoryWatch, LoadsWaitForStores) {
  MemoryWatch watch(8);
  MemoryUse dispatch;
  dispatch.read.push_back({kTexture, kTexture + 64});
  dispatch.written.push_back({kTarget, kTarget + 64});
  watch.add_dispatch(dispatch);
  EXPECT_FALSE(watch.load_needs_barrier({kTexture, kTexture + 64}));
  EXPECT_TRUE(watch.load_needs_barrier({kTarget, kTarget + 64}));
}

}  // namespace
}  // namespace cutaway::boxes::memory_watch_test
