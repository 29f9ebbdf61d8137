#include "sampling/selection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sampling/random.h"

namespace cutaway::sampling {
namespace {

constexpr double kFirstRound = 2.5;  // most frames of the first round, times the root of all

// Representatives that the first round draws of clusters of these sizes.
uint64_t first_round(const Clusters& clusters) {
  std::vector<uint64_t> drawn(clusters.count());
  for (const uint32_t k : clusters.of_frame) drawn[k] = std::min(drawn[k] + 1, kFewestDrawn);
  return std::accumulate(drawn.begin(), drawn.end(), uint64_t{0});
}

}  // namespace

Selection::Selection(const FeatureTable& table, uint64_t cold, uint64_t seed)
    : frames_(table.frames), seed_(seed) {
  const std::vector<FramePoint> points = points_of(table);
  cold = std::min(cold, frames_);
  if (cold) strata_.push_back({.frames = {}, .drawn = cold, .certain = true});
  for (uint64_t i = 0; i < cold; i++) strata_.front().frames.push_back(table.first_frame + i);
  if (cold == frames_) return;
  const std::vector<FramePoint> warm(points.begin() + static_cast<std::ptrdiff_t>(cold), points.end());
  const double most = kFirstRound * std::sqrt(static_cast<double>(warm.size()));
  const auto affordable = [most](const Clusters& made) {
    return static_cast<double>(first_round(made)) <= most;
  };
  const Clusters clusters = cluster(warm, affordable, seed);
  const size_t first = strata_.size();
  strata_.resize(first + clusters.count());
  for (size_t i = 0; i < warm.size(); i++)
    strata_[first + clusters.of_frame[i]].frames.push_back(table.first_frame + cold + i);
  Random random(seed);
  for (size_t h = first; h < strata_.size(); h++) {
    random.shuffle(strata_[h].frames);
    strata_[h].drawn = std::min<uint64_t>(kFewestDrawn, strata_[h].frames.size());
  }
}

std::vector<uint64_t> Selection::representatives() const {
  std::vector<uint64_t> frames;
  for (const Stratum& stratum : strata_)
    frames.insert(frames.end(), stratum.frames.begin(),
                  stratum.frames.begin() + static_cast<std::ptrdiff_t>(stratum.drawn));
  std::sort(frames.begin(), frames.end());
  return frames;
}

std::vector<StratumSample> Selection::samples(const std::map<uint64_t, double>& values) const {
  std::vector<StratumSample> samples;
  for (const Stratum& stratum : strata_) {
    StratumSample& sample = samples.emplace_back(StratumSample{stratum.frames.size(), {}});
    for (uint64_t i = 0; i < stratum.drawn; i++) sample.values.push_back(values.at(stratum.frames[i]));
  }
  return samples;
}

void Selection::draw(const std::vector<uint64_t>& counts) {
  for (size_t h = 0; h < strata_.size(); h++)
    strata_[h].drawn =
        std::clamp<uint64_t>(counts[h], strata_[h].drawn, static_cast<uint64_t>(strata_[h].frames.size()));
}

std::vector<uint64_t> Selection::others(uint64_t count) const {
  std::vector<uint64_t> frames;
  for (const Stratum& stratum : strata_)
    frames.insert(frames.end(), stratum.frames.begin() + static_cast<std::ptrdiff_t>(stratum.drawn),
                  stratum.frames.end());
  std::sort(frames.begin(), frames.end());
  Random random(seed_ + 1);
  random.shuffle(frames);
  frames.resize(std::min<size_t>(count, frames.size()));
  std::sort(frames.begin(), frames.end());
  return frames;
}

}  // namespace cutaway::sampling
