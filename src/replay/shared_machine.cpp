#include "replay/shared_machine.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "replay/frame_recording.h"
#include "replay/machine_figures.h"

namespace cutaway::replay {

SharedMachine::SharedMachine(const machine::Config& config, machine::MachineOptions options, OnPart on_part)
    : config_(config),
      options_(std::move(options)),
      on_part_(std::move(on_part)),
      machine_(std::make_unique<machine::Machine>(config_, arch::Memory(), options_)) {}

void SharedMachine::add_context(arch::ContextId context, const arch::Memory& memory,
                                const std::vector<messages::QueryValue>& query_values) {
  contexts_.push_back(context);
  machine_->add_context(context, memory, query_values);
}

void SharedMachine::lose(arch::ContextId context) {
  std::erase(contexts_, context);
  const uint64_t lost_waited = waited(context);  // it waits for nothing while the display goes on
  if (machine::HostProgram* const host = machine_->host_of(context)) host->stop();
  if (observer_) timeline_ = take_timeline();
  observer_.reset();
  end_part(end_scan_out());
  auto reset = std::make_unique<machine::Machine>(config_, arch::Memory(), options_);
  for (const arch::ContextId other : contexts_) {
    reset->add_context(other, machine_->memory(other), machine_->queries_left(other));
    machine_->hand_suspended(other, *reset);
  }
  move_hosts(*reset);
  Before sums{.cycles = cycles(),
              .phases = phases(),
              .switches = switches(),
              .preemptions = preemptions(),
              .ended = {},
              .waited = {},
              .hosts = {}};
  for (const arch::ContextId other : contexts_) sums.ended[other] = ended(other);
  for (arch::ContextId each = 0; each < config_.command_processor.contexts; each++) {
    sums.waited[each] = each == context ? lost_waited : waited(each);
    sums.hosts[each] = host_counters(each).value_or(machine::HostCounters{});
  }
  before_ = sums;
  machine_ = std::move(reset);
}

// The hosts of the other programs go on, and hear of fences that were on their way.
void SharedMachine::move_hosts(machine::Machine& to) {
  for (const arch::ContextId each : contexts_) {
    machine::HostProgram* const host = to.host_of(each);
    if (!host) return;
    host->take_over(*machine_->host_of(each));
    host->note_ended(1, ended(each));
  }
}

// Counts the cycles for which the display goes on as waits for it: the command processor counts none. Returns
// them.
uint64_t SharedMachine::end_scan_out() {
  const auto uncounted = [this] {
    machine_->simulator().settle();
    return machine_->cycles() - machine_->phases().sum();
  };
  const uint64_t before = uncounted();
  machine_->end_scan_out(static_cast<engine::Cycle>(kMostDisplayUs * config_.gpu.core_mhz));
  const uint64_t after = uncounted() - before;
  before_.phases.display += after;
  return after;
}

// Hands on the record of the machine that is stopped. uncounted: cycles of waits for the display that the
// command processor has not counted.
void SharedMachine::end_part(uint64_t uncounted) {
  if (!on_part_ || machine_->cycles() == 0) return;
  machine_->simulator().settle();
  machine_->recording()->works.stop(machine_->cycles());
  run_record::FrameFigures figures = figures_of(*machine_, config_.gpu.core_mhz);
  figures.frame = ++parts_;
  figures.phases.display += uncounted;
  std::vector<uint64_t> hashes;
  for (arch::ContextId each = 0; each < config_.command_processor.contexts; each++)
    hashes.push_back(machine_->memory(each).hash());
  figures.memory_hash = hash_bytes(hashes.data(), hashes.size() * sizeof(uint64_t));
  on_part_(std::move(figures), take_recording(*machine_, 0));
}

std::optional<run_record::Timeline> SharedMachine::take_timeline() {
  if (timeline_ || !observer_) return std::move(timeline_);
  run_record::Timeline timeline = observer_->take(parts_ + 1);
  timeline.gpu = config_.name;
  timeline.core_mhz = config_.gpu.core_mhz;
  return timeline;
}

uint64_t SharedMachine::ended(arch::ContextId context) const {
  return std::max(before_.ended[context], machine_->ended(context));
}

uint64_t SharedMachine::waited(arch::ContextId context) const {
  return before_.waited[context] + machine_->waited(context);
}

std::optional<machine::HostCounters> SharedMachine::host_counters(arch::ContextId context) const {
  const machine::HostProgram* const host = machine_->host_of(context);
  if (!host) return {};
  machine_->simulator().settle();
  machine::HostCounters sum = before_.hosts[context];
  machine::HostCounters::fields(
      [&](const char*, auto member, auto&&...) { sum.*member += host->counters.*member; });
  return sum;
}

run_record::FramePhases SharedMachine::phases() const {
  run_record::FramePhases sum = before_.phases;
  sum += machine_->phases();
  return sum;
}

machine::ContextSwitchCounters SharedMachine::switches() const {
  machine::ContextSwitchCounters sum = before_.switches;
  const machine::ContextSwitchCounters& more = machine_->switches();
  sum.switches += more.switches;
  sum.flush_cycles += more.flush_cycles;
  sum.invalidate_cycles += more.invalidate_cycles;
  sum.bind_cycles += more.bind_cycles;
  return sum;
}

machine::PreemptionCounters SharedMachine::preemptions() const {
  machine::PreemptionCounters sum = before_.preemptions;
  const machine::PreemptionCounters& more = machine_->preemptions();
  sum.preemptions += more.preemptions;
  sum.drain_cycles += more.drain_cycles;
  sum.restored_bytes += more.restored_bytes;
  return sum;
}

}  // namespace cutaway::replay
