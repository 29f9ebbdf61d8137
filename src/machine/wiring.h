#pragma once

#include "machine/units.h"

namespace cutaway::machine {

// Orders and answers: one at a time.
constexpr engine::WireSpec kOrder{.latency = 1, .bandwidth = 1, .slots = 2};
// Messages that follow one another in every cycle.
constexpr engine::WireSpec kQueued{.latency = 1, .bandwidth = 1, .slots = 4};

inline engine::WireSpec queue_behind(unsigned latency, unsigned queue, unsigned bandwidth = 1) {
  return {.latency = latency, .bandwidth = bandwidth, .slots = queue + latency * bandwidth};
}

template <class B, class... Arguments>
B* Machine::Units::make(const std::string& name, Arguments&&... arguments) {
  return &simulator.add<B>(*core, "gpu." + name, std::forward<Arguments>(arguments)...);
}

template <class B>
void Machine::Units::connect_control(B& box, uint32_t caches, bool bounds, bool behind) {
  boxes::CommandProcessor::ControlPort& port = command_processor->add_control(caches, bounds, behind);
  simulator.connect(port.out, box.control_in, kOrder);
  simulator.connect(box.control_out, port.in, kOrder);
}

}  // namespace cutaway::machine
