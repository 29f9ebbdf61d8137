#include "boxes/command_processor/context_turns.h"

#include <algorithm>

namespace cutaway::boxes {

using engine::Cycle;

bool ContextTurns::choose(Cycle now, const Announced& announced) {
  std::array<ContextSchedule::Waiting, arch::kMostContexts> waiting;
  size_t count = 0;
  for (arch::ContextId context = 0; context < contexts_; context++)
    if (const auto& entry = entries_[context]; entry && entry->submission.id <= announced[context])
      waiting[count++] = {context, entry->since};
  if (!count) return false;
  const arch::ContextId next = schedule_->choose(now, running_, std::span(waiting).first(count));
  if (next != running_.context) running_ = {next, now};
  chosen_ = true;
  waited_[next] += now - entries_[next]->since;
  return true;
}

bool ContextTurns::any() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const auto& entry) { return entry.has_value(); });
}

}  // namespace cutaway::boxes
