// DRAW packets, the state and the programs that they use.
#include "arch/marker.h"
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::draw_packets_test {
namespace {

using namespace testing;

TEST(DrawPackets, DrawsUseTheStateBeforeThem) {
  for (unsigned versions : {1u, 2u, 4u}) {
    Bench bench({.state_versions = versions});
    for (uint32_t i = 0; i < 8; i++) bench.mark(100 + i), bench.draw();
    ASSERT_TRUE(bench.run()) << bench.fault();
    EXPECT_EQ(bench.pipeline.state_word, (std::vector<uint32_t>{100, 101, 102, 103, 104, 105, 106, 107}));
    for (uint32_t i = 0; i < 8; i++) EXPECT_EQ(bench.pipeline.draws[i].second.origin.draw, i + 1);
    EXPECT_EQ(bench.box.counters.state_changes, 8u);
  }
}

TEST(DrawPackets, OneStateVersionDrainsAtEachChange) {
  const auto most_under_way = [](unsigned versions, bool change) {
    Bench bench({.state_versions = versions});
    for (uint32_t i = 0; i < 8; i++) {
      if (change) bench.mark(i);
      bench.draw();
    }
    bench.pipeline.latency = 200;
    EXPECT_TRUE(bench.run());
    size_t most = 0;
    const auto& draws = bench.pipeline.draws;
    for (size_t i = 0; i < draws.size(); i++) {
      size_t under_way = 0;
      for (size_t j = 0; j <= i; j++) under_way += draws[j].first + 200 > draws[i].first;
      most = std::max(most, under_way);
    }
    return most;
  };
  EXPECT_EQ(most_under_way(1, true), 1u);
  EXPECT_EQ(most_under_way(2, true), 2u);
  EXPECT_EQ(most_under_way(4, true), 4u);
  EXPECT_EQ(most_under_way(1, false), 8u);  // no change, no new version
}

// The draws have three batches of two primitives, two, one and five. Each draw begins with the front end
// behind that of the last batch of the draw before.
TEST(DrawPackets, ShareOutBatchesAmongFrontEnds) {
  Bench bench({}, {.units = 3, .batch = 2});
  bench.topology(arch::Topology::kTriangleList);
  for (const uint32_t primitives : {6, 3, 1, 10})
    bench.commands.packet(Opcode::kDraw, arch::DrawPacket{3 * primitives, 1, 0, 0});
  bench.start();
  bench.sim.run(bench.clock, 400);
  using Batches = std::vector<std::pair<uint32_t, uint32_t>>;  // draw and batch
  const auto got = [](const auto& messages) {
    Batches batches;
    for (const auto& [cycle, command] : messages) batches.emplace_back(command.origin.draw, command.batch);
    return batches;
  };
  EXPECT_EQ(got(bench.pipeline.draws), (Batches{{1, 0}, {2, 0}, {4, 0}}));
  EXPECT_EQ(got(bench.others[0]->received), (Batches{{1, 1}, {2, 1}, {4, 1}}));
  EXPECT_EQ(got(bench.others[1]->received), (Batches{{1, 2}, {3, 0}, {4, 2}}));
  EXPECT_EQ(bench.box.counters.draws, 4u);
  EXPECT_FALSE(bench.box.finished()) << "batches that are not assembled";
}

// A draw waits only for the front ends that have a batch of it.
TEST(DrawPackets, WaitForFrontEndsWithABatch) {
  Bench bench({}, {.units = 2, .batch = 2});
  bench.topology(arch::Topology::kTriangleList);
  bench.others[0]->refuse = true;
  for (int i = 0; i < 14; i++) bench.draw();  // one batch each
  bench.start();
  bench.sim.run(bench.clock, 2000);
  EXPECT_EQ(bench.pipeline.draws.size(), 5u);  // four wait at the other one, and the tenth has no room
  EXPECT_EQ(bench.box.counters.draws, 9u);
}

// A draw ends 52 cycles after it was sent: the pipeline's latency and a wire on each side.
TEST(DrawPackets, CountCyclesOfDriverDraws) {
  const auto driver_cycles = [](std::initializer_list<bool> of_driver, bool drains) {
    Bench bench;
    for (const bool driver : of_driver) {
      bench.commands.packet(Opcode::kMarker, driver ? arch::kDriverWorkBegins : arch::kDriverWorkEnds);
      bench.commands.packet(Opcode::kMarker, uint32_t{7});  // an annotation
      bench.draw();
      if (drains) bench.commands.packet(Opcode::kWaitIdle);
    }
    EXPECT_TRUE(bench.run()) << bench.fault();
    EXPECT_EQ(bench.box.counters.driver_draws, static_cast<uint64_t>(std::ranges::count(of_driver, true)));
    return bench.box.counters.driver_cycles;
  };
  EXPECT_EQ(driver_cycles({false, false}, true), 0u);
  EXPECT_EQ(driver_cycles({true}, true), 52u);
  EXPECT_EQ(driver_cycles({true, false, true}, true), 104u);
  // While draws overlap, a cycle counts if the driver's draw is the oldest.
  EXPECT_EQ(driver_cycles({true, false}, false), 52u);
  EXPECT_EQ(driver_cycles({true, true}, false), 52 + driver_cycles({false, true}, false));
  EXPECT_GT(driver_cycles({false, true}, false), 0u);
  EXPECT_LT(driver_cycles({false, true}, false), 10u);
}

TEST(DrawPackets, IndirectDrawsReadArgumentsFromMemory) {
  Bench bench;
  // The second lies in two sectors; the count in memory leaves out the third.
  const std::array<uint32_t, 15> arguments = {3, 1, 10, 0, 0, 6, 2, 20, ~0u, 4, 9, 1, 0, 0, 0};
  const uint32_t most = 2;
  bench.memory.memory.write(kData + 36, arguments.data(), sizeof arguments);
  bench.memory.memory.write(kData + 256, &most, sizeof most);
  bench.commands.packet(Opcode::kDrawIndexedIndirect, arch::IndirectPacket{kData + 36, 3, 20, kData + 256});
  bench.commands.packet(Opcode::kDrawIndirect, arch::IndirectPacket{kData + 36, 1, 0, 0});
  bench.commands.packet(Opcode::kDrawIndirect, arch::IndirectPacket{kData + 36, 0, 0, 0});
  // A count in memory asks for no more than the packet allows.
  bench.commands.packet(Opcode::kDrawIndexedIndirect, arch::IndirectPacket{kData + 36, 1, 20, kData + 256});
  ASSERT_TRUE(bench.run()) << bench.fault();
  ASSERT_EQ(bench.pipeline.draws.size(), 4u);
  const auto& indexed = bench.pipeline.draws[1].second;
  EXPECT_TRUE(indexed.draw.indexed);
  EXPECT_EQ(indexed.draw.count, 6u);
  EXPECT_EQ(indexed.draw.instances, 2u);
  EXPECT_EQ(indexed.draw.first, 20u);
  EXPECT_EQ(indexed.draw.vertex_offset, ~0u);
  EXPECT_EQ(indexed.draw.first_instance, 4u);
  const auto& plain = bench.pipeline.draws[2].second;
  EXPECT_FALSE(plain.draw.indexed);
  EXPECT_EQ(plain.draw.count, 3u);
  EXPECT_EQ(plain.draw.first, 10u);
  for (uint32_t i = 0; i < 3; i++) EXPECT_EQ(bench.pipeline.draws[i].second.origin.draw, i + 1);
}

TEST(DrawPackets, PredicateSkipsDraws) {
  Bench bench;
  const uint32_t values[] = {0, 5};
  bench.memory.memory.write(kData, values, sizeof values);
  const std::pair<arch::PredicatePacket, uint32_t> kCases[] = {
      {{kData, 0}, 10}, {{kData, 1}, 11}, {{kData + 4, 0}, 12}, {{kData + 4, 1}, 13}, {{0, 1}, 14}};
  for (const auto& [predicate, vertices] : kCases) {
    bench.commands.packet(Opcode::kPredicate, predicate);
    bench.commands.packet(Opcode::kDraw, arch::DrawPacket{vertices, 1, 0, 0});
  }
  ASSERT_TRUE(bench.run()) << bench.fault();
  std::vector<uint32_t> drawn;
  for (const auto& [cycle, draw] : bench.pipeline.draws) drawn.push_back(draw.draw.count);
  EXPECT_EQ(drawn, (std::vector<uint32_t>{11, 12, 14}));
}

// A program keeps the registers that its packet saw, and programs of one stage do not mix.
TEST(DrawPackets, ProgramKeepsTheRegistersOfItsPacket) {
  Bench bench;
  std::string longer;
  for (int i = 0; i < 60; i++) longer += "MOV r7, i0\n";
  bench.program(arch::Stage::kFragment, longer + "MOV o0, r7\nEND\n", kProgram + 0x1000, 8);
  bench.program(arch::Stage::kFragment, "MOV o0, i0\nEND\n", kProgram + 0x4000, 0);
  bench.draw();
  ASSERT_TRUE(bench.run()) << bench.fault();
  const auto& state = *bench.pipeline.draws.at(0).second.state;
  EXPECT_EQ(state.fragment().program->micro.size(), 2u);
}

// A program that is still on its way when a packet removes it arrives first, and is removed.
TEST(DrawPackets, RemovedProgramStaysRemoved) {
  for (const bool away : {false, true}) {
    Bench bench;
    std::string text;  // takes many blocks
    for (int i = 0; i < 60; i++) text += "MOV o0, i0\n";
    bench.program(arch::Stage::kFragment, text + "END\n", kProgram + 0x1000);
    if (away) bench.program(arch::Stage::kFragment, "", kProgram + 0x2000);
    bench.draw();
    ASSERT_TRUE(bench.run()) << bench.fault();
    EXPECT_EQ(bench.pipeline.draws.at(0).second.state->fragment().program == nullptr, away);
  }
}

}  // namespace
}  // namespace cutaway::boxes::draw_packets_test
