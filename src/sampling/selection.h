#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sampling/clusters.h"
#include "sampling/estimator.h"
#include "sampling/regression.h"

namespace cutaway::sampling {

// A stratum: a cluster of frames, or frames that are simulated in any case. The first `drawn` of its random
// order are its representatives.
struct Stratum {
  std::vector<uint64_t> frames;  // in random order
  uint64_t drawn = 0;
  bool certain = false;  // the frames before which there are too few to warm the machine up
  // Frames that one representative stands for.
  double weight() const { return static_cast<double>(frames.size()) / static_cast<double>(drawn); }
};

// Fewest frames that are worth a sample, and fewest representatives of a cluster (all of a smaller one).
constexpr uint64_t kFewestFrames = 10, kFewestDrawn = 8;

// A quantity of all frames, as the representatives and the characteristics tell it.
struct Prediction {
  std::vector<double> by_frame;          // deviations from the means of strata, in order of the frames
  std::vector<StratumSample> residuals;  // values of representatives, less their predicted deviations
  double parameters = 0;                 // of the regression

  Estimate total(double confidence) const;
};

// The strata of a capture, of which representatives are drawn in rounds.
class Selection {
 public:
  // cold: the first frames, which become a stratum of their own, as nothing warms the machine up before them.
  Selection(const FeatureTable& table, uint64_t cold, uint64_t seed);

  const std::vector<Stratum>& strata() const { return strata_; }
  std::vector<uint64_t> representatives() const;  // in order
  uint64_t first_frame() const { return first_; }
  uint64_t frames() const { return frames_; }
  bool whole() const { return representatives().size() == frames_; }

  // The regression on the characteristics of the representatives, without those of the cold stratum. It
  // serves every quantity until more are drawn.
  Regression regression() const;
  // values: by frame; of the representatives at least.
  Prediction predict(const Regression& regression, const std::map<uint64_t, double>& values) const;
  // Draws more representatives: at least as many of each stratum as `counts` says.
  void draw(const std::vector<uint64_t>& counts);
  // Up to `count` frames that are no representatives, at random; in order.
  std::vector<uint64_t> others(uint64_t count) const;
  // Frames that each representative stands for, by its frame.
  std::map<uint64_t, double> weights() const;
  // `count` representatives, at random, with chances in proportion to weight × size (sequential Poisson
  // sampling, Ohlsson, Journal of Official Statistics 14, 1998); in order. A larger count adds some. sizes:
  // by frame, of all representatives, positive.
  std::vector<uint64_t> shared(const std::map<uint64_t, double>& sizes, uint64_t count) const;

 private:
  std::vector<Stratum> strata_;
  std::vector<FramePoint> points_;  // of all frames
  uint64_t first_, frames_, cold_, seed_;
};

}  // namespace cutaway::sampling
