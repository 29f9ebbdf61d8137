#pragma once

#include <vector>

#include "base/divisor.h"
#include "boxes/memory_controller/dram_channel.h"

namespace cutaway::boxes {

// Banks with one open row each, which stays open until another row is needed or a refresh closes all. A row
// is opened by an activation, after a precharge if another row was open. Banks work in parallel with each
// other and with transfers: a transaction is served, and its commands issued, as long before the bus is free
// for it as a change of rows takes. Transfers keep the order in which transactions are served. The command
// bus is never a bottleneck, and only t_rrd limits activations (no tFAW).
class BankedDram final : public DramChannel {
 public:
  explicit BankedDram(const MemoryControllerSpec& spec);

  // Performs every refresh due by `now`. Refreshes are due every t_refi cycles, and wait for transfers
  // already scheduled.
  void advance(Cycle now) override;
  Timing timing(Cycle now, uint64_t address, bool write) const override;
  Cycle serve(Cycle now, uint64_t address, bool write, uint32_t bytes) override;

 private:
  static constexpr uint64_t kClosed = ~uint64_t{0};
  struct Bank {
    uint64_t row = kClosed;
    Cycle column = 0;     // earliest column command for the open row
    Cycle precharge = 0;  // earliest precharge
  };
  struct Place {
    uint64_t row;
    uint64_t bank;
  };
  struct Plan {
    bool row_open;
    Cycle activate = 0;  // of the row, if it must be opened
    Cycle ready, turned, begin;
  };

  Place place(uint64_t address) const;
  Plan plan(Cycle now, const Place& place, bool write) const;
  Cycle column_latency(bool write) const { return write ? spec_.t_wl : spec_.t_cl; }

  MemoryControllerSpec spec_;
  Divisor row_, bank_;
  std::vector<Bank> banks_;
  Cycle activate_ = 0;  // earliest activation of any row
  Cycle due_;           // the next refresh
  Cycle ahead_;         // lead of serving a transaction over the end of scheduled transfers
};

}  // namespace cutaway::boxes
