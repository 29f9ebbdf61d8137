#include "boxes/shader_unit/bench_for_test.h"

// The cycles that groups take to come in, and the resources that they need.
namespace cutaway::boxes::admission_test {
namespace {

using namespace shader_unit_test_bench;

ShaderUnitSpec taking(unsigned lanes, unsigned inputs_per_cycle) {
  ShaderUnitSpec spec;
  spec.group_lanes = spec.simd_lanes = lanes, spec.threads = 16 * lanes;
  spec.inputs_per_cycle = inputs_per_cycle;
  return spec;
}

// The cycle in which the first instruction of the only group issues.
Cycle first_issue(Bench& bench) {
  while (bench.unit.counters.instructions == 0 && bench.clock.now() < 2000) bench.sim.run(bench.clock, 1);
  return bench.clock.now();
}

// A group enters in ceil(lanes x interpolants / inputs_per_cycle) cycles, and issues in the next.
TEST(ShaderAdmission, InterpolantsTakeCyclesToEnter) {
  for (const uint32_t lanes : {4u, 8u, 32u})
    for (const uint32_t interpolants : {0u, 1u, 9u, 10u, 11u, 20u, 32u})
      for (const unsigned rate : {1u, 4u, 40u, 512u}) {
        Bench bench(taking(lanes, rate));
        auto state = program("MOV o0, c0\nEND\n", lanes);
        state->registers.vertex_out.interpolants = interpolants;
        bench.send(*state, 0, lanes / 4);
        const Cycle cycles = std::max(1u, (lanes * interpolants + rate - 1) / rate);
        EXPECT_EQ(first_issue(bench), 2 + cycles) << lanes << " x " << interpolants << " at " << rate;
      }
}

// A group of four fragments with 10 interpolants takes a cycle, one of vertices with 16 attributes two
// (ATT-2, ATT-3).
TEST(ShaderAdmission, WideGroupsComeInMoreSlowly) {
  const auto entered = [](uint32_t interpolants, Cycle cycles) {
    ShaderUnitSpec spec;
    spec.threads = 4096;
    Bench bench(spec);
    auto state = program("MOV o0, c0\nEND\n");
    state->registers.vertex_out.interpolants = interpolants;
    for (uint32_t i = 0; i < 200; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 1 + cycles);
    return bench.unit.counters.fragment_groups;
  };
  EXPECT_EQ(entered(10, 120), 120u);
  EXPECT_EQ(entered(11, 120), 60u);
  EXPECT_EQ(entered(20, 120), 60u);
  EXPECT_EQ(entered(21, 120), 40u);
}

TEST(ShaderAdmission, AttributesThatAProgramReadsTakeCyclesToEnter) {
  for (const auto& [attributes, cycles] : {std::pair{1u, 1u}, {10u, 1u}, {11u, 2u}, {16u, 2u}}) {
    Bench bench;
    auto state = program("END\n");
    std::string text;
    for (uint32_t i = 0; i < attributes; i++) text += fmt::format("MOV o{}, i{}\n", i, i);
    messages::testing::add_program(*state, Stage::kVertex, text + "END\n", 4);
    bench.send_vertices(*state, 4);
    EXPECT_EQ(first_issue(bench), 2u + cycles) << attributes;
  }
}

// While a group comes in no other does, of either kind.
TEST(ShaderAdmission, OneGroupEntersAtATime) {
  Bench bench(taking(4, 4));
  auto state = program("MOV o0, c0\nEND\n");
  state->registers.vertex_out.interpolants = 8;
  bench.send(*state, 0);
  bench.sim.run(bench.clock, 2);
  bench.send_vertices(*state, 4);  // one attribute: a cycle
  while (bench.unit.counters.vertex_groups == 0 && bench.clock.now() < 100) bench.sim.run(bench.clock, 1);
  EXPECT_EQ(bench.unit.counters.fragment_groups, 1u);
  EXPECT_EQ(bench.clock.now(), 2u + 8);
}

// With three places the fourth group comes in when the first has left, though the second and third have left
// long before.
TEST(ShaderAdmission, FragmentsMayHavePlacesInOrder) {
  const auto inside = [](unsigned places) {
    ShaderUnitSpec spec;
    spec.group_lanes = spec.simd_lanes = 4, spec.threads = 64;
    spec.fragment_groups = places;
    Bench bench(spec);
    auto slow = program("MOV r0, c0\nMOV r0, r0\nMOV r0, r0\nMOV r0, r0\nMOV r0, r0\nMOV o0, r0\nEND\n");
    auto fast = program("MOV o0, c0\nEND\n");
    bench.send(*slow, 0);
    for (uint32_t i = 1; i < 6; i++) bench.send(*fast, i);
    Cycle first_left = 0;
    std::vector<uint64_t> came_in;  // by cycle
    while (!first_left && bench.clock.now() < 500) {
      came_in.push_back(bench.unit.counters.fragment_groups);
      bench.sim.run(bench.clock, 1);
      for (const auto& [cycle, quad] : bench.buffer.received)
        if (quad.order == 0) first_left = cycle;
    }
    EXPECT_GT(first_left, 20u);
    bench.sim.run(bench.clock, 500);
    EXPECT_EQ(bench.buffer.received.size(), 6u);
    return came_in.at(came_in.size() - 2);  // in the cycle in which it left
  };
  EXPECT_EQ(inside(0), 6u);
  EXPECT_EQ(inside(3), 3u);
  EXPECT_EQ(inside(1), 1u);
}

// Fragments without a program bring no interpolants.
TEST(ShaderAdmission, FragmentsWithoutAProgramEnterInACycle) {
  Bench bench(taking(4, 1));
  auto state = messages::testing::plain_state();
  state->registers.vertex_out.interpolants = 8;
  for (uint32_t i = 0; i < 10; i++) bench.send(*state, i);
  bench.sim.run(bench.clock, 11);
  EXPECT_EQ(bench.unit.counters.fragment_groups, 10u);
}

// ---- Admission alone ----

// 32 threads in groups of 4; the registers suffice for 16 threads of 4 temporaries each.
constexpr ShaderUnitSpec kSmall{.threads = 32,
                                .input_threads = 0,
                                .registers_per_thread = 2,
                                .register_granularity = 2,
                                .scratch_bytes = 1024};

TEST(AdmissionPart, GroupsComeInUntilTheirRegistersAreTaken) {
  uint64_t stalls = 0;
  Admission admission(kSmall, 8, stalls);
  auto state = program("MOV o0, c0\nEND\n", 4, 4);
  EXPECT_EQ(admission.demand_of(*state, Stage::kFragment).registers, 16u);
  for (uint32_t group = 0; group < 4; group++) {
    EXPECT_TRUE(admission.has_room(*state, Stage::kFragment, group == 0)) << group;
    admission.admit(group, *state, Stage::kFragment);
  }
  EXPECT_FALSE(admission.has_room(*state, Stage::kFragment, false));
  EXPECT_TRUE(admission.stalls());
  EXPECT_FALSE(admission.has_room(*state, Stage::kFragment, false));
  EXPECT_EQ(stalls, 1u);  // the same group at the front
  admission.release(2);
  EXPECT_TRUE(admission.has_room(*state, Stage::kFragment, false));
  EXPECT_FALSE(admission.stalls());
}

TEST(AdmissionPart, ThreadsBoundGroupsWithoutAProgram) {
  uint64_t stalls = 0;
  Admission admission(kSmall, 8, stalls);
  auto state = messages::testing::plain_state();
  for (uint32_t group = 0; group < 8; group++) {
    EXPECT_TRUE(admission.has_room(*state, Stage::kFragment, group == 0));
    admission.admit(group, *state, Stage::kFragment);
  }
  EXPECT_FALSE(admission.has_room(*state, Stage::kFragment, false));
  EXPECT_EQ(stalls, 0u);  // no registers are lacking
}

// A group that needs more than there is waits until it is alone, and then takes all.
TEST(AdmissionPart, ATooLargeGroupComesInAlone) {
  uint64_t stalls = 0;
  Admission admission(kSmall, 8, stalls);
  auto large = program("MOV o0, c0\nEND\n", 4, 20);
  auto small = program("MOV o0, c0\nEND\n", 4, 2);
  EXPECT_FALSE(admission.has_room(*large, Stage::kFragment, false));
  EXPECT_TRUE(admission.has_room(*large, Stage::kFragment, true));
  admission.admit(0, *large, Stage::kFragment);
  EXPECT_FALSE(admission.has_room(*small, Stage::kFragment, false));
  admission.release(0);
  EXPECT_TRUE(admission.has_room(*small, Stage::kFragment, false));
}

TEST(AdmissionPart, AWorkgroupTakesTheRegistersOfAllItsGroups) {
  uint64_t stalls = 0;
  Admission admission(kSmall, 8, stalls);
  auto state = messages::testing::plain_state();
  messages::testing::add_program(*state, Stage::kCompute, "END\n", 4, 4);
  EXPECT_TRUE(admission.has_room_for_workgroup(*state, 4, true, false));
  EXPECT_FALSE(admission.has_room_for_workgroup(*state, 5, true, false));
  EXPECT_FALSE(admission.has_room_for_workgroup(*state, 4, false, false));
  const Admission::Demand taken = admission.admit_workgroup(*state, 3);
  EXPECT_EQ(taken.registers, 48u);
  for (uint32_t group = 0; group < 3; group++) admission.admit(group, *state, Stage::kCompute);
  EXPECT_TRUE(admission.has_room_for_workgroup(*state, 1, true, false));  // its groups take threads alone
  EXPECT_FALSE(admission.has_room_for_workgroup(*state, 2, true, false));
  admission.release_workgroup(taken);
  for (uint32_t group = 0; group < 3; group++) admission.release(group);
  EXPECT_TRUE(admission.has_room_for_workgroup(*state, 4, true, false));
}

}  // namespace
}  // namespace cutaway::boxes::admission_test
