#include <gtest/gtest.h>

#include "boxes/interpolator/interpolator.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "func/float_mode.h"
#include "messages/testing/draws.h"

// Tests an interpolator that running programs query.
namespace cutaway::boxes::pulls_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::InterpolatedQuad;
using messages::PullMessage;
using messages::QuadMessage;
using messages::testing::plain_state;

struct Bench {
  const func::FloatMode mode;
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Interpolator& box;
  std::vector<Source<QuadMessage>*> z;
  std::vector<Source<PullMessage>*> shader;
  std::vector<Sink<PullMessage>*> answers;
  Sink<InterpolatedQuad>& distributor = sim.add<Sink<InterpolatedQuad>>(clock, "distributor");
  std::unique_ptr<messages::DrawState> state = plain_state();
  messages::PrimitiveRef primitive;

  explicit Bench(const InterpolatorSpec& spec, unsigned units = 1, unsigned shaders = 1)
      : box(sim.add<Interpolator>(clock, "interpolator", spec, units, shaders, pools)) {
    distributor.per_cycle = units;
    for (unsigned i = 0; i < units; i++) {
      z.push_back(&sim.add<Source<QuadMessage>>(clock, "z" + std::to_string(i)));
      sim.connect(z[i]->out, box.quads_in[i], {1, 1, 6});
    }
    for (unsigned i = 0; i < shaders; i++) {
      shader.push_back(&sim.add<Source<PullMessage>>(clock, "shader" + std::to_string(i)));
      answers.push_back(&sim.add<Sink<PullMessage>>(clock, "answers" + std::to_string(i)));
      sim.connect(shader[i]->out, box.pulls_in[i], {1, 1, 4});
      sim.connect(box.pulls_out[i], answers[i]->in, {1, 1, 4});
    }
    sim.connect(box.quads_out, distributor.in, {1, units, 4 * units});
    auto& out = state->registers.vertex_out;
    out.interpolants = 2;
    out.interpolant[1].mode = static_cast<uint32_t>(arch::Interpolation::kFlat);
    messages::testing::add_program(*state, arch::Stage::kFragment, "MOV o0, i0\nEND\n");
    primitive = messages::testing::cover(pools, *state, 0.5f);
    sim.elaborate();
  }
  PullMessage request(uint32_t interpolant = 0, float dx = 0, float dy = 0, uint8_t mask = 15) {
    PullMessage message{pools.pull_jobs.allocate()};
    messages::PullJob& job = *message.job;
    job.primitive = primitive, job.state = state.get();
    job.x = 10, job.y = 20;
    job.interpolant = static_cast<uint8_t>(interpolant), job.mask = mask, job.lane_mask = 15;
    for (uint32_t lane = 0; lane < 4; lane++) {
      job.offset[0][lane] = std::bit_cast<uint32_t>(dx);
      job.offset[1][lane] = std::bit_cast<uint32_t>(dy * static_cast<float>(lane));
    }
    return message;
  }
  QuadMessage quad() { return messages::testing::quad(primitive, 0, 0); }
};

// It takes as long as a quad with one interpolant.
TEST(InterpolatorPulls, AnAnswerTakesTheLatencyOfOneInterpolant) {
  for (const auto& [base, most] : {std::pair{1u, 8u}, {4u, 6u}, {3u, 3u}, {10u, 64u}}) {
    Bench bench({.base_latency = base, .max_latency = most, .pulls = 1});
    bench.shader[0]->messages.push_back(bench.request());
    const Cycle expected = 2 + std::min(base + 1, most);
    bench.sim.run(bench.clock, expected - 1);
    EXPECT_TRUE(bench.answers[0]->received.empty()) << base;
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.answers[0]->received.size(), 1u) << base;
  }
}

TEST(InterpolatorPulls, EvaluatesAtThePlaceOfEachLane) {
  Bench bench({.pulls = 1});
  bench.shader[0]->messages = {bench.request(0, 0.25f, -0.125f, 3), bench.request(1, 0.25f),
                               bench.request(2, 0.25f)};
  bench.sim.run(bench.clock, 20);
  ASSERT_EQ(bench.answers[0]->received.size(), 3u);
  const auto& perspective = bench.answers[0]->received[0].second.job->result;
  const auto& flat = bench.answers[0]->received[1].second.job->result;
  // Output 0 is the position: -1 at the left edge, 1 at the right one.
  for (int32_t lane = 0; lane < 4; lane++) {
    const auto i = static_cast<float>(lane);
    const float x = 10.75f + static_cast<float>(lane % 2), y = 20.5f + static_cast<float>(lane / 2) - i / 8;
    EXPECT_NEAR(std::bit_cast<float>(perspective[0][lane]), x / 32 - 1, 1e-5);
    EXPECT_NEAR(std::bit_cast<float>(perspective[1][lane]), y / 32 - 1, 1e-5);
    EXPECT_EQ(perspective[2][lane], 0u);                 // was not requested
    EXPECT_EQ(std::bit_cast<float>(flat[0][lane]), -1);  // of vertex 0
    for (const auto& component : bench.answers[0]->received[2].second.job->result)
      EXPECT_EQ(component[lane], 0u);  // no such interpolant
  }
  EXPECT_EQ(bench.box.pull_counters.vectors, 3u);
  EXPECT_EQ(bench.box.pull_counters.fragments, 12u);
}

