#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Estimates of totals from stratified random samples (Cochran, Sampling Techniques, chapter 5).
namespace cutaway::sampling {

// The number x for which a variable of Student's distribution lies within -x and x with this probability.
double student_bound(double freedom, double probability);

// A quantity in a stratum: its values in randomly drawn frames.
struct StratumSample {
  uint64_t size = 0;  // all frames
  std::vector<double> values;
  double mean() const;
  double variance() const;  // of single values, unbiased; 0 for fewer than two
};

// Who draws frames until an interval is narrow enough stops rather where chance makes it too narrow. Computed
// at this confidence, and from eight values of each stratum at least, such intervals hold the truth with the
// confidence that was asked for: estimator_test.cpp counts it.
constexpr double confidence_in_rounds(double confidence) { return 1 - (1 - confidence) / 2; }

// An estimate lies within `bound` of the truth with the confidence that was asked for.
struct Estimate {
  double value = 0, bound = 0;
  double freedom = 0;  // degrees, by Satterthwaite's rule; 0: nothing was left to chance
  // bound ÷ value; infinite for the estimate 0 with a bound.
  double share() const;
};

// The total over all frames of all strata. A stratum of which all frames were drawn adds no uncertainty
// (finite population correction). Each other one needs two values at least. parameters: how many the values
// have spent already, where they are residuals of a regression.
Estimate stratified_total(std::span<const StratumSample> strata, double confidence, double parameters = 0);

// The value of one frame of a stratum that was not drawn: its mean, and a bound for a single value. Where the
// stratum has only one value, the bound is infinite.
Estimate single_frame(const StratumSample& stratum, double confidence);

// How many frames of each stratum to draw in all, so that the bound of the total becomes `bound`: Neyman's
// allocation, by the deviations that are known so far. At least as many as have been drawn, one more in all
// unless all are drawn, and at most half as many again: the deviations are themselves estimates.
std::vector<uint64_t> allocate(std::span<const StratumSample> strata, double bound, double confidence,
                               double parameters = 0);

}  // namespace cutaway::sampling
