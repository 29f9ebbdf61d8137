#pragma once

#include <optional>
#include <string>
#include <utility>

#include "arch/gpu.h"
#include "boxes/command_processor/packet_place.h"
#include "command_stream/packet_check.h"

namespace cutaway::boxes {

// The fault of a submission: that of the earliest packet at fault. Work that is still under way may show that
// a packet before the known one is at fault.
class SubmissionFault {
 public:
  void note(const PacketPlace& packet, const std::string& error) {
    if (fault_ && std::pair(fault_->submission, packet_) <= std::pair(packet.submission, packet.number))
      return;
    fault_ = {packet.submission, packet.address, command_stream::fault_text(packet.name, error)};
    packet_ = packet.number;
  }
  const arch::Fault* get() const { return fault_ ? &*fault_ : nullptr; }

 private:
  std::optional<arch::Fault> fault_;
  uint64_t packet_ = 0;
};

}  // namespace cutaway::boxes
