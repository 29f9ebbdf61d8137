#pragma once

#include "engine/simulator.h"
#include "machine/config.h"
#include "report/diagram.h"

namespace cutaway::app {

// Units whose paths differ only in numbers are one kind (gpu.shader0, gpu.shader1: "shader", 2). So are wires
// between the same kinds whose ports differ only in numbers, with equal latency, bandwidth and slots.
report::Diagram diagram_of(const engine::Simulator& simulator);
// The diagram of the machine that the configuration describes, titled with its name.
report::Diagram machine_diagram(const machine::Config& config);

}  // namespace cutaway::app
