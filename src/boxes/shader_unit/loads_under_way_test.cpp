// Tests groups that go on while their loads are under way.
#include "boxes/shader_unit/loads_under_way.h"

#include "boxes/shader_unit/workgroup_bench_for_test.h"

namespace cutaway::boxes::loads_under_way_test {
namespace {

using namespace shader_unit_test_bench;

ShaderUnitSpec loads(unsigned under_way, ShaderUnitSpec spec = {}) {
  spec.loads_under_way = under_way;
  return spec;
}

std::string movs(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; i++) text += "MOV r9, c0\n";
  return text;
}

// Loads of `count` registers from r0 on, and the sum of them.
std::string sum_of_loads(unsigned count) {
  std::string text, sum = "MOV r20, c0\n";
  for (unsigned i = 0; i < count; i++) {
    text += fmt::format("TEX r{}, c0, t0, s0, 2D\n", i);
    sum += fmt::format("ADD r20, r20, r{}\n", i);
  }
  return text + sum + "MOV o0, r20\nEND\n";
}

// A group of one quad, whose c0.x is 1 and c1.x 0.
struct Shaded {
  Shaded(std::string_view text, const ShaderUnitSpec& spec, uint32_t first_lanes = 15, Cycle latency = 20)
      : bench(spec), state(program(text, spec.group_lanes)) {
    bench.texture.latency = latency;
    state->registers.vertex_out.interpolants = 1;
    state->stage[Stage::kFragment].constants[0].fill(std::bit_cast<uint32_t>(1.0f));
    bench.send(*state, 0);
    auto& input = bench.fragments.messages.back().quads->quad[0].inputs->input;
    for (uint32_t lane = 0; lane < 4; lane++)
      input[0][0][lane] = std::bit_cast<uint32_t>(first_lanes >> lane & 1 ? 1.0f : 0.0f);
    bench.sim.run(bench.clock, 5000);
    EXPECT_EQ(bench.buffer.received.size(), 1u);
    EXPECT_EQ(bench.unit.why_busy(), "");
  }
  Cycle time() const { return bench.buffer.received.at(0).first; }
  float output(uint32_t component, uint32_t lane = 0) const {
    return std::bit_cast<float>(bench.buffer.received.at(0).second.outputs->output[0][component][lane]);
  }

