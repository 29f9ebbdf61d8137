#include "sampling/regression.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace cutaway::sampling {
namespace {

// Penalty of the sum of squared slopes, for each standardised characteristic. docs/sampling.md says what
// others do.
constexpr double kRidge = 3;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Subtracts the mean of each group from its points.
std::vector<FramePoint> less_means(std::vector<FramePoint> points, const std::vector<uint32_t>& groups) {
  if (points.empty()) return points;
  const size_t count = 1 + *std::max_element(groups.begin(), groups.end());
  std::vector<double> sizes(count);
  std::vector<FramePoint> sums(count, FramePoint(points.front().size()));
  for (const uint32_t group : groups) sizes[group]++;
  for (size_t i = 0; i < points.size(); i++)
    for (size_t j = 0; j < points[i].size(); j++) sums[groups[i]][j] += points[i][j];
  for (size_t i = 0; i < points.size(); i++)
    for (size_t j = 0; j < points[i].size(); j++) points[i][j] -= sums[groups[i]][j] / sizes[groups[i]];
  return points;
}

}  // namespace

Regression::Regression(const std::vector<FramePoint>& points, const std::vector<uint32_t>& groups,
                       std::vector<size_t> drawn)
    : drawn_(std::move(drawn)) {
  Varying kept = varying(less_means(points, groups));
  points_ = std::move(kept.points);
  const size_t size = kept.deviations.size();
  for (FramePoint& point : points_)
    for (size_t j = 0; j < size; j++) point[j] /= kept.deviations[j];
  std::vector<FramePoint> of_drawn;
  for (const size_t i : drawn_) of_drawn.push_back(points_[i]), groups_.push_back(groups[i]);
  centred_ = less_means(std::move(of_drawn), groups_);

  find_influences();
  find_widths(groups);
}

// Solves the normal equations for each drawn point's share in the slopes.
void Regression::find_influences() {
  const auto size = static_cast<Eigen::Index>(characteristics());
  Eigen::MatrixXd values(size, static_cast<Eigen::Index>(centred_.size()));  // a column for each point
  for (size_t i = 0; i < centred_.size(); i++)
    values.col(static_cast<Eigen::Index>(i)) = Eigen::Map<const Eigen::VectorXd>(centred_[i].data(), size);
  const Eigen::MatrixXd normal = values * values.transpose() +
                                 kRidge * static_cast<double>(size) * Eigen::MatrixXd::Identity(size, size);
  const Eigen::MatrixXd shares = normal.llt().solve(values);
  for (Eigen::Index i = 0; i < shares.cols(); i++)
    influences_.emplace_back(shares.col(i).begin(), shares.col(i).end());
}

// The means of groups are those of their drawn points, less an imbalance in characteristics, summed over all
// points.
void Regression::find_widths(const std::vector<uint32_t>& groups) {
  std::vector<double> sizes(groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end())),
      drawn_sizes(sizes.size());
  for (const uint32_t group : groups) sizes[group]++;
  for (const uint32_t group : groups_) drawn_sizes[group]++;
  FramePoint imbalance(characteristics());
  for (size_t i = 0; i < drawn_.size(); i++)
    for (size_t j = 0; j < imbalance.size(); j++)
      imbalance[j] += points_[drawn_[i]][j] * sizes[groups_[i]] / drawn_sizes[groups_[i]];
  for (size_t i = 0; i < drawn_.size(); i++) {
    const double in_group = drawn_sizes[groups_[i]], of_slopes = dot(influences_[i], centred_[i]);
    const double leverage = 1 / in_group + of_slopes;
    const double weight = 1 - in_group / sizes[groups_[i]] * dot(influences_[i], imbalance);
    widths_.push_back(
        in_group < 2 ? 1 : std::sqrt(1 - 1 / in_group) / (1 - leverage) * std::max(1.0, std::abs(weight)));
    parameters_ += of_slopes;
  }
}

std::vector<double> Regression::predict(std::span<const double> values) const {
  CUTAWAY_CHECK(values.size() == drawn_.size(), "{} values of {} drawn frames", values.size(), drawn_.size());
  std::vector<FramePoint> single;
  for (const double value : values) single.push_back({value});
  const std::vector<FramePoint> deviations = less_means(std::move(single), groups_);
  std::vector<double> slopes(characteristics());
  for (size_t i = 0; i < values.size(); i++)
    for (size_t j = 0; j < slopes.size(); j++) slopes[j] += influences_[i][j] * deviations[i][0];
  std::vector<double> predictions;
  for (const FramePoint& point : points_) predictions.push_back(dot(slopes, point));
  // Widen the residuals of drawn points about their group's mean.
  std::vector<FramePoint> residuals, wide;
  for (size_t i = 0; i < values.size(); i++) {
    residuals.push_back({deviations[i][0] - dot(slopes, centred_[i])});
    wide.push_back({residuals[i][0] * widths_[i]});
  }
  wide = less_means(std::move(wide), groups_);
  for (size_t i = 0; i < values.size(); i++) predictions[drawn_[i]] += residuals[i][0] - wide[i][0];
  return predictions;
}

}  // namespace cutaway::sampling
