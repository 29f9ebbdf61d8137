// A policy sees of a group its draw, its program and its age. Each policy here decides by one of them.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "boxes/work_distributor/work_distributor.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::groups_told_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::FragmentGroup;
using messages::InterpolatedQuad;
using messages::ReorderEntry;
using messages::VertexGroup;

class ByDraw final : public Distribution {
 public:
  explicit ByDraw(unsigned takers) : takers_(takers) {}

  int choose(const Group& group, const Room& room) const override {
    return room[waits_for(group)] ? static_cast<int>(waits_for(group)) : kNobody;
  }
  void given(const Group&, unsigned) override {}
  unsigned waits_for(const Group& group) const override { return group.draw % takers_; }

 private:
  unsigned takers_;
};

// Programs get takers in the order in which they first come.
class ByProgram final : public Distribution {
 public:
  explicit ByProgram(unsigned takers) : takers_(takers) {}

  int choose(const Group& group, const Room& room) const override {
    return room[waits_for(group)] ? static_cast<int>(waits_for(group)) : kNobody;
  }
  void given(const Group& group, unsigned) override {
    if (place(group) == seen_.size()) seen_.push_back(group.program);
  }
  unsigned waits_for(const Group& group) const override {
    return static_cast<unsigned>(place(group) % takers_);
  }

 private:
  size_t place(const Group& group) const {
    return static_cast<size_t>(std::find(seen_.begin(), seen_.end(), group.program) - seen_.begin());
  }

  unsigned takers_;
  std::vector<const command_stream::Program*> seen_;
};

// Taker 0, or taker 1 for a group that has waited for so many cycles.
template <Cycle kPatience>
class Patient final : public Distribution {
 public:
  int choose(const Group& group, const Room& room) const override {
    if (room[0]) return 0;
    return group.age >= kPatience && room[1] ? 1 : kNobody;
  }
  void given(const Group&, unsigned) override {}
  unsigned waits_for(const Group& group) const override { return group.age >= kPatience; }
  Cycle decides_at(const Group&) const override { return kPatience; }
};

const FragmentDistributions::Member<ByDraw> kFragmentsByDraw("by-draw");
const VertexDistributions::Member<ByDraw> kVerticesByDraw("by-draw");
const FragmentDistributions::Member<ByProgram> kFragmentsByProgram("by-program");
const VertexDistributions::Member<ByProgram> kVerticesByProgram("by-program");
const FragmentDistributions::Member<Patient<5>> kFragments5("patient-5");
const FragmentDistributions::Member<Patient<40>> kFragments40("patient-40");
const VertexDistributions::Member<Patient<5>> kVertices5("patient-5");
const VertexDistributions::Member<Patient<40>> kVertices40("patient-40");

// Draws of two programs of each stage: those of an odd number run another than those of an even one.
struct Draws {
  messages::DrawState state[2];
  Draws() {
    for (messages::DrawState& one : state)
      for (const arch::Stage stage : {arch::Stage::kVertex, arch::Stage::kFragment})
        messages::testing::add_program(one, stage, "MOV o0, i0\nEND\n");
  }
};

struct Bench {
  Draws draws;
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  WorkDistributor& distributor;
  Source<VertexGroup>& streamer = sim.add<Source<VertexGroup>>(clock, "streamer");
  Source<InterpolatedQuad>& interpolator = sim.add<Source<InterpolatedQuad>>(clock, "interpolator");
  Sink<ReorderEntry>& buffer = sim.add<Sink<ReorderEntry>>(clock, "buffer");
  std::vector<Sink<VertexGroup>*> vertices;
  std::vector<Sink<FragmentGroup>*> fragments;