  Bench bench;
  std::unique_ptr<messages::DrawState> state;
};

Cycle time(const std::string& text, unsigned under_way, Cycle latency = 20) {
  return Shaded(text, loads(under_way), 15, latency).time();
}

TEST(LoadsUnderWay, AGroupThatNeedsTheResultAtOnceTakesAsLong) {
  const std::string text = "TEX r0, c0, t0, s0, 2D\nMOV o0, r0\nEND\n";
  for (const unsigned under_way : {1u, 2u, 16u}) EXPECT_EQ(time(text, under_way), time(text, 0)) << under_way;
}

// Instructions that do not need the result fill the cycles from the one after the load to its answer, both
// included. The one behind these waits no longer than if nothing stood between.
TEST(LoadsUnderWay, InstructionsFillTheTimeUntilTheAnswer) {
  const auto text = [](unsigned between) {
    return "TEX r0, c0, t0, s0, 2D\n" + movs(between) + "MOV o0, r0\nEND\n";
  };
  for (const Cycle latency : {20u, 33u}) {
    // The addresses, the two wires, and what the texture unit takes.
    const auto waits = static_cast<unsigned>(ShaderUnitSpec{}.texture_latency + 1 + latency + 1);
    const Cycle alone = time(text(0), 1, latency);
    EXPECT_EQ(time(text(waits), 1, latency), alone);
    EXPECT_EQ(time(text(waits + 1), 1, latency), alone + 1);
    EXPECT_EQ(time(text(waits), 0, latency), alone + waits);
  }
}

// Loads that do not depend on one another take the time of one, and an issue each; without this, that of all.
TEST(LoadsUnderWay, IndependentLoadsWaitTogether) {
  constexpr Cycle kTrip = 5 + 1 + 20 + 1 + 1;  // from issue to issue of what reads the result
  constexpr Cycle kAdd = 5;
  const Cycle stops = time(sum_of_loads(1), 0), goes_on = time(sum_of_loads(1), 16);
  EXPECT_EQ(stops - goes_on, kAdd);  // the sum begins before the load is there
  for (const unsigned count : {2u, 4u, 8u}) {
    EXPECT_EQ(time(sum_of_loads(count), 0), stops + (count - 1) * (kTrip + kAdd));
    // One is added after the other: the last has come when the sum of those before it has.
    EXPECT_EQ(time(sum_of_loads(count), 16), goes_on + (count - 1) * kAdd);
    EXPECT_EQ(Shaded(sum_of_loads(count), loads(16)).output(1), 1 + 2.0f * static_cast<float>(count));
  }
}

TEST(LoadsUnderWay, NoMoreThanThereIsRoomForAreUnderWay) {
  const auto most = [](unsigned under_way) {
    return Shaded(sum_of_loads(8), loads(under_way)).bench.texture.most_inside;
  };
  EXPECT_EQ(most(0), 1u);
  EXPECT_EQ(most(1), 1u);
  EXPECT_EQ(most(2), 2u);
  EXPECT_EQ(most(5), 5u);
  EXPECT_EQ(most(16), 8u);
  EXPECT_EQ(time("TEX r0, c0, t0, s0, 2D\nTEX r1, c0, t0, s0, 2D\nMOV o0, r1\nEND\n", 1),
            time("TEX r0, c0, t0, s0, 2D\nTEX r1, c0, t0, s0, 2D\nMOV o0, r1\nEND\n", 0));
}

TEST(LoadsUnderWay, AComponentThatNoLoadWritesIsRead) {
  const Cycle waits = time("TEX r0.xy, c0, t0, s0, 2D\nMOV r1.x, r0.y\nMOV o0, r0\nEND\n", 1);
  const Cycle passes = time("TEX r0.xy, c0, t0, s0, 2D\nMOV r1.x, r0.z\nMOV o0, r0\nEND\n", 1);
  EXPECT_EQ(waits, passes + 1);
}

// A register that a load is going to write is not written before; else the load would win.
TEST(LoadsUnderWay, AWriteWaitsForALoadOfTheSameComponents) {
  Shaded over("TEX r0, c0, t0, s0, 2D\nMOV r0.y, c0\nMOV o0, r0\nEND\n", loads(4));
  EXPECT_EQ(over.output(1), 1);
  EXPECT_EQ(over.output(2), 3);
  Shaded beside("TEX r0.xzw, c0, t0, s0, 2D\nMOV r0.y, c0\nMOV o0, r0\nEND\n", loads(4));
  EXPECT_EQ(beside.output(1), 1);
  EXPECT_EQ(beside.time() + 5, over.time());
  Shaded output("TEX o0, c0, t0, s0, 2D\nMOV o0.z, c0\nEND\n", loads(4));
  EXPECT_EQ(output.output(2), 1);
  EXPECT_EQ(output.output(3), 4);
  // Two loads of a register, as a loop makes them.
  Shaded twice("TEX r0, c0, t0, s0, 2D\nTEX r0.x, c0, t0, s0, 2D\nMOV o0, r0\nEND\n", loads(4));
  EXPECT_EQ(twice.bench.texture.most_inside, 1u);
}

// An earlier, slower instruction keeps a component longer than the load that writes over it.
TEST(LoadsUnderWay, ASlowerResultBeforeTheLoadCounts) {
  ShaderUnitSpec spec;
  spec.scalar_latency = 64;
  const std::string text = "TEX r0, c0, t0, s0, 2D\nMOV o0, r0\nEND\n";
  const Cycle alone = Shaded(text, loads(2, spec)).time();
  const Cycle behind = Shaded("RCP r0.x, c0.x\n" + text, loads(2, spec)).time();
  EXPECT_EQ(behind - alone, 64u - (5 + 1 + 20 + 1 + 1));
}

// The sources are read when the instruction issues.
TEST(LoadsUnderWay, ALoadHasTheOperandsOfItsIssue) {
  for (const unsigned under_way : {0u, 4u}) {
    const Shaded run(
        "MOV r1, c0\nTEX r0, r1, t0, s0, 2D\nADD r1, c0, c0\nTEX r2, r1, t0, s0, 2D\nADD r0, r0, r2\n"
        "MOV o0, r0\nEND\n",
        loads(under_way));
    ASSERT_EQ(run.bench.texture.first_operand.size(), 2u);
    EXPECT_EQ(run.bench.texture.first_operand[0].second, 1);
    EXPECT_EQ(run.bench.texture.first_operand[1].second, 2);
    EXPECT_EQ(run.output(3), 8);
  }
}

// Lanes that are off when the load issues keep what they have, though they are on when it comes.
TEST(LoadsUnderWay, ALoadWritesTheLanesOfItsIssue) {
  for (const unsigned under_way : {0u, 4u}) {
    const Shaded run("MOV r0, c0\nIF i0.x\nTEX r0, c0, t0, s0, 2D\nENDIF\nADD r0, r0, c0\nMOV o0, r0\nEND\n",
                     loads(under_way), 0b0101);
    for (uint32_t lane = 0; lane < 4; lane++) EXPECT_EQ(run.output(3, lane), lane % 2 ? 2 : 5) << under_way;
  }
}

// A branch waits for its condition, and the other side for what one side loads.
TEST(LoadsUnderWay, BranchesWaitForWhatTheyRead) {
  for (const unsigned under_way : {0u, 1u, 4u}) {
    const Shaded run(
        "TEX r0, c0, t0, s0, 2D\nADD r0.x, r0.x, -i0.x\nIF r0.x\nTEX r1, c0, t0, s0, 2D\nELSE\n"
        "MOV r1, c0\nENDIF\nMOV o0, r1\nEND\n",
        loads(under_way), 0b0011);
    for (uint32_t lane = 0; lane < 4; lane++) EXPECT_EQ(run.output(3, lane), lane < 2 ? 1 : 4) << under_way;
  }
}

// The group leaves when its loads have come, also if nothing reads them.
TEST(LoadsUnderWay, AGroupEndsBehindItsLoads) {
  for (const bool free_end : {false, true}) {
    ShaderUnitSpec spec;
    spec.free_end = free_end;
    const std::string text = "MOV o0, c0\nTEX r0, c0, t0, s0, 2D\nEND\n";
    const Cycle early = Shaded(text, loads(4, spec), 15, 100).time();
    EXPECT_EQ(early - Shaded(text, loads(4, spec), 15, 20).time(), 80u);
    // It need not issue its END behind the answer.
    EXPECT_EQ(Shaded(text, loads(0, spec), 15, 100).time() - early, free_end ? 0u : 1u);
  }
  Shaded killed("TEX o0, c0, t0, s0, 2D\nTEX r0, c0, t0, s0, 2D\nKIL c0.x\nMOV o0, r0\nEND\n", loads(4));
  EXPECT_EQ(killed.bench.buffer.received.at(0).second.quad.mask, 0);
}

// The unit waits for its texture unit, and says so.
TEST(LoadsUnderWay, AWaitCountsForTheUnitThatAnswers) {
  const Shaded stops(sum_of_loads(1), loads(0)), goes_on(sum_of_loads(1), loads(4));
  EXPECT_GT(goes_on.bench.unit.counters.cycles_texture, 20u);
  // The MOV issues meanwhile.
  EXPECT_EQ(goes_on.bench.unit.counters.cycles_texture + 1, stops.bench.unit.counters.cycles_texture);
  EXPECT_EQ(goes_on.bench.unit.counters.texture_instructions, 1u);
}

// A group of one quad, and what it did, by instruction.
struct Counted {
  Counted(std::string_view text, const ShaderUnitSpec& spec) : bench(spec), state(program(text)) {
    command_stream::ByStage<uint32_t> sizes;
    sizes[Stage::kFragment] = state->fragment().program->micro.size();
    counts = std::make_unique<messages::InstructionCounts>(sizes);
    state->instructions = counts.get();
    bench.send(*state, 0);
    bench.sim.run(bench.clock, 1000);
  }
  const std::vector<messages::InstructionCount>& by() const { return counts->entries().at(0).counts; }
  // All its cycles from when it came to when it left are somewhere.
  void expect_all_cycles() const {
    uint64_t all = 0;
    for (const messages::InstructionCount& c : by())
      all += c.issue_cycles + c.waited_flow + c.waited_result + c.waited_issue + c.waited_send +
             c.waited_texture + c.waited_drain + c.waited_output;
    EXPECT_EQ(all, bench.unit.counters.resident_groups);
  }

