#include "boxes/command_processor/context_turns.h"

#include <algorithm>

namespace cutaway::boxes {

using engine::Cycle;

// Contexts with a submission that may go on. Returns their number.
size_t ContextTurns::list(const Announced& announced, Candidates& waiting) const {
  size_t count = 0;
  for (arch::ContextId context = 0; context < contexts_; context++)
    if (const auto& entry = entries_[context];
        entry && !entry->waits_for_display && entry->submission.id <= announced[context])
      waiting[count++] = {context, entry->since};
  return count;
}

bool ContextTurns::choose(Cycle now, const Announced& announced) {
  Candidates waiting;
  const size_t count = list(announced, waiting);
  if (!count) return false;
  const arch::ContextId next = schedule_->choose(now, running_, std::span(waiting).first(count));
  if (next != running_.context) running_ = {next, now};
  chosen_ = true;
  waited_[next] += now - entries_[next]->since;
  return true;
}

bool ContextTurns::preempted(Cycle now, const Announced& announced) {
  Candidates waiting;
  const size_t count = list(announced, waiting);
  return count > 1 && schedule_->choose(now, running_, std::span(waiting).first(count)) != running_.context;
}

bool ContextTurns::any_held() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const auto& entry) { return entry && entry->waits_for_display; });
}

bool ContextTurns::any() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const auto& entry) { return entry.has_value(); });
}

}  // namespace cutaway::boxes
