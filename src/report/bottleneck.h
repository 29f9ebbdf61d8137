#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "run_record/figures.h"

namespace cutaway::report {

// How a unit spent its cycles over several frames, and the waiting that it caused in others.
struct UnitWeight {
  struct Wait {
    std::string neighbour;
    bool starved = false;  // else blocked
    double share = 0;      // share of the cycles
  };
  std::string path;
  double busy = 0, starved = 0, blocked = 0, idle = 0;  // as shares of the cycles of its clock
  std::vector<Wait> waits;                              // by neighbour, longest first
  // Cycles in which other units waited for it while it worked, summed over them, as a share of the cycles.
  double holds_up = 0;
};

// Sums the accounts of units over frames. Takes no room for each frame.
//
// Each wait is attributed along the chain of waits. Of the cycles that a unit waits for a neighbour, the
// share in which the neighbour is busy is attributed to the neighbour; the share in which it waits for others
// passes on to those, and so on; its idle share is attributed to nothing. Accounts are sums, so a unit's
// shares are assumed equal in all cycles. A busy unit whose successors are idle causes no recorded wait:
// therefore its own busy share counts too.
class UnitWeights {
 public:
  void add(const run_record::FrameFigures& frame);
  // The units, in descending order of busy + holds_up.
  std::vector<UnitWeight> by_weight() const;

 private:
  struct Sum {
    uint64_t cycles = 0, busy = 0, starved = 0, blocked = 0, idle = 0;
    std::map<std::pair<std::string, bool>, uint64_t> waits;  // neighbour, starved
    void add(const run_record::UnitFigures& unit);
    UnitWeight shares(const std::string& path) const;
  };
  std::vector<std::string> order_;  // in which the frames name the units
  std::map<std::string, Sum> sums_;
};

// The units of one frame in this order.
std::vector<UnitWeight> units_by_weight(const run_record::FrameFigures& frame);

}  // namespace cutaway::report
