#include "replay/queue_race.h"

#include <algorithm>
#include <array>
#include <vector>

#include "arch/ignoring_sink.h"

namespace cutaway::replay {
namespace {

// The submissions of a frame; `after` counts what earlier ones of their queues follow, too.
struct Submissions final : arch::IgnoringSink {
  std::vector<arch::Submission> all;
  std::array<uint64_t, arch::kQueues> follows{};

  void submit(const arch::Submission& submission) override {
    uint64_t& after = follows[static_cast<size_t>(submission.queue)];
    after = std::max(after, submission.after);
    all.push_back(submission);
    all.back().after = after;
  }
};

// By a semaphore, or since the host had seen its end. They are of two queues.
bool ends_before(const arch::Submission& first, const arch::Submission& then) {
  return first.id <= then.after || first.id + 1 + then.ahead <= then.id;
}

}  // namespace

std::optional<uint64_t> submission_beside(const capture::Reader& reader, uint64_t frame,
                                          uint64_t submission) {
  Submissions submissions;
  reader.play(frame, submissions);
  const auto& all = submissions.all;
  const auto own = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.id == submission; });
  if (own == all.end()) return {};
  const auto distance = [&](uint64_t id) { return std::max(id, own->id) - std::min(id, own->id); };
  std::optional<uint64_t> nearest;
  for (const arch::Submission& other : all) {
    if (other.queue == own->queue || ends_before(other, *own) || ends_before(*own, other)) continue;
    if (!nearest || distance(other.id) < distance(*nearest)) nearest = other.id;
  }
  return nearest;
}

}  // namespace cutaway::replay
