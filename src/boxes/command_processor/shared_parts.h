#pragma once

#include "boxes/command_processor/cache_orders.h"
#include "boxes/command_processor/command_processor_counters.h"
#include "boxes/command_processor/command_processor_spec.h"
#include "boxes/command_processor/copy_tracker.h"
#include "boxes/command_processor/draws_under_way.h"
#include "boxes/command_processor/scan_out.h"
#include "boxes/command_processor/state_sender.h"
#include "boxes/command_processor/submission_fault.h"

namespace cutaway::boxes {

// The parts of a command processor that its queues share: what is under way in the units, and the ways there.
struct SharedParts {
  SharedParts(const CommandProcessorSpec& spec, unsigned color_units,
              const command_stream::ByStage<unsigned>& memories, CommandProcessorCounters& counters)
      : sender(spec.state_bytes_per_cycle, spec.instruction_memory, memories, counters),
        draws(color_units, counters.driver_cycles),
        copies(spec.watched_copies, spec.compute_queue),
        scan_out(spec.presents) {}

  uint32_t tags = 0;  // of the next request for commands
  StateSender sender;
  DrawsUnderWay draws;
  CopyTracker copies;
  CacheOrders cache_orders;
  ScanOut scan_out;
  SubmissionFault fault;
};

}  // namespace cutaway::boxes
