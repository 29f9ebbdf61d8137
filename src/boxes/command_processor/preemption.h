#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "boxes/command_processor/command_parts.h"
#include "boxes/command_processor/context_switch.h"
#include "boxes/command_processor/packet_switch.h"

namespace cutaway::boxes {

// A submission that was suspended between two packets, with nothing under way: all that it needs to go on, on
// this machine or on one that replaces it.
struct SuspendedSubmission {
  PacketStream stream;
  PacketSwitch::Standing packets;
  StateVersions::Standing state;  // registers, constants, descriptors and programs
  StateLoader::Descriptors descriptors;
  QueryWriter::Standing queries;
  WorkBook::Standing book;
  uint64_t state_bytes = 0;  // sent to the units since the submission began
  engine::Cycle ran = 0;     // cycles for which it has had the GPU
};

// Suspends the submission that is executed, so that another context gets the GPU, and lets it go on later.
// The command processor keeps the state of each context; the units, which hold that of one, are sent it anew.
class Preemption {
 public:
  // bytes_sent: counts the bytes on the state bus.
  Preemption(CommandParts& parts, PacketSwitch& packets, const uint64_t& bytes_sent)
      : parts_(parts), packets_(packets), bytes_sent_(bytes_sent) {}

  // A submission begins.
  void begin() { asked_ = false, before_ = bytes_sent_; }
  // Its context has lost the GPU: no packet is taken any more.
  void ask(engine::Cycle now) { asked_ = true, since_ = now; }
  bool asked() const { return asked_; }
  // Buffers of transform feedback are as full as stream-out knows: a submission that fills them is not
  // suspended.
  bool possible() const { return parts_.feedback.must_empty(); }
  // Nothing of the submission is under way.
  bool drained() const { return parts_.drained() && !parts_.stream.asks(); }

  // ran: cycles for which it has had the GPU.
  void suspend(engine::Cycle now, arch::ContextId context, engine::Cycle ran);
  bool holds(arch::ContextId context) const { return suspended_[context].has_value(); }
  // Lets the context's submission go on. Returns the cycles for which it has had the GPU.
  engine::Cycle resume(engine::Cycle now, arch::ContextId context);

  // From outside, for a machine that replaces this one.
  std::optional<SuspendedSubmission> take(arch::ContextId context) {
    return std::exchange(suspended_[context], std::nullopt);
  }
  void keep(arch::ContextId context, SuspendedSubmission submission) {
    suspended_[context] = std::move(submission);
  }

  PreemptionCounters counters;

 private:
  CommandParts& parts_;
  PacketSwitch& packets_;
  const uint64_t& bytes_sent_;
  // Bytes sent before the submission began; for one that goes on, so many that it seems to have sent all of
  // its bytes since.
  uint64_t before_ = 0;
  bool asked_ = false;
  engine::Cycle since_ = 0;
  std::array<std::optional<SuspendedSubmission>, arch::kMostContexts> suspended_;
};

}  // namespace cutaway::boxes
