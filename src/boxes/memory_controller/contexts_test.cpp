// Clients that are bound to a context reach its part of memory; the display and clears by tags do too.
#include <gtest/gtest.h>

#include "arch/context_space.h"
#include "boxes/memory_controller/bench_for_test.h"

namespace cutaway::boxes::memory_contexts_test {
namespace {

using namespace memory_bench;

constexpr arch::ContextId kContext = 2;
constexpr arch::Address kBase = arch::context_base(kContext);
const std::vector<messages::BindContext> kBind = {{kBase}};

void map_part(Bench& bench) { bench.memory.map(kBase, 1 << 20); }

// Starts a source's messages once the context is bound.
template <class T>
void send(Bench& bench, Source<T>& source, const T& message) {
  ASSERT_TRUE(bench.sim.run_until([&] { return !bench.bound->received.empty(); }, bench.clock, 100));
  source.messages.push_back(message);
  source.wake();
}

TEST(MemoryContexts, ClientsReachTheBoundPart) {
  Bench bench(kSpec, {{}, {}}, kBind);
  map_part(bench);
  bench.controller.context.exempt(1);
  send(bench, *bench.source[0], write(0x1000, 7));
  send(bench, *bench.source[1], write(0x1000, 9));
  ASSERT_TRUE(bench.sim.run_until(
      [&] { return bench.sink[0]->received.size() == 1 && bench.sink[1]->received.size() == 1; }, bench.clock,
      500));
  EXPECT_EQ(bench.memory.read_as<uint8_t>(kBase + 0x1000), 7);
  EXPECT_EQ(bench.memory.read_as<uint8_t>(0x1000), 9);
}

TEST(MemoryContexts, BeginWithTheFirstPart) {
  Bench bench(kSpec, {{write(0x1000, 7)}});
  ASSERT_TRUE(bench.sim.run_until([&] { return !bench.sink[0]->received.empty(); }, bench.clock, 500));
  EXPECT_EQ(bench.memory.read_as<uint8_t>(0x1000), 7);
}

// The copy engine names addresses of its program, and is answered by them.
TEST(MemoryContexts, ClearsAreOfTheBoundPart) {
  Bench bench(kSpec, {{}}, kBind);
  map_part(bench);
  messages::ClearBlocks order;
  order.layer = order.run = {.address = 0x4000, .bytes = 4096};
  order.value.bytes.fill(std::byte{5});
  order.value.mask = ~uint64_t{0};
  send(bench, bench.clears, order);
  ASSERT_TRUE(bench.sim.run_until([&] { return !bench.cleared.received.empty(); }, bench.clock, 500));
  const func::ClearRun cleared = bench.cleared.received[0].second.cleared;
  EXPECT_EQ(cleared.address, 0x4000u);
  EXPECT_EQ(cleared.bytes, 4096u);
  arch::Memory seen = bench.memory;
  bench.controller.tags().expand_into(seen);
  EXPECT_EQ(seen.read_as<uint8_t>(kBase + 0x4000), 5);
  EXPECT_EQ(seen.read_as<uint8_t>(0x4000), 0);
}

}  // namespace
}  // namespace cutaway::boxes::memory_contexts_test
