// The first level of a shader unit before the storage cache: what it gives, what it must not, and when.
#include <gmock/gmock.h>

#include "boxes/shader_unit/workgroup_bench_for_test.h"

namespace cutaway::boxes::storage_l1_test {
namespace {

using namespace shader_unit_test_bench;
using messages::Control;

ShaderUnitSpec with_l1(unsigned lines = 16, unsigned ways = 4, unsigned latency = 10, unsigned pending = 8) {
  ShaderUnitSpec spec = kSpec;
  spec.l1_lines = lines, spec.l1_ways = ways, spec.l1_latency = latency, spec.l1_mshrs = pending;
  return spec;
}

constexpr const char* kEnd = "STB _.x, c2.x, r1.x, t0\nEND\n";  // to word 512, of a line of its own

struct L1Bench : ComputeBench {
  explicit L1Bench(const ShaderUnitSpec& spec_in, Cycle latency = 50) : ComputeBench(spec_in) {
    storage.latency = latency;
    for (uint32_t i = 0; i < 512; i++) storage.memory.write_as<uint32_t>(kBuffer + 4 * i, 100 + i);
  }
  // A program that ends with r1.x in word 512; constants 0 to 7 in c0 and c1.
  uint32_t result_of(const std::string& text, uint32_t threads = 8) {
    states.push_back(compute(text + kEnd, threads, 0, spec));
    states.back()->stage[Stage::kCompute].constants[2][0] = 2048;
    states.back()->stage[Stage::kCompute].constants[3][0] = 8;
    send(*states.back());
    run();
    return word(512);
  }
  size_t loads() const {
    return static_cast<size_t>(std::count_if(storage.seen.begin(), storage.seen.end(), [](const auto& one) {
      return one.second == StorageJob::Kind::kLoad;
    }));
  }
  void others_store(uint32_t number, uint32_t value) {
    storage.memory.write_as<uint32_t>(kBuffer + 4 * number, value);
  }
  std::vector<std::unique_ptr<messages::DrawState>> states;
};

TEST(StorageL1, GivesWhatALoadBefore) {
  L1Bench bench(with_l1());
  EXPECT_EQ(bench.result_of("LDB r0.x, c0.x, t0, CACHED\nLDB r1.x, c1.x, t0, CACHED\n"),
            101u);  // of its sector
  EXPECT_EQ(bench.loads(), 1u);
  EXPECT_EQ(bench.counters().l1_misses, 1u);
  EXPECT_EQ(bench.counters().l1_hits, 1u);
  EXPECT_EQ(bench.counters().storage_requests, 2u);  // with the store
}

// A miss takes what it would take without a first level, a hit its latency.
TEST(StorageL1, HitsTakeItsLatency) {
  const auto end = [](const ShaderUnitSpec& spec, bool second) {
    L1Bench bench(spec, 200);
    bench.result_of(second ? "LDB r0.x, c0.x, t0, CACHED\nLDB r1.x, c0.x, t0, CACHED\n"
                           : "LDB r1.x, c0.x, t0, CACHED\n");
    return bench.ended.received.at(0).first;
  };
  const Cycle one = end(kSpec, false), two = end(kSpec, true);
  EXPECT_EQ(end(with_l1(), false), one);
  for (const unsigned latency : {1u, 10u, 77u}) {
    const Cycle hit = end(with_l1(16, 4, latency), true);
    // Else there are the latency of the mock and of two wires, which are not ready in the cycle they are
    // sent.
    EXPECT_EQ(two - hit, 200 + 2 - latency) << latency;
  }
}

TEST(StorageL1, LoadsThatMustSeeOthersPassIt) {
  L1Bench bench(with_l1());
  EXPECT_EQ(bench.result_of("LDB r0.x, c0.x, t0, CACHED\nLDB r1.x, c0.x, t0\n"), 100u);
  EXPECT_EQ(bench.loads(), 2u);
  // The line may be older than what they brought, and is forgotten.
  bench.others_store(0, 7);
  EXPECT_EQ(bench.result_of("LDB r1.x, c0.x, t0, CACHED\n"), 7u);
  EXPECT_EQ(bench.counters().l1_hits, 0u);
}

TEST(StorageL1, StoresGoOnAndChangeWhatIsHere) {
  L1Bench bench(with_l1());
  EXPECT_EQ(
      bench.result_of("LDB r0.x, c0.x, t0, CACHED\nSTB _.x, c1.x, c0.w, t0\nLDB r1.x, c1.x, t0, CACHED\n"),
      3u);
  EXPECT_EQ(bench.loads(), 1u);
  EXPECT_EQ(bench.word(1), 3u);
  EXPECT_EQ(bench.counters().l1_hits, 1u);
}

// They make no line: a load behind misses.
TEST(StorageL1, StoresBringNothing) {
  L1Bench bench(with_l1());
  EXPECT_EQ(bench.result_of("STB _.x, c1.x, c0.w, t0\nLDB r1.x, c1.x, t0, CACHED\n"), 3u);
  EXPECT_EQ(bench.loads(), 1u);
}

TEST(StorageL1, AtomicsForgetTheirWords) {
  L1Bench bench(with_l1());
  EXPECT_EQ(bench.result_of("LDB r0.x, c0.x, t0, CACHED\nATOM _.x, c1.x, c0.w, c0.x, t0, OP(0)\n"
                            "LDB r0.x, c0.x, t0, CACHED\nLDB r1.x, c1.x, t0, CACHED\n"),
            101u + 3 * 8);
  EXPECT_EQ(bench.counters().l1_hits, 1u);  // the word beside
  EXPECT_EQ(bench.loads(), 2u);
}

TEST(StorageL1, FindsWhatOthersStoredBehindBarriersOfBuffers) {
  for (const auto& [barrier, found] :
       std::initializer_list<std::pair<const char*, uint32_t>>{{"MEMBAR SHARED", 100},
                                                               {"BAR", 100},
                                                               {"BAR SHARED", 100},
                                                               {"MEMBAR DEVICE", 55},
                                                               {"BAR DEVICE", 55}}) {
    L1Bench bench(with_l1());
    bench.result_of("LDB r1.x, c0.x, t0, CACHED\n");
    bench.others_store(0, 55);
    EXPECT_EQ(bench.result_of(fmt::format("{}\nLDB r1.x, c0.x, t0, CACHED\n", barrier)), found) << barrier;
    EXPECT_EQ(bench.counters().l1_invalidates, found == 55 ? 1u : 0u);
  }
}

TEST(StorageL1, PacketsMakeItForget) {
  for (const Control::Kind kind : {Control::Kind::kFlush, Control::Kind::kInvalidate}) {
    L1Bench bench(with_l1());
    bench.result_of("LDB r1.x, c0.x, t0, CACHED\n");
    bench.others_store(0, 55);
    EXPECT_EQ(bench.result_of("LDB r1.x, c0.x, t0, CACHED\n"), 100u);
    bench.orders->messages.push_back({.kind = kind}), bench.orders->wake();
    bench.run();
    ASSERT_EQ(bench.answers->received.size(), 1u);
    EXPECT_EQ(bench.answers->received[0].second.kind, kind);
    EXPECT_EQ(bench.result_of("LDB r1.x, c0.x, t0, CACHED\n"), 55u);
  }
}

// A fill that was asked for before goes to its loads, and is not kept.
TEST(StorageL1, KeepsNothingThatWasUnderWayWhenItForgot) {
  L1Bench bench(with_l1(), 400);
  bench.states.push_back(
      compute("LDB r1.x, c0.x, t0, CACHED\nSTB _.x, c1.x, r1.x, t0\nEND\n", 8, 0, bench.spec));
  bench.send(*bench.states.back());
  bench.run(60);
  EXPECT_EQ(bench.loads(), 1u);
  bench.orders->messages.push_back({.kind = Control::Kind::kInvalidate}), bench.orders->wake();
  bench.run(20);
  EXPECT_EQ(bench.answers->received.size(), 1u);  // it does not wait
  bench.others_store(0, 55);
  bench.run(1000);
  EXPECT_EQ(bench.word(1), 100u);
  EXPECT_EQ(bench.result_of("LDB r1.x, c0.x, t0, CACHED\n"), 55u);
}

TEST(StorageL1, ALineUnderWayIsAskedForOnce) {
  L1Bench bench(with_l1(), 300);
  EXPECT_EQ(bench.result_of("LDB r1.x, c0.x, t0, CACHED\n", 64), 100u);
  EXPECT_EQ(bench.loads(), 1u);
  EXPECT_EQ(bench.counters().l1_misses, 1u);
  EXPECT_EQ(bench.counters().l1_hits, 7u);
  EXPECT_EQ(bench.counters().l1_merged, 7u);
}

// The second group stores while the first one's line is under way, and then loads: it finds what it stored.
TEST(StorageL1, StoresAreNewerThanLinesUnderWay) {
  L1Bench bench(with_l1(), 300);
  EXPECT_EQ(bench.result_of(
                "IGE r0.x, i32.w, c3.x\nIF r0.x\nRCP r2.x, c0.y\nRCP r2.x, r2.x\nSTB _.x, c1.x, c0.w, t0\n"
                "ENDIF\nLDB r1.x, c1.x, t0, CACHED\nIF r0.x\nBAR\nELSE\nBAR\nENDIF\n"
                "LDB r1.x, c1.x, t0, CACHED\n",
                16),
            3u);
  EXPECT_EQ(bench.word(1), 3u);
}

TEST(StorageL1, TheOldestOfASetGoes) {
  // Two sets of one line each: lines 0 and 2 meet.
  const std::string three =
      "LDB r0.x, c0.x, t0, CACHED\nLDB r0.x, c3.x, t0, CACHED\nLDB r1.x, c0.x, t0, CACHED\n";
  const auto misses = [&](unsigned lines, unsigned ways, uint32_t second) {
    L1Bench bench(with_l1(lines, ways));
    bench.states.push_back(compute(three + "STB _.x, c2.x, r1.x, t0\nEND\n", 8, 0, bench.spec));
    auto& constants = bench.states.back()->stage[Stage::kCompute].constants;
    constants[2][0] = 2048, constants[3][0] = second;
    bench.send(*bench.states.back());
    bench.run();
    EXPECT_EQ(bench.word(512), 100u);
    return bench.counters().l1_misses;
  };
  EXPECT_EQ(misses(2, 1, 256), 3u);
  EXPECT_EQ(misses(2, 1, 128), 2u);
  EXPECT_EQ(misses(2, 2, 256), 2u);
  EXPECT_EQ(misses(4, 1, 256), 2u);
}

// Misses of loads from these lines, each of which is waited for, in a set of two lines.
uint64_t misses_in_a_pair(const char* policy, const std::vector<uint32_t>& lines) {
  ShaderUnitSpec spec = with_l1(2, 2);
  spec.l1_replacement = policy;
  L1Bench bench(spec);
  std::string text;
  for (const uint32_t line : lines)
    text += fmt::format("LDB r1.x, c{}.x, t0, CACHED\nADD r2.x, r1.x, r1.x\n", 3 + line);
  bench.states.push_back(compute(text + kEnd, 8, 0, bench.spec));
  auto& constants = bench.states.back()->stage[Stage::kCompute].constants;
  constants[2][0] = 2048;
  for (uint32_t line = 0; line < 4; line++) constants[3 + line][0] = 128 * line;
  bench.send(*bench.states.back());
  bench.run();
  EXPECT_EQ(bench.word(512), 100 + 32 * lines.back());
  return bench.counters().l1_misses;
}

// The third line makes room by the policy, the first having been used again.
TEST(StorageL1, ThePolicyChoosesWhatGoes) {
  EXPECT_EQ(misses_in_a_pair("lru", {0, 1, 0, 2, 0}), 3u);
  EXPECT_EQ(misses_in_a_pair("fifo", {0, 1, 0, 2, 0}), 4u);
}

// Line 1 ages when line 0 is given up, so that it goes next, and line 2 stays.
TEST(StorageL1, ThePolicyLearnsWhatGoes) { EXPECT_EQ(misses_in_a_pair("rrip", {0, 1, 1, 2, 2, 3, 2}), 4u); }

// 8 threads load from lines of their own: `pending` of them are under way at a time.
TEST(StorageL1, SoManyLinesAreUnderWay) {
  const auto most = [](unsigned pending) {
    L1Bench bench(with_l1(64, 4, 10, pending), 1000);
    bench.states.push_back(
        compute("IMUL r0.x, i32.w, c2.x\nLDB r1.x, r0.x, t0, CACHED\nSTB _.x, r0.x, r1.x, t0\nEND\n", 8, 0,
                bench.spec));
    bench.states.back()->stage[Stage::kCompute].constants[2][0] = 128;
    bench.send(*bench.states.back());
    bench.run(500);
    return bench.storage.seen.size();
  };
  for (const unsigned pending : {1u, 3u, 8u}) EXPECT_EQ(most(pending), pending);
}

TEST(StorageL1, AccountsSumAndBlame) {
  L1Bench bench(with_l1(), 300);
  bench.result_of("LDB r0.x, c0.x, t0, CACHED\nLDB r1.x, c0.x, t0, CACHED\n");
  bench.unit.count_until(bench.clock.now() + 1);
  const engine::Account account = static_cast<const engine::Box&>(bench.unit).account();
  EXPECT_EQ(account.busy + account.starved + account.blocked + account.idle, account.cycles);
  EXPECT_GT(account.starved_by("storage"), 500u);  // for the miss and for the store at the end
  EXPECT_LT(account.starved_by("storage"), 640u);  // not for the hit
}

}  // namespace
}  // namespace cutaway::boxes::storage_l1_test
