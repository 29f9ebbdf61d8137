#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sampling/features.h"

namespace cutaway::sampling {

// Predicts how far a quantity of a frame is from the mean of its group, from how far its characteristics are
// (ridge regression, Hoerl and Kennard, Technometrics 12, 1970, with one set of slopes for all groups).
// Differences between groups teach nothing: their means are drawn anyway. The characteristics and the drawn
// frames alone determine the weights, so that one regression serves every quantity, and predictions of sums
// are sums of predictions.
class Regression {
 public:
  // groups: of all points. drawn: indices of points, each once.
  Regression(const std::vector<FramePoint>& points, const std::vector<uint32_t>& groups,
             std::vector<size_t> drawn);

  // The prediction of each point. values: of the drawn points, in their order. A drawn point's is such that
  // its residual is honest: that of a fit without the point (leave one out), and wider where the sample is
  // out of balance and the point's weight in the total (g-weight) has grown for it. The mean of a group's
  // residuals is that of the fit.
  std::vector<double> predict(std::span<const double> values) const;
  // Effective number of parameters: the trace of the hat matrix, less one for each group's mean.
  double parameters() const { return parameters_; }
  size_t characteristics() const { return points_.empty() ? 0 : points_.front().size(); }

 private:
  void find_influences();
  void find_widths(const std::vector<uint32_t>& groups);

  std::vector<size_t> drawn_;
  std::vector<uint32_t> groups_;        // by drawn point
  std::vector<FramePoint> points_;      // less the mean of their group, in standard deviations
  std::vector<FramePoint> centred_;     // by drawn point: less the mean of the group's drawn points
  std::vector<FramePoint> influences_;  // by drawn point: the slopes that its value adds, for each unit
  std::vector<double> widths_;          // by drawn point: factor of its residual
  double parameters_ = 0;
};

}  // namespace cutaway::sampling
