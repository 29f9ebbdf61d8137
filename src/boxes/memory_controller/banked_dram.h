#pragma once

#include <vector>

#include "base/divisor.h"
#include "boxes/memory_controller/dram_channel.h"

namespace cutaway::boxes {

// Banks with an open row each, which stays open until another is wanted or a refresh closes all. A row is
// opened by an activation, after a precharge if another was open. Banks do so side by side, and beside
// transfers: a transaction is served, and its commands given, as long before the bus is free for it as a
// change of rows takes. Transfers keep the order in which transactions are served. The bus of commands is
// never short, and no bound but t_rrd limits activations (tFAW).
class BankedDram final : public DramChannel {
 public:
  explicit BankedDram(const MemoryControllerSpec& spec);

  // Refreshes are due every t_refi cycles, and wait for the transfers that are promised.
  void advance(Cycle now) override;
  Outlook outlook(Cycle now, uint64_t address, bool write) const override;
  Cycle serve(Cycle now, uint64_t address, bool write, uint32_t bytes) override;

 private:
  static constexpr uint64_t kClosed = ~uint64_t{0};
  struct Bank {
    uint64_t row = kClosed;
    Cycle column = 0;     // the open row may be read and written from here on
    Cycle precharge = 0;  // and closed from here on
  };
  struct Place {
    uint64_t row;
    uint64_t bank;
  };
  struct Plan {
    bool row_open;
    Cycle activate = 0;  // of the row, if it is not open
    Cycle ready, turned, begin;
  };

  Place place(uint64_t address) const;
  Plan plan(Cycle now, const Place& place, bool write) const;
  Cycle column_latency(bool write) const { return write ? spec_.t_wl : spec_.t_cl; }

  MemoryControllerSpec spec_;
  Divisor row_, bank_;
  std::vector<Bank> banks_;
  Cycle activate_ = 0;  // no row may be activated before
  Cycle due_;           // the next refresh
  Cycle ahead_;         // of the end of transfers the next transaction is served
};

}  // namespace cutaway::boxes
