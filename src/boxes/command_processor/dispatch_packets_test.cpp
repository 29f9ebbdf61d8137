// DISPATCH packets: what they wait for, and what waits for them.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::testing::dispatch_packets_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const command_stream::Abilities kComputes{
    .gpu = "chip", .workgroup_invocations = 64, .workgroup_bytes = 1024, .stores = {arch::Stage::kCompute}};
constexpr arch::Address kComputeProgram = 0x31000;

struct ComputeBench : Bench {
  explicit ComputeBench(const CommandProcessorSpec& spec = {}) : Bench(spec, {}, {}, kComputes) {
    size(8);
    program(arch::Stage::kCompute, "END\n", kComputeProgram);
  }
  void size(uint32_t invocations) {
    arch::Registers registers{};
    registers.compute = {{invocations, 1, 1}, 64};
    set(registers, registers.compute);
  }
  void dispatch(uint32_t groups = 1) {
    commands.packet(Opcode::kDispatch, arch::DispatchPacket{{groups, 2, 3}, {4, 5, 6}});
  }
  const messages::DispatchCommand& seen(size_t i) const { return workgroups->seen.at(i).second; }
};

TEST(DispatchPackets, DispatchesUseTheStateBeforeThem) {
  ComputeBench bench;
  bench.dispatch(7);
  bench.size(16);
  bench.dispatch(9);
  bench.dispatch(9);
  ASSERT_TRUE(bench.run()) << bench.fault();
  ASSERT_EQ(bench.workgroups->seen.size(), 3u);
  EXPECT_THAT(bench.seen(0).dispatch.groups, ElementsAre(7, 2, 3));
  EXPECT_THAT(bench.seen(0).dispatch.base, ElementsAre(4, 5, 6));
  EXPECT_EQ(bench.seen(0).state->registers.compute.local_size[0], 8u);
  EXPECT_EQ(bench.seen(1).state->registers.compute.local_size[0], 16u);
  EXPECT_EQ(bench.seen(1).state, bench.seen(2).state);
  EXPECT_NE(bench.seen(1).number, bench.seen(2).number);
  EXPECT_EQ(bench.seen(1).origin.draw, 0u);
  EXPECT_EQ(bench.box.counters.draws, 0u);
}

// Draws and dispatches overlap; a barrier waits for both.
TEST(DispatchPackets, BarriersWaitForDispatches) {
  for (const Cycle latency : {200, 201}) {
    ComputeBench bench;
    bench.workgroups->latency = latency;
    bench.dispatch();
    bench.draw();
    bench.commands.packet(Opcode::kWaitIdle);
    bench.dispatch();
    ASSERT_TRUE(bench.run()) << bench.fault();
    ASSERT_EQ(bench.workgroups->seen.size(), 2u);
    EXPECT_LT(bench.pipeline.draws.at(0).first, bench.workgroups->ends[0]);
    EXPECT_GT(bench.workgroups->seen[1].first, bench.workgroups->ends[0]);
    EXPECT_LT(bench.workgroups->seen[1].first, bench.workgroups->ends[0] + 10);
  }
}

TEST(DispatchPackets, IndirectDispatchReadsArgumentsFromMemory) {
  ComputeBench bench;
  const uint32_t groups[] = {3, 4, 5};
  bench.memory.memory.write(kData + 56, groups, sizeof groups);  // in two sectors
  bench.commands.packet(Opcode::kDispatchIndirect, arch::DispatchIndirectPacket{kData + 56});
  bench.dispatch();
  ASSERT_TRUE(bench.run()) << bench.fault();
  ASSERT_EQ(bench.workgroups->seen.size(), 2u);
  EXPECT_THAT(bench.seen(0).dispatch.groups, ElementsAre(3, 4, 5));
  EXPECT_THAT(bench.seen(0).dispatch.base, ElementsAre(0, 0, 0));
  EXPECT_THAT(bench.seen(1).dispatch.groups, ElementsAre(1, 2, 3));
}

TEST(DispatchPackets, PredicateSkipsDispatches) {
  ComputeBench bench;
  bench.commands.packet(Opcode::kPredicate, arch::PredicatePacket{kData, 0});  // 0: does not hold
  bench.dispatch();
  bench.commands.packet(Opcode::kDispatchIndirect, arch::DispatchIndirectPacket{kData});
  ASSERT_TRUE(bench.run()) << bench.fault();
  EXPECT_TRUE(bench.workgroups->seen.empty());
}