  Bench bench;
  std::unique_ptr<messages::DrawState> state;
  std::unique_ptr<messages::InstructionCounts> counts;
};

// The time of a group is that of its instructions; the wait for an answer is the load's.
TEST(LoadsUnderWay, TheWaitForAResultIsTheLoads) {
  for (const bool free_end : {false, true}) {
    const Counted run(
        "TEX r0, c0, t0, s0, 2D\nTEX r1, c0, t0, s0, 2D\nMOV r2, c0\nADD r0, r0, r1\nMOV o0, r0\n"
        "TEX r3, c0, t0, s0, 2D\nEND\n",
        loads(4, {.free_end = free_end}));
    run.expect_all_cycles();
    EXPECT_EQ(run.by()[0].waited_send, 5u - 2);  // while the next two issue, it computes its addresses
    EXPECT_EQ(run.by()[0].waited_texture, 1 + 20u + 1);
    EXPECT_EQ(run.by()[1].waited_send, 0u);
    EXPECT_EQ(run.by()[1].waited_texture, 1u);  // its answer comes behind the first one's
    EXPECT_EQ(run.by()[3].waited_result, 0u);
    EXPECT_EQ(run.by()[4].waited_result, 4u);
    EXPECT_GT(run.by()[5].waited_texture, 20u);  // the end waits for it
  }
}

// The first three cycles behind a branch are not the load's, though what follows needs its result.
TEST(LoadsUnderWay, TheWaitForABranchIsNotTheLoads) {
  const Counted run("TEX r0, c0, t0, s0, 2D\nIF c0.x\nENDIF\nMOV o0, r0\nEND\n", loads(4));
  run.expect_all_cycles();
  EXPECT_EQ(run.by()[3].waited_flow, 3u);
  EXPECT_GT(run.by()[0].waited_texture, 10u);
}

// ---- Storage ----

ShaderUnitSpec storing(unsigned under_way) { return loads(under_way, kSpec); }

// Word n of the buffer is n. c0 is 0 to 3, c1 is 4 to 7.
struct StorageRun {
  StorageRun(std::string_view text, unsigned under_way)
      : bench(storing(under_way)), state(compute(text, 8, 0, storing(under_way))) {
    for (uint32_t i = 0; i < 64; i++) bench.storage.memory.write_as<uint32_t>(kBuffer + 4 * i, i);
    bench.send(*state);
    bench.run();
    EXPECT_EQ(bench.ended.received.size(), 1u);
    EXPECT_EQ(bench.unit.why_busy(), "");
  }
  Cycle time() const { return bench.ended.received.at(0).first; }

