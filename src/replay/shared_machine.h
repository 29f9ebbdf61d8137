#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arch/context_space.h"
#include "machine/machine.h"
#include "run_record/figures.h"

namespace cutaway::replay {

// The machine of several programs. A reset replaces it by a new one: caches, tags, bounds and all that was
// under way are gone, each other program keeps its memory and a submission of it that was suspended. Figures
// are those of all machines together.
class SharedMachine {
 public:
  // config: of as many contexts as there are programs, or more.
  SharedMachine(const machine::Config& config, machine::MachineOptions options);

  void add_context(arch::ContextId context, const arch::Memory& memory,
                   const std::vector<messages::QueryValue>& query_values);
  // Ends a program and resets the machine. The pictures that it has presented so far are still displayed, for
  // at most kMostDisplayUs. Submissions of other programs that have not ended must be handed over again.
  void lose(arch::ContextId context);
  static constexpr double kMostDisplayUs = 1e6;

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
  void end_scan_out();
  void move_hosts(machine::Machine& to);

  // Sums over the machines before the last reset.
  struct Before {
    uint64_t cycles = 0;
    run_record::FramePhases phases;
    machine::ContextSwitchCounters switches;
    machine::PreemptionCounters preemptions;
    std::array<uint64_t, arch::kMostContexts> ended{}, waited{};
  };

  machine::Config config_;
  machine::MachineOptions options_;
  std::vector<arch::ContextId> contexts_;  // of programs that have not been lost
  std::unique_ptr<machine::Machine> machine_;
  Before before_;
};

}  // namespace cutaway::replay
