#pragma once

#include <vector>

#include "report/diagram.h"

namespace cutaway::report {

// Positions of a diagram's units: rows from top to bottom, so that work flows downwards.
struct DiagramRows {
  // A unit and its helpers, which receive from no other unit, and answer.
  struct Place {
    size_t unit;
    std::vector<size_t> helpers;
  };
  std::vector<std::vector<Place>> rows;  // units of memory are in no row
  std::vector<size_t> row;               // by unit; a helper has its unit's row
  std::vector<bool> back;                // by wire: leads back to a unit that work has passed
};

// A data wire leads back if a depth-first search from the first unit, following wires in their order, finds
// that it leads to a unit on the search path. It also leads back if the search has not reached its end and a
// wire in the opposite direction comes earlier: requests are connected before answers. The other wires give
// each unit its row: the longest path to it.
DiagramRows rows_of(const Diagram& diagram);

}  // namespace cutaway::report
