#include "boxes/command_processor/query_writer.h"

#include "base/error.h"
#include "command_stream/query.h"

namespace cutaway::boxes {

void QueryWriter::begin_submission(const arch::Submission& submission) {
  counters = {};
  submission_ = submission;
  index_ = 0;
}

void QueryWriter::count_invocations(const arch::DispatchPacket& dispatch, const arch::Registers& registers) {
  if (!registers.query.statistics) return;
  const uint32_t *groups = dispatch.groups, *size = registers.compute.local_size;
  counters[command_stream::Statistic::kComputeInvocations] +=
      uint64_t{groups[0]} * groups[1] * groups[2] * size[0] * size[1] * size[2];
}

QueryWriter::Words QueryWriter::next(const arch::QueryPacket& packet, engine::Cycle now) {
  const auto kind = static_cast<arch::QueryKind>(packet.kind);
  const bool end = packet.point == static_cast<uint32_t>(arch::QueryPoint::kEnd);
  Words words{.address = command_stream::query_address(packet, index_),
              .word = {0, 1},
              .count = end ? 2u : 1u,
              .error = {}};
  auto& reported = reported_of_[submission_.context];
  // Values of submissions before are those of another queue.
  while (!reported.empty() && reported.front().submission < submission_.id) reported = reported.subspan(1);
  if (command_stream::is_architectural(packet.kind, index_)) {
    words.word[0] = counters.value(kind, index_);
  } else if (reported.empty()) {
    words.word[0] = kind == arch::QueryKind::kTimestamp ? now : 0;
  } else if (reported.front().submission == submission_.id && reported.front().address == words.address) {
    words.word[0] = reported.front().value;
    reported = reported.subspan(1);
  } else {
    words.error = fmt::format("no value was reported for the query at {:#x}", words.address);
  }
  return words;
}

bool QueryWriter::written(const arch::QueryPacket& packet) {
  if (++index_ < arch::query_values(packet.kind)) return false;
  index_ = 0;
  return true;
}

}  // namespace cutaway::boxes
