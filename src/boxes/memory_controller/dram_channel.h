#pragma once

#include <algorithm>
#include <memory>

#include "base/counter.h"
#include "boxes/memory_controller/memory_controller_spec.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// Where the cycles of a channel's bus went, by the transfers that it was promised to.
struct ChannelCounters {
  uint64_t used = 0, turned = 0, idle = 0;
};

// The time that one channel takes: its bus and the memory behind it. Each way to model it has a file of its
// own. Addresses are those within the channel: what it holds lies there without holes.
class DramChannel {
 public:
  using Cycle = engine::Cycle;

  virtual ~DramChannel() = default;
  // A transaction of 64 bytes that is served from `now` on, no earlier than next(). Returns the end of its
  // transfer: the cycle at which the bus is free for another.
  virtual Cycle serve(Cycle now, uint64_t address, bool write) = 0;

  // From when on the next transaction may be served. Its transfer may begin later.
  Cycle next() const { return next_; }
  // When all that has been served will have been transferred.
  Cycle free() const { return free_; }

  ChannelCounters counters;

 protected:
  explicit DramChannel(const MemoryControllerSpec& spec);

  // Cycles for 64 bytes.
  Cycle burst() const { return burst_; }
  // When the bus may carry data that way.
  Cycle turned(bool write) const {
    if (write == wrote_) return free_;
    return free_ + (write ? read_to_write_ : write_to_read_);
  }
  // A transfer begins in cycle `begin`. Nobody needed the bus until `ready`; from then on it turned around.
  void transfer(Cycle ready, Cycle begin, bool write);

  Cycle next_ = 0, free_ = 0;

 private:
  Cycle burst_, read_to_write_, write_to_read_;
  Cycle booked_ = 1;    // the first cycle that no counter has
  bool wrote_ = false;  // direction of the last transfer
};

std::unique_ptr<DramChannel> make_dram(const MemoryControllerSpec& spec);

}  // namespace cutaway::boxes
