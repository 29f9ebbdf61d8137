#pragma once

#include "boxes/command_processor/argument_reader.h"
#include "boxes/command_processor/cache_orders.h"
#include "boxes/command_processor/command_processor_counters.h"
#include "boxes/command_processor/command_processor_spec.h"
#include "boxes/command_processor/copy_tracker.h"
#include "boxes/command_processor/draws_under_way.h"
#include "boxes/command_processor/feedback_counter.h"
#include "boxes/command_processor/memory_watch.h"
#include "boxes/command_processor/owed_barriers.h"
#include "boxes/command_processor/packet_stream.h"
#include "boxes/command_processor/query_writer.h"
#include "boxes/command_processor/scan_out.h"
#include "boxes/command_processor/state_loader.h"
#include "boxes/command_processor/state_sender.h"
#include "boxes/command_processor/state_versions.h"
#include "boxes/command_processor/submission_fault.h"
#include "boxes/command_processor/submission_queue.h"
#include "boxes/command_processor/work_book.h"

namespace cutaway::boxes {

// The parts of a command processor that packets change and answers of other boxes change back. None of them
// knows a port.
struct CommandParts {
  static constexpr uint32_t kArgumentTag = 0x80000000u;  // the first of arguments; tags of commands are below

  CommandParts(const CommandProcessorSpec& spec, structures::DepthOrderName depth_order, unsigned color_units,
               const command_stream::ByStage<unsigned>& group_lanes,
               const command_stream::ByStage<unsigned>& memories, CommandProcessorCounters& counters)
      : stream(spec.prefetch, spec.submissions > 1, tags),
        waiting(spec.submissions - 1, spec.prefetch, tags),
        watch(spec.watched_memory),
        versions(spec, depth_order),
        sender(spec.state_bytes_per_cycle, spec.instruction_memory, memories, counters),
        loader(group_lanes),
        draws(color_units, counters.driver_cycles),
        copies(spec.watched_copies),
        scan_out(spec.presents),
        arguments(kArgumentTag) {}

  // The stream has started. overlaps: draws of earlier submissions are under way.
  void begin_submission(const arch::Submission& submission, bool overlaps) {
    versions.begin_submission();
    loader.begin_submission();
    queries.begin_submission(submission);
    feedback.begin_submission();
    book.begin_submission(submission.id, overlaps);
  }

  // The barrier of FLUSH, INVALIDATE and WAIT_IDLE: nothing is under way but watched copies.
  bool settled() const {
    return draws.empty() && !loader.loading() && !value_writes && !copies.hold_barriers();
  }
  // Nothing at all is under way.
  bool drained() const { return copies.empty() && settled(); }

  // True if a draw under way belongs to the submission that is executed.
  bool is_of_submission(uint32_t draw) const {
    const DrawsUnderWay::Entry* entry = draws.find(draw);
    return entry && entry->packet.submission == stream.submission();
  }

  uint32_t tags = 0;  // of the next request for commands
  PacketStream stream;
  SubmissionQueue waiting;
  MemoryWatch watch;
  OwedBarriers owed;
  StateVersions versions;
  StateSender sender;
  StateLoader loader;
  DrawsUnderWay draws;
  CopyTracker copies;
  CacheOrders cache_orders;
  ScanOut scan_out;
  ArgumentReader arguments;
  uint32_t value_writes = 0;  // that memory has not acknowledged
  QueryWriter queries;
  FeedbackCounter feedback;
  WorkBook book;
  SubmissionFault fault;
};

}  // namespace cutaway::boxes
