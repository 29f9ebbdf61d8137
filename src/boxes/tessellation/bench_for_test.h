#pragma once

#include <bit>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "boxes/tessellation/tessellation.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "func/shader/micro_op.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

// A tessellation between units that run its programs, and memory.
namespace cutaway::boxes::tessellation_bench {

using arch::Stage;
using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::DrawAssembled;
using messages::EmittedPrimitives;
using messages::PrimitiveMessage;
using messages::ShadedVertices;
using messages::VertexGroup;

inline constexpr uint32_t kLanes = 32;
inline constexpr arch::Address kOwn = 0x10000;

// Runs groups of both programs: each ends so many cycles after it has come as `latency` says of its stage and
// first patch, whichever came first. A patch gets the factor `factor` everywhere; the first word of a point
// is 1000 times its patch and 16ths of u.
class Units final : public engine::Box {
 public:
  Units(std::string path, messages::Pools& pools) : Box(std::move(path)), pools_(pools) {}
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
        messages::Patch& patch = *group.primitives->patch[lane];
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
  // Of other outputs that the program writes each word is another one for each point.
  void shade(VertexGroup& group) {
    const uint64_t outputs = group.state->stage[Stage::kTessEvaluation].program->outputs;
    for (uint32_t lane = 0; lane < group.lanes; lane++) {
      const float u = std::bit_cast<float>(
          group.vertices->word[func::register_word(kLanes, arch::kInputTessCoord, 0, lane)]);
      messages::VertexRef vertex = pools_.vertices.allocate();
      vertex->output = {};
      for (uint32_t i = 0; i < arch::kShaderOutputs; i++)
        for (uint32_t c = 0; outputs >> i & 1 && c < 4; c++)
          vertex->output[i][c] = (shaded_ << 16) + (i << 8) + c + 1;
      shaded_++;
      vertex->output[0][0] = 1000 * group.primitives->patch[lane]->id + static_cast<uint32_t>(16 * u);
      group.vertices->shaded[lane] = std::move(vertex);
    }
  }
  messages::Pools& pools_;
  std::vector<std::pair<Cycle, VertexGroup>> under_way_;
  uint32_t shaded_ = 0;
};

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state(),
                                       plain = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Tessellation& box;
  Source<PrimitiveMessage>& assembly = sim.add<Source<PrimitiveMessage>>(clock, "assembly");
  Units& units = sim.add<Units>(clock, "units", pools);
  Sink<PrimitiveMessage>& clipper = sim.add<Sink<PrimitiveMessage>>(clock, "clipper");
  Sink<DrawAssembled>& processor = sim.add<Sink<DrawAssembled>>(clock, "processor");
  messages::testing::MemoryModel* memory = nullptr;  // of a box with slots there
  uint32_t id = 0;

  explicit Bench(const TessellationSpec& spec = {}, uint32_t output_vertices = 4, uint32_t patch_bytes = 64,
                 const std::string& evaluation = "MOV o0, i33\nEND\n")
      : box(sim.add<Tessellation>(clock, "tessellation", spec, 0u, 1u, kLanes, pools, kOwn)) {
    messages::testing::add_program(*state, Stage::kTessControl, "END\n", kLanes);
    messages::testing::add_program(*state, Stage::kTessEvaluation, evaluation, kLanes);
    auto& tess = state->registers.tessellation;
    tess.patch_vertices = tess.output_vertices = output_vertices;
    tess.patch_bytes = patch_bytes;
    tess.domain = static_cast<uint32_t>(arch::TessDomain::kQuads);
    state->registers.query.statistics = 1;
    sim.connect(assembly.out, box.primitives_in, {1, 2, 5});
    sim.connect(box.patch_groups_out, units.control, {1, 1, 4});
    sim.connect(box.point_groups_out, units.evaluation, {1, 1, 4});
    sim.connect(units.patches, box.patches_in[0], {1, 1, 2});
    sim.connect(units.points, box.points_in[0], {1, 1, 2});
    sim.connect(box.primitives_out, clipper.in, {1, 2, 5});
    sim.connect(box.assembled_out, processor.in, {1, 1, 2});
    sim.connect(box.memory, box.points_in[0]);
    sim.connect(box.storage, clipper.in);
    if (spec.memory_slots) {
      memory = &sim.add<messages::testing::MemoryModel>(clock, "memory", 20);
      memory->memory.map(kOwn, 4 << 20);
      sim.connect(box.memory_out, memory->requests, {1, 1, 4});
      sim.connect(memory->replies, box.memory_in, {1, 1, 4});
    }
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

}  // namespace cutaway::boxes::tessellation_bench
