#include "sampling/clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sampling/random.h"

namespace cutaway::sampling {
namespace {

constexpr int kStarts = 5, kRounds = 100;
constexpr uint32_t kPatience = 5;  // numbers of clusters without a better criterion that end the search

double squared_distance(const FramePoint& a, const FramePoint& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// Chooses centers among the points, each with a chance in proportion to its squared distance from those
// already chosen.
std::vector<FramePoint> first_centers(const std::vector<FramePoint>& points, uint32_t count, Random& random) {
  std::vector<FramePoint> centers{points[random.below(points.size())]};
  std::vector<double> distance(points.size(), std::numeric_limits<double>::infinity());
  while (centers.size() < count) {
    double sum = 0;
    for (size_t i = 0; i < points.size(); i++)
      sum += distance[i] = std::min(distance[i], squared_distance(points[i], centers.back()));
    if (sum == 0) break;  // each point is a center
    double left = random.unit() * sum;
    size_t chosen = 0;
    for (size_t i = 0; i < points.size(); i++) {
      if (distance[i] > 0) chosen = i;
      if ((left -= distance[i]) < 0) break;
    }
    centers.push_back(points[chosen]);
  }
  return centers;
}

// Assigns each point to its nearest center. Returns false where nothing changed.
bool assign(const std::vector<FramePoint>& points, Clusters& clusters) {
  bool changed = false;
  clusters.squares = 0;
  for (size_t i = 0; i < points.size(); i++) {
    uint32_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (uint32_t k = 0; k < clusters.count(); k++)
      if (const double distance = squared_distance(points[i], clusters.centers[k]); distance < least)
        least = distance, nearest = k;
    changed |= clusters.of_frame[i] != nearest;
    clusters.of_frame[i] = nearest;
    clusters.squares += least;
  }
  return changed;
}

// Moves each center to the mean of its points; one without points stays.
void move_centers(const std::vector<FramePoint>& points, Clusters& clusters) {
  std::vector<size_t> sizes(clusters.count());
  for (const uint32_t k : clusters.of_frame) sizes[k]++;
  for (uint32_t k = 0; k < clusters.count(); k++)
    if (sizes[k]) std::fill(clusters.centers[k].begin(), clusters.centers[k].end(), 0);
  for (size_t i = 0; i < points.size(); i++) {
    const uint32_t k = clusters.of_frame[i];
    for (size_t j = 0; j < points[i].size(); j++)
      clusters.centers[k][j] += points[i][j] / static_cast<double>(sizes[k]);
  }
}

// Numbers the clusters in order of their first frame; those without a frame go.
void renumber(Clusters& clusters) {
  constexpr uint32_t kNone = ~0u;
  std::vector<uint32_t> number(clusters.count(), kNone);
  std::vector<FramePoint> centers;
  for (uint32_t& k : clusters.of_frame) {
    if (number[k] == kNone) {
      number[k] = static_cast<uint32_t>(centers.size());
      centers.push_back(clusters.centers[k]);
    }
    k = number[k];
  }
  clusters.centers = std::move(centers);
}

}  // namespace

Clusters k_means(const std::vector<FramePoint>& points, uint32_t count, uint64_t seed) {
  Random random(seed);
  Clusters best;
  best.squares = std::numeric_limits<double>::infinity();
  for (int start = 0; start < kStarts; start++) {
    Clusters clusters{std::vector<uint32_t>(points.size(), ~0u), first_centers(points, count, random)};
    for (int round = 0; assign(points, clusters) && round < kRounds; round++) move_centers(points, clusters);
    if (clusters.squares < best.squares) best = std::move(clusters);
  }
  renumber(best);
  return best;
}

double bayesian_criterion(const std::vector<FramePoint>& points, const Clusters& clusters) {
  const auto n = static_cast<double>(points.size()), d = static_cast<double>(points.front().size()),
             k = static_cast<double>(clusters.count());
  const double variance =
      std::max(kLeastDeviation * kLeastDeviation, n > k ? clusters.squares / (d * (n - k)) : 0);
  std::vector<double> sizes(clusters.count());
  for (const uint32_t cluster : clusters.of_frame) sizes[cluster]++;
  double likelihood =
      -n * d / 2 * std::log(2 * std::numbers::pi * variance) - clusters.squares / variance / 2;
  for (const double size : sizes) likelihood += size * std::log(size / n);
  return likelihood - k * (d + 1) / 2 * std::log(n);
}

Clusters cluster(const std::vector<FramePoint>& points,
                 const std::function<bool(const Clusters&)>& affordable, uint64_t seed) {
  const std::vector<FramePoint> kept = varying(points).points;
  if (kept.front().empty()) return {std::vector<uint32_t>(points.size(), 0), {FramePoint{}}};
  Clusters best;
  double criterion = -std::numeric_limits<double>::infinity();
  uint32_t since = 0;
  for (uint32_t count = 1; since < kPatience; count++, since++) {
    Clusters clusters = k_means(kept, count, seed);
    if (clusters.count() < count) break;  // no more different points
    if (count > 1 && !affordable(clusters)) break;
    const double value = bayesian_criterion(kept, clusters);
    if (value <= criterion) continue;
    best = std::move(clusters), criterion = value, since = 0;
  }
  return best;
}

}  // namespace cutaway::sampling
