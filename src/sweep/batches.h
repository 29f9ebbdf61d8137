#pragma once

#include <string>
#include <vector>

#include "sweep/point.h"

namespace cutaway::sweep {

// Divides points among workers: a batch holds points of one frame, which share its emulation. If there are
// fewer than two batches for each job, frames are divided into several batches. Points next to each other
// then come into different batches, since their times are often alike. If there are more, frames that follow
// one another in a capture are joined, as long as there are two batches for each job and 16 frames in each at
// most: the emulator goes from one to the next. Returns hashes, in the order of the batches' first points.
std::vector<std::vector<std::string>> make_batches(const std::vector<Point>& points, unsigned jobs);

}  // namespace cutaway::sweep