// Four units request continuously; the permitted number per cycle is served in turn.
TEST(InterpolatorPulls, TakesTheDeclaredNumberFromUnitsInTurn) {
  for (unsigned pulls : {1u, 2u, 4u}) {
    Bench bench({.depth = 64, .pulls = pulls, .pull_depth = 64}, 4, 4);
    for (auto* shader : bench.shader)
      for (int i = 0; i < 200; i++) shader->messages.push_back(bench.request());
    bench.sim.run(bench.clock, 101);  // the first arrive in 2
    EXPECT_EQ(bench.box.pull_counters.vectors, 100u * pulls);
    for (auto* answers : bench.answers)
      EXPECT_NEAR(static_cast<double>(answers->received.size()), 25 * pulls, 4);
  }
}

// One evaluator: quads and requests alternate. Without the other kind, each uses it fully.
TEST(InterpolatorPulls, QuadsAndRequestsTakeTurnsAtTheEvaluators) {
  const auto run = [](int quads, int requests) {
    Bench bench({.pulls = 1});
    bench.z[0]->messages.assign(static_cast<size_t>(quads), bench.quad());
    for (int i = 0; i < requests; i++) bench.shader[0]->messages.push_back(bench.request());
    bench.sim.run(bench.clock, 101);  // the first arrive in 2
    return std::tuple(bench.box.counters.quads, bench.box.pull_counters.vectors,
                      bench.box.pull_counters.shared_cycles);
  };
  EXPECT_EQ(run(300, 0), std::tuple(100u, 0u, 0u));
  EXPECT_EQ(run(0, 300), std::tuple(0u, 100u, 0u));
  EXPECT_EQ(run(300, 300), std::tuple(50u, 50u, 100u));
}

// Four evaluators; requests take two when they have priority.
TEST(InterpolatorPulls, QuadsUseTheRemainingEvaluators) {
  Bench bench({.depth = 256, .pulls = 2, .pull_depth = 256}, 4, 2);
  for (auto* z : bench.z) z->messages.assign(300, bench.quad());
  for (auto* shader : bench.shader)
    for (int i = 0; i < 300; i++) shader->messages.push_back(bench.request());
  bench.sim.run(bench.clock, 101);
  EXPECT_EQ(bench.box.counters.quads, 50u * 4 + 50u * 2);
  EXPECT_EQ(bench.box.pull_counters.vectors, 50u * 2);
}

// Requests are answered while quads are blocked, and quads pass while answers are blocked.
TEST(InterpolatorPulls, NeitherHoldsUpTheOther) {
  for (const bool quads : {true, false}) {
    Bench bench({.depth = 8, .pulls = 1, .pull_depth = 5});
    bench.z[0]->messages.assign(100, bench.quad());
    for (int i = 0; i < 100; i++) bench.shader[0]->messages.push_back(bench.request());
    bench.distributor.refuse = !quads;
    bench.answers[0]->refuse = quads;
    bench.sim.run(bench.clock, 400);
    EXPECT_EQ(bench.box.counters.quads, quads ? 100u : 8u + 4);
    EXPECT_EQ(bench.box.pull_counters.vectors, quads ? 5u + 4 : 100u);
    const engine::Account account = messages::testing::account_of(bench.sim, bench.box);
    EXPECT_EQ(account.blocked_by("answers0") > 200, quads);
    EXPECT_EQ(account.blocked_by("distributor") > 200, !quads);
  }
}

// An interpolant that a program only pulls is not sent with its fragments.
TEST(InterpolatorPulls, PulledInterpolantsAreNotPushed) {
  Bench bench({.pulls = 1});
  messages::testing::add_program(*bench.state, arch::Stage::kFragment,
                                 "PULL r0, c0, i0\nPULL r1, c0, i1\nADD o0, r0, i1\nEND\n");
  bench.z[0]->messages.push_back(bench.quad());
  bench.sim.run(bench.clock, 2 + 1);
  EXPECT_TRUE(bench.distributor.received.empty());
  bench.sim.run(bench.clock, 1);
  EXPECT_EQ(bench.distributor.received.size(), 1u);
  EXPECT_EQ(bench.box.counters.interpolants, 1u);
}

}  // namespace
}  // namespace cutaway::boxes::pulls_test
