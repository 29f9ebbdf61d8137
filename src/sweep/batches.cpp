#include "sweep/batches.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cutaway::sweep {
namespace {

constexpr size_t kForEachJob = 2;   // batches
constexpr size_t kMostFrames = 16;  // of a batch

// The points of one frame of a capture, with one warm-up.
struct FramePoints {
  std::string capture;
  uint64_t warmup = 0, frame = 0;
  std::vector<std::string> hashes;

  bool follows(const FramePoints& other) const {
    return capture == other.capture && warmup == other.warmup && frame == other.frame + 1;
  }
};

std::vector<FramePoints> frames_of(const std::vector<Point>& points) {
  std::vector<FramePoints> frames;
  std::map<std::tuple<std::string, uint64_t, uint64_t>, size_t> known;
  for (const Point& point : points) {
    const auto [place, is_new] =
        known.try_emplace({point.capture.hash, point.frame, point.warmup}, frames.size());
    if (is_new) frames.push_back({point.capture.hash, point.warmup, point.frame, {}});
    frames[place->second].hashes.push_back(point.hash);
  }
  return frames;
}

}  // namespace

std::vector<std::vector<std::string>> make_batches(const std::vector<Point>& points, unsigned jobs) {
  const std::vector<FramePoints> frames = frames_of(points);
  if (frames.empty()) return {};
  const size_t least = kForEachJob * jobs, wanted = (least + frames.size() - 1) / frames.size(),
               joined = std::clamp(frames.size() / least, size_t{1}, kMostFrames);
  std::vector<std::vector<std::string>> batches;
  size_t together = 0;  // frames of the last batch
  for (size_t f = 0; f < frames.size(); f++) {
    const std::vector<std::string>& hashes = frames[f].hashes;
    if (together && together < joined && frames[f].follows(frames[f - 1])) {
      batches.back().insert(batches.back().end(), hashes.begin(), hashes.end());
      together++;
      continue;
    }
    const size_t first = batches.size(), pieces = std::min(wanted, hashes.size());
    batches.resize(first + pieces);
    for (size_t i = 0; i < hashes.size(); i++) batches[first + i % pieces].push_back(hashes[i]);
    together = 1;
  }
  return batches;
}

}  // namespace cutaway::sweep
