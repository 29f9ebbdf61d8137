#include "replay/shared_gpu.h"

#include <algorithm>
#include <deque>

#include "base/error.h"
#include "replay/clocked_frame.h"
#include "replay/program_host.h"
#include "replay/shared_reference.h"

namespace cutaway::replay {
namespace {

// Sets the cycles of each frame on a GPU of its own, and adds what was under way in them.
void run_alone(const SharedProgram& program, const Reference& reference, const SharedOptions& options,
               std::vector<FrameTogether>& frames, run_record::FramePhases& phases) {
  ClockOptions clock{.seed = options.seed, .skip_idle = options.skip_idle};
  clock.query_values = reference.query_values;
  if (options.on_progress)
    clock.on_progress = [&](uint64_t cycles, double) { options.on_progress("alone", cycles); };
  machine::Config config = options.config;
  config.command_processor.contexts = 1;
  FrameClock alone(config, reference.start, clock);
  for (FrameTogether& frame : frames) {
    const run_record::FrameFigures figures = alone.run(program.reader, frame.number).figures;
    frame.alone = figures.cycles;
    phases += figures.phases;
  }
}

// The machine with its programs and their hosts.
class Shared {
 public:
  Shared(const std::vector<SharedProgram>& programs, const std::vector<Reference>& references,
         std::vector<Windows::Window> windows, const SharedOptions& options)
      : windows_(std::move(windows)),
        pictures_(programs.size()),
        lost_(programs.size()),
        watchdog_us_(options.watchdog_us),
        watchdog_(watchdog_us_ > 0 ? std::max<uint64_t>(1, cycles_of(watchdog_us_, options)) : 0),
        machine_(options.config, machine_options(options), options.on_part) {
    for (arch::ContextId context = 0; context < programs.size(); context++) {
      machine_.add_context(context, references[context].start, references[context].query_values);
      hosts_.emplace_back(programs[context].reader, programs[context].first, programs[context].last, context,
                          windows_);
    }
    if (options.observe) machine_.observe(*options.observe);
  }

  void run() {
    while (hand_over()) {
      machine_.gpu().run_until([this] { return any_goes_on() || hangs(); });
      end_stopped();
    }
    cycles_ = machine_.cycles();
    phases_ = machine_.phases();
    timeline_ = machine_.take_timeline();  // its work is listed until the record is taken
    machine_.end_record();
    machine_.gpu().wait();
  }

  SharedRun::Program result(arch::ContextId context) {
    SharedRun::Program program{.frames = {},
                               .waited = machine_.waited(context),
                               .waited_for_window = hosts_[context].waited_for_window(),
                               .host = machine_.host_counters(context),
                               .difference = {},
                               .in_window = windows_.shows(context),
                               .lost = lost_[context]};
    for (const ProgramHost::Frame& frame : hosts_[context].frames()) {
      if (!frame.ended) break;
      FrameTogether& result = program.frames.emplace_back();
      result.number = frame.number, result.begin = frame.begin, result.end = frame.end;
      if (!frame.presents) continue;
      if (program.in_window) {
        result.shown_in = windows_.shown_in(context, frame.number);
        if (result.shown_in && !hosts_[Windows::kCompositor].has_ended(*result.shown_in))
          result.shown_in.reset();
        result.left_out = !result.shown_in;
        continue;
      }
      CUTAWAY_CHECK(!pictures_[context].empty(), "a frame has presented no picture");
      if (auto& [picture, own_rows] = pictures_[context].front(); picture.width)
        result.picture = std::move(picture), result.own_rows = own_rows;
      else result.left_out = true;
      pictures_[context].pop_front();
    }
    return program;
  }
  const SharedMachine& machine() const { return machine_; }
  const Windows& windows() const { return windows_; }
  std::optional<run_record::Timeline>& timeline() { return timeline_; }  // none: nothing was observed
  // Until all submissions had ended.
  uint64_t cycles() const { return cycles_; }
  const run_record::FramePhases& phases() const { return phases_; }

