#include "boxes/tessellation/tessellation.h"

#include <bit>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "func/shader/micro_op.h"
#include "parts/testing/draws.h"

namespace cutaway::boxes {
namespace {

using arch::Stage;
using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using parts::DrawAssembled;
using parts::EmittedPrimitives;
using parts::PrimitiveMessage;
using parts::ShadedVertices;
using parts::VertexGroup;

constexpr uint32_t kLanes = 32;

// Runs groups of both programs: each ends so many cycles after it has come as `latency` says of its stage and
// first patch, whichever came first. A patch gets the factor `factor` everywhere; the first word of a point
// is 1000 times its patch and 16ths of u.
class Units final : public engine::Box {
 public:
  Units(std::string path, parts::Pools& pools) : Box(std::move(path)), pools_(pools) {}
  engine::In<VertexGroup> control, evaluation;
  engine::Out<EmittedPrimitives> patches;
  engine::Out<ShadedVertices> points;
  std::function<Cycle(Stage, uint32_t)> latency = [](Stage, uint32_t) { return 10; };
  std::function<float(uint32_t)> factor = [](uint32_t) { return 1.0f; };
  struct Seen {
    Cycle cycle;
    uint32_t first, lanes;
  };
  std::vector<Seen> controls, evaluations;

  Cycle tick(Cycle now) override {
    bool progress = end(now);
    if (control.peek(now)) {
      VertexGroup group = control.take(now);
      const uint32_t first = group.primitives->patch[0]->id;
      controls.push_back({now, first, group.lanes});
      for (uint32_t lane = 0; lane < group.lanes; lane++) {
        parts::Patch& patch = *group.primitives->patch[lane];
        for (uint32_t i = 0; i < 6; i++) patch.words[i] = std::bit_cast<uint32_t>(factor(patch.id));
      }
      under_way_.emplace_back(now + latency(Stage::kTessControl, first), std::move(group));
      progress = true;
    }
    if (evaluation.peek(now)) {
      VertexGroup group = evaluation.take(now);
      const uint32_t first = group.primitives->patch[0]->id;
      evaluations.push_back({now, first, group.lanes});
      shade(group);
      under_way_.emplace_back(now + latency(Stage::kTessEvaluation, first), std::move(group));
      progress = true;
    }
    Cycle next = engine::kAsleep;
    for (const auto& group : under_way_) next = std::min(next, std::max(now + 1, group.first));
    return progress ? busy(now) : idle(now, next);
  }
  void list_ports(engine::PortList& list) override {
    list("control", control), list("evaluation", evaluation), list("patches", patches),
        list("points", points);
  }
  std::string why_busy() const override { return under_way_.empty() ? "" : "groups"; }

 private:
  bool end(Cycle now) {
    for (auto group = under_way_.begin(); group != under_way_.end(); ++group) {
      if (group->first > now) continue;
      VertexGroup& done = group->second;
      if (done.stage == Stage::kTessControl && patches.ready(now))
        patches.send(now, {std::move(done.primitives), done.slot});
      else if (done.stage == Stage::kTessEvaluation && points.ready(now))
        points.send(now, {std::move(done.vertices), done.lanes});
      else continue;
      under_way_.erase(group);
      return true;
    }
    return false;
  }
  void shade(VertexGroup& group) {
    for (uint32_t lane = 0; lane < group.lanes; lane++) {
      const float u = std::bit_cast<float>(
          group.vertices->word[func::register_word(kLanes, arch::kInputTessCoord, 0, lane)]);
      parts::VertexRef vertex = pools_.vertices.allocate();
      vertex->output[0][0] = 1000 * group.primitives->patch[lane]->id + static_cast<uint32_t>(16 * u);
      group.vertices->shaded[lane] = std::move(vertex);
    }
  }
  parts::Pools& pools_;
  std::vector<std::pair<Cycle, VertexGroup>> under_way_;
};

struct Bench {
  parts::Pools pools;
  std::unique_ptr<parts::DrawState> state = parts::testing::plain_state(),
                                    plain = parts::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Tessellation& box;
  Source<PrimitiveMessage>& assembly = sim.add<Source<PrimitiveMessage>>(clock, "assembly");
  Units& units = sim.add<Units>(clock, "units", pools);
  Sink<PrimitiveMessage>& clipper = sim.add<Sink<PrimitiveMessage>>(clock, "clipper");
  Sink<DrawAssembled>& processor = sim.add<Sink<DrawAssembled>>(clock, "processor");
  uint32_t id = 0;

