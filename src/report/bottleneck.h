#pragma once

#include <string>
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

// Returns the units of frames in descending order of busy + holds_up.
//
// Each wait is attributed along the chain of waits. Of the cycles that a unit waits for a neighbour, the
// share in which the neighbour is busy is attributed to the neighbour; the share in which it waits for others
// passes on to those, and so on; its idle share is attributed to nothing. Accounts are sums, so a unit's
// shares are assumed equal in all cycles. A busy unit whose successors are idle causes no recorded wait:
// therefore its own busy share counts too.
std::vector<UnitWeight> units_by_weight(const std::vector<run_record::FrameFigures>& frames);

}  // namespace cutaway::report
