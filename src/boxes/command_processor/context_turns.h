#pragma once

#include <array>
#include <memory>
#include <optional>

#include "arch/context_space.h"
#include "arch/gpu.h"
#include "boxes/command_processor/command_processor_spec.h"
#include "boxes/command_processor/context_schedule/context_schedule.h"
#include "command_stream/work.h"

namespace cutaway::boxes {

// Contexts that share the GPU: a submission of each, which waits or is executed, and whose turn it is. On a
// machine of one context it is never asked.
class ContextTurns {
 public:
  struct Entry {
    arch::Submission submission;
    command_stream::WorkLimits limits;
    engine::Cycle since = 0;         // from when on it may begin or go on, but for its doorbell
    bool waits_for_display = false;  // it has been executed, and its picture is held
  };

  // slice: core cycles.
  ContextTurns(const CommandProcessorSpec& spec, engine::Cycle slice)
      : contexts_(spec.contexts), schedule_(ContextSchedules::make(spec.schedule, slice)) {}

  bool on() const { return contexts_ > 1; }
  // The context has no submission that waits or is executed.
  bool accepts(arch::ContextId context) const { return context < contexts_ && !entries_[context]; }
  void push(engine::Cycle now, const arch::Submission& submission, const command_stream::WorkLimits& limits) {
    entries_[submission.context] = {submission, limits, now};
  }

  // Chooses the next submission among those that may begin. False: there is none.
  // announced: of each context, the last submission whose doorbell has arrived.
  using Announced = std::array<uint64_t, arch::kMostContexts>;
  bool choose(engine::Cycle now, const Announced& announced);
  const Entry& chosen() const { return *entries_[running_.context]; }
  arch::ContextId running() const { return running_.context; }
  // True if the schedule gives the GPU to another context than that of the chosen submission.
  bool preempted(engine::Cycle now, const Announced& announced);
  // The chosen submission waits for its next turn.
  void suspend(engine::Cycle now) {
    entries_[running_.context]->since = now;
    chosen_ = false;
  }
  // The chosen submission has been executed, and ends when the display has its picture: end_held().
  void hold() {
    entries_[running_.context]->waits_for_display = true;
    chosen_ = false;
  }
  // The display has the picture of a context. Returns the submission that ends with that; 0: none does, since
  // it is executed or suspended.
  uint64_t end_held(arch::ContextId context) {
    if (!entries_[context] || !entries_[context]->waits_for_display) return 0;
    const uint64_t submission = entries_[context]->submission.id;
    entries_[context].reset();
    return submission;
  }
  bool any_held() const;
  // The chosen submission has ended.
  void end() {
    entries_[running_.context].reset();
    chosen_ = false;
  }
  bool any() const;  // a submission waits or is executed
  // Cycles from the hand-over of submissions to the choice, summed; of one that waits, to `now`. The
  // display's do not count.
  uint64_t waited(engine::Cycle now, arch::ContextId context) const {
    const bool waits = entries_[context] && !entries_[context]->waits_for_display &&
                       !(chosen_ && context == running_.context);
    return waited_[context] + (waits ? now - entries_[context]->since : 0);
  }

 private:
  using Candidates = std::array<ContextSchedule::Waiting, arch::kMostContexts>;
  size_t list(const Announced& announced, Candidates& waiting) const;

  unsigned contexts_;
  std::unique_ptr<ContextSchedule> schedule_;
  ContextSchedule::Running running_;
  bool chosen_ = false;  // and has not ended
  std::array<std::optional<Entry>, arch::kMostContexts> entries_;
  std::array<uint64_t, arch::kMostContexts> waited_{};
};

}  // namespace cutaway::boxes
