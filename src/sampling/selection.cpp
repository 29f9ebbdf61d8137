#include "sampling/selection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sampling/random.h"

namespace cutaway::sampling {
namespace {

constexpr double kFirstRound = 2;  // most frames of the first round, times the root of all

// Representatives that the first round draws of clusters of these sizes.
uint64_t first_round(const Clusters& clusters) {
  std::vector<uint64_t> drawn(clusters.count());
  for (const uint32_t k : clusters.of_frame) drawn[k] = std::min(drawn[k] + 1, kFewestDrawn);
  return std::accumulate(drawn.begin(), drawn.end(), uint64_t{0});
}

}  // namespace

Estimate Prediction::total(double confidence) const {
  Estimate estimate = stratified_total(residuals, confidence, parameters);
  estimate.value = std::accumulate(by_frame.begin(), by_frame.end(), estimate.value);
  return estimate;
}

Selection::Selection(const FeatureTable& table, uint64_t cold, uint64_t seed)
    : points_(points_of(table)),
      first_(table.first_frame),
      frames_(table.frames),
      cold_(std::min(cold, frames_)),
      seed_(seed) {
  if (cold_) strata_.push_back({.frames = {}, .drawn = cold_, .certain = true});
  for (uint64_t i = 0; i < cold_; i++) strata_.front().frames.push_back(first_ + i);
  if (cold_ == frames_) return;
  const std::vector<FramePoint> warm(points_.begin() + static_cast<std::ptrdiff_t>(cold_), points_.end());
  const double most = kFirstRound * std::sqrt(static_cast<double>(warm.size()));
  const auto affordable = [most](const Clusters& made) {
    return static_cast<double>(first_round(made)) <= most;
  };
  const Clusters clusters = cluster(warm, affordable, seed);
  const size_t first = strata_.size();
  strata_.resize(first + clusters.count());
  for (size_t i = 0; i < warm.size(); i++)
    strata_[first + clusters.of_frame[i]].frames.push_back(first_ + cold_ + i);
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

Regression Selection::regression() const {
  std::vector<uint32_t> groups(frames_);
  for (size_t h = 0; h < strata_.size(); h++)
    for (const uint64_t frame : strata_[h].frames) groups[frame - first_] = static_cast<uint32_t>(h);
  std::vector<size_t> drawn;
  for (const uint64_t frame : representatives())
    if (frame >= first_ + cold_) drawn.push_back(frame - first_);
  return {points_, groups, std::move(drawn)};
}

Prediction Selection::predict(const Regression& regression, const std::map<uint64_t, double>& values) const {
  std::vector<double> drawn;
  for (const uint64_t frame : representatives())
    if (frame >= first_ + cold_) drawn.push_back(values.at(frame));
  Prediction prediction{
      .by_frame = regression.predict(drawn), .residuals = {}, .parameters = regression.parameters()};
  for (const Stratum& stratum : strata_) {
    StratumSample& sample = prediction.residuals.emplace_back(StratumSample{stratum.frames.size(), {}});
    for (uint64_t i = 0; i < stratum.drawn; i++) {
      const uint64_t frame = stratum.frames[i];
      sample.values.push_back(values.at(frame) - prediction.by_frame[frame - first_]);
    }
  }
  return prediction;
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

std::map<uint64_t, double> Selection::weights() const {
  std::map<uint64_t, double> weights;
  for (const Stratum& stratum : strata_)
    for (uint64_t i = 0; i < stratum.drawn; i++) weights[stratum.frames[i]] = stratum.weight();
  return weights;
}

std::vector<uint64_t> Selection::shared(const std::map<uint64_t, double>& sizes, uint64_t count) const {
  Random random(seed_ + 2);
  std::vector<double> chance;  // by frame, drawn or not: a frame keeps its number when others are drawn
  for (uint64_t i = 0; i < frames_; i++) chance.push_back(random.unit());
  std::vector<std::pair<double, uint64_t>> order;
  for (const auto& [frame, weight] : weights())
    order.emplace_back(chance[frame - first_] / (weight * sizes.at(frame)), frame);
  std::sort(order.begin(), order.end());
  order.resize(std::min<size_t>(count, order.size()));
  std::vector<uint64_t> frames;
  for (const auto& [key, frame] : order) frames.push_back(frame);
  std::sort(frames.begin(), frames.end());
  return frames;
}

}  // namespace cutaway::sampling
