#pragma once

#include <vector>

#include "report/diagram.h"

namespace cutaway::report {

// Where the units of a diagram stand: rows from top to bottom, so that work flows downwards.
struct DiagramRows {
  // A unit and those that only serve it: they hear from no other unit, and answer.
  struct Place {
    size_t unit;
    std::vector<size_t> helpers;
  };
  std::vector<std::vector<Place>> rows;  // units of memory are in none
  std::vector<size_t> row;               // by unit; of a helper that of its unit
  std::vector<bool> back;                // by wire: it leads back to a unit that work passed before
};

// A wire of data leads back where a depth-first search from the first unit, which follows wires in their
// order, finds it to lead to a unit that the search is still in; or to one that it has not come to and whose
// wire the other way stands before: what asks is connected before what answers. The others give each unit its
// row: the longest path to it.
DiagramRows rows_of(const Diagram& diagram);

}  // namespace cutaway::report
