#pragma once

#include <string>
#include <vector>

#include "base/figures.h"

namespace cutaway::report {

// Where a unit's cycles went over several frames, and what it cost the others.
struct UnitWeight {
  struct Wait {
    std::string neighbour;
    bool starved = false;  // else blocked
    double share = 0;      // of the cycles
  };
  std::string path;
  double busy = 0, starved = 0, blocked = 0, idle = 0;  // shares of the cycles of its clock
  std::vector<Wait> waits;                              // by neighbour, the longest first
  // Cycles in which others waited for it while it worked, summed over them, as a share of the cycles.
  double holds_up = 0;
};

// The units of frames, what bound them first: by busy + holds_up.
//
// A wait is followed to who is to blame for it. Of the cycles that a unit waits for a neighbour, the share in
// which the neighbour is busy rests with the neighbour; the shares in which that waits for others itself go
// on to these, and so on; its idle share is nobody's. The accounts are sums, so this takes a unit's shares as
// equal in all cycles. What is busy and feeds others, which are idle meanwhile, has no wait to show for it:
// that is why its own busy share counts too.
std::vector<UnitWeight> units_by_weight(const std::vector<FrameFigures>& frames);

}  // namespace cutaway::report
