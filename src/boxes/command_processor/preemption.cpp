#include "boxes/command_processor/preemption.h"

#include <algorithm>

namespace cutaway::boxes {

using engine::Cycle;

namespace {

// Registers, constants and descriptors of all stages, each once.
constexpr uint64_t kMostStateBytes = sizeof(messages::DrawState);

}  // namespace

void Preemption::suspend(Cycle now, arch::ContextId context, Cycle ran) {
  counters.preemptions++;
  counters.drain_cycles += now - since_;
  suspended_[context] = SuspendedSubmission{.stream = parts_.stream,
                                            .packets = packets_.standing(),
                                            .state = parts_.versions.standing(),
                                            .descriptors = parts_.loader.descriptors(),
                                            .queries = parts_.queries.standing(),
                                            .book = parts_.book.standing(),
                                            .state_bytes = bytes_sent_ - before_,
                                            .ran = ran};
  asked_ = false;
}

Cycle Preemption::resume(Cycle now, arch::ContextId context) {
  SuspendedSubmission submission = *take(context);
  parts_.stream = std::move(submission.stream);
  parts_.stream.share_tags(parts_.tags);
  parts_.versions.resume(submission.state);
  parts_.loader.resume(submission.descriptors);
  parts_.queries.resume(submission.queries);
  parts_.feedback.begin_submission();
  parts_.book.resume(submission.book);
  packets_.resume(submission.packets);
  const uint64_t bytes = std::min(submission.state_bytes, kMostStateBytes);
  parts_.sender.send(now, bytes);
  before_ = bytes_sent_ - submission.state_bytes;
  counters.restored_bytes += bytes;
  return submission.ran;
}

}  // namespace cutaway::boxes
