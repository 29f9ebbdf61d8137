#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/diagram.h"

namespace cutaway::report {

// The units and wires of a machine, with the names that the machine or a run's database gives them.
struct MachineParts {
  struct Wire {
    std::string from, to;  // ports: "gpu.clipper0.primitives_out"
    std::string message;   // type
    unsigned latency = 1, bandwidth = 1, slots = 1;
  };
  std::vector<std::string> units;  // "gpu.shader0"; the first is where work enters
  std::vector<Wire> wires;         // in the order in which they were connected
};

// Types of messages that reveal a wire's purpose.
constexpr std::string_view kMemoryRequest = "MemoryRequest", kControl = "Control",
                           kControlDone = "ControlDone";

// "gpu.shader12" and "gpu.shader0" both become "gpu.shader".
std::string kind_of_unit(std::string_view path);
// Splits "gpu.clipper0.primitives_out" into the unit and the port.
std::pair<std::string, std::string> unit_and_port(const std::string& full_name);

// Units whose paths differ only in numbers are one kind. So are wires between the same kinds whose ports
// differ only in numbers and whose latency, bandwidth and slots are equal. UserError: a wire's unit is
// missing.
Diagram diagram_of(const MachineParts& parts);

}  // namespace cutaway::report
