#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/simulator.h"

// A synthetic machine for tests and benchmarks of the scheduler: layers of boxes that forward, hold back and
// burst tokens, in clock domains with unrelated periods.
namespace cutaway::engine::testing {

struct NetworkOptions {
  unsigned layers = 10, width = 9;
  std::vector<uint64_t> periods = {1999, 833, 1249, 3989};
  unsigned burst = 12;    // tokens that a source sends back to back
  unsigned pause = 400;   // cycles between bursts, on average
  unsigned work = 3;      // cycles that a box works on a token, on average
  uint64_t topology = 1;  // seed of wires, latencies, bandwidths and slots
  // Planted mistakes of one box in the middle.
  enum class Flaw { kNone, kPeeksAtNeighbour, kHidesProgress, kCountsIdleTicks } flaw = Flaw::kNone;
};

class Network {
 public:
  Network(const NetworkOptions& network, const SchedulerOptions& scheduler);

  Simulator sim;
  void run(Cycle cycles) { sim.run(*sim.domains()[0], cycles); }
  uint64_t tokens() const;  // tokens that have reached the end
};

}  // namespace cutaway::engine::testing
