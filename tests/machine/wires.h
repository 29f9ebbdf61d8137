#pragma once

#include <fmt/format.h>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gpu_run.h"

// The wires of a machine as tables have them: wires_test.cpp, wires_of_stages_test.cpp,
// wire_parameters_test.cpp.
namespace cutaway {

using engine::WireSpec;

struct Row {
  const char *from, *to;
  WireSpec spec;  // latency, bandwidth, slots
  const char* source;
};

inline std::string text(const WireSpec& spec) {
  return fmt::format("latency {}, bandwidth {}, slots {}", spec.latency, spec.bandwidth, spec.slots);
}

using Wires = std::map<std::string, WireSpec>;  // by "from > to"

inline Wires declared(const machine::Config& config) {
  Wires wires;
  machine::Machine gpu(config, arch::Memory());
  for (const engine::WireInfo& wire : gpu.simulator().wires()) wires[wire.from + " > " + wire.to] = wire.spec;
  return wires;
}

inline void expect_rows(const Wires& wires, std::span<const Row> rows) {
  for (const Row& row : rows) {
    const auto wire = wires.find(std::string(row.from) + " > " + row.to);
    ASSERT_NE(wire, wires.end()) << row.from;
    EXPECT_EQ(text(wire->second), text(row.spec)) << row.from << " (" << row.source << ")";
  }
}

// A second-level texture cache of two slices.
inline machine::Config with_two_slices() {
  machine::Config config;
  config.texture_cache.slices = 2;
  return config;
}

// Such as have stages that not every chip has.
std::vector<machine::Config> machines_of_stages();

}  // namespace cutaway
