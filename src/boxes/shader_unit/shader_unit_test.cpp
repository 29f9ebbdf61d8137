#include "boxes/shader_unit/bench_for_test.h"

namespace cutaway::boxes::shader_unit_test {
namespace {

using namespace shader_unit_test_bench;

TEST(ShaderUnit, AnInstructionWaitsForItsOperands) {
  // Sent in 1, here in 2, issued in 3, done 5 later, 4 stages of pipeline, a wire of 1.
  EXPECT_EQ(time_of("MOV o0, c0\nEND\n"), 3u + 5 + 4 + 1);
  const Cycle one = time_of("ADD r0, c0, c0\nMOV o0, r0\nEND\n");
  EXPECT_EQ(one, 3u + 5 + 5 + 4 + 1);
  EXPECT_EQ(time_of("ADD r0, c0, c0\nADD r1, r0, r0\nMOV o0, r1\nEND\n"), one + 5);
  EXPECT_EQ(time_of("RCP r0, c0.x\nMOV o0, r0\nEND\n"), one + 4);  // 9 stages of a scalar operation
  // Two that do not wait for each other are a cycle apart.
  EXPECT_EQ(time_of("ADD r0, c0, c0\nADD r1, c0, c0\nMOV o0, r0\nEND\n"), one);
  EXPECT_EQ(time_of("ADD r0, c0, c0\nADD r1, c0, c0\nMOV o0, r1\nEND\n"), one + 1);
  // Parameters.
  ShaderUnitSpec spec;
  spec.simd_latency = 8, spec.pipeline_stages = 0;
  EXPECT_EQ(time_of("ADD r0, c0, c0\nMOV o0, r0\nEND\n", spec), 3u + 8 + 8 + 1);
}

// Two dependent instructions of one group leave four cycles, which others use: one instruction per cycle.
TEST(ShaderUnit, OtherGroupsFillTheGap) {
  Bench bench;
  auto state = program("ADD r0, c0, c0\nADD r0, r0, r0\nADD r0, r0, r0\nADD r0, r0, r0\nMOV o0, r0\nEND\n");
  for (uint32_t i = 0; i < 100; i++) bench.send(*state, i);
  bench.sim.run(bench.clock, 300);
  const uint64_t before = bench.unit.counters.instructions;
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.unit.counters.instructions - before, 200u);
}

TEST(ShaderUnit, GroupsThatFitDependOnTheirTemporaries) {
  // 28 groups of 4 threads, registers for 128 threads with 4 each, given out in pairs (ATT-8).
  for (const auto& [temporaries, groups] :
       {std::pair{1u, 28u}, {4u, 28u}, {5u, 21u}, {6u, 21u}, {8u, 16u}, {16u, 8u}, {64u, 2u}, {128u, 1u}}) {
    Bench bench;
    bench.texture.latency = 500;
    auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", 4, temporaries);
    for (uint32_t i = 0; i < 40; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 400);
    EXPECT_EQ(bench.texture.most_inside, groups) << temporaries;
    EXPECT_EQ(bench.unit.counters.register_stalls, temporaries > 4 ? 1u : 0u) << temporaries;
    bench.sim.run(bench.clock, 40 * 600);
    EXPECT_EQ(bench.buffer.received.size(), 40u);
  }
}

// More groups than a word has bits: all inside at once, and each issues in its turn.
TEST(ShaderUnit, HoldsAsManyGroupsAsDeclared) {
  for (const unsigned groups : {1u, 63u, 65u, 1024u}) {
    ShaderUnitSpec spec;
    spec.threads = 4 * groups;
    Bench bench(spec);
    bench.texture.latency = 3000;
    auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n");
    for (uint32_t i = 0; i < groups + 10; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 2500);
    EXPECT_EQ(bench.texture.most_inside, groups);
    bench.sim.run(bench.clock, 6500);
    EXPECT_EQ(bench.buffer.received.size(), std::min(groups + 10, 2 * groups));
  }
}

TEST(ShaderUnit, GroupsIssueInTurn) {
  for (const unsigned groups : {3u, 64u, 100u}) {
    ShaderUnitSpec spec;
    spec.threads = 4 * groups, spec.simd_latency = 1, spec.pipeline_stages = 0;
    Bench bench(spec);
    std::string text;
    for (uint32_t i = 0; i < 200; i++) text += "MOV o0, c0\n";
    auto state = program(text + "END\n");
    for (uint32_t i = 0; i < groups; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 203 * groups);
    ASSERT_EQ(bench.buffer.received.size(), groups);
    // All end within the last round: none was passed over.
    EXPECT_LE(bench.buffer.received.back().first - bench.buffer.received.front().first, 2 * groups);
  }
}

TEST(ShaderUnit, ATextureInstructionBlocksItsGroupAlone) {
  Bench bench;
  bench.texture.latency = 300;
  auto textured = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n"), plain = program("MOV o0, c0\nEND\n");
  bench.send(*textured, 0);
  for (uint32_t i = 1; i < 20; i++) bench.send(*plain, i);
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.buffer.received.size(), 19u);
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.buffer.received.size(), 20u);
  EXPECT_EQ(bench.buffer.received[19].second.order, 0u);
  EXPECT_EQ(bench.buffer.received[19].second.outputs->output[0][2][3], std::bit_cast<uint32_t>(3.0f));
  // While nothing else was left, the texture unit was waited for.
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.unit).starved_by("texture"), 200u);
}

