#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sampling/selection.h"

// Two-phase sampling (Cochran, Sampling Techniques, chapter 12): pilots are machines that simulate all
// representatives; a follower simulates few of them, and is predicted by the pilots elsewhere.
namespace cutaway::sampling {

using Values = std::map<uint64_t, double>;  // by frame
// The value of a frame, 0 if it has none.
double value_at(const Values& values, uint64_t frame);

// Frames that followers share at least, and for each pilot.
constexpr uint64_t kFewestShared = 12, kSharedForPilot = 4;

// The representatives that all followers of a capture simulate.
struct SecondPhase {
  const Selection& selection;
  const Regression& regression;
  const Values& sizes;                  // of all representatives: the first pilot's cycles, positive
  const std::vector<uint64_t>& frames;  // selection.shared(sizes, ...)
};

// A quantity of a follower: a linear function of predictors, which are known of all representatives, and a
// rest, which the shared frames tell. The rest of a frame grows with its size.
struct Following {
  std::vector<double> slopes;  // by predictor
  Prediction predicted;        // what the function has for all frames
  double size = 0;             // of all frames, as the weights of the representatives have it
  double rest = 0;             // mean, for each unit of size
  double variance = 0;         // of a frame's rest, for each unit of size
  double drawn = 0;            // shared frames
  double freedom = 0;          // degrees that the slopes leave

  Estimate total(double confidence) const;
  // The bound of the rest in one frame of this size.
  double rest_bound(double size_of_frame, double confidence) const;
};

// Fits the function to the shared frames (least squares, each frame in units of its size). A frame's part in
// the variance is that of a fit without it. predictors: each with values of all representatives; the sizes
// should be among them. values: of the shared frames. Frames without an entry have the value 0.
Following follow(const SecondPhase& phase, std::span<const Values* const> predictors, const Values& values);

}  // namespace cutaway::sampling
