#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "boxes/texture_unit/texture_unit.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::texture_unit_test_bench {

using engine::testing::Sink;
using engine::testing::Source;
using messages::TextureMessage;

// A shader, which sends jobs to a texture unit, and a sender of orders.
struct TextureNeighbours {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Source<TextureMessage>& shader = sim.add<Source<TextureMessage>>(clock, "shader");
  Sink<TextureMessage>& results = sim.add<Sink<TextureMessage>>(clock, "results");
  Source<messages::Control>& orders = sim.add<Source<messages::Control>>(clock, "orders");
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  std::vector<messages::PoolRef<messages::TextureJob>> jobs;

  // wire: to the unit and back.
  void connect(TextureUnit& unit, const engine::WireSpec& wire = {1, 1, 4}) {
    sim.connect(shader.out, unit.jobs_in, wire);
    sim.connect(unit.jobs_out, results.in, wire);
    sim.connect(orders.out, unit.control_in, {1, 1, 2});
    sim.connect(unit.control_out, done.in, {1, 1, 2});
  }
  void connect(TextureUnit& unit, unsigned slice, messages::testing::MemoryModel& memory) {
    sim.connect(unit.memory_out[slice], memory.requests, {1, 1, 4});
    sim.connect(memory.replies, unit.memory_in[slice], {1, 1, 4});
  }

  // A job of the fragment program, still without sources.
  messages::PoolRef<messages::TextureJob> job_of(std::string_view text, uint8_t lane_mask = 15) {
    auto job = pools.texture_jobs.allocate();
    *job = {};
    job->instruction = isa::assemble(text)[0];
    job->state = state.get();
    job->stage = arch::Stage::kFragment;
    job->lane_mask = lane_mask;
    return job;
  }
  void send_job(const messages::PoolRef<messages::TextureJob>& job) {
    jobs.push_back(job);
    shader.messages.push_back({job}), shader.wake();
  }
};

// A texture unit between its neighbours and memory.
struct TextureBench : TextureNeighbours {
  TextureUnit& unit;
  messages::testing::MemoryModel& memory;

  explicit TextureBench(const TextureUnitSpec& spec, engine::Cycle latency = 10,
                        const engine::WireSpec& wire = {1, 1, 4})
      : unit(sim.add<TextureUnit>(clock, "texture", spec)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)) {
    connect(unit, wire);
    connect(unit, 0, memory);
    sim.elaborate();
  }
};

}  // namespace cutaway::boxes::texture_unit_test_bench
