#include "boxes/shader_unit/memory_route.h"

#include "boxes/shader_unit/group_bench_for_test.h"

namespace cutaway::boxes::memory_route_test {
namespace {

using namespace group_test_bench;

MemoryRoute route(Stage stage, std::string_view text) {
  GroupBench bench(stage, text);
  return route_of(bench.enter(1));
}

TEST(MemoryRoute, LoadsOfBuffersThatAProgramWritesGoToTheStorageCache) {
  EXPECT_EQ(route(Stage::kFragment, "LDB r0.x, c0.x, t0\nEND\n"), MemoryRoute::kTexture);
  EXPECT_EQ(route(Stage::kCompute, "LDB r0.x, c0.x, t0\nSTB _.x, c0.x, r0.x, t0\nEND\n"),
            MemoryRoute::kStorage);
}

TEST(MemoryRoute, StoresAndAtomicsGoToTheStorageCache) {
  EXPECT_EQ(route(Stage::kCompute, "STB _.x, c0.x, c1.x, t0\nEND\n"), MemoryRoute::kStorage);
  EXPECT_EQ(route(Stage::kCompute, "ATOM r0.x, c0.x, c1.x, c0.x, t0, OP(0)\nEND\n"), MemoryRoute::kStorage);
}

TEST(MemoryRoute, MemoryAndBarriersOfAWorkgroupAreItsOwn) {
  EXPECT_EQ(route(Stage::kCompute, "LDW r0.x, c0.x\nEND\n"), MemoryRoute::kWorkgroupMemory);
  EXPECT_EQ(route(Stage::kCompute, "BAR\nEND\n"), MemoryRoute::kBarrier);
  EXPECT_EQ(route(Stage::kCompute, "MEMBAR\nEND\n"), MemoryRoute::kMemoryBarrier);
  EXPECT_EQ(route(Stage::kTessControl, "LDW r0.x, c0.x\nEND\n"), MemoryRoute::kPatchMemory);
  EXPECT_EQ(route(Stage::kTessControl, "BAR\nEND\n"), MemoryRoute::kPatchBarrier);
}

}  // namespace
}  // namespace cutaway::boxes::memory_route_test
