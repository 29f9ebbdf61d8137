#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "host/queue.h"
#include "icd/debug/label_trail.h"
#include "icd/device/device.h"
#include "icd/stream/command_stream.h"

namespace cutaway::icd {

// The packets of a primary command buffer, in parts that are submitted one after the other, each once what it
// waits for holds; in GPU memory when they are finished. And their debug labels: the ids in MARKER packets
// depend on the labels around a submission.
class RecordedPackets {
 public:
  explicit RecordedPackets(Device& device) : device_(device) {}

  // ---- Recording ----
  LabelTrail& labels() { return labels_; }
  // Ends a part. The next one waits until `ready` holds, which the host asks.
  void split(CommandStream::Packets packets, std::function<bool()> ready);
  // Ends the last part.
  void end(CommandStream::Packets packets);

  // ---- Finished ----
  // Writes all parts to memory and returns them as ranges, in order.
  std::vector<host::CommandRange> write();
  // Labels the ranges of a submission from to[first] on, which write() has returned. around: the queue's
  // labels there; becomes those behind them.
  void label(LabelPlace& around, std::vector<host::CommandRange>& to, std::ptrdiff_t first);
  host::Allocation& memory() { return *memory_; }
  const std::vector<uint64_t>& offsets() const {
    return offsets_;
  }  // bytes from the start of memory to each part

  void clear();  // memory stays for the next packets
  void release() { memory_.reset(); }

 private:
  struct Part {
    CommandStream::Packets packets;
    std::function<bool()> ready;
  };

  Device& device_;
  std::vector<Part> parts_;
  std::function<bool()> ready_;  // the part that is being recorded waits for it
  std::unique_ptr<host::Allocation> memory_;
  std::vector<uint64_t> offsets_;
  LabelTrail labels_;
  std::vector<uint64_t> marker_offsets_;            // bytes to the ids of MARKER packets
  std::optional<LabelTree::Stack> labelled_below_;  // the labels around them that the ids count with
};

}  // namespace cutaway::icd