  // Groups are quads alone.
  explicit Bench(const WorkDistributorSpec& spec, engine::SchedulerOptions options = {}, unsigned takers = 3)
      : sim(options),
        distributor(sim.add<WorkDistributor>(clock, "distributor", spec, 1, takers, takers, 4, 1, pools)) {
    buffer.per_cycle = 3;
    sim.connect(streamer.out, distributor.vertices_in[0], {1, 1, 8});
    sim.connect(interpolator.out, distributor.quads_in, {1, 1, 8});
    sim.connect(distributor.entries_out[0], buffer.in, {1, 3, 6});
    for (unsigned i = 0; i < takers; i++) {
      vertices.push_back(&sim.add<Sink<VertexGroup>>(clock, "vertices" + std::to_string(i)));
      fragments.push_back(&sim.add<Sink<FragmentGroup>>(clock, "fragments" + std::to_string(i)));
      sim.connect(distributor.vertices_out[i], vertices[i]->in, {1, 1, 4});
      sim.connect(distributor.fragments_out[i], fragments[i]->in, {1, 1, 4});
    }
    sim.elaborate();
  }
  void add_quad(uint32_t draw) {
    InterpolatedQuad quad;
    quad.quad.state = &draws.state[draw % 2];
    quad.quad.origin.draw = draw;
    quad.quad.mask = 15;
    interpolator.messages.push_back(quad);
  }
  void add_vertices(uint32_t draw) {
    streamer.messages.push_back({.state = &draws.state[draw % 2], .origin = {.draw = draw}});
  }
};

// The draws whose groups each taker got, in order.
template <class Message>
std::vector<std::vector<uint32_t>> draws_of(const std::vector<Sink<Message>*>& takers) {
  std::vector<std::vector<uint32_t>> all;
  for (const Sink<Message>* taker : takers) {
    all.emplace_back();
    for (const auto& [cycle, group] : taker->received) all.back().push_back(group.origin.draw);
  }
  return all;
}

using PerTaker = std::vector<std::vector<uint32_t>>;

TEST(GroupsTold, ItsDraw) {
  Bench bench({.fragments = "by-draw", .vertices = "by-draw"});
  for (const uint32_t draw : {1u, 2u, 3u, 4u, 4u, 5u}) bench.add_quad(draw), bench.add_vertices(draw);
  bench.sim.run(bench.clock, 60);
  EXPECT_EQ(draws_of(bench.fragments), (PerTaker{{3}, {1, 4, 4}, {2, 5}}));
  EXPECT_EQ(draws_of(bench.vertices), (PerTaker{{3}, {1, 4, 4}, {2, 5}}));
}

TEST(GroupsTold, ItsProgram) {
  Bench bench({.fragments = "by-program", .vertices = "by-program"});
  for (const uint32_t draw : {2u, 1u, 3u, 4u, 7u}) bench.add_quad(draw), bench.add_vertices(draw);
  bench.sim.run(bench.clock, 60);
  EXPECT_EQ(draws_of(bench.fragments), (PerTaker{{2, 4}, {1, 3, 7}, {}}));
  EXPECT_EQ(draws_of(bench.vertices), (PerTaker{{2, 4}, {1, 3, 7}, {}}));
}

// Four groups fill taker 0, which takes none. The fifth is given when its age is the patience, not a cycle
// before; idle cycles that are skipped make no difference.
TEST(GroupsTold, ItsAge) {
  for (const bool skip_idle : {true, false})
    for (const auto& [fragments, vertices, patience] :
         {std::tuple{"patient-5", "patient-5", Cycle{5}}, {"patient-40", "patient-40", Cycle{40}}}) {
      Bench bench({.fragments = fragments, .vertices = vertices}, {.skip_idle = skip_idle});
      for (int i = 0; i < 5; i++) bench.add_quad(1);
      bench.interpolator.interval = 3;
      bench.fragments[0]->refuse = true;
      bench.sim.run(bench.clock, 100);
      ASSERT_EQ(bench.buffer.received.size(), 5u);
      ASSERT_EQ(bench.fragments[1]->received.size(), 1u) << patience;
      // A quad's entry leaves when the quad joins its group, and takes as long as the group.
      EXPECT_EQ(bench.fragments[1]->received[0].first, bench.buffer.received[4].first + patience);

      Bench other({.fragments = fragments, .vertices = vertices}, {.skip_idle = skip_idle});
      for (int i = 0; i < 6; i++) other.add_vertices(1);
      other.vertices[0]->refuse = true;
      other.sim.run(other.clock, 150);
      ASSERT_EQ(other.vertices[1]->received.size(), 2u);
      // The fifth group comes to the front when it arrives; the sixth in the cycle after the fifth has gone.
      EXPECT_EQ(other.vertices[1]->received[0].first, other.streamer.sent[4] + 1 + patience + 1);
      EXPECT_EQ(other.vertices[1]->received[1].first, other.vertices[1]->received[0].first + patience + 1);
    }
}

}  // namespace
}  // namespace cutaway::boxes::groups_told_test
