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

// A texture unit between a shader, which sends it jobs, and memory.
struct TextureBench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  TextureUnit& unit;
  Source<TextureMessage>& shader = sim.add<Source<TextureMessage>>(clock, "shader");
  Sink<TextureMessage>& results = sim.add<Sink<TextureMessage>>(clock, "results");
  Source<messages::Control>& orders = sim.add<Source<messages::Control>>(clock, "orders");
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  messages::testing::MemoryModel& memory;
  std::vector<messages::PoolRef<messages::TextureJob>> jobs;

  // wire: to the unit and back.
  explicit TextureBench(const TextureUnitSpec& spec, engine::Cycle latency = 10,
                        const engine::WireSpec& wire = {1, 1, 4})
      : unit(sim.add<TextureUnit>(clock, "texture", spec)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)) {
    sim.connect(shader.out, unit.jobs_in, wire);
    sim.connect(unit.jobs_out, results.in, wire);
    sim.connect(orders.out, unit.control_in, {1, 1, 2});
    sim.connect(unit.control_out, done.in, {1, 1, 2});
    sim.connect(unit.memory_out[0], memory.requests, {1, 1, 4});
    sim.connect(memory.replies, unit.memory_in[0], {1, 1, 4});
    sim.elaborate();
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

}  // namespace cutaway::boxes::texture_unit_test_bench
