#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arch/context_space.h"
#include "machine/machine.h"
#include "machine/observer.h"
#include "run_record/figures.h"
#include "run_record/frame_record.h"

namespace cutaway::replay {

// The machine of several programs. A reset replaces it by a new one: caches, tags, bounds and all that was
// under way are gone, each other program keeps its memory and a submission of it that was suspended. Figures
// are those of all machines together. Records are of one of them: each makes a part of the run.
class SharedMachine {
 public:
  // Receives the figures and the record of each part, from 1 on, when its machine has ended.
  using OnPart = std::function<void(run_record::FrameFigures&&, run_record::FrameRecord&&)>;

  // config: of as many contexts as there are programs, or more. on_part: may be empty; else options must have
  // a record_interval.
  SharedMachine(const machine::Config& config, machine::MachineOptions options, OnPart on_part = {});

  void add_context(arch::ContextId context, const arch::Memory& memory,
                   const std::vector<messages::QueryValue>& query_values);
  // Ends a program and resets the machine. The pictures that it has presented so far are still displayed, for
  // at most kMostDisplayUs. Submissions of other programs that have not ended must be handed over again.
  void lose(arch::ContextId context);
  static constexpr double kMostDisplayUs = 1e6;
  // All submissions have ended: the last part ends.
  void end_record() { end_part(0); }

  // Makes a timeline of cycles of the first part. Call before the first submission.
  void observe(machine::ObserverOptions options) { observer_.emplace(*machine_, std::move(options)); }
  // None: nothing was observed. UserError: the window is not within the first part. Call once, at the end.
  std::optional<run_record::Timeline> take_timeline();

  machine::Machine& gpu() { return *machine_; }
  const machine::Machine& gpu() const { return *machine_; }
  uint64_t cycles() const { return before_.cycles + machine_->cycles(); }  // core cycles
  uint64_t ended(arch::ContextId context) const;  // its last submission that has ended
  uint64_t waited(arch::ContextId context) const;
  std::optional<machine::HostCounters> host_counters(arch::ContextId context) const;
  run_record::FramePhases phases() const;
  machine::ContextSwitchCounters switches() const;
  machine::PreemptionCounters preemptions() const;

 private:
  uint64_t end_scan_out();
  void end_part(uint64_t uncounted);
  void move_hosts(machine::Machine& to);

  // Sums over the machines before the last reset.
  struct Before {
    uint64_t cycles = 0;
    run_record::FramePhases phases;
    machine::ContextSwitchCounters switches;
    machine::PreemptionCounters preemptions;
    std::array<uint64_t, arch::kMostContexts> ended{}, waited{};
    std::array<machine::HostCounters, arch::kMostContexts> hosts{};
  };

  machine::Config config_;
  machine::MachineOptions options_;
  OnPart on_part_;
  std::vector<arch::ContextId> contexts_;  // of programs that have not been lost
  std::unique_ptr<machine::Machine> machine_;
  std::optional<machine::Observer> observer_;
  std::optional<run_record::Timeline> timeline_;
  uint64_t parts_ = 0;  // that have ended
  Before before_;
};

}  // namespace cutaway::replay
