#include "sampling/selection.h"

#include <algorithm>

#include "sampling/random.h"

namespace cutaway::sampling {
namespace {

constexpr uint64_t kFramesOfCluster = 20;  // on average, at least
constexpr uint64_t kMostClusters = 32;

}  // namespace

Selection::Selection(const FeatureTable& table, uint64_t cold, uint64_t seed)
    : frames_(table.frames), seed_(seed) {
  const std::vector<FramePoint> points = points_of(table);
  cold = std::min(cold, frames_);
  if (cold) strata_.push_back({.frames = {}, .drawn = cold, .certain = true});
  for (uint64_t i = 0; i < cold; i++) strata_.front().frames.push_back(table.first_frame + i);
  if (cold == frames_) return;
  const std::vector<FramePoint> warm(points.begin() + static_cast<std::ptrdiff_t>(cold), points.end());
  const uint64_t most = std::clamp<uint64_t>(warm.size() / kFramesOfCluster, 1, kMostClusters);
  const Clusters clusters = cluster(warm, static_cast<uint32_t>(most), seed);
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
