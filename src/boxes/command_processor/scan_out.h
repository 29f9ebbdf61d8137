#pragma once

#include "arch/surface.h"
#include "boxes/command_processor/memory_use.h"

namespace cutaway::boxes {

// The picture that the DAC scans out, beside the packets behind its PRESENT and in the next submissions too.
// The next PRESENT waits for it, and so does work that writes to its memory: no picture is torn.
class ScanOut {
 public:
  enum class Step : uint8_t {
    kNone,
    kRequested,  // the DAC has not been told of the surface yet
    kUnderWay,
  };
  Step step() const { return step_; }
  bool active() const { return step_ != Step::kNone; }

  // The display shows a surface again that was presented earlier.
  void request(const arch::Surface& surface) {
    requested_ = surface;
    step_ = Step::kRequested;
  }
  const arch::Surface& requested() const { return requested_; }  // kRequested
  void begin(const arch::Surface& surface) {
    memory_ = range_of(surface);
    step_ = Step::kUnderWay;
  }
  void end() { step_ = Step::kNone; }

  bool torn_by(const MemoryRange& written) const { return active() && written.meets(memory_); }
  bool torn_by(const MemoryUse& use) const { return active() && use.writes(memory_); }

 private:
  Step step_ = Step::kNone;
  arch::Surface requested_;
  MemoryRange memory_;
};

}  // namespace cutaway::boxes
