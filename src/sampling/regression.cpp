#include "sampling/regression.h"

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

using Matrix = std::vector<std::vector<double>>;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Replaces the lower triangle of a symmetric positive definite matrix by its Cholesky factor.
void factorise(Matrix& matrix) {
  for (size_t row = 0; row < matrix.size(); row++)
    for (size_t column = 0; column <= row; column++) {
      double left = matrix[row][column];
      for (size_t k = 0; k < column; k++) left -= matrix[row][k] * matrix[column][k];
      matrix[row][column] = row == column ? std::sqrt(left) : left / matrix[column][column];
    }
}

// Solves (factor × its transpose) x = side.
std::vector<double> solve(const Matrix& factor, std::vector<double> side) {
  const size_t size = factor.size();
  for (size_t row = 0; row < size; row++) {
    for (size_t k = 0; k < row; k++) side[row] -= factor[row][k] * side[k];
    side[row] /= factor[row][row];
  }
  for (size_t row = size; row-- > 0;) {
    for (size_t k = row + 1; k < size; k++) side[row] -= factor[k][row] * side[k];
    side[row] /= factor[row][row];
  }
  return side;
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

  // Solve the normal equations for each drawn point's share in the slopes.
  Matrix normal(size, std::vector<double>(size));
  for (size_t j = 0; j < size; j++) normal[j][j] = kRidge * static_cast<double>(size);
  for (const FramePoint& point : centred_)
    for (size_t j = 0; j < size; j++)
      for (size_t k = 0; k <= j; k++) normal[j][k] += point[j] * point[k];
  factorise(normal);
  for (const FramePoint& point : centred_) influences_.push_back(solve(normal, point));

  // The means of groups are those of their drawn points, less this in characteristics, summed over all
  // points.
  std::vector<double> sizes(groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end())),
      drawn_sizes(sizes.size());
  for (const uint32_t group : groups) sizes[group]++;
  for (const uint32_t group : groups_) drawn_sizes[group]++;
  FramePoint imbalance(size);
  for (size_t i = 0; i < drawn_.size(); i++)
    for (size_t j = 0; j < size; j++)
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
