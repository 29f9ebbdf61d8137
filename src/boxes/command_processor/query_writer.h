#pragma once

#include <array>
#include <span>
#include <string>

#include "arch/context_space.h"
#include "arch/gpu.h"
#include "arch/packet.h"
#include "command_stream/query_counters.h"
#include "engine/domain.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// Counts for queries, by the draws of a submission that have ended, and makes the words that WRITE_QUERY
// writes: one counter in a cycle.
class QueryWriter {
 public:
  // Values that the machine does not count, in the order of their writes: machine::MachineOptions.
  void report(std::span<const messages::QueryValue> values, arch::ContextId context) {
    reported_of_[context] = values;
  }
  std::span<const messages::QueryValue> left(arch::ContextId context) const { return reported_of_[context]; }
  void begin_submission(const arch::Submission& submission);

  // A suspended submission keeps it.
  struct Standing {
    command_stream::QueryCounters counters;
    arch::Submission submission;
  };
  Standing standing() const { return {counters, submission_}; }
  void resume(const Standing& standing) {
    begin_submission(standing.submission);
    counters = standing.counters;
  }

  command_stream::QueryCounters counters;
  // A dispatch has been sent.
  void count_invocations(const arch::DispatchPacket& dispatch, const arch::Registers& registers);

  bool begun() const { return index_ != 0; }  // a counter of the packet in progress has been written
  struct Words {
    arch::Address address = 0;
    std::array<uint64_t, 2> word{};
    size_t count = 0;   // 2: the availability follows the value
    std::string error;  // no value was reported for the query
  };
  // The words of the packet's next counter.
  Words next(const arch::QueryPacket& packet, engine::Cycle now);
  // They are on their way. True: they were the packet's last.
  bool written(const arch::QueryPacket& packet);

 private:
  std::array<std::span<const messages::QueryValue>, arch::kMostContexts> reported_of_;
  arch::Submission submission_;
  uint32_t index_ = 0;  // counters of the packet in progress that are written
};

}  // namespace cutaway::boxes
