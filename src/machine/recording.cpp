#include "machine/recording.h"

#include <algorithm>
#include <array>

#include "boxes/host/host.h"

namespace cutaway::machine {
namespace {

// Ports for orders to units, for answers to a unit's own requests, and for places that are allocated in
// order. An idle unit waits for none of these, but for all other messages.
constexpr std::array<std::string_view, 19> kOutOfTheFlow = {
    "Control",     "ControlDone",    "CopyDone",       "DispatchDone",  "DrawAssembled",
    "DrawDone",    "FeedbackFilled", "FeedbackOrder",  "Fence",         "HzUpdate",
    "LoadCommand", "LoadedBlock",    "MemoryReply",    "MemoryRequest", "PresentDone",
    "QuadAhead",   "TextureMessage", "PresentCommand", "ReorderEntry"};

bool flows(std::string_view message) {
  return std::find(kOutOfTheFlow.begin(), kOutOfTheFlow.end(), message) == kOutOfTheFlow.end();
}

}  // namespace

engine::WaitWalk& walk_waits(engine::Simulator& simulator, const boxes::CommandProcessor& commands,
                             const boxes::Host* host) {
  const auto start = [&commands, host]() -> const engine::Box* {
    const engine::Box* box = commands.oldest_work_in();
    return !box && host && host->computes() ? host : box;
  };
  return simulator.walk_waits(start, flows);
}

Recording::Recording(engine::Simulator& simulator, engine::Domain& core,
                     const boxes::CommandProcessor& commands, const boxes::Host* host, engine::Cycle interval,
                     uint64_t log_events)
    : ledger(simulator.keep_ledger()),
      walk(walk_waits(simulator, commands, host)),
      intervals(simulator.sample(core, {.interval = interval, .wires = true, .walk = &walk})),
      windows(simulator.sample(core, {.walk = &walk})),
      fragments(log_events ? std::make_unique<messages::FragmentLog>(core, log_events) : nullptr),
      works(&windows, fragments.get()) {}

}  // namespace cutaway::machine
