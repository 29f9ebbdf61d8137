#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sweep/store.h"

namespace cutaway::sweep {

// A quantity by frame. Frames without an entry have the value 0.
using ValuesByFrame = std::map<uint64_t, double>;

// Everything that a sweep's database holds of points of one capture on one machine, by name: figures
// ("cycles"), and for units of one kind together, whose numbers become "*", counters
// ("gpu.shader*.instructions"), accounts
// ("gpu.shader*: busy cycles") and bytes of clients of memory ("texture*: bytes read").
std::map<std::string, ValuesByFrame> values_of(const Store& store, const std::vector<const Point*>& points);

}  // namespace cutaway::sweep
