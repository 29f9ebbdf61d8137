#pragma once

#include "boxes/command_processor/command_processor.h"
#include "engine/simulator.h"
#include "messages/fragment_log.h"
#include "messages/work_list.h"

namespace cutaway::boxes {
class Host;
}  // namespace cutaway::boxes

namespace cutaway::machine {

// Enables the search for the unit that holds a machine up, starting at the unit that its oldest work has not
// left; while there is none, at the host while it computes. host: null if it takes no time. Call once, on an
// elaborated machine.
engine::WaitWalk& walk_waits(engine::Simulator& simulator, const boxes::CommandProcessor& commands,
                             const boxes::Host* host);

// Records of a running machine besides its counters: its work with times, the attribution of all counts to
// work, and the development over time. It changes nothing.
struct Recording {
  // Call before the first cycle of an elaborated machine. interval: core cycles between rows of `intervals`.
  // log_events: capacity of `fragments`; 0: no log.
  Recording(engine::Simulator& simulator, engine::Domain& core, const boxes::CommandProcessor& commands,
            const boxes::Host* host, engine::Cycle interval, uint64_t log_events);
  Recording(const Recording&) = delete;

  engine::Ledger& ledger;  // by index of work
  engine::WaitWalk& walk;
  engine::Sampler& intervals;                        // rows of equal length
  engine::Sampler& windows;                          // rows between consecutive ends of work
  std::unique_ptr<messages::FragmentLog> fragments;  // may be null
  messages::WorkList works;
};

}  // namespace cutaway::machine
