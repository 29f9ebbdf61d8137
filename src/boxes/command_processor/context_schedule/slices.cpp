#include <algorithm>

#include "boxes/command_processor/context_schedule/context_schedule.h"

namespace cutaway::boxes {
namespace {

// A context keeps the GPU for a slice of time if it has submissions; then comes the next one that has.
class Slices final : public ContextSchedule {
 public:
  explicit Slices(engine::Cycle slice) : slice_(slice) {}

  arch::ContextId choose(engine::Cycle now, const Running& running,
                         std::span<const Waiting> waiting) override {
    const auto same = [&](const Waiting& next) { return next.context == running.context; };
    const bool stays = now - running.since < slice_ && std::any_of(waiting.begin(), waiting.end(), same);
    if (stays) return running.context;
    const auto later = [&](const Waiting& next) { return next.context > running.context; };
    const auto next = std::find_if(waiting.begin(), waiting.end(), later);
    return (next == waiting.end() ? waiting.front() : *next).context;
  }

 private:
  engine::Cycle slice_;
};

const ContextSchedules::Member<Slices> kSlices("slices");

}  // namespace
}  // namespace cutaway::boxes
