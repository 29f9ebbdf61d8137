#pragma once

#include <string>
#include <vector>

#include "sweep/point.h"

namespace cutaway::sweep {

// Divides points among workers: a batch holds points of one frame, which share its emulation. If there are
// fewer than two batches for each job, frames are divided into several batches. Points next to each other
// then come into different batches, since their times are often alike. Returns hashes, in the order of the
// frames' first points.
std::vector<std::vector<std::string>> make_batches(const std::vector<Point>& points, unsigned jobs);

}  // namespace cutaway::sweep
