#pragma once

#include "arch/memory.h"
#include "base/counter.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// Cost of switches between contexts, term by term. What the new context misses in empty caches comes later.
struct ContextSwitchCounters {
  uint64_t switches = 0, flush_cycles = 0, invalidate_cycles = 0, bind_cycles = 0;

  template <class V>
  static void fields(V&& v) {
    using C = ContextSwitchCounters;
    v("context_switches", &C::switches, "switches", "times that another context got the GPU (contexts)");
    v("switch_flush_cycles", &C::flush_cycles, "cycles", "cycles in which caches were written back for that");
    v("switch_invalidate_cycles", &C::invalidate_cycles, "cycles",
      "cycles in which caches and hierarchical Z were emptied for that");
    v("switch_bind_cycles", &C::bind_cycles, "cycles",
      "cycles in which the memory clients were bound to the other context");
  }
};

// Switches within a submission.
struct PreemptionCounters {
  uint64_t preemptions = 0, drain_cycles = 0, restored_bytes = 0;

  template <class V>
  static void fields(V&& v) {
    using C = PreemptionCounters;
    v("preemptions", &C::preemptions, "submissions",
      "times that a submission was suspended, so that another context got the GPU (preempts)");
    v("preemption_drain_cycles", &C::drain_cycles, "cycles",
      "cycles from the choice of another context until all work of the submission had ended");
    v("restored_bytes", &C::restored_bytes, "bytes",
      "state sent to the units anew when a suspended submission went on");
  }
};

// The context whose submission is executed.
struct ExecutedContext {
  arch::ContextId context = 0;
  engine::Cycle since = 0;  // core cycle in which the submission began
};

// The steps of a switch to another context, once nothing is under way: caches are written back, they and the
// bounds of hierarchical Z are emptied, and the memory clients are bound to the other context's memory.
class ContextSwitch {
 public:
  enum class Step : uint8_t { kNone, kBegins, kFlushes, kInvalidates, kBinds };

  bool under_way() const { return step_ != Step::kNone; }
  Step step() const { return step_; }
  void begin(engine::Cycle now) { step_ = Step::kBegins, since_ = now; }
  // The units have answered the step that is under way, and those of the next one have their order.
  void next(engine::Cycle now) {
    uint64_t* const cycles[] = {nullptr, nullptr, &counters.flush_cycles, &counters.invalidate_cycles,
                                &counters.bind_cycles};
    if (uint64_t* const sum = cycles[static_cast<size_t>(step_)]) *sum += now - since_;
    since_ = now;
    const bool ends = step_ == Step::kBinds;
    counters.switches += ends;
    step_ = ends ? Step::kNone : static_cast<Step>(static_cast<uint8_t>(step_) + 1);
  }

  ContextSwitchCounters counters;

 private:
  Step step_ = Step::kNone;
  engine::Cycle since_ = 0;
};

}  // namespace cutaway::boxes
