#pragma once

#include <algorithm>
#include <memory>

#include "base/counter.h"
#include "boxes/memory_controller/memory_controller_spec.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// What a channel moved, and where the cycles of its bus went: the five of these sum to its cycles. They are
// counted when a transfer is promised, which is before it is over.
struct ChannelCounters {
  uint64_t bytes_read = 0, bytes_written = 0;
  uint64_t used = 0, turned = 0, rows = 0, refreshed = 0, rested = 0;
  uint64_t row_hit = 0, row_miss = 0, row_conflict = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ChannelCounters;
    v("bytes_read", &C::bytes_read, "bytes", "moved by reads");
    v("bytes_written", &C::bytes_written, "bytes",
      "moved by writes, in pieces of memory.access_bytes, whatever their masks");
    v("used", &C::used, "cycles", "the bus carried data");
    v("turned", &C::turned, "cycles", "the bus turned around for what waited");
    v("rows", &C::rows, "cycles",
      "the bus could carry data, and the row of what was served next was not open");
    v("refreshed", &C::refreshed, "cycles", "all banks were closed and refreshed");
    v("rested", &C::rested, "cycles", "nothing waited, or its read or write command was on the way");
    v("row_hit", &C::row_hit, "transactions", "whose row was open");
    v("row_miss", &C::row_miss, "transactions", "whose bank was closed");
    v("row_conflict", &C::row_conflict, "transactions", "whose bank had another row open");
  }
};

// The time that one channel takes: its bus and the memory behind it. Each way to model it has a file of its
// own. Addresses are those within the channel: what it holds lies there without holes.
class DramChannel {
 public:
  using Cycle = engine::Cycle;

  virtual ~DramChannel() = default;
  // What happens by itself does, as far as it begins by `now`. It makes no difference how often this is
  // called, but for counters.
  virtual void advance(Cycle /*now*/) {}
  // What a transaction would meet that is served from `now` on.
  struct Outlook {
    bool row_open = true;
    Cycle begin = 0;  // of its transfer
  };
  virtual Outlook outlook(Cycle now, uint64_t address, bool write) const = 0;
  // A transaction that moves so many bytes, at most 64, is served from `now` on, no earlier than next(),
  // after advance(now). Returns the end of its transfer: the first cycle in which the bus does not carry it
  // any more.
  virtual Cycle serve(Cycle now, uint64_t address, bool write, uint32_t bytes) = 0;

  // From when on the next transaction may be served. Its transfer may begin later.
  Cycle next() const { return next_; }
  // The end of the last transfer.
  Cycle transferred() const { return transferred_; }

  // The cycles up to and including `now` are in the counters.
  void settle(Cycle now);
  ChannelCounters counters;

 protected:
  explicit DramChannel(const MemoryControllerSpec& spec);

  // When the bus may carry data that way; it is free by then.
  Cycle turned(bool write) const {
    if (write == wrote_) return transferred_;
    return transferred_ + (write ? read_to_write_ : write_to_read_);
  }
  // A transfer begins in cycle `begin`. Until `ready` nothing that waited needed the bus; then it turned
  // around until `turned`.
  void transfer(Cycle ready, Cycle turned, Cycle begin, bool write, uint32_t bytes);
  // The bus is no use from `begin` to `end`.
  void refresh(Cycle begin, Cycle end);
  // When the bus has nothing to do any more: of all that was promised.
  Cycle free() const { return free_; }

  Cycle next_ = 0;

 private:
  uint32_t bytes_per_cycle_;
  Cycle read_to_write_, write_to_read_;
  Cycle transferred_ = 0, free_ = 0;
  Cycle booked_ = 1;    // the first cycle that no counter has
  bool wrote_ = false;  // direction of the last transfer
};

}  // namespace cutaway::boxes
