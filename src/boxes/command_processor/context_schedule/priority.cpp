#include "boxes/command_processor/context_schedule/context_schedule.h"

namespace cutaway::boxes {
namespace {

// The context with the highest number, as a compositor that started after the game beside it.
class Priority final : public ContextSchedule {
 public:
  arch::ContextId choose(engine::Cycle, const Running&, std::span<const Waiting> waiting) override {
    return waiting.back().context;
  }
};

const ContextSchedules::Member<Priority> kPriority("priority");

}  // namespace
}  // namespace cutaway::boxes
