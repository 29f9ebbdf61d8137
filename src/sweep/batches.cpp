#include "sweep/batches.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cutaway::sweep {

std::vector<std::vector<std::string>> make_batches(const std::vector<Point>& points, unsigned jobs) {
  constexpr size_t kForEachJob = 2;
  std::vector<std::vector<std::string>> frames;
  std::map<std::tuple<std::string, uint64_t, uint64_t>, size_t> known;
  for (const Point& point : points) {
    const auto [place, is_new] =
        known.try_emplace({point.capture.hash, point.frame, point.warmup}, frames.size());
    if (is_new) frames.emplace_back();
    frames[place->second].push_back(point.hash);
  }
  if (frames.empty()) return {};
  const size_t wanted = (kForEachJob * jobs + frames.size() - 1) / frames.size();
  std::vector<std::vector<std::string>> batches;
  for (const std::vector<std::string>& frame : frames) {
    const size_t first = batches.size(), pieces = std::min(wanted, frame.size());
    batches.resize(first + pieces);
    for (size_t i = 0; i < frame.size(); i++) batches[first + i % pieces].push_back(frame[i]);
  }
  return batches;
}

}  // namespace cutaway::sweep
