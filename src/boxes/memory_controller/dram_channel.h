#pragma once

#include <algorithm>
#include <memory>

#include "base/counter.h"
#include "boxes/memory_controller/memory_controller_spec.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// Bytes that a channel moved, and the use of its bus cycles: the five cycle counters sum to its cycles. They
// are counted when a transfer is scheduled, before it is over.
struct ChannelCounters {
  uint64_t bytes_read = 0, bytes_written = 0;
  uint64_t used = 0, turned = 0, rows = 0, refreshed = 0, rested = 0;
  uint64_t row_hit = 0, row_miss = 0, row_conflict = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ChannelCounters;
    v("bytes_read", &C::bytes_read, "bytes", "bytes moved by reads");
    v("bytes_written", &C::bytes_written, "bytes",
      "bytes moved by writes, in pieces of memory.access_bytes, whatever their masks");
    v("used", &C::used, "cycles", "cycles in which the bus carried data");
    v("turned", &C::turned, "cycles", "cycles in which the bus turned around for waiting transactions");
    v("rows", &C::rows, "cycles",
      "cycles in which the bus was free, but the row of the next transaction was not open");
    v("refreshed", &C::refreshed, "cycles", "cycles in which all banks were closed and refreshed");
    v("rested", &C::rested, "cycles",
      "cycles in which nothing waited, or its read or write command was on the way");
    v("row_hit", &C::row_hit, "transactions", "row hits: transactions whose row was open");
    v("row_miss", &C::row_miss, "transactions", "row misses: transactions whose bank was closed");
    v("row_conflict", &C::row_conflict, "transactions",
      "row conflicts: transactions whose bank had another row open");
  }
};

// The timing of one channel: its bus and the memory behind it. Each model has its own file. Addresses are
// within the channel: its contents are contiguous there.
class DramChannel {
 public:
  using Cycle = engine::Cycle;

  virtual ~DramChannel() = default;
  // Performs every refresh due by `now`. Any frequency of calls gives the same result, except for counters.
  virtual void advance(Cycle /*now*/) {}
  // Timing query: the row state and transfer begin of a transaction served from `now` on.
  struct Timing {
    bool row_open = true;
    Cycle begin = 0;  // of its transfer
  };
  virtual Timing timing(Cycle now, uint64_t address, bool write) const = 0;
  // Serves a transaction of `bytes`, at most 64, from `now` on, no earlier than next(), after advance(now).
  // Returns the end of its transfer: the first cycle in which the bus no longer carries it.
  virtual Cycle serve(Cycle now, uint64_t address, bool write, uint32_t bytes) = 0;

  // Earliest cycle in which the next transaction may be served. Its transfer may begin later.
  Cycle next() const { return next_; }
  // The end of the last transfer.
  Cycle transferred() const { return transferred_; }

  // Books the cycles up to and including `now`.
  void settle(Cycle now);
  ChannelCounters counters;

 protected:
  explicit DramChannel(const MemoryControllerSpec& spec);

  // Earliest cycle in which the bus, which is free by then, may carry data in that direction.
  Cycle turned(bool write) const {
    if (write == wrote_) return transferred_;
    return transferred_ + (write ? read_to_write_ : write_to_read_);
  }
  // Books a transfer that begins in cycle `begin`. Until `ready` nothing needed the bus; then it turned
  // around until `turned`.
  void transfer(Cycle ready, Cycle turned, Cycle begin, bool write, uint32_t bytes);
  // Books a refresh, during which the bus is unusable.
  void refresh(Cycle begin, Cycle end);
  // End of all scheduled use of the bus.
  Cycle free() const { return free_; }

  Cycle next_ = 0;

 private:
  uint32_t bytes_per_cycle_;
  Cycle read_to_write_, write_to_read_;
  Cycle transferred_ = 0, free_ = 0;
  Cycle booked_ = 1;    // the first cycle not booked yet
  bool wrote_ = false;  // direction of the last transfer
};

}  // namespace cutaway::boxes