  explicit Bench(const TessellationSpec& spec = {}, uint32_t output_vertices = 4, uint32_t patch_bytes = 64)
      : box(sim.add<Tessellation>(clock, "tessellation", spec, 0u, 1u, kLanes, pools)) {
    parts::testing::add_program(*state, Stage::kTessControl, "END\n", kLanes);
    parts::testing::add_program(*state, Stage::kTessEvaluation, "MOV o0, i33\nEND\n", kLanes);
    auto& tess = state->registers.tessellation;
    tess.patch_vertices = tess.output_vertices = output_vertices;
    tess.patch_bytes = patch_bytes;
    tess.domain = static_cast<uint32_t>(arch::TessDomain::kQuads);
    state->registers.query.statistics = 1;
    sim.connect(assembly.out, box.primitives_in, {1, 1, 5});
    sim.connect(box.patch_groups_out, units.control, {1, 1, 4});
    sim.connect(box.point_groups_out, units.evaluation, {1, 1, 4});
    sim.connect(units.patches, box.patches_in[0], {1, 1, 2});
    sim.connect(units.points, box.points_in[0], {1, 1, 2});
    sim.connect(box.primitives_out, clipper.in, {1, 1, 5});
    sim.connect(box.assembled_out, processor.in, {1, 1, 2});
    sim.connect(box.memory, box.points_in[0]);
    sim.connect(box.storage, clipper.in);
    sim.elaborate();
  }
  void send(PrimitiveMessage message, uint32_t draw) {
    message.origin.draw = draw;
    assembly.messages.push_back(std::move(message)), assembly.wake();
  }
  void patches(uint32_t count, uint32_t draw = 1) {
    for (uint32_t i = 0; i < count; i++) {
      PrimitiveMessage message;
      message.whole = pools.whole_primitives.allocate();
      message.state = state.get();
      message.origin.primitive = id++;
      send(std::move(message), draw);
    }
  }
  void end(uint32_t draw = 1) {
    PrimitiveMessage message;
    message.state = state.get();
    message.draw_end = true;
    send(std::move(message), draw);
    id = 0;
  }
  void pass(uint32_t draw) {
    PrimitiveMessage message;
    message.state = plain.get();
    message.vertices = 1;
    send(std::move(message), draw);
  }
  bool run() {
    return sim.run_until([&] { return assembly.drained() && clock.now() > 5 && box.why_busy().empty(); },
                         clock, 20000) &&
           sim.run_until([&] { return clock.now() > last() + 20; }, clock, 20000);
  }
  Cycle last() const { return clipper.received.empty() ? 0 : clipper.received.back().first; }
  // First words of the vertices of all that came out; ends are left out.
  std::vector<std::vector<uint32_t>> primitives() const {
    std::vector<std::vector<uint32_t>> found;
    for (const auto& [cycle, message] : clipper.received) {
      if (message.is_end()) continue;
      auto& words = found.emplace_back();
      for (uint32_t i = 0; i < message.vertices; i++) words.push_back(message.vertex[i]->output[0][0]);
    }
    return found;
  }
};

// A square of factor 1: two triangles of its four points, each shaded once.
TEST(Tessellation, DividesAPatch) {
  Bench bench;
  bench.patches(1);
  bench.end();
  ASSERT_TRUE(bench.run());
  const auto made = bench.primitives();
  ASSERT_EQ(made.size(), 2u);
  uint32_t left = 0, right = 0;
  for (const auto& triangle : made)
    for (const uint32_t word : triangle) (word == 0 ? left : right) += word == 0 || word == 16;
  EXPECT_EQ(left + right, 6u);
  EXPECT_EQ(bench.box.counters.points, 6u);
  EXPECT_EQ(bench.box.counters.points_shaded, 4u);
  EXPECT_EQ(bench.box.counters.post_cache_hits, 2u);
  ASSERT_EQ(bench.units.controls.size(), 1u);
  EXPECT_EQ(bench.units.controls[0].lanes, 4u);
  ASSERT_EQ(bench.processor.received.size(), 1u);
  const draw::QueryCounters& counts = bench.processor.received[0].second.counts;
  EXPECT_EQ(counts[draw::Statistic::kTessControlPatches], 1u);
  EXPECT_EQ(counts[draw::Statistic::kTessEvaluationInvocations], 4u);
  EXPECT_EQ(counts.primitives_generated[0], 2u);
}

// The first group of patches ends last, and so do its points: what comes out is in their order all the same.
TEST(Tessellation, KeepsTheOrderOfPatches) {
  Bench bench;
  bench.units.latency = [](Stage, uint32_t first) { return first == 0 ? 300 : 5; };
  bench.patches(20);
  bench.end();
  ASSERT_TRUE(bench.run());
  EXPECT_EQ(bench.units.controls.size(), 3u);  // 8 patches of 4 in each
  const auto made = bench.primitives();
  ASSERT_EQ(made.size(), 40u);
  for (uint32_t i = 0; i < 40; i++) EXPECT_EQ(made[i][0] / 1000, i / 2);
  EXPECT_TRUE(bench.clipper.received.back().second.draw_end);
}

// A group that is not full waits so long for another patch, unless the draw ends.
TEST(Tessellation, GathersPatches) {
  for (const unsigned gather : {1u, 50u}) {
    Bench bench({.gather_cycles = gather});
    bench.patches(1);
    ASSERT_TRUE(bench.sim.run_until([&] { return !bench.units.controls.empty(); }, bench.clock, 1000));
    // Taken in cycle 2; closed when it has waited, sent in the cycle after, there one later.
    EXPECT_EQ(bench.units.controls[0].cycle, 2 + gather + 2);
  }
  Bench ends({.gather_cycles = 500});
  ends.patches(1);
  ends.end();
  ASSERT_TRUE(ends.run());
  EXPECT_LT(ends.units.controls[0].cycle, 10u);
}

// The first point comes so long after the factors.
TEST(Tessellation, TakesTimeForAPatch) {
  const auto first = [](unsigned cycles) {
    Bench bench({.patch_cycles = cycles});
    bench.patches(1);
    bench.end();
    EXPECT_TRUE(bench.run());
    return bench.units.evaluations.at(0).cycle;
  };
  EXPECT_EQ(first(40), first(8) + 32);
}

// Points a cycle, until slots are full: 64 x 64 squares of factor 1 in one patch have 6 points each.
TEST(Tessellation, MakesPointsAtItsRate) {
  for (const unsigned rate : {1u, 3u}) {
    Bench bench({.points_per_cycle = rate, .queue = 1024});
    bench.units.factor = [](uint32_t) { return 8.0f; };
    bench.patches(1);
    bench.end();
    ASSERT_TRUE(bench.run());
    EXPECT_EQ(bench.box.counters.points, 8u * 8 * 6);
    EXPECT_EQ(bench.box.counters.points_shaded, 9u * 9);
    // Each point of a primitive takes a cycle on its way out, whatever the rate.
    Cycle from = 0;
    for (const auto& [cycle, message] : bench.clipper.received)
      if (!from) from = cycle;
    const Cycle out = bench.last() - from;
    EXPECT_GE(out, 8u * 8 * 6 - 3);
  }
}

// Patches wait until those before have left memory; a patch takes whole KB.
TEST(Tessellation, PatchesWaitForMemory) {
  Bench bench({.patch_memory = 32}, 32, 32768);
  bench.patches(3);
  bench.end();
  ASSERT_TRUE(bench.run());
  ASSERT_EQ(bench.units.controls.size(), 3u);
  EXPECT_EQ(bench.box.counters.memory_stalls, 2u);
  ASSERT_EQ(bench.units.evaluations.size(), 3u);
  for (uint32_t i = 1; i < 3; i++)
    EXPECT_GT(bench.units.controls[i].cycle, bench.units.evaluations[i - 1].cycle + 10);
  EXPECT_EQ(bench.primitives().size(), 6u);
}

TEST(Tessellation, CullsByFactors) {
  Bench bench;
  bench.units.factor = [](uint32_t id) { return id % 2 ? 1.0f : -1.0f; };
  bench.patches(9);
  bench.end();
  ASSERT_TRUE(bench.run());
  EXPECT_EQ(bench.box.counters.patches_culled, 5u);
  EXPECT_EQ(bench.primitives().size(), 8u);
}

// Draws without patches pass when all before them has left; their end too.
TEST(Tessellation, PassesOtherDraws) {
  Bench bench;
  bench.units.latency = [](Stage, uint32_t) { return 100; };
  bench.patches(1);
  bench.end();
  bench.pass(2);
  bench.end(2);
  ASSERT_TRUE(bench.run());
  ASSERT_EQ(bench.clipper.received.size(), 5u);
  EXPECT_TRUE(bench.clipper.received[2].second.draw_end);
  EXPECT_EQ(bench.clipper.received[3].second.state, bench.plain.get());
  EXPECT_TRUE(bench.clipper.received[4].second.draw_end);
  EXPECT_EQ(bench.box.counters.passed, 1u);
  EXPECT_EQ(bench.processor.received.size(), 2u);
}

// Nobody takes its primitives: it says so, and all its cycles are accounted for.
TEST(Tessellation, IsBlockedByWhatFollows) {
  Bench bench({.vertices = 3});
  bench.patches(4);
  bench.end();
  ASSERT_TRUE(bench.sim.run_until([&] { return bench.clock.now() > 400; }, bench.clock, 500));
  // The sink holds the vertices of the first triangle: the storage has no place for the next.
  EXPECT_EQ(bench.primitives().size(), 1u);
  EXPECT_NE(bench.box.why_busy(), "");
}

}  // namespace
}  // namespace cutaway::boxes
