#pragma once

#include "boxes/command_processor/command_processor.h"
#include "engine/simulator.h"
#include "parts/fragment_log.h"
#include "parts/work_list.h"

namespace cutaway::machine {

// Who holds a machine up, from the unit on that its oldest work has not left. Once, of an elaborated machine.
engine::WaitWalk& walk_waits(engine::Simulator& simulator, const boxes::CommandProcessor& commands);

// What a machine notes while it runs, beside its counters: what work it did and when, how all that was
// counted is shared out over it, and how it went over time. It changes nothing.
struct Recording {
  // Before the first cycle of an elaborated machine. interval: core cycles between rows of `intervals`.
  // log_events: room of `fragments`; 0: no such log is kept.
  Recording(engine::Simulator& simulator, engine::Domain& core, const boxes::CommandProcessor& commands,
            engine::Cycle interval, uint64_t log_events);
  Recording(const Recording&) = delete;

  engine::Ledger& ledger;  // by number of work
  engine::WaitWalk& walk;
  engine::Sampler& intervals;                     // rows of equal length
  engine::Sampler& windows;                       // rows from one end of a piece of work to the next
  std::unique_ptr<parts::FragmentLog> fragments;  // may be null
  parts::WorkList works;
};

}  // namespace cutaway::machine
