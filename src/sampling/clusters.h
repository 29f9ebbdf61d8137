#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sampling/features.h"

namespace cutaway::sampling {

// Frames grouped by their characteristics.
struct Clusters {
  std::vector<uint32_t> of_frame;   // cluster of each frame; clusters count from 0 in order of their first
                                    // frame
  std::vector<FramePoint> centers;  // by cluster
  double squares = 0;               // sum of squared distances to the centers
  uint32_t count() const { return static_cast<uint32_t>(centers.size()); }
};

// Groups points into `count` clusters by k-means: the best of several random starts (k-means++). Equal points
// always share a cluster, so there may be fewer. Equal arguments give equal clusters on every host.
Clusters k_means(const std::vector<FramePoint>& points, uint32_t count, uint64_t seed = 1);

// The Bayesian information criterion of clusters as spherical normal distributions of one variance (Pelleg
// and Moore, X-means, 2000); larger is better. Differences below 0.1 % of a quantity do not count: the
// variance is at least 1e-6.
double bayesian_criterion(const std::vector<FramePoint>& points, const Clusters& clusters);

// k_means() with the number of clusters that has the largest criterion, up to the first number that is not
// affordable; one cluster always is. Coordinates that are
// the same for all points, but for 0.1 %, are left out.
Clusters cluster(const std::vector<FramePoint>& points,
                 const std::function<bool(const Clusters&)>& affordable, uint64_t seed = 1);

}  // namespace cutaway::sampling
