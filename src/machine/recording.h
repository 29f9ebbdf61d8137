#pragma once

#include "engine/simulator.h"
#include "parts/work_list.h"

namespace cutaway::machine {

// What a machine notes while it runs, beside its counters: what work it did and when, how all that was
// counted is shared out over it, and how it went over time. It changes nothing.
struct Recording {
  // Before the first cycle of an elaborated machine. interval: core cycles between rows of `intervals`.
  Recording(engine::Simulator& simulator, engine::Domain& core, engine::Cycle interval)
      : ledger(simulator.keep_ledger()),
        intervals(simulator.sample(core, {.interval = interval, .wires = true})),
        windows(simulator.sample(core, {})),
        works(&windows) {}
  Recording(const Recording&) = delete;

  engine::Ledger& ledger;      // by number of work
  engine::Sampler& intervals;  // rows of equal length
  engine::Sampler& windows;    // rows from one end of a piece of work to the next
  parts::WorkList works;
};

}  // namespace cutaway::machine
