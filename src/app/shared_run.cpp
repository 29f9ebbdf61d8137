#include "app/shared_run.h"

#include <algorithm>
#include <deque>
#include <filesystem>

#include "app/open_capture.h"
#include "app/result_file.h"
#include "app/simulation_run.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/text.h"
#include "replay/shared_gpu.h"
#include "report/frame_causes.h"
#include "report/perfetto.h"
#include "report/png.h"
#include "report/run_database.h"
#include "report/shared_report.h"
#include "sweep/point.h"
#include "sweep/run_recording.h"

namespace cutaway::app {
namespace {

constexpr const char* kShared = "shared.json";

struct Program {
  explicit Program(const std::string& path, const std::optional<FrameRange>& asked)
      : file(path), reader(open_capture(path)), frames(frames_of(reader, path, asked)) {}

  std::string file;
  capture::Reader reader;
  FrameRange frames;
};

// The capture of the command, then those of --with.
std::deque<Program> programs_of(const CommandArguments& arguments) {
  std::deque<Program> programs;
  programs.emplace_back(arguments.file, arguments.frames);
  for (const std::string& file : arguments.shared.with) programs.emplace_back(file, arguments.shared.frames);
  return programs;
}

std::string name_of(const Program& program) { return std::filesystem::path(program.file).stem().string(); }

bool any_lost(const replay::SharedRun& run) {
  return std::any_of(run.programs.begin(), run.programs.end(),
                     [](const auto& program) { return program.lost.has_value(); });
}

// The figures of a run as plain data, for all that tells them.
run_record::SharedFigures figures_of(const std::deque<Program>& programs, const replay::SharedRun& run,
                                     const std::vector<std::string>& windows, const machine::Config& config) {
  run_record::SharedFigures figures{.gpu = config.name,
                                    .schedule = std::string(config.command_processor.schedule.name),
                                    .core_mhz = config.gpu.core_mhz,
                                    .slice_us = config.command_processor.slice_us,
                                    .cycles = run.cycles,
                                    .together = run.together,
                                    .alone = run.alone,
                                    .switches = {.switches = run.switches.switches,
                                                 .flush_cycles = run.switches.flush_cycles,
                                                 .invalidate_cycles = run.switches.invalidate_cycles,
                                                 .bind_cycles = run.switches.bind_cycles},
                                    .preemptions = {.preemptions = run.preemptions.preemptions,
                                                    .drain_cycles = run.preemptions.drain_cycles,
                                                    .restored_bytes = run.preemptions.restored_bytes},
                                    .programs = {}};
  for (size_t i = 0; i < programs.size(); i++) {
    const replay::SharedRun::Program& of_run = run.programs[i];
    run_record::SharedFigures::Program& program = figures.programs.emplace_back();
    program.name = name_of(programs[i]), program.capture = programs[i].file;
    program.waited = of_run.waited, program.waited_for_window = of_run.waited_for_window;
    if (of_run.in_window) program.window = windows[i - 1];
    for (const replay::FrameTogether& frame : of_run.frames)
      program.frames.push_back(
          {frame.number, frame.begin, frame.end, frame.alone, frame.left_out, frame.shown_in});
    if (const auto& host = of_run.host)
      program.host = {host->computed,   host->alone, host->submissions, host->waits,
                      host->interrupts, host->shown, host->latency};
    if (const auto& lost = of_run.lost) program.lost = {lost->frame, lost->cycle, lost->why};
  }
  return figures;
}

void write_pictures(const replay::SharedRun& run, const report::OutputFolder& out) {
  for (size_t i = 0; i < run.programs.size(); i++)
    for (const replay::FrameTogether& frame : run.programs[i].frames)
      if (frame.picture)
        report::write_png(out.staged(fmt::format("frames/{}-{:04}.png", i + 1, frame.number)),
                          frame.picture->width, frame.picture->height, frame.picture->rgba);
}

// "verify" of all programs.
bool any_differs(const replay::SharedRun& run) {
  return std::any_of(run.programs.begin(), run.programs.end(),
                     [](const auto& program) { return !program.difference.empty(); });
}

// The database of a run, part by part.
class SharedRecording {
 public:
  SharedRecording(const std::deque<Program>& programs, const report::OutputFolder& out)
      : path_(out.staged(kDatabase)) {
    for (const Program& program : programs) {
      report::Annotations annotations = sweep::annotations_of(program.reader);
      if (database_) database_->annotate(std::move(annotations));
      else database_.emplace(path_, std::move(annotations));
    }
  }
  void add(const run_record::FrameFigures& figures, const run_record::FrameRecord& record) {
    database_->add(figures, record);
  }
  void finish(const run_record::SharedFigures& figures, const report::RunInfo& run,
              const machine::Config& config, uint64_t interval) {
    database_->add_programs(figures);
    database_->finish(run, sweep::parameters_of(config), interval);
    database_.reset();  // the file is whole and closed before it gets its place
    report::add_frame_causes(path_);
  }