TEST(ShaderUnit, ATextureThatTakesLongerIsBlamedForIt) {
  const auto starved = [](Cycle latency) {
    Bench bench;
    bench.texture.latency = latency;
    auto state = program("TEX r0, i0, t0, s0, 2D\nTEX r0, r0, t0, s0, 2D\nMOV o0, r0\nEND\n");
    bench.send(*state, 0);
    bench.sim.run(bench.clock, 1000);
    return messages::testing::account_of(bench.sim, bench.unit).starved_by("texture");
  };
  EXPECT_EQ(starved(63) - starved(20), 2 * 43u);  // twice, one after the other
}

TEST(ShaderUnit, ALoopWithoutEndIsReported) {
  Bench bench;
  auto state = program("LOOP\nNEXT\nENDLOOP\nMOV o0, c0\nEND\n");
  bench.send(*state, 0);
  EXPECT_TRUE(bench.sim.run_until([&] { return bench.unit.runaway(0); }, bench.clock, 100'000'000));
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.buffer.received.size(), 1u);
}

TEST(ShaderUnit, BlamesAReorderBufferThatIsSlow) {
  const auto blame = [](Cycle k) {
    Bench bench;
    auto state = program("MOV o0, c0\nEND\n");
    for (uint32_t i = 0; i < 50; i++) bench.send(*state, i);
    bench.buffer.interval = k;
    bench.sim.run(bench.clock, 6000);
    EXPECT_EQ(bench.buffer.received.size(), 50u);
    return messages::testing::account_of(bench.sim, bench.unit).blocked_by("buffer");
  };
  messages::testing::expect_blame_per_item(blame, 45, 100);  // one is taken at once, four wait on the wire
}

TEST(ShaderUnit, LatenciesAreThoseDeclared) {
  const auto time = [](std::string_view text, auto&& change) {
    ShaderUnitSpec spec;
    change(spec);
    return time_of(text, spec);
  };
  constexpr std::string_view kFlow = "IF c0.x\nENDIF\nMOV o0, c0\nEND\n",
                             kScalar = "RCP r0, c0.x\nMOV o0, r0\nEND\n",
                             kSimd = "ADD r0, c0, c0\nMOV o0, r0\nEND\n";
  const Cycle flow = time(kFlow, [](auto& s) { s.flow_latency = 1; });
  const Cycle scalar = time(kScalar, [](auto& s) { s.scalar_latency = 1; });
  const Cycle simd = time(kSimd, [](auto& s) { s.simd_latency = 1; });
  for (unsigned added : {1u, 6u}) {
    EXPECT_EQ(time(kScalar, [&](auto& s) { s.scalar_latency = 1 + added; }), scalar + added);
    EXPECT_EQ(time(kSimd, [&](auto& s) { s.simd_latency = 1 + added; }), simd + 2 * added);
    EXPECT_EQ(time(kSimd, [&](auto& s) { s.simd_latency = 1, s.pipeline_stages += added; }), simd + added);
    EXPECT_EQ(
        time(kSimd, [&](auto& s) { s.simd_latency = 1, s.scalar_latency += added, s.flow_latency += added; }),
        simd);
    const Cycle slower = time(kFlow, [&](auto& s) { s.flow_latency = 1 + added; });
    EXPECT_EQ((slower - flow) % added, 0u);
    EXPECT_GE(slower - flow, added);  // once for each instruction of flow that was run
  }
}

