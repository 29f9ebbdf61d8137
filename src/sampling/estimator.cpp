#include "sampling/estimator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace cutaway::sampling {
namespace {

// The continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEnough = 1e-15;
  const auto not_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m < 1000; m++) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d), c = not_zero(1 + even / c), fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d), c = not_zero(1 + odd / c), fraction *= d * c;
    if (std::abs(d * c - 1) < kEnough) break;
  }
  return fraction;
}

// The regularised incomplete beta function.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double number(uint64_t count) { return static_cast<double>(count); }

bool is_whole(const StratumSample& stratum) { return stratum.values.size() >= stratum.size; }

}  // namespace

double student_bound(double freedom, double probability) {
  const auto within = [freedom](double x) {
    return 1 - incomplete_beta(freedom / 2, 0.5, freedom / (freedom + x * x));
  };
  double low = 0, high = 1;
  while (within(high) < probability && high < 1e9) high *= 2;
  for (int step = 0; step < 100; step++) {
    const double middle = (low + high) / 2;
    (within(middle) < probability ? low : high) = middle;
  }
  return high;
}

double StratumSample::mean() const {
  return std::accumulate(values.begin(), values.end(), 0.0) / number(values.size());
}

double StratumSample::variance() const {
  if (values.size() < 2) return 0;
  const double middle = mean();
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return squares / number(values.size() - 1);
}

double Estimate::share() const {
  if (bound == 0) return 0;
  return value != 0 ? bound / std::abs(value) : std::numeric_limits<double>::infinity();
}

Estimate stratified_total(std::span<const StratumSample> strata, double confidence, double parameters) {
  Estimate estimate;
  double variance = 0, squares = 0, free = 0;
  for (const StratumSample& stratum : strata) {
    CUTAWAY_CHECK(!stratum.values.empty() && (is_whole(stratum) || stratum.values.size() > 1),
                  "a stratum of {} frames has {} values", stratum.size, stratum.values.size());
    const double size = number(stratum.size), drawn = number(stratum.values.size());
    estimate.value += size * stratum.mean();
    if (is_whole(stratum)) continue;
    const double part = size * (size - drawn) / drawn * stratum.variance();
    variance += part, squares += part * part / (drawn - 1), free += drawn - 1;
  }
  if (variance == 0) return estimate;
  estimate.freedom = std::max(1.0, variance * variance / squares * (1 - parameters / free));
  estimate.bound = student_bound(estimate.freedom, confidence) * std::sqrt(variance);
  return estimate;
}

Estimate single_frame(const StratumSample& stratum, double confidence) {
  if (stratum.values.size() < 2)
    return {.value = stratum.mean(), .bound = std::numeric_limits<double>::infinity()};
  const double drawn = number(stratum.values.size());
  return {.value = stratum.mean(),
          .bound = student_bound(drawn - 1, confidence) * std::sqrt(stratum.variance() * (1 + 1 / drawn)),
          .freedom = drawn - 1};
}

std::vector<uint64_t> allocate(std::span<const StratumSample> strata, double bound, double confidence,
                               double parameters) {
  std::vector<uint64_t> counts;
  double deviations = 0, variances = 0;  // N s and N s², summed
  uint64_t drawn = 0;
  for (const StratumSample& stratum : strata) {
    counts.push_back(stratum.values.size()), drawn += stratum.values.size();
    if (is_whole(stratum)) continue;
    deviations += number(stratum.size) * std::sqrt(stratum.variance());
    variances += number(stratum.size) * stratum.variance();
  }
  const Estimate now = stratified_total(strata, confidence, parameters);
  const double wanted = now.freedom > 0 ? bound / student_bound(now.freedom, confidence) : bound;
  const double all = deviations * deviations / (wanted * wanted + variances);
  const uint64_t most = (drawn + 1) / 2;  // frames that may be added
  uint64_t left = most;
  const auto take = [&](size_t h, uint64_t more) {
    more = std::min({more, strata[h].size - counts[h], left});
    counts[h] += more, left -= more;
  };
  for (size_t h = 0; h < strata.size() && deviations > 0; h++) {
    if (is_whole(strata[h])) continue;
    const double share = number(strata[h].size) * std::sqrt(strata[h].variance()) / deviations;
    const auto due = static_cast<uint64_t>(std::min(number(strata[h].size), std::ceil(all * share)));
    if (due > counts[h]) take(h, due - counts[h]);
  }
  if (left < most) return counts;
  // Rounding added none: one more where it narrows the interval most.
  size_t best = strata.size();
  double widest = -1;
  for (size_t h = 0; h < strata.size(); h++) {
    if (is_whole(strata[h])) continue;
    const double size = number(strata[h].size), have = number(counts[h]);
    if (const double gain = size * size * strata[h].variance() / (have * (have + 1)); gain > widest)
      widest = gain, best = h;
  }
  if (best < strata.size()) take(best, 1);
  return counts;
}

}  // namespace cutaway::sampling
