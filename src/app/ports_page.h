#pragma once

#include <string>
#include <vector>

#include "machine/config.h"

namespace cutaway::app {

// What costs nothing in the units of a machine: by kind, in the order in which data flows.
struct FreeWork {
  std::string unit;  // "clipper"
  std::vector<std::string> work;
};
std::vector<FreeWork> free_work(const machine::Config& config);

// The tables of docs/pipeline.md, each between the marks that it has there: for every kind of unit the ports
// with their wires, and what costs nothing. Ports are those of the machines that `port_machines()` names, and
// the latencies, bandwidths and slots formulas of their parameters (app/parameter_formula.h).
std::string ports_page();

}  // namespace cutaway::app