// The end of a program is no flow to wait for: its results alone are.
TEST(ShaderUnit, ALoadFromScratchTakesItsLatency) {
  const auto time = [](unsigned latency) {
    ShaderUnitSpec spec;
    spec.scratch_latency = latency;
    Bench bench(spec);
    auto state = program("LDS r0, c0.x\nMOV o0, r0\nEND\n", 4, 0, 64);
    bench.send(*state, 0);
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.unit.counters.scratch_instructions, 1u);
    EXPECT_EQ(bench.unit.counters.instructions, 3u);
    return bench.buffer.received.at(0).first;
  };
  EXPECT_EQ(time(9) - time(2), 7u);
  EXPECT_EQ(time(30) - time(9), 21u);
}

TEST(ShaderUnit, GroupsThatFitDependOnTheirScratchMemory) {
  for (const auto& [bytes, groups] : {std::pair{16u, 8u}, {128u, 2u}, {256u, 1u}, {1024u, 1u}}) {
    ShaderUnitSpec spec;
    spec.threads = 32, spec.scratch_bytes = 1024;
    Bench bench(spec);
    bench.texture.latency = 500;
    auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", 4, 0, bytes);
    for (uint32_t i = 0; i < 20; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 400);
    EXPECT_EQ(bench.texture.most_inside, groups) << bytes;
    EXPECT_EQ(bench.unit.counters.register_stalls, bytes > 32 ? 1u : 0u) << bytes;
  }
}

TEST(ShaderUnit, RegistersAreGivenOutInStepsOfTheirGranularity) {
  for (const auto& [granularity, groups] : {std::pair{1u, 12u}, {2u, 10u}, {8u, 7u}}) {
    ShaderUnitSpec spec;
    spec.threads = 48, spec.registers_per_thread = 4, spec.input_threads = 12;  // 240 vectors
    spec.register_granularity = granularity;
    Bench bench(spec);
    bench.texture.latency = 500;
    auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", 4, 5);
    for (uint32_t i = 0; i < 30; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 400);
    EXPECT_EQ(bench.texture.most_inside, groups) << granularity;
  }
}

// Eight vectors of halves in four registers: as many groups as with four temporaries, or as with eight
// (NV4-4).
TEST(ShaderUnit, HalvesTakeHalfOfARegisterOrAllOfOne) {
  const auto inside = [](bool half_registers, const std::string& last) {
    ShaderUnitSpec spec;
    spec.threads = 48, spec.registers_per_thread = 4, spec.input_threads = 12;  // 240 vectors
    spec.register_granularity = 1;
    spec.half_registers = half_registers;
    Bench bench(spec);
    bench.texture.latency = 500;
    std::string text = "TEX h0, i0, t0, s0, 2D\n";
    for (uint32_t i = 1; i < 7; i++) text += fmt::format("MOV h{}, h0\n", i);
    auto state = program(text + "MOV " + last + ", h0\nMOV o0, h0\nEND\n", 4);
    for (uint32_t i = 0; i < 30; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 400);
    return bench.texture.most_inside;
  };
  EXPECT_EQ(inside(true, "h7"), 12u);  // 240 / (4 x 4), of contexts for 12
  EXPECT_EQ(inside(false, "h7"), 7u);  // 240 / (4 x 8)
  EXPECT_EQ(inside(false, "h6"), 8u);  // of seven: 240 / (4 x 7)
  EXPECT_EQ(inside(true, "h8"), 12u);  // a ninth: 240 / (4 x 5)
  EXPECT_EQ(inside(true, "r4"), 12u);
  EXPECT_EQ(inside(false, "r4"), 7u);  // r4 and seven halves are 8
}

TEST(ShaderUnit, CountsWhatItStartsAndIssues) {
  Bench bench;
  auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n");
  for (uint32_t i = 0; i < 3; i++) bench.send(*state, i);
  for (uint32_t i = 0; i < 5; i++) bench.send_vertices(*state, 4);
  bench.sim.run(bench.clock, 300);
  const ShaderUnitCounters& counters = bench.unit.counters;
  EXPECT_EQ(counters.fragment_groups, 3u);
  EXPECT_EQ(counters.vertex_groups, 5u);
  EXPECT_EQ(counters.instructions, 3u * 3 + 5 * 2);
  EXPECT_EQ(counters.vertex_instructions, 5u * 2);
  EXPECT_EQ(counters.texture_instructions, 3u);
  EXPECT_EQ(counters.scratch_instructions, 0u);
  EXPECT_EQ(counters.fragments_killed, 0u);
}

