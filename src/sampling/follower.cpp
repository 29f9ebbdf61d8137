#include "sampling/follower.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace cutaway::sampling {
namespace {

// The mean square of what a fit without a frame misses there. A frame that alone decides a slope would be
// predicted as 0 without it.
double left_out_variance(const Eigen::VectorXd& given, const Eigen::VectorXd& rest,
                         const Eigen::VectorXd& leverage) {
  constexpr double kDecides = 1 - 1e-9;
  double squares = 0;
  for (Eigen::Index i = 0; i < given.size(); i++) {
    const double missed = leverage[i] < kDecides ? rest[i] / (1 - leverage[i]) : given[i];
    squares += missed * missed;
  }
  return squares / static_cast<double>(given.size());
}

}  // namespace

double value_at(const Values& values, uint64_t frame) {
  const auto at = values.find(frame);
  return at == values.end() ? 0 : at->second;
}

Following follow(const SecondPhase& phase, std::span<const Values* const> predictors, const Values& values) {
  CUTAWAY_CHECK(!phase.frames.empty() && !predictors.empty(), "nothing to follow");
  const auto drawn = static_cast<Eigen::Index>(phase.frames.size()),
             count = static_cast<Eigen::Index>(predictors.size());
  Eigen::MatrixXd known(drawn, count);
  Eigen::VectorXd given(drawn);
  for (Eigen::Index i = 0; i < drawn; i++) {
    const uint64_t frame = phase.frames[static_cast<size_t>(i)];
    const double size = phase.sizes.at(frame);
    given[i] = value_at(values, frame) / size;
    for (Eigen::Index p = 0; p < count; p++)
      known(i, p) = value_at(*predictors[static_cast<size_t>(p)], frame) / size;
  }
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(known);
  const Eigen::MatrixXd inverse = solver.pseudoInverse();
  const Eigen::VectorXd slopes = inverse * given, rest = given - known * slopes,
                        leverage = (known * inverse).diagonal();

  Following following{.slopes = {slopes.begin(), slopes.end()},
                      .predicted = {},
                      .size = 0,
                      .rest = rest.mean(),
                      .variance = left_out_variance(given, rest, leverage),
                      .drawn = static_cast<double>(drawn),
                      .freedom = static_cast<double>(std::max<Eigen::Index>(1, drawn - solver.rank()))};
  Values function;
  for (const auto& [frame, weight] : phase.selection.weights()) {
    following.size += weight * phase.sizes.at(frame);
    double& value = function[frame];
    for (size_t p = 0; p < predictors.size(); p++)
      value += following.slopes[p] * value_at(*predictors[p], frame);
  }
  following.predicted = phase.selection.predict(phase.regression, function);
  return following;
}

// The variance of the second phase is that of draws with replacement: what this is too large stands for the
// rest's part in the first phase.
Estimate Following::total(double confidence) const {
  Estimate estimate = predicted.total(confidence);
  const double first = estimate.freedom > 0
                           ? std::pow(estimate.bound / student_bound(estimate.freedom, confidence), 2)
                           : 0,
               second = size * size * variance / drawn;
  const double squares =
      (estimate.freedom > 0 ? first * first / estimate.freedom : 0) + second * second / freedom;
  estimate.value += size * rest;
  if (squares == 0) return {.value = estimate.value};
  estimate.freedom = std::max(1.0, (first + second) * (first + second) / squares);
  estimate.bound = student_bound(estimate.freedom, confidence) * std::sqrt(first + second);
  return estimate;
}

double Following::rest_bound(double size_of_frame, double confidence) const {
  return student_bound(freedom, confidence) * size_of_frame * std::sqrt(variance * (1 + 1 / drawn));
}

}  // namespace cutaway::sampling