  ComputeBench bench;
  std::unique_ptr<messages::DrawState> state;
};

// Loads of a buffer that the program writes, from two lines; then their sum is stored.
TEST(LoadsUnderWay, LoadsOfStorageWaitTogether) {
  const std::string text =
      "IADD r4.x, c1.x, c1.x\nLDB r0.x, r4.x, t0\nLDB r1.x, c1.x, t0\nIADD r0.x, r0.x, r1.x\n"
      "STB _.x, c1.x, r0.x, t0\nEND\n";
  const StorageRun stops(text, 0), goes_on(text, 2);
  EXPECT_EQ(stops.bench.word(1), 2u + 1);
  EXPECT_EQ(goes_on.bench.word(1), 2u + 1);
  EXPECT_GT(stops.time(), goes_on.time() + 15);
  EXPECT_EQ(goes_on.bench.storage.most_inside, 2u);
  EXPECT_EQ(stops.bench.storage.most_inside, 1u);
}

// The threads from 4 on load word 1; all are on when it comes. Each stores what it has in a word of its own.
TEST(LoadsUnderWay, ALoadOfStorageWritesTheLanesOfItsIssue) {
  for (const unsigned under_way : {0u, 4u}) {
    const StorageRun run(
        "MOV r0, c1\nIMUL r2.x, i32.w, c1.x\nIGE r1.x, i32.w, c1.x\nIF r1.x\nLDB r0.x, c1.x, t0\nENDIF\n"
        "STB _.x, r2.x, r0.x, t0\nEND\n",
        under_way);
    for (uint32_t thread = 0; thread < 8; thread++)
      EXPECT_EQ(run.bench.word(thread), thread < 4 ? 4u : 1u) << under_way << ", " << thread;
  }
}

// A store of a group waits for the loads before it, and a load for the stores before it.
TEST(LoadsUnderWay, StoresAndAtomicsFollowTheLoadsOfTheirGroup) {
  for (const char* const second : {"STB _.x, c1.x, c1.y, t0\n", "ATOM r1.x, c1.x, c1.y, c0.x, t0, OP(0)\n"}) {
    const StorageRun run(fmt::format("LDB r0.x, c1.x, t0\n{}END\n", second), 4);
    ASSERT_EQ(run.bench.storage.seen.size(), 2u);
    EXPECT_GE(run.bench.storage.seen[1].first, run.bench.storage.seen[0].first + run.bench.storage.latency);
  }
  const StorageRun run("STB _.x, c1.x, c1.y, t0\nLDB r0.x, c1.x, t0\nSTB _.x, c1.z, r0.x, t0\nEND\n", 4);
  EXPECT_EQ(run.bench.word(1), 5u);
}

TEST(LoadsUnderWay, BarriersFollowTheLoadsOfTheirGroup) {
  const StorageRun without("LDB r0.x, c1.x, t0\nMOV r1, c0\nMOV r2, r0\nSTB _.x, c1.x, c1.y, t0\nEND\n", 4);
  const StorageRun with("LDB r0.x, c1.x, t0\nMEMBAR DEVICE\nMOV r2, r0\nSTB _.x, c1.x, c1.y, t0\nEND\n", 4);
  EXPECT_GE(with.time(), without.time());
  const StorageRun barrier("LDB r0.x, c1.x, t0\nBAR DEVICE\nMOV r2, r0\nSTB _.x, c1.x, c1.y, t0\nEND\n", 4);
  EXPECT_GE(barrier.time(), without.time() + 3);
}

}  // namespace
}  // namespace cutaway::boxes::loads_under_way_test
