// Workgroups in a shader unit: their resources, their memory, barriers; what goes to the storage cache.
#include <gmock/gmock.h>

#include "boxes/shader_unit/workgroup_bench_for_test.h"

namespace cutaway::boxes::workgroups_test {
namespace {

using namespace shader_unit_test_bench;
TEST(Workgroups, EndWhenTheirLastGroupHas) {
  ComputeBench bench(kSpec);
  const auto state = compute("SHL r0.x, i32.w, c0.z\nSTB _.x, r0.x, i32.w, t0\nEND\n", 20);
  bench.send(*state);
  bench.run();
  ASSERT_EQ(bench.ended.received.size(), 1u);
  EXPECT_EQ(bench.ended.received[0].second.dispatch, 3u);
  EXPECT_EQ(bench.counters().workgroups, 1u);
  EXPECT_EQ(bench.counters().workgroup_groups, 3u);
  for (uint32_t i = 0; i < 32; i++) EXPECT_EQ(bench.word(i), i < 20 ? i : 0);
}

// Not before all that it stored has been carried out.
TEST(Workgroups, EndBehindTheirStores) {
  std::vector<Cycle> ends;
  for (const Cycle latency : {50, 51, 90}) {
    ComputeBench bench(kSpec);
    bench.storage.latency = latency;
    const auto state = compute("STB _.x, c0.x, c0.y, t0\nEND\n", 1);
    bench.send(*state);
    bench.run();
    ASSERT_EQ(bench.ended.received.size(), 1u);
    ends.push_back(bench.ended.received[0].first);
  }
  EXPECT_EQ(ends[1] - ends[0], 1u);
  EXPECT_EQ(ends[2] - ends[0], 40u);
}

TEST(Workgroups, ShareMemoryBehindBarriers) {
  ComputeBench bench(kSpec);
  const auto state = compute(
      "SHL r0.x, i32.w, c0.z\nSTW _.x, r0.x, i32.w\nBAR\nIADD r0.y, c1.x, -i32.w\nIADD r0.y, r0.y, c1.y\n"
      "SHL r0.y, r0.y, c0.z\nLDW r1.x, r0.y\nSTB _.x, r0.x, r1.x, t0\nEND\n",
      10, 40);
  bench.send(*state);
  bench.run();
  ASSERT_EQ(bench.ended.received.size(), 1u);
  for (uint32_t i = 0; i < 10; i++) EXPECT_EQ(bench.word(i), 9 - i);
  EXPECT_EQ(bench.counters().barriers, 2u);
}

// Each workgroup finds zeros, also where one before it has been.
TEST(Workgroups, FindZerosInTheirMemory) {
  ComputeBench bench(kSpec);
  const auto state = compute(
      "SHL r0.x, i33.x, c0.z\nLDW r1.x, c0.x\nIADD r1.x, r1.x, c1.x\nSTB _.x, r0.x, r1.x, t0\n"
      "STW _.x, c0.x, c1.w\nLDW r2.x, c0.w\nEND\n",
      1, 16);
  for (uint32_t i = 0; i < 12; i++) bench.send(*state, i);
  bench.run();
  for (uint32_t i = 0; i < 12; i++) EXPECT_EQ(bench.word(i), 4u) << i;
}

// A group that has ended is not waited for: of three, the last ends, then the others go on.
TEST(Workgroups, BarriersAreForThoseThatHaveNotEnded) {
  ComputeBench bench(kSpec);
  const auto state =
      compute("ILT r0.x, i32.w, c1.z\nIF r0.x\nBAR\nATOM _.x, c0.x, c0.y, c0.x, t0, OP(0)\nENDIF\nEND\n", 6);
  const auto three = compute(
      "IGE r0.x, i32.w, c1.w\nIF r0.x\nBAR\nBAR\nENDIF\nATOM _.x, c0.x, c0.y, c0.x, t0, OP(0)\nEND\n", 24);
  bench.send(*state), bench.send(*three);
  bench.run();
  EXPECT_EQ(bench.ended.received.size(), 2u);
  EXPECT_EQ(bench.word(0), 6u + 24);
}

// An atomic tells others: it waits for what the group has stored before.
TEST(Workgroups, AtomicsWaitForStores) {
  for (const Cycle latency : {30, 100}) {
    ComputeBench bench(kSpec);
    bench.storage.latency = latency;
    const auto state = compute("STB _.x, c0.x, c0.y, t0\nATOM _.x, c1.x, c0.y, c0.x, t0, OP(0)\nEND\n", 1);
    bench.send(*state);
    bench.run();
    ASSERT_EQ(bench.storage.seen.size(), 2u);
    EXPECT_EQ(bench.storage.seen[1].first - bench.storage.seen[0].first,
              latency + 2);  // a wire there and back
  }
}

// ---- Resources ----

// How many of 12 workgroups of 8 threads, which wait long, are inside at once.
size_t most_inside(const ShaderUnitSpec& spec, uint32_t shared_bytes = 0, uint32_t temporaries = 1) {
  ComputeBench bench(spec);
  bench.storage.latency = 5000;
  const std::string text = fmt::format(
      "LDI r{}.x, c0.x, t1, 2D\nLDB r0.x, c0.x, t0\nSTB _.x, c0.x, r0.x, t0\nEND\n", temporaries - 1);
  const auto state = compute(text, 8, shared_bytes, spec);
  for (uint32_t i = 0; i < 12; i++) bench.send(*state);
  bench.run(1000);
  return bench.counters().workgroups;
}

TEST(Workgroups, ComeInAsAWholeWhenThereIsRoom) {
  EXPECT_EQ(most_inside(kSpec), 8u);  // 64 threads
  ShaderUnitSpec spec = kSpec;
  spec.workgroups = 3;
  EXPECT_EQ(most_inside(spec), 3u);
  spec = kSpec;
  spec.shared_bytes = 1024;
  EXPECT_EQ(most_inside(spec, 256), 4u);
  EXPECT_EQ(most_inside(spec, 260), 3u);
  spec = kSpec;  // (64 + 16) x 4 registers; a group of 8 threads with 20 takes 160
  EXPECT_EQ(most_inside(spec, 0, 20), 2u);
  EXPECT_EQ(most_inside(spec, 0, 21), 1u);   // in steps of 2
  EXPECT_EQ(most_inside(spec, 0, 100), 1u);  // more than there are: alone
}

TEST(Workgroups, GiveBackWhatTheyHad) {
  ShaderUnitSpec spec = kSpec;
  spec.workgroups = 2, spec.shared_bytes = 1024;
  ComputeBench bench(spec);
  const auto state = compute("STW _.x, c0.x, c0.y\nBAR\nEND\n", 30, 1000, spec);
  for (uint32_t i = 0; i < 20; i++) bench.send(*state);
  bench.run();
  EXPECT_EQ(bench.ended.received.size(), 20u);
}

// ---- Banks ----

// Cycles beyond one that a load of shared memory takes, at byte i32.w x stride.
uint64_t conflicts(uint32_t stride, const char* mask = "x", uint32_t banks = 8, uint32_t into = 1) {
  ShaderUnitSpec spec = kSpec;
  spec.shared_banks = banks;
  ComputeBench bench(spec);
  auto state =
      compute(fmt::format("IMUL r0.x, i32.w, c1.w\nLDW r{}.{}, r0.x\nEND\n", into, mask), 8, 4096, spec);
  state->stage[Stage::kCompute].constants[1][3] = stride;
  bench.send(*state);
  bench.run();
  EXPECT_EQ(bench.ended.received.size(), 1u);
  return bench.counters().shared_conflicts;
}

TEST(Workgroups, WordsOfABankFollowEachOther) {
  for (const uint32_t ways : {1u, 2u, 4u, 8u}) EXPECT_EQ(conflicts(4 * ways), ways - 1) << ways;
  EXPECT_EQ(conflicts(0), 0u);   // one word for all
  EXPECT_EQ(conflicts(12), 0u);  // odd strides meet no bank twice
  EXPECT_EQ(conflicts(16, "xyzw"), 3u);
  EXPECT_EQ(conflicts(4, "x", 4), 1u);  // as many threads as banks together: 4 and 4
  EXPECT_EQ(conflicts(32, "x", 4), 7u);
  EXPECT_EQ(conflicts(32, "x", 8, 0), 7u);  // by the address, though the result takes its place
}

TEST(Workgroups, AtomicsOfAWordFollowEachOther) {
  ComputeBench bench(kSpec);
  const auto state = compute(
      "ATOMW r1.x, c0.x, c0.y, c0.x, OP(0)\nSHL r0.x, r1.x, c0.z\nSTB _.x, r0.x, c1.w, t0\nEND\n", 8, 64);
  bench.send(*state);
  bench.run();
  EXPECT_EQ(bench.counters().shared_conflicts, 7u);
  for (uint32_t i = 0; i < 9; i++) EXPECT_EQ(bench.word(i), i < 8 ? 7u : 0);  // each number once
}

TEST(Workgroups, SharedMemoryHasItsLatency) {
  std::vector<Cycle> ends;
  for (const unsigned latency : {9u, 10u, 40u}) {
    ShaderUnitSpec spec = kSpec;
    spec.shared_latency = latency;
    ComputeBench bench(spec);
    const auto state = compute("LDW r1.x, c0.x\nMOV r2.x, r1.x\nEND\n", 8, 64, spec);
    bench.send(*state);
    bench.run();
    ends.push_back(bench.ended.received.at(0).first);
  }
  EXPECT_EQ(ends[1] - ends[0], 1u);
  EXPECT_EQ(ends[2] - ends[0], 31u);
}

// ---- Buffers and images ----

TEST(Workgroups, OneTransactionForEachLine) {
  const auto requests = [](uint32_t stride) {
    ComputeBench bench(kSpec);
    auto state = compute("IMUL r0.x, i32.w, c1.w\nSTB _.x, r0.x, i32.w, t0\nEND\n", 8);
    state->stage[Stage::kCompute].constants[1][3] = stride;
    bench.send(*state);
    bench.run();
    EXPECT_EQ(bench.counters().storage_requests, bench.storage.seen.size());
    return bench.counters().storage_requests;
  };
  EXPECT_EQ(requests(0), 1u);
  EXPECT_EQ(requests(4), 1u);
  EXPECT_EQ(requests(32), 2u);
  EXPECT_EQ(requests(128), 8u);
}

// Loads of memory that the program writes elsewhere, and of memory that it does not write.
TEST(Workgroups, LoadsOfWhatIsNotWrittenGoToTheTextureUnit) {
  ComputeBench bench(kSpec);
  auto state = compute("LDB r0.x, c0.x, t1\nLDB r1.x, c0.x, t0\nSTB _.x, c1.x, r0.x, t0\nEND\n", 8);
  auto& resources = state->stage[Stage::kCompute].resources;
  arch::Surface other = resources[0].surface;
  other.address = kBuffer + 65536;
  resources[1] = func::make_texture_view(other);
  state->note_written();
  bench.send(*state);
  bench.run();
  EXPECT_EQ(bench.unit.counters.texture_instructions, 1u);
  EXPECT_EQ(bench.counters().storage_instructions, 2u);
  other.address = kBuffer + 65532;  // its first word is written
  resources[1] = func::make_texture_view(other);
  state->note_written();
  bench.send(*state);
  bench.run();
  EXPECT_EQ(bench.unit.counters.texture_instructions, 1u);
}

TEST(Workgroups, AccountsSumAndBlame) {
  ComputeBench bench(kSpec);
  bench.storage.latency = 300;
  const auto state = compute("LDB r0.x, c0.x, t0\nSTB _.x, c0.x, r0.x, t0\nEND\n", 8);
  bench.send(*state);
  bench.run(500);
  bench.unit.count_until(501);
  const engine::Account account = static_cast<const engine::Box&>(bench.unit).account();
  EXPECT_EQ(account.busy + account.starved + account.blocked + account.idle, account.cycles);
  EXPECT_GT(account.starved_by("storage"), 250u);
  EXPECT_GT(bench.counters().cycles_storage, 250u);
  const ShaderUnitCounters& c = bench.unit.counters;
  EXPECT_EQ(c.cycles_issued + c.cycles_dependency + c.cycles_texture + c.cycles_registers + c.cycles_inputs +
                c.cycles_output + bench.counters().cycles_storage + bench.counters().cycles_barrier,
            500u);
  ComputeBench refused(kSpec);
  refused.storage.refuse = true;
  const auto many = compute("IMUL r0.x, i32.w, c1.w\nSTB _.x, r0.x, i32.w, t0\nEND\n", 8);
  many->stage[Stage::kCompute].constants[1][3] = 128;
  refused.send(*many);
  refused.run(500);
  EXPECT_GT(static_cast<const engine::Box&>(refused.unit).account().blocked_by("storage"), 400u);
}

}  // namespace
}  // namespace cutaway::boxes::workgroups_test
