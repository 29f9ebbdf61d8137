#include "replay/clocked_frame.h"

#include <algorithm>
#include <chrono>
#include <sys/resource.h>

#include "base/error.h"
#include "command_stream/packet_limits.h"
#include "replay/frame_recording.h"
#include "replay/machine_figures.h"

namespace cutaway::replay {
namespace {

constexpr engine::Cycle kLookInterval = 1024;  // about a millisecond

// Subtracts the counts of an earlier state of the same machine; `before` is empty for its first frame.
void subtract(run_record::UnitFigures& unit, const run_record::UnitFigures& before) {
  unit.cycles -= before.cycles, unit.busy -= before.busy, unit.idle -= before.idle;
  unit.starved -= before.starved, unit.blocked -= before.blocked;
  for (size_t i = 0; i < before.waits.size(); i++) unit.waits[i].cycles -= before.waits[i].cycles;
}

run_record::FramePhases since(run_record::FramePhases now, const run_record::FramePhases& before) {
  now.draws -= before.draws, now.copies -= before.copies, now.caches -= before.caches;
  now.display -= before.display, now.commands -= before.commands;
  now.beside_scan_out -= before.beside_scan_out;
  return now;
}

run_record::FrameFigures since(run_record::FrameFigures now, const run_record::FrameFigures& before) {
  now.cycles -= before.cycles;
  now.phases = since(now.phases, before.phases);
  now.executed_ticks -= before.executed_ticks;
  now.possible_ticks -= before.possible_ticks;
  for (size_t i = 0; i < before.units.size(); i++) subtract(now.units[i], before.units[i]);
  for (size_t i = 0; i < before.counters.size(); i++) now.counters[i].value -= before.counters[i].value;
  for (size_t i = 0; i < before.clients.size(); i++) {
    now.clients[i].read_bytes -= before.clients[i].read_bytes;
    now.clients[i].write_bytes -= before.clients[i].write_bytes;
  }
  for (size_t i = 0; i < before.wires.size(); i++) {
    now.wires[i].messages -= before.wires[i].messages;
    now.wires[i].slot_cycles -= before.wires[i].slot_cycles;
    now.wires[i].cycles -= before.wires[i].cycles;
  }
  for (run_record::UnitFigures& unit : now.units)
    std::erase_if(unit.waits, [](const run_record::UnitFigures::Wait& wait) { return wait.cycles == 0; });
  return now;
}

// Position of a packet in its submission: "draw 2", "dispatch 1", or "after draw 2".
std::string place_of(const Packet& packet) {
  if (is_dispatch(packet.opcode)) return fmt::format("dispatch {}", packet.dispatch);
  if (is_draw(packet.opcode))
    return fmt::format("draw {}", packet.draw - packet.draws + (packet.draws ? 1 : 0));
  return fmt::format("after draw {}", packet.draw);
}

}  // namespace

FrameClock::FrameClock(const machine::Config& config, const arch::Memory& start, const ClockOptions& options)
    : observe_(options.observe), gpu_(config.name), core_mhz_(config.gpu.core_mhz) {
  if (config.command_processor.contexts > 1 && config.host.present())
    user_error(
        "command_processor.contexts = {}: with a host in time (host.cpu = {}) it is 1 for one program; "
        "`cutaway simulate --with` sets it for several",
        config.command_processor.contexts, config.host.cpu);
  machine::MachineOptions machine_options;
  machine_options.scheduler.seed = options.seed;
  machine_options.scheduler.skip_idle = options.skip_idle;
  machine_options.faults = options.faults;
  machine_options.on_picture = [this](arch::Picture&& picture, arch::PictureRows own, arch::ContextId) {
    picture_ = std::move(picture);
    own_rows_.push_back(own);
  };
  if (options.on_progress)
    machine_options.on_progress = [this, amount = options.amount,
                                   tell = options.on_progress](engine::Cycle cycles) {
      tell(std::min<uint64_t>(cycles, last_cycle_), share(amount));
    };
  machine_options.query_values = options.query_values;
  machine_options.record_interval = options.record_interval;
  machine_options.log_fragments = options.log_fragments;
  machine_options.list_works = options.observe.has_value();
  machine_options.look_on = options.look_on;
  machine_options.runs_ahead = true;
  if (options.look_on) machine_options.progress_interval = kLookInterval;
  machine_ = std::make_unique<machine::Machine>(config, start, std::move(machine_options));
  if (options.displayed) machine_->display(*options.displayed);
  for (const Counter& counter : machine_->simulator().counters().counters()) {
    if (counter.of != CountOf::kAll) continue;
    if (counter.role == CounterRole::kPrimitives) primitives_.push_back(counter.value);
    if (counter.role == CounterRole::kFragmentsGenerated) fragments_.push_back(counter.value);
  }
}

// A primitive with its vertices counts as kPrimitiveWeight fragments, roughly its share of the time. A frame
// with neither has share 1 when it ends.
double FrameClock::share(const ClockOptions::Amount& amount) const {
  constexpr uint64_t kPrimitiveWeight = 16;
  const auto sum = [](const std::vector<const uint64_t*>& counters) {
    uint64_t total = 0;
    for (const uint64_t* counter : counters) total += *counter;
    return total;
  };
  const uint64_t whole = amount.primitives * kPrimitiveWeight + amount.fragments;
  const uint64_t done = sum(primitives_) * kPrimitiveWeight + sum(fragments_);
  return whole ? std::min(1.0, static_cast<double>(done) / static_cast<double>(whole)) : 0;
}

ClockedFrame FrameClock::run(const capture::Reader& reader, uint64_t frame, bool is_warmup) {
  const auto begin = std::chrono::steady_clock::now();
  CUTAWAY_CHECK(!scanned_out_, "the last frame has been");
  const uint64_t presents = machine_->presents();
  std::optional<machine::Observer> observer;
  if (observe_ && !is_warmup) observer.emplace(*machine_, *observe_);
  machine_->simulator().restart_peaks();
  reader.play(frame, *machine_);
  machine_->finish();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  arch::Fault fault;
  if (machine_->fault(fault))
    user_error("frame {}, submission {}: the machine stopped at {:#x}: {}", frame, fault.submission,
               fault.address, fault.text);

  presented_ = machine_->presents() > presents;
  ClockedFrame result;
  run_record::FrameFigures now = figures_of(*machine_, core_mhz_);
  if (observer) {
    result.timeline = observer->take(frame);
    describe(*result.timeline);
  }
  if (machine_->recording()) result.record = take_recording(*machine_, before_.cycles);
  result.figures = since(now, before_);
  before_ = std::move(now);
  run_record::FrameFigures& figures = result.figures;
  figures.frame = frame;
  figures.memory_hash = memory().hash();
  figures.seconds = seconds.count();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  figures.peak_memory_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  return result;
}

void FrameClock::scan_out(ClockedFrame& frame) {
  const uint64_t end = last_cycle_ = machine_->cycles();
  machine_->wait();
  scanned_out_ = true;
  if (!presented_) return;
  frame.picture = std::move(picture_);
  frame.figures.scan_out_cycles = machine_->cycles() - end;
}

void FrameClock::describe(run_record::Timeline& timeline) const {
  timeline.gpu = gpu_;
  timeline.core_mhz = core_mhz_;
}

void FrameClock::begin_observing() {
  CUTAWAY_CHECK(!observe_, "a timeline is made anyway");
  live_observer_.emplace(*machine_, machine::ObserverOptions{.most_cycles = ~uint64_t{0} / 1'000'000},
                         before_.cycles);
  observed_from_ = machine_->cycles();
}

uint64_t FrameClock::observed_cycles() const {
  return live_observer_ ? machine_->cycles() - observed_from_ : 0;
}

std::optional<run_record::Timeline> FrameClock::end_observing(uint64_t frame) {
  std::optional<run_record::Timeline> timeline;
  if (observed_cycles() > 0) timeline = live_observer_->take(frame), describe(*timeline);
  live_observer_.reset();
  return timeline;
}

void check_supported(const capture::Reader& reader, uint64_t first, uint64_t last, const arch::Memory& start,
                     const command_stream::Abilities& abilities) {
  uint64_t frame = first, submission = ~uint64_t{0};
  command_stream::PacketLimits limits(abilities);
  PacketWalker walker(start, [&](const Packet& packet) {
    if (packet.submission != submission) limits.begin_submission(), submission = packet.submission;
    const std::string lack =
        limits.unclocked(packet.opcode, packet.payload, *packet.registers, *packet.memory);
    if (lack.empty()) return;
    user_error(
        "frame {}, submission {}, {} ({}): {}; use another --gpu, other --frames or `cutaway emulate`, or "
        "record with `cutaway capture --gpu {}`, which offers programs what this machine has",
        frame, packet.submission, place_of(packet), arch::opcode_name(packet.opcode), lack,
        abilities.gpu.empty() ? "NAME" : abilities.gpu);
  });
  for (; frame <= last; frame++) reader.play(frame, walker);
}

}  // namespace cutaway::replay
