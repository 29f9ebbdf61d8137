#pragma once

#include <string>
#include <vector>

#include "boxes/memory_controller/memory_controller.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"

// A memory controller between clients that only request and receive.
namespace cutaway::boxes::memory_bench {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::MemoryReply;
using messages::MemoryRequest;

struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("memory", 1);
  arch::Memory memory;
  MemoryController& controller;
  Source<messages::ClearBlocks>& clears = sim.add<Source<messages::ClearBlocks>>(clock, "clears");
  Sink<messages::BlocksCleared>& cleared = sim.add<Sink<messages::BlocksCleared>>(clock, "cleared");
  std::vector<Source<MemoryRequest>*> source;
  std::vector<Sink<MemoryReply>*> sink;
  Sink<messages::BindContext>* bound = nullptr;  // null: the machine has one context

  // binds: contexts that clients are bound to, the first in cycle 1, the others 100 cycles apart.
  Bench(const MemoryControllerSpec& spec, std::vector<std::vector<MemoryRequest>> requests,
        const std::vector<messages::BindContext>& binds = {})
      : controller(sim.add<MemoryController>(clock, "controller", spec,
                                             static_cast<unsigned>(requests.size()), memory)) {
    memory.map(0, 1 << 20);
    sim.connect(clears.out, controller.clears_in, {1, 1, 2});
    sim.connect(controller.cleared_out, cleared.in, {1, 1, 2});
    for (size_t i = 0; i < requests.size(); i++) {
      source.push_back(&sim.add<Source<MemoryRequest>>(clock, "source" + std::to_string(i), requests[i]));
      sink.push_back(&sim.add<Sink<MemoryReply>>(clock, "sink" + std::to_string(i)));
      sim.connect(source[i]->out, controller.requests[i], {1, 1, 8});
      sim.connect(controller.replies[i], sink[i]->in, {1, 1, 8});
    }
    if (!binds.empty()) {
      auto& binder = sim.add<Source<messages::BindContext>>(clock, "binder", binds, 100);
      bound = &sim.add<Sink<messages::BindContext>>(clock, "bound");
      controller.context.connected();
      sim.connect(binder.out, controller.context.in, {1, 1, 2});
      sim.connect(controller.context.out, bound->in, {1, 1, 2});
    }
    for (size_t i = 0; i < requests.size(); i++)
      sim.counters().add("controller.client" + std::to_string(i), controller.client_counters[i]);
    sim.elaborate();
  }
  std::vector<Cycle> arrivals(size_t client) const {
    std::vector<Cycle> cycles;
    for (const auto& [cycle, reply] : sink[client]->received) cycles.push_back(cycle);
    return cycles;
  }
  // Cycles × channels with a transfer.
  Cycle used() const {
    Cycle cycles = 0;
    for (unsigned channel = 0; channel < controller.channels(); channel++)
      cycles += controller.channel_counters(channel).used;
    return cycles;
  }
};

inline MemoryRequest read(arch::Address address, uint32_t tag = 0) {
  return {.address = address, .tag = tag};
}
inline MemoryRequest write(arch::Address address, uint8_t value, uint32_t tag = 0,
                           messages::ByteMask mask = messages::kAllBytes) {
  MemoryRequest r{.address = address, .tag = tag, .write = true, .mask = mask};
  r.data.fill(static_cast<std::byte>(value));
  return r;
}

inline constexpr MemoryControllerSpec kSpec{
    .channels = 4, .interleave = 256, .latency = 40, .read_to_write = 4, .write_to_read = 6};

}  // namespace cutaway::boxes::memory_bench