// One version of the state: the second dispatch waits until the first has ended.
TEST(DispatchPackets, HoldTheirStateVersion) {
  for (const unsigned versions : {1u, 2u}) {
    ComputeBench bench({.state_versions = versions});
    bench.workgroups->latency = 300;
    bench.dispatch();
    bench.size(16);
    bench.dispatch();
    ASSERT_TRUE(bench.run()) << bench.fault();
    EXPECT_EQ(bench.workgroups->seen[1].first > bench.workgroups->ends[0], versions == 1);
  }
}

TEST(DispatchPackets, CountInvocationsForQueries) {
  ComputeBench bench;
  arch::Registers registers{};
  registers.query.statistics = 1;
  bench.set(registers, registers.query);
  bench.dispatch(5);
  bench.commands.packet(Opcode::kWriteQuery,
                        arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kStatistics), kData, 0});
  ASSERT_TRUE(bench.run()) << bench.fault();
  EXPECT_EQ(bench.memory.memory.read_as<uint64_t>(kData + 8 * 10), 5 * 2 * 3 * 8u);
}

// A dispatch waits if a copy writes its buffers, or reads a buffer that it stores to.
TEST(DispatchPackets, WaitForCopiesOfTheirMemory) {
  const auto waits = [](const char* program, arch::Address source, arch::Address destination,
                        arch::Format format = arch::Format::UNDEFINED) {
    ComputeBench bench;
    bench.copies.latency = 400;
    arch::Surface buffer{};
    buffer.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
    buffer.address = kData + 0x8004;
    buffer.format = static_cast<uint32_t>(format);
    buffer.width = 256;
    bench.memory.memory.write(kData, &buffer, sizeof buffer);
    bench.program(arch::Stage::kCompute, program, kComputeProgram + 0x400);
    bench.commands.packet(Opcode::kLoadResources, arch::LoadPacket{5, 0, 1, kData});
    bench.commands.packet(Opcode::kCopyBuffer, arch::CopyBufferPacket{source, destination, 64});
    bench.dispatch();
    EXPECT_TRUE(bench.run()) << bench.fault();
    return bench.workgroups->seen.at(0).first > 400;
  };
  constexpr arch::Address kThere = kData + 0x8000, kElsewhere = kData + 0x10000, kOther = kData + 0x18000;
  EXPECT_TRUE(waits("LDB r0.x, c0.x, t0\nEND\n", kElsewhere, kThere));
  EXPECT_FALSE(waits("LDB r0.x, c0.x, t0\nEND\n", kThere, kElsewhere));
  EXPECT_FALSE(waits("LDB r0.x, c0.x, t0\nEND\n", kOther, kElsewhere));
  EXPECT_TRUE(waits("LDB r0.x, c0.x, t0\nEND\n", kElsewhere, kThere, arch::Format::R32G32_UINT))
      << "words are read whatever a texel would be";
  EXPECT_TRUE(waits("STB _.x, c0.x, c0.x, t0\nEND\n", kThere, kElsewhere));
}

TEST(DispatchPackets, RefusedIfTheChipLacksThem) {
  Bench none;
  none.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {}});
  EXPECT_FALSE(none.run());
  EXPECT_THAT(none.fault(), HasSubstr("DISPATCH: this GPU has no compute programs"));
  ComputeBench large;
  large.size(65);
  large.dispatch();
  EXPECT_FALSE(large.run());
  EXPECT_THAT(large.fault(), HasSubstr("chip has no workgroups of 65 invocations, but of up to 64"));
  ComputeBench atomics;
  atomics.program(arch::Stage::kCompute, "ATOM _.x, c0.x, c0.x, c0.x, t0, OP(0)\nEND\n",
                  kComputeProgram + 0x400);
  atomics.dispatch();
  EXPECT_FALSE(atomics.run());
  EXPECT_THAT(atomics.fault(), HasSubstr("LOAD_PROGRAM: chip has no atomics"));
}

TEST(DispatchPackets, WaitsAreBlamedOnTheDistributor) {
  ComputeBench bench;
  bench.workgroups->latency = 500;
  bench.dispatch();
  ASSERT_TRUE(bench.run()) << bench.fault();
  EXPECT_GT(static_cast<const engine::Box&>(bench.box).account().starved_by("workgroups"), 450u);
}

}  // namespace
}  // namespace cutaway::boxes::testing::dispatch_packets_test
