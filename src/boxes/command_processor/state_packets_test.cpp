// Draws leave behind the state and the programs that they need, which the state bus brings to the units.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::state_packets_test {
namespace {

using namespace testing;
using arch::Stage;

std::string long_program(unsigned instructions, unsigned which = 0) {
  std::string text;
  for (unsigned i = 1; i < instructions; i++) text += fmt::format("MOV r0, c{}\n", which);
  return text + "END\n";
}

// Cycles between the last draw and the draw before it.
Cycle gap(Bench& bench) {
  EXPECT_TRUE(bench.run(200000)) << bench.fault();
  const auto& draws = bench.pipeline.draws;
  return draws.size() < 2 ? 0 : draws.back().first - draws[draws.size() - 2].first;
}

// Each cycle of the bus carries as many bytes as declared.
TEST(StatePackets, DrawWaitsForItsRegisters) {
  const auto time = [](unsigned bytes) {
    Bench bench({.words_per_cycle = 16, .prefetch = 64, .state_bytes_per_cycle = bytes});
    bench.draw();
    for (int i = 0; i < 100; i++) bench.mark(100);
    bench.draw();
    const Cycle cycles = gap(bench);
    return cycles;
  };
  // A packet of one register takes a cycle of the bus, however wide it is.
  EXPECT_EQ(time(4), time(1024));
  EXPECT_EQ(time(2) - time(4), 100u);
  EXPECT_EQ(time(1) - time(4), 300u);
}

TEST(StatePackets, DrawWaitsForItsConstants) {
  const auto time = [](unsigned bytes) {
    Bench bench({.state_bytes_per_cycle = bytes});
    bench.draw();
    bench.commands.packet(
        Opcode::kLoadConstants,
        arch::LoadPacket{
            .stage = static_cast<uint32_t>(Stage::kVertex), .first = 0, .count = 100, .address = kData});
    bench.draw();
    return gap(bench);
  };
  // 25 blocks of 64 bytes, one a cycle from the loader.
  EXPECT_EQ(time(64), time(1024));
  EXPECT_EQ(time(32) - time(64), 25u);
  EXPECT_EQ(time(4) - time(64), 25u * 15);
}

// Bytes that are sent as registers change, one of which changes between two draws.
uint64_t bytes_of_changes(const char* way) {
  Bench bench({.register_state = way});
  bench.draw();
  bench.mark(100);
  bench.draw();
  EXPECT_TRUE(bench.run());
  return bench.box.counters.state_bytes;
}

TEST(StatePackets, PassedRegistersAreNotSentAsTheyChange) {
  constexpr uint64_t kProgramBytes = 2 * isa::kInstructionBytes;
  EXPECT_EQ(bytes_of_changes("pass-through"), kProgramBytes);
  EXPECT_GT(bytes_of_changes("versions"), kProgramBytes + sizeof(uint32_t));
}

// 25 blocks of constants go over the bus with each draw, not when they are loaded: the second draw leaves 25
// cycles after the first, however few bytes have changed.
TEST(StatePackets, PassedStateIsSentWithEachDraw) {
  const auto time = [](const char* way, unsigned bytes) {
    Bench bench({.constant_state = way, .state_bytes_per_cycle = bytes});
    const uint64_t without = bytes_of_changes("versions") - 4;
    bench.commands.packet(
        Opcode::kLoadConstants,
        arch::LoadPacket{
            .stage = static_cast<uint32_t>(Stage::kVertex), .first = 0, .count = 100, .address = kData});
    bench.draw();
    bench.draw();
    const Cycle cycles = gap(bench);
    const bool passes = way != std::string("versions");
    EXPECT_EQ(bench.box.counters.passed_state_bytes, passes ? 2u * 1600 : 0u);
    EXPECT_EQ(bench.box.counters.state_bytes - without, passes ? 0u : 1600u);
    return cycles;
  };
  EXPECT_EQ(time("pass-through", 64) - time("versions", 64), 25u);
  EXPECT_EQ(time("pass-through", 16) - time("pass-through", 64), 75u);
  EXPECT_EQ(time("versions", 16), time("versions", 64));
}

// Draws of 300 cycles that each change a register: two versions hold two of them; one spare block too, as a
// draw changes one block; passed state does not wait.
TEST(StatePackets, StateStorageBoundsDrawsUnderWay) {
  const auto time = [](const char* way, unsigned versions, unsigned spares) {
    Bench bench({.register_state = way, .state_versions = versions, .spare_state_blocks = spares});
    bench.pipeline.latency = 300;
    for (uint32_t i = 0; i < 8; i++) {
      bench.mark(100 + i);
      bench.draw();
    }
    EXPECT_TRUE(bench.run(20000)) << bench.fault();
    for (uint32_t i = 0; i < 8; i++) EXPECT_EQ(bench.pipeline.state_word.at(i), 100 + i);
    const auto& draws = bench.pipeline.draws;
    return draws[7].first - draws[3].first;
  };
  EXPECT_EQ(time("flush", 4, 1), 4 * time("versions", 4, 1));
  EXPECT_EQ(time("flush", 4, 1), time("versions", 1, 1));
  EXPECT_EQ(time("renaming", 1, 1), time("versions", 2, 1));
  EXPECT_EQ(time("renaming", 1, 3), time("versions", 4, 1));
  EXPECT_LT(time("pass-through", 1, 1), 300u);
}

// A program is sent with the first draw that needs it, in 16 bytes for each instruction.
TEST(StatePackets, ProgramIsSentOnce) {
  const auto time = [](unsigned instructions, unsigned bytes) {
    Bench bench({.state_bytes_per_cycle = bytes});
    bench.program(Stage::kFragment, long_program(instructions), kProgram + 0x1000);
    bench.draw();
    EXPECT_TRUE(bench.run());
    EXPECT_EQ(bench.box.counters.programs_sent, 2u);
    return bench.pipeline.draws.at(0).first;
  };
  EXPECT_EQ(time(64, 1) - time(64, 2), 64u * 8 + 2u * 8 + (time(1, 1) - time(1, 2) - 3u * 8));
  Bench bench;
  for (int i = 0; i < 3; i++) {
    bench.program(Stage::kFragment, long_program(10), kProgram + 0x1000);
    bench.draw();
  }
  EXPECT_TRUE(bench.run());
  EXPECT_EQ(bench.box.counters.programs_sent, 2u);  // and that of vertices
  // The same words for other registers are another program.
  Bench other;
  for (const uint32_t temporaries : {1u, 2u}) {
    other.program(Stage::kFragment, long_program(10), kProgram + 0x1000, temporaries);
    other.draw();
  }
  EXPECT_TRUE(other.run());
  EXPECT_EQ(other.box.counters.programs_sent, 3u);
}

uint64_t sent(Bench& bench, const std::vector<unsigned>& order, unsigned instructions) {
  for (const unsigned which : order) {
    bench.program(Stage::kFragment, long_program(instructions, which), kProgram + 0x10000 * (1 + which));
    bench.draw();
    bench.commands.packet(Opcode::kWaitIdle);
  }
  EXPECT_TRUE(bench.run(200000)) << bench.fault();
  return bench.box.counters.programs_sent;
}

// 512 instructions hold two programs of 250 and the vertex program of 2. A third evicts one of the two.
TEST(StatePackets, EvictsTheLeastRecentlyUsedProgram) {
  const auto count = [](const std::vector<unsigned>& order) {
    Bench bench({.instruction_memory = 512});
    return sent(bench, order, 250) - 1;
  };
  EXPECT_EQ(count({0, 1, 0, 1}), 2u);
  EXPECT_EQ(count({0, 1, 2, 1}), 3u);
  EXPECT_EQ(count({0, 1, 2, 0}), 4u);
  EXPECT_EQ(count({0, 1, 0, 2, 0}), 3u);
}

// Vertex programs leave more room if they have shader units of their own.
TEST(StatePackets, EachShaderClassHasItsOwn) {
  const auto count = [](unsigned of_vertices) {
    command_stream::ByStage<unsigned> memories;
    memories[Stage::kVertex] = of_vertices;
    Bench bench({.instruction_memory = 512}, {}, memories);
    return sent(bench, {0, 1, 0, 1}, 256);
  };
  EXPECT_EQ(count(1), 3u);
  EXPECT_GT(count(0), 3u);
}

// The next draw's program does not fit beside that of the draw under way, and the draw waits for its end.
TEST(StatePackets, ProgramUnderWayStays) {
  const auto time = [](unsigned capacity) {
    Bench bench({.instruction_memory = capacity});
    bench.pipeline.latency = 5000;
    for (const unsigned which : {0u, 1u}) {
      bench.program(Stage::kFragment, long_program(300, which), kProgram + 0x10000 * (1 + which));
      bench.draw();
    }
    return gap(bench);
  };
  EXPECT_GT(time(512), 5000u);
  EXPECT_LT(time(1024), 1000u);
}

// A vertex and a fragment program that do not fit together are sent for every draw.
TEST(StatePackets, ProgramsOfOneDrawMayTakeTurns) {
  Bench bench({.instruction_memory = 512});
  bench.program(Stage::kVertex, long_program(400, 5), kProgram + 0x8000);
  EXPECT_EQ(sent(bench, {0, 0, 0}, 400), 6u);
}

}  // namespace
}  // namespace cutaway::boxes::state_packets_test
