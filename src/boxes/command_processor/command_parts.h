#pragma once

#include "boxes/command_processor/argument_reader.h"
#include "boxes/command_processor/feedback_counter.h"
#include "boxes/command_processor/memory_watch.h"
#include "boxes/command_processor/owed_barriers.h"
#include "boxes/command_processor/packet_stream.h"
#include "boxes/command_processor/query_writer.h"
#include "boxes/command_processor/shared_parts.h"
#include "boxes/command_processor/state_loader.h"
#include "boxes/command_processor/state_versions.h"
#include "boxes/command_processor/submission_queue.h"
#include "boxes/command_processor/work_book.h"

namespace cutaway::boxes {

// The parts of a command processor that the packets of a queue change and answers of other boxes change back:
// its own, and those that it shares. None of them knows a port.
struct CommandParts {
  static constexpr uint32_t kArgumentTag = 0x80000000u;  // the first of arguments; tags of commands are below

  CommandParts(SharedParts& shared, arch::QueueKind queue_, const CommandProcessorSpec& spec,
               structures::DepthOrderName depth_order, const command_stream::ByStage<unsigned>& group_lanes)
      : queue(queue_),
        tags(shared.tags),
        sender(shared.sender),
        draws(shared.draws),
        copies(shared.copies),
        cache_orders(shared.cache_orders),
        scan_out(shared.scan_out),
        fault(shared.fault),
        stream(spec.prefetch, spec.submissions > 1, shared.tags),
        waiting(spec.submissions - 1, spec.prefetch, shared.tags),
        watch(spec.watched_memory),
        versions(spec, depth_order),
        loader(group_lanes),
        arguments(kArgumentTag + static_cast<uint32_t>(queue_) * ArgumentReader::kSectors),
        book(queue_) {}

  // The stream has started. overlaps: draws of earlier submissions are under way.
  void begin_submission(const arch::Submission& submission, bool overlaps) {
    watch.begin_submission();
    versions.begin_submission();
    loader.begin_submission();
    queries.begin_submission(submission);
    feedback.begin_submission();
    book.begin_submission(submission.id, overlaps, submission.context);
  }

  // The barrier of FLUSH, INVALIDATE and WAIT_IDLE: nothing of the queue is under way but watched copies.
  bool settled() const {
    return !draws.any(queue) && !loader.loading() && !value_writes && !copies.hold_barriers(queue);
  }
  // Nothing at all of the queue is under way.
  bool drained() const { return !copies.any(queue) && settled(); }

  // True if a draw under way belongs to the submission that is executed.
  bool is_of_submission(uint32_t draw) const {
    const DrawsUnderWay::Entry* entry = draws.find(draw);
    return entry && entry->packet.submission == stream.submission();
  }
  // The caches of these that an order of the queue goes to: beside another queue, the compute queue leaves
  // alone the caches that only draws use.
  uint32_t caches(uint32_t of) const {
    constexpr uint32_t kOfPrograms = arch::kCacheTexture | arch::kCacheStorage;
    return queue == arch::QueueKind::kGraphics ? of : of & kOfPrograms;
  }
  // True if a submission goes on in spite of a fault: that is in a later one.
  bool may_run(uint64_t submission) const { return !fault.get() || submission < fault.get()->submission; }

  const arch::QueueKind queue;

  uint32_t& tags;
  StateSender& sender;
  DrawsUnderWay& draws;
  CopyTracker& copies;
  CacheOrders& cache_orders;
  ScanOut& scan_out;
  SubmissionFault& fault;

  PacketStream stream;
  SubmissionQueue waiting;
  MemoryWatch watch;
  OwedBarriers owed;
  StateVersions versions;
  StateLoader loader;
  ArgumentReader arguments;
  uint32_t value_writes = 0;  // that memory has not acknowledged
  QueryWriter queries;
  FeedbackCounter feedback;
  WorkBook book;
};

}  // namespace cutaway::boxes