 private:
  static uint64_t cycles_of(double us, const SharedOptions& options) {
    return static_cast<uint64_t>(us * options.config.gpu.core_mhz);
  }
  machine::MachineOptions machine_options(const SharedOptions& options) {
    machine::MachineOptions result;
    result.scheduler.seed = options.seed;
    result.scheduler.skip_idle = options.skip_idle;
    result.runs_ahead = true;
    result.offscreen = windows_.offscreen();
    result.record_interval = options.record_interval;
    result.list_works = options.observe.has_value();
    result.on_picture = [this](arch::Picture&& picture, arch::PictureRows own, arch::ContextId context) {
      pictures_[context].emplace_back(std::move(picture), own);
    };
    if (options.on_progress)
      result.on_progress = [tell = options.on_progress](engine::Cycle cycles) { tell("together", cycles); };
    return result;
  }

  // Lets each host go on that does not wait. False: all are done.
  bool hand_over() {
    bool any = false;
    for (arch::ContextId context = 0; context < hosts_.size(); context++) {
      ProgramHost& host = hosts_[context];
      host.go_on(machine_.gpu(), machine_.ended(context), machine_.cycles());
      if (context == Windows::kCompositor && host.done()) windows_.close(machine_.gpu());
      arch::Fault fault;
      if (machine_.gpu().fault(fault)) lose(context, fault.text);
      any |= !host.done();
    }
    return any;
  }
  bool any_goes_on() {
    for (arch::ContextId context = 0; context < hosts_.size(); context++)
      if (hosts_[context].goes_on(machine_.gpu(), machine_.ended(context))) return true;
    return false;
  }
  bool hangs() const {
    if (!watchdog_) return false;
    const auto executed = machine_.gpu().executed();
    return executed && machine_.gpu().cycles() - executed->since > watchdog_;
  }

  // Ends the program that is at fault or hangs.
  void end_stopped() {
    arch::Fault fault;
    if (machine_.gpu().fault(fault)) {
      const auto context = machine_.gpu().stopped_context();
      CUTAWAY_CHECK(context && !lost_.at(*context), "a fault of no program: {}", fault.text);
      lose(*context, fault.text);
    } else if (hangs()) {
      lose(machine_.gpu().executed()->context,
           fmt::format("a submission takes longer than {:g} us", watchdog_us_), true);
    }
  }
  void lose(arch::ContextId context, const std::string& why, bool by_watchdog = false) {
    lost_[context] = {hosts_[context].frame_under_way(), machine_.cycles(), why, by_watchdog};
    hosts_[context].stop();
    machine_.lose(context);
    windows_.note_reset(context);
    for (arch::ContextId other = 0; other < hosts_.size(); other++)
      if (!hosts_[other].done() && hosts_[other].waits(machine_.ended(other)))
        hosts_[other].hand_over_again(machine_.gpu());
  }

  Windows windows_;
  // By context, in the order of frames.
  std::vector<std::deque<std::pair<arch::Picture, arch::PictureRows>>> pictures_;
  std::vector<std::optional<SharedRun::Program::Lost>> lost_;
  double watchdog_us_;
  uint64_t watchdog_;  // core cycles; 0: off
  SharedMachine machine_;
  std::deque<ProgramHost> hosts_;  // by context
  uint64_t cycles_ = 0;
  run_record::FramePhases phases_;
  std::optional<run_record::Timeline> timeline_;
};

}  // namespace

SharedRun run_shared(const std::vector<SharedProgram>& programs, const SharedOptions& options) {
  const auto surfaces = find_windows(programs, options);
  std::vector<Reference> references;
  for (const SharedProgram& program : programs) references.push_back(emulate(program, options));
  Shared shared(programs, references, make_windows(programs, surfaces, references, options), options);
  shared.run();
  if (shared.timeline() && options.on_timeline) options.on_timeline(std::move(*shared.timeline()));
  SharedRun run{.programs = {},
                .cycles = shared.cycles(),
                .together = shared.phases(),
                .alone = {},
                .switches = shared.machine().switches(),
                .preemptions = shared.machine().preemptions()};
  std::optional<Reference> compositor;
  if (options.verify && !shared.windows().all().empty())
    compositor = emulate_windows(programs, options, shared.windows());
  for (arch::ContextId context = 0; context < programs.size(); context++) {
    SharedRun::Program& program = run.programs.emplace_back(shared.result(context));
    const bool shows = compositor && context == Windows::kCompositor;
    if (options.verify)
      program.difference = difference_of(shows ? *compositor : references[context], program,
                                         shared.machine().gpu().memory(context));
    run_alone(programs[context], references[context], options, program.frames, run.alone);
  }
  return run;
}

}  // namespace cutaway::replay
