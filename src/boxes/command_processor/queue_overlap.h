#pragma once

#include <cstdint>

#include "base/counter.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// Side by side: graphics queue and compute queue.
struct QueueCounters {
  uint64_t compute_submissions = 0, side_by_side_cycles = 0, follow_cycles = 0;

  template <class V>
  static void fields(V&& v) {
    using C = QueueCounters;
    v("compute_submissions", &C::compute_submissions, "submissions", "submissions of the compute queue");
    v("side_by_side_cycles", &C::side_by_side_cycles, "cycles",
      "cycles in which work of both queues was under way (compute_queue)");
    v("follow_cycles", &C::follow_cycles, "cycles",
      "cycles in which a queue had a submission and waited for the other queue");
  }
};

// Counts the cycles of both queues by what they have in common.
class QueueOverlap {
 public:
  enum class Phase : uint8_t { kNone, kSideBySide, kFollows };

  // The cycles after `now` are in this phase.
  void change(engine::Cycle now, Phase phase) {
    count(now);
    phase_ = phase;
  }
  // Counts all cycles up to `now`.
  void count(engine::Cycle now) {
    const engine::Cycle cycles = now - since_;
    since_ = now;
    if (phase_ == Phase::kSideBySide) counters.side_by_side_cycles += cycles;
    if (phase_ == Phase::kFollows) counters.follow_cycles += cycles;
  }

  QueueCounters counters;

 private:
  Phase phase_ = Phase::kNone;  // of the cycles after since_
  engine::Cycle since_ = 0;
};

}  // namespace cutaway::boxes