// One group alone: inside from the cycle it is taken up to that of its last quad.
TEST(ShaderUnit, CountsHowLongGroupsAreInside) {
  Bench bench;
  auto state = program("MOV o0, c0\nEND\n");
  bench.send(*state, 0);
  bench.sim.run(bench.clock, 100);
  // Taken in 2, there in 13 over a wire of 1.
  EXPECT_EQ(bench.unit.counters.resident_groups, 12u - 2);
  bench.send(*state, 1);
  bench.send(*state, 2);
  bench.sim.run(bench.clock, 100);
  EXPECT_GE(bench.unit.counters.resident_groups, 3u * 10);
  EXPECT_LE(bench.unit.counters.resident_groups, 3u * 10 + 2);
}

// Vertices and fragments take turns at the door while both wait.
TEST(ShaderUnit, VerticesAndFragmentsTakeTurns) {
  ShaderUnitSpec spec;
  spec.threads = 16;
  Bench bench(spec);
  auto state = program("RCP r0, c0.x\nRCP r0, r0.x\nRCP r0, r0.x\nMOV o0, r0\nEND\n");
  messages::testing::add_program(*state, Stage::kVertex,
                                 "RCP r0, c0.x\nRCP r0, r0.x\nRCP r0, r0.x\nMOV o0, r0\nEND\n");
  for (uint32_t i = 0; i < 100; i++) bench.send(*state, i), bench.send_vertices(*state, 1);
  bench.sim.run(bench.clock, 600);
  EXPECT_GT(bench.unit.counters.vertex_groups, 20u);
  EXPECT_NEAR(double(bench.unit.counters.vertex_groups), double(bench.unit.counters.fragment_groups), 1);
}

TEST(ShaderUnit, BlamesAStreamerAndATextureUnitThatAreSlow) {
  Bench vertices;
  auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n");
  vertices.streamer.refuse = true;
  for (uint32_t i = 0; i < 20; i++) vertices.send_vertices(*state, 4);
  vertices.sim.run(vertices.clock, 600);
  EXPECT_GT(messages::testing::account_of(vertices.sim, vertices.unit).blocked_by("streamer"), 500u);
  // Six instructions: four wait on the wire, two for room on it.
  Bench texture;
  texture.texture.refuse = true;
  for (uint32_t i = 0; i < 6; i++) texture.send(*state, i);
  texture.sim.run(texture.clock, 600);
  EXPECT_GT(messages::testing::account_of(texture.sim, texture.unit).blocked_by("texture"), 500u);
}

// Names the output that the group which finished first waits for.
TEST(ShaderUnit, BlamesTheOutputOfTheOldestGroup) {
  for (const bool vertices_first : {true, false}) {
    Bench bench;
    auto state = program("MOV o0, c0\nEND\n");
    bench.streamer.refuse = bench.buffer.refuse = true;
    const auto vertices = [&] {
      for (uint32_t i = 0; i < 4; i++) bench.send_vertices(*state, 4);
      bench.sim.run(bench.clock, 100);
    };
    const auto quads = [&] {
      for (uint32_t i = 0; i < 6; i++) bench.send(*state, i);
      bench.sim.run(bench.clock, 100);
    };
    if (vertices_first) vertices(), quads();
    else quads(), vertices();
    bench.sim.run(bench.clock, 1000);
    const auto account = messages::testing::account_of(bench.sim, bench.unit);
    EXPECT_GT(account.blocked_by(vertices_first ? "streamer" : "buffer"), 1000u);
    EXPECT_LT(account.blocked_by(vertices_first ? "buffer" : "streamer"), 10u);
  }
}

// ---- Groups of all sizes ----

