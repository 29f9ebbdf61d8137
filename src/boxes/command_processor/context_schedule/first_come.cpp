#include <algorithm>

#include "boxes/command_processor/context_schedule/context_schedule.h"

namespace cutaway::boxes {
namespace {

// The submission that was handed over first.
class FirstCome final : public ContextSchedule {
 public:
  arch::ContextId choose(engine::Cycle, const Running&, std::span<const Waiting> waiting) override {
    const auto earlier = [](const Waiting& a, const Waiting& b) { return a.since < b.since; };
    return std::min_element(waiting.begin(), waiting.end(), earlier)->context;
  }
};

const ContextSchedules::Member<FirstCome> kFirstCome("first-come");

}  // namespace
}  // namespace cutaway::boxes