 private:
  std::filesystem::path path_;
  std::optional<report::RunDatabase> database_;
};

// The run for its database. It has no capture of its own: those of its programs are in the table `context`.
report::RunInfo run_info(const std::deque<Program>& programs, const replay::SharedRun& run,
                         const MachineArguments& machine, const machine::Config& config) {
  report::RunInfo info{.gpu = config.name,
                       .base = config.base,
                       .parameters = {},
                       .capture = {},
                       .program = {},
                       .program_hash = sweep::program_hash(),
                       .gpu_argument = lasting(machine.gpu),
                       .sets = machine.sets,
                       .verified = machine.verify,
                       .differences = {}};
  for (const Program& program : programs)
    info.program += (info.program.empty() ? "" : " beside ") + name_of(program);
  for (const auto& program : run.programs)
    if (!program.difference.empty()) info.differences.push_back(program.difference);
  return info;
}

machine::Config machine_of(const CommandArguments& arguments, size_t programs) {
  machine::Config config;
  MachineArguments machine = arguments.machine;
  machine.sets.insert(machine.sets.begin(), fmt::format("command_processor.contexts={}", programs));
  if (arguments.shared.slice_us)
    machine.sets.push_back(fmt::format("command_processor.slice_us={}", *arguments.shared.slice_us));
  if (arguments.shared.preempts) machine.sets.push_back("command_processor.preempts=true");
  load_machine(machine, config);
  const unsigned contexts = config.command_processor.contexts;
  if (contexts < programs)
    user_error("command_processor.contexts: {} for {} programs; leave it out, or set at least {}", contexts,
               programs, programs);
  return config;
}

// UserError: an option that has no meaning for several programs.
void check_options(const CommandArguments& arguments) {
  const SharedArguments& shared = arguments.shared;
  if (std::find(shared.windows.begin(), shared.windows.end(), "") != shared.windows.end())
    user_error("--window: an empty name; name a surface of {}", arguments.file);
  if (shared.windows.size() > shared.with.size())
    user_error("--window: {} for {} of --with; each shows the pictures of one of these",
               counted(shared.windows.size(), "name"), counted(shared.with.size(), "program"));
  if (arguments.machine.fragments)
    user_error(
        "--stats fragments: it logs the fragments of one program; with --with, --stats is all or none");
  if (arguments.timeline.draw)
    user_error(
        "--timeline-draw: draws are counted in a frame of one program; with --with choose a window with "
        "--timeline-cycles");
}

// Writes what the machine does in a window of the run into the file.
void observe(const TimelineArguments& arguments, const std::deque<Program>& programs,
             replay::SharedOptions& options, std::optional<ResultFile>& file) {
  if (arguments.file.empty()) return;
  machine::ObserverOptions& observer = options.observe.emplace();
  if (arguments.cycles) observer.first = arguments.cycles->first, observer.last = arguments.cycles->last;
  for (const Program& program : programs) observer.programs.push_back(name_of(program));
  file.emplace(arguments.file);
  options.on_timeline = [&file](run_record::Timeline&& timeline) {
    report::write_perfetto(timeline, [&](std::span<const std::byte> bytes) { file->append(bytes); });
  };
}

// "; 2 pictures were left out"; empty: none was.
std::string left_out_text(const run_record::SharedFigures& figures) {
  uint64_t pictures = 0;
  for (const run_record::SharedFigures::Program& program : figures.programs) pictures += program.left_out();
  if (!pictures) return "";
  return fmt::format("; {} {} left out", counted(pictures, "picture"), pictures == 1 ? "was" : "were");
}

// Tells what verify found. Returns the command's exit code.
int tell_verdict(const std::deque<Program>& programs, const replay::SharedRun& run,
                 const run_record::SharedFigures& figures, bool verify) {
  for (size_t i = 0; i < programs.size(); i++)
    if (!run.programs[i].difference.empty())
      tell("verify: {}: {}\n", name_of(programs[i]), run.programs[i].difference);
  if (verify && !any_differs(run))
    tell("verify: GPU memory and pictures of each program equal the emulator's{}{}\n",
         any_lost(run) ? "; of lost programs, the pictures of the frames before" : "",
         left_out_text(figures));
  return any_differs(run) || any_lost(run) ? kFailed : kOk;
}

}  // namespace

int simulate_shared(const CommandArguments& arguments) {
  const MachineArguments& machine = arguments.machine;
  check_options(arguments);
  const std::deque<Program> programs = programs_of(arguments);
  replay::SharedOptions options{.config = machine_of(arguments, programs.size()),
                                .verify = machine.verify,
                                .seed = machine.seed,
                                .skip_idle = machine.skip_idle,
                                .watchdog_us = arguments.shared.watchdog_us.value_or(0),
                                .on_progress = {}};
  std::optional<report::OutputFolder> out;
  if (!arguments.out.empty()) out.emplace(arguments.out);
  std::optional<SharedRecording> recording;
  if (out && machine.stats) {
    recording.emplace(programs, *out);
    options.record_interval = machine.interval;
    options.on_part = [&](run_record::FrameFigures&& figures, run_record::FrameRecord&& record) {
      recording->add(figures, record);
    };
  }
  std::optional<ResultFile> timeline;
  observe(arguments.timeline, programs, options, timeline);
  report::Progress progress(arguments.quiet);
  options.on_progress = [&](const std::string& what, uint64_t cycles) {
    progress.update(-1, cycles ? fmt::format("{}: {} cycles", what, grouped(cycles)) : what);
  };
  std::vector<replay::SharedProgram> shared;
  for (const Program& program : programs)
    shared.push_back({program.reader, program.file, program.frames.first, program.frames.last});
  for (size_t i = 0; i < arguments.shared.windows.size(); i++)
    shared[i + 1].window = arguments.shared.windows[i];
  const replay::SharedRun run = replay::run_shared(shared, options);
  progress.clear();
  const run_record::SharedFigures figures =
      figures_of(programs, run, arguments.shared.windows, options.config);
  tell_lines(report::shared_text(figures));
  if (out) {
    write_pictures(run, *out);
    out->write(kShared, report::shared_json(figures));
    if (recording)
      recording->finish(figures, run_info(programs, run, machine, options.config), options.config,
                        machine.interval);
    out->commit();
    note_result(out->path());
    tell("pictures: {}\nfigures: {}\n", out->pictures(), out->path() / kShared);
    if (recording) tell("database: {}\n", out->path() / kDatabase);
  }
  if (timeline) {
    timeline->keep();
    tell("timeline: {}; open it in ui.perfetto.dev\n", timeline->path());
  }
  return tell_verdict(programs, run, figures, options.verify);
}

}  // namespace cutaway::app
