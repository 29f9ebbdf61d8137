#pragma once

#include "replay/frame_start.h"
#include "replay/simulation.h"
#include "replay/worker_pool.h"

namespace cutaway::replay {

// Runs a frame, its warm-up first, on a machine of its own in this process, and verifies it if the options
// ask for that. The walker has emulated the frame. channel: receives progress, and texts under a live view.
SimulatedFrame run_on_machine(const capture::Reader& reader, const StartWalker& walker,
                              const SimulationOptions& options, const WorkerChannel& channel);

}  // namespace cutaway::replay
