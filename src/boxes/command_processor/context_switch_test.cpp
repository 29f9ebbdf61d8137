// Submissions of several contexts: what is done between them, and in which order.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::context_switch_test {
namespace {

using namespace testing;

constexpr CommandProcessorSpec kTwo{.contexts = 2, .schedule = "first-come"};

// Submits what has been written for a context, and begins to write the next one's.
void submit(Bench& bench, arch::ContextId context, uint64_t id, bool presents = false) {
  const std::vector<uint32_t> words = bench.commands.take();
  const arch::Address at = kCommands + context * 0x8000u + id * 0x1000u;
  bench.memory.memory.write(at, words.data(), words.size() * 4);
  bench.box.submit({.id = id,
                    .context = context,
                    .commands = at,
                    .words = static_cast<uint32_t>(words.size()),
                    .presents = presents});
  bench.state();
}

bool run(Bench& bench) {
  return bench.sim.run_until([&] { return bench.box.finished() || bench.box.fault(); }, bench.clock, 20000) &&
         !bench.box.fault();
}

TEST(ContextSwitch, WritesCachesBackThenEmptiesThemThenBinds) {
  Bench bench(kTwo);
  for (const arch::ContextId context : {0u, 1u}) bench.draw(), submit(bench, context, 1);
  ASSERT_TRUE(run(bench)) << bench.fault();
  ASSERT_EQ(bench.pipeline.draws.size(), 2u);
  ASSERT_EQ(bench.binder->orders.size(), 1u);
  EXPECT_EQ(bench.binder->orders[0].second.base, arch::context_base(1));
  const Cycle first_draw = bench.pipeline.draws[0].first + bench.pipeline.latency,
              bound = bench.binder->orders[0].first;
  for (const Bench::Cache* cache : bench.caches) {
    ASSERT_EQ(cache->orders.size(), 2u);
    EXPECT_EQ(cache->orders[0].second.kind, Control::Kind::kFlush);
    EXPECT_EQ(cache->orders[1].second.kind, Control::Kind::kInvalidate);
    EXPECT_GT(cache->orders[0].first, first_draw);
    EXPECT_GE(cache->orders[1].first, cache->orders[0].first + cache->latency);
    EXPECT_GE(bound, cache->orders[1].first + cache->latency);
  }
  // Commands are fetched once the binder has answered.
  EXPECT_GT(bench.pipeline.draws[1].first, bound + bench.binder->latency + 10);
  const ContextSwitchCounters& counters = bench.box.switch_counters();
  EXPECT_EQ(counters.switches, 1u);
  // An order takes a cycle there, the servant's time, and a cycle back; one to caches leaves a cycle later.
  EXPECT_EQ(counters.flush_cycles, 1u + 20 + 2);
  EXPECT_EQ(counters.invalidate_cycles, 1u + 20 + 2);
  EXPECT_EQ(counters.bind_cycles, 20u + 2);
}

TEST(ContextSwitch, IsListedWithTheTurnsOnBothSides) {
  Bench bench(kTwo);
  messages::WorkList list;
  bench.box.keep_work_list(list);
  for (const arch::ContextId context : {0u, 1u}) bench.draw(), submit(bench, context, 1);
  ASSERT_TRUE(run(bench)) << bench.fault();
  const run_record::TurnsRecord& record = list.turns().record();
  ASSERT_EQ(record.turns.size(), 2u);
  ASSERT_EQ(record.switches.size(), 1u);
  const run_record::SwitchRecord& between = record.switches[0];
  for (uint32_t context : {0u, 1u}) {
    EXPECT_EQ(record.turns[context].context, context);
    EXPECT_EQ(record.turns[context].submission, 1u);
    EXPECT_EQ(record.turns[context].how, run_record::TurnRecord::End::kEnded);
  }
  EXPECT_LE(record.turns[0].end, between.began);
  EXPECT_EQ(record.turns[1].began, between.end);
  EXPECT_EQ(between.from, 0u);
  EXPECT_EQ(between.to, 1u);
  const ContextSwitchCounters& counters = bench.box.switch_counters();
  EXPECT_EQ(between.flush_cycles, counters.flush_cycles);
  EXPECT_EQ(between.invalidate_cycles, counters.invalidate_cycles);
  EXPECT_EQ(between.bind_cycles, counters.bind_cycles);
  EXPECT_TRUE(between.whole);
  for (const messages::Work& work : list.works()) {
    const run_record::TurnRecord& turn = record.turns.at(work.context);
    EXPECT_GE(work.began, turn.began);
    EXPECT_LE(work.end, turn.end);
  }
}

TEST(ContextSwitch, DoesNothingBetweenSubmissionsOfOneContext) {
  Bench bench(kTwo);
  for (const uint64_t id : {1u, 2u}) {
    bench.draw(), submit(bench, 0, id);
    ASSERT_TRUE(run(bench)) << bench.fault();
  }
  EXPECT_EQ(bench.pipeline.draws.size(), 2u);
  EXPECT_TRUE(bench.binder->orders.empty());
  EXPECT_TRUE(bench.caches[0]->orders.empty());
}

TEST(ContextSwitch, GoesBackToAContext) {
  Bench bench(kTwo);
  for (const arch::ContextId context : {0u, 1u}) bench.draw(), submit(bench, context, 1);
  ASSERT_TRUE(run(bench)) << bench.fault();
  bench.draw(), submit(bench, 0, 2);
  ASSERT_TRUE(run(bench)) << bench.fault();
  ASSERT_EQ(bench.binder->orders.size(), 2u);
  EXPECT_EQ(bench.binder->orders[1].second.base, arch::context_base(0));
  EXPECT_EQ(bench.box.ended(0), 2u);
  EXPECT_EQ(bench.box.ended(1), 1u);
}

TEST(ContextSwitch, ForgetsTheBoundsOfHierarchicalZ) {
  Bench bench(kTwo, {}, {}, {}, true);
  auto state = messages::testing::plain_state();
  state->registers.depth.surface = messages::testing::surface(arch::Format::D32_SFLOAT, 64, 64, kData);
  bench.set(state->registers, state->registers.depth);
  bench.draw(), submit(bench, 0, 1);
  bench.draw(), submit(bench, 1, 1);
  ASSERT_TRUE(run(bench)) << bench.fault();
  ASSERT_EQ(bench.caches[0]->orders.size(), 2u);  // it holds depth's bounds
  EXPECT_EQ(bench.caches[0]->orders[1].second.kind, Control::Kind::kInvalidate);
}

TEST(ContextSwitch, PicturesLieInThePartOfTheirContext) {
  Bench bench(kTwo);
  for (const arch::ContextId context : {0u, 1u}) {
    bench.present();
    const std::vector<uint32_t> words = bench.commands.take();
    const arch::Address at = kCommands + context * 0x8000u;
    bench.memory.memory.write(at, words.data(), words.size() * 4);
    bench.box.submit({.id = 1,
                      .context = context,
                      .commands = at,
                      .words = static_cast<uint32_t>(words.size()),
                      .presents = true});
    bench.state();
  }
  ASSERT_TRUE(run(bench)) << bench.fault();
  ASSERT_TRUE(bench.sim.run_until([&] { return bench.dac.orders.size() == 2; }, bench.clock, 1000));
  EXPECT_EQ(uint64_t{bench.dac.orders[0].second.surface.address}, kData);
  EXPECT_EQ(uint64_t{bench.dac.orders[1].second.surface.address}, arch::context_base(1) + kData);
}

constexpr CommandProcessorSpec preempting(bool preempts) {
  CommandProcessorSpec spec{.contexts = 2};
  spec.schedule = "priority";
  spec.preempts = preempts;
  return spec;
}

// Draws of context 0, each once the one before has ended, and of context 1, which is handed over once the
// first draw of context 0 has left.
std::vector<uint64_t> draws_in_order(Bench& bench) {
  for (int i = 0; i < 3; i++) {
    bench.draw();
    bench.commands.packet(Opcode::kWaitIdle);
  }
  submit(bench, 0, 1);
  EXPECT_TRUE(bench.sim.run_until([&] { return !bench.pipeline.draws.empty(); }, bench.clock, 5000));
  bench.draw(), submit(bench, 1, 1);
  EXPECT_TRUE(run(bench)) << bench.fault();
  std::vector<uint64_t> cycles;
  for (const auto& draw : bench.pipeline.draws) cycles.push_back(draw.first);
  return cycles;
}

// The machine is stopped while memory clients are bound: the record has the steps that have ended.
TEST(ContextSwitch, IsListedAlthoughTheMachineStops) {
  Bench bench(kTwo);
  messages::WorkList list;
  bench.box.keep_work_list(list);
  for (const arch::ContextId context : {0u, 1u}) bench.draw(), submit(bench, context, 1);
  ASSERT_TRUE(bench.sim.run_until([&] { return !bench.binder->orders.empty(); }, bench.clock, 5000));
  list.stop(bench.clock.now());
  const run_record::TurnsRecord& record = list.turns().record();
  ASSERT_EQ(record.switches.size(), 1u);
  const run_record::SwitchRecord& stopped = record.switches[0];
  EXPECT_FALSE(stopped.whole);
  EXPECT_EQ(stopped.to, 1u);
  EXPECT_EQ(stopped.end, bench.clock.now());
  const ContextSwitchCounters& counters = bench.box.switch_counters();
  EXPECT_EQ(counters.switches, 0u);
  EXPECT_GT(stopped.invalidate_cycles, 0u);
  EXPECT_EQ(stopped.flush_cycles, counters.flush_cycles);
  EXPECT_EQ(stopped.invalidate_cycles, counters.invalidate_cycles);
  EXPECT_EQ(stopped.bind_cycles, 0u);
}

TEST(ContextSwitch, SuspendsASubmissionBehindADraw) {
  Bench bench(preempting(true));
  messages::WorkList list;
  bench.box.keep_work_list(list);
  const std::vector<uint64_t> draws = draws_in_order(bench);
  ASSERT_EQ(draws.size(), 4u);
  // To context 1 behind the first draw or the second one of context 0, and back behind its only draw.
  ASSERT_EQ(bench.binder->orders.size(), 2u);
  EXPECT_EQ(bench.binder->orders[0].second.base, arch::context_base(1));
  EXPECT_EQ(bench.binder->orders[1].second.base, arch::context_base(0));
  EXPECT_LT(uint64_t{bench.binder->orders[0].first}, draws[2]);
  EXPECT_GT(draws[3], uint64_t{bench.binder->orders[1].first});
  // All work of the first submission has ended before.
  EXPECT_GT(uint64_t{bench.binder->orders[0].first}, draws[0] + bench.pipeline.latency);
  EXPECT_EQ(bench.box.preemption_counters().preemptions, 1u);
  EXPECT_GT(bench.box.preemption_counters().drain_cycles, 0u);
  const run_record::TurnsRecord& turns = list.turns().record();
  ASSERT_EQ(turns.turns.size(), 3u);
  EXPECT_EQ(turns.turns[0].how, run_record::TurnRecord::End::kSuspended);
  EXPECT_EQ(turns.turns[0].drain_cycles, bench.box.preemption_counters().drain_cycles);
  EXPECT_EQ(turns.turns[2].restored_bytes, bench.box.preemption_counters().restored_bytes);
  EXPECT_EQ(turns.turns[2].submission, turns.turns[0].submission);
  const uint64_t restored = bench.box.preemption_counters().restored_bytes;
  EXPECT_GT(restored, 0u);
  Bench plain(preempting(false));
  draws_in_order(plain);
  EXPECT_EQ(bench.box.counters.state_bytes, plain.box.counters.state_bytes + restored);
  EXPECT_EQ(bench.box.ended(0), 1u);
  EXPECT_EQ(bench.box.ended(1), 1u);
}

// Two contexts of which the first presents twice, to a display that takes kScanOut cycles for a picture.
struct Presents : Bench {
  static constexpr Cycle kScanOut = 3000;
  Presents() : Bench(kTwo) {
    dac.latency = kScanOut;
    hand_over(0, 1, true);
    EXPECT_TRUE(boxes::context_switch_test::run(*this)) << fault();
  }
  void hand_over(arch::ContextId context, uint64_t number, bool presents) {
    if (presents) present();
    else draw();
    submit(*this, context, number, presents);
  }
  Cycle shown(size_t picture) const { return dac.orders.at(picture).first + kScanOut; }
};

TEST(ContextSwitch, APresentThatTheDisplayHoldsLeavesTheGpuToOthers) {
  Presents bench;
  bench.hand_over(0, 2, true);
  bench.hand_over(1, 1, false);
  ASSERT_TRUE(run(bench)) << bench.fault();
  ASSERT_EQ(bench.pipeline.draws.size(), 1u);
  EXPECT_LT(bench.pipeline.draws[0].first, bench.shown(0));
  bench.sim.run(bench.clock, 2);
  ASSERT_EQ(bench.dac.orders.size(), 2u);
  EXPECT_GT(bench.dac.orders[1].first, bench.shown(0));
  // The display held it, not the other context.
  EXPECT_LT(bench.box.waited(0), 100u);
  EXPECT_GT(bench.box.counters.display_cycles, Presents::kScanOut - 1000);
}

TEST(ContextSwitch, APresentThatIsNotForTheDisplayDoesNotWaitForIt) {
  Presents bench;
  bench.box.offscreen = 2;
  bench.hand_over(1, 1, true);
  ASSERT_TRUE(run(bench)) << bench.fault();
  EXPECT_LT(bench.clock.now(), bench.shown(0));
  EXPECT_EQ(bench.dac.orders.size(), 1u);
  EXPECT_EQ(bench.box.counters.presents, 2u);
}

TEST(ContextSwitch, ASuspendedSubmissionKeepsWhatQueriesCounted) {
  QueryWriter queries;
  queries.begin_submission({.id = 1});
  queries.counters.samples_passed = 5;
  const QueryWriter::Standing standing = queries.standing();
  queries.begin_submission({.id = 2});
  EXPECT_EQ(queries.counters.samples_passed, 0u);
  queries.resume(standing);
  EXPECT_EQ(queries.counters.samples_passed, 5u);
}

TEST(ContextSwitch, WaitsForTheEndOfASubmissionWithoutPreemption) {
  Bench bench(preempting(false));
  const std::vector<uint64_t> draws = draws_in_order(bench);
  ASSERT_EQ(draws.size(), 4u);
  ASSERT_EQ(bench.binder->orders.size(), 1u);
  EXPECT_GT(uint64_t{bench.binder->orders[0].first}, draws[2]);
  EXPECT_EQ(bench.box.preemption_counters().preemptions, 0u);
}

}  // namespace
}  // namespace cutaway::boxes::context_switch_test