// Sixteen quads, each with values of its own, some lanes off.
TEST(ShaderUnit, AGroupOfManyQuadsKeepsThemApart) {
  for (const uint32_t lanes : {4u, 8u, 64u}) {
    ShaderUnitSpec spec;
    spec.group_lanes = spec.simd_lanes = lanes, spec.threads = 4 * lanes, spec.registers_per_thread = 8;
    Bench bench(spec);
    auto state = program("TEX r0, i0, t0, s0, 2D\nIADD o0, r0, i0\nMOV o1, i1\nEND\n", lanes);
    state->registers.vertex_out.interpolants = 1;
    const uint32_t quads = lanes / 4;
    bench.send(*state, 10, quads, 0b1011);
    messages::GroupQuads& sent = *bench.fragments.messages.back().quads;
    for (uint32_t q = 0; q < quads; q++)
      for (uint32_t lane = 0; lane < 4; lane++)
        sent.quad[q].inputs->input[0][1][lane] = 100 * q + lane, sent.quad[q].inputs->input[1][1][lane] = 9;
    bench.sim.run(bench.clock, 400);
    ASSERT_EQ(bench.buffer.received.size(), quads);
    for (uint32_t q = 0; q < quads; q++) {
      const ShadedQuad& quad = bench.buffer.received[q].second;
      EXPECT_EQ(quad.order, 10 + q);
      EXPECT_EQ(quad.quad.mask, 0b1011);
      for (uint32_t lane : {0u, 1u, 3u}) {
        EXPECT_EQ(quad.outputs->output[0][1][lane], std::bit_cast<uint32_t>(2.0f) + 100 * q + lane);
        EXPECT_EQ(quad.outputs->output[1][1][lane], 0u);  // nobody feeds input 1
        EXPECT_EQ(quad.outputs->output[2][1][lane], 0u);  // nobody writes output 2
      }
    }
  }
}

// A quad's registers hold nothing of the group that was there before.
TEST(ShaderUnit, AGroupStartsWithZeros) {
  ShaderUnitSpec spec;
  spec.threads = 4;
  Bench bench(spec);
  auto writer = program("MOV r0, c0\nMOV r1, c0\nMOV o0, c0\nMOV o1, c0\nEND\n");
  auto reader = program("MOV o0.x, r1\nIF c1.x\nMOV o1, c1\nENDIF\nEND\n", 4, 2);
  writer->stage[Stage::kFragment].constants[0] = {7, 7, 7, 7};
  // A message from the pool may have been used before.
  std::vector<messages::PoolRef<messages::FragmentOutputs>> used;
  for (int i = 0; i < 4; i++)
    used.push_back(bench.pools.fragment_outputs.allocate()), used.back()->output[5][3][2] = 7;
  used.clear();
  bench.send(*writer, 0), bench.send(*reader, 1);
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.buffer.received.size(), 2u);
  EXPECT_EQ(bench.buffer.received[0].second.outputs->output[1][3][2], 7u);
  for (uint32_t reg = 0; reg < arch::kFragmentOutputs; reg++)
    for (uint32_t c = 0; c < 4; c++)
      EXPECT_EQ(bench.buffer.received[1].second.outputs->output[reg][c][2], 0u);
}

// Units whose threads go their own ways: a texture instruction is a quad with the lanes there are.
TEST(ShaderUnit, GroupsOfOneAndTwoVertices) {
  for (const uint32_t lanes : {1u, 2u}) {
    ShaderUnitSpec spec;
    spec.group_lanes = spec.simd_lanes = lanes, spec.threads = 8 * lanes;
    Bench bench(spec);
    auto state = messages::testing::plain_state();
    messages::testing::add_program(*state, Stage::kVertex,
                                   "TXL r0, i0, c0.x, t0, s0, 2D\nIADD o0, r0, i0\nMOV o1, i0\nEND\n", lanes);
    // A message from a pool may have been used before.
    std::vector<messages::VertexRef> used;
    for (int i = 0; i < 60; i++)
      used.push_back(bench.pools.vertices.allocate()), used.back()->output[2][1] = 7;
    used.clear();
    for (int i = 0; i < 20; i++) bench.send_vertices(*state, lanes);
    bench.sim.run(bench.clock, 600);
    ASSERT_EQ(bench.streamer.received.size(), 20u);
    EXPECT_EQ(bench.texture.lanes, std::vector<uint32_t>(20, (1u << lanes) - 1));
    for (const auto& [cycle, shaded] : bench.streamer.received) {
      EXPECT_EQ(shaded.lanes, lanes);
      for (uint32_t lane = 0; lane < lanes; lane++) {
        EXPECT_EQ(shaded.vertices->slot[lane], lane + 3);
        const auto& output = shaded.vertices->shaded[lane]->output;
        EXPECT_EQ(output[0][1], std::bit_cast<uint32_t>(2.0f) + 100 + lane);
        EXPECT_EQ(output[1][1], 100 + lane);
        EXPECT_EQ(output[2][1], 0u);  // nobody writes the output
      }
    }
    // A vertex a cycle at most.
    EXPECT_GE(bench.streamer.received[19].first - bench.streamer.received[0].first, 19 * lanes);
  }
}

}  // namespace
}  // namespace cutaway::boxes::shader_unit_test
