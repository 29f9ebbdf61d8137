#include "app/simulation_run.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "app/output_file.h"
#include "app/text.h"
#include "base/error.h"
#include "base/text.h"
#include "replay/simulation.h"
#include "report/perfetto.h"
#include "report/png.h"
#include "report/summary.h"
#include "sweep/point.h"
#include "sweep/run_recording.h"

namespace cutaway::app {
namespace {

// The progress of running frames, in one line.
struct Activity {
  report::Progress& progress;
  uint64_t frames = 0, ended = 0;
  struct UnderWay {
    uint64_t cycles = 0;
    double share = 0;
  };
  std::map<uint64_t, UnderWay> running;  // by frame

  void show() {
    std::string text = fmt::format("{} of {} simulated", ended, counted(frames, "frame"));
    double share = static_cast<double>(ended);
    for (const auto& [frame, under_way] : running) {
      text += fmt::format("; frame {}: {} cycles", frame, grouped(under_way.cycles));
      share += under_way.share;
    }
    progress.update(share / static_cast<double>(frames), text);
  }
};

constexpr const char* kDatabase = "run.sqlite";

// Makes the worker write the machine's observations to the file.
void observe(const TimelineArguments& arguments, const FrameRange& frames, replay::SimulationOptions& options,
             std::optional<capture::OutputFile>& file) {
  if (arguments.file.empty()) return;
  if (frames.first != frames.last)
    user_error("--timeline: it shows one frame of {}..{}; choose it with --frames", frames.first,
               frames.last);
  machine::ObserverOptions& observer = options.clock.observe.emplace();
  if (arguments.cycles) observer.first = arguments.cycles->first, observer.last = arguments.cycles->last;
  if (arguments.draw) observer.draw = Timeline::Draw{.number = *arguments.draw};
  open_output(arguments.file, "timeline's", file);
  options.on_timeline = [&file](Timeline&& timeline) {
    report::write_perfetto(timeline, [&](std::span<const std::byte> bytes) { file->append(bytes); });
  };
}

void print_result(const report::RunInfo& run, const std::vector<FrameFigures>& frames,
                  const std::vector<std::string>& differences, const report::OutputFolder* out,
                  bool database) {
  double seconds = 0;
  uint64_t cycles = 0;
  for (const FrameFigures& frame : frames) seconds += frame.seconds, cycles += frame.cycles;
  fmt::print("{}\n{}\n", report::frame_table(frames), report::unit_table(frames));
  fmt::print("{} on {} in {:.1f} s; {} cycles a second in one process\n", counted(frames.size(), "frame"),
             run.gpu, run.seconds,
             grouped(static_cast<uint64_t>(seconds > 0 ? static_cast<double>(cycles) / seconds : 0)));
  if (run.verified && differences.empty())
    fmt::print("verify: GPU memory and pictures equal the emulator's after every frame\n");
  if (out)
    fmt::print("pictures: {}\nfigures: {}\n", out->pictures(), (out->path() / "summary.json").string());
  if (database) fmt::print("database: {}\n", (out->path() / kDatabase).string());
  for (const std::string& difference : differences) fmt::print("\nverify: {}\n", difference);
}

}  // namespace

void load_machine(const MachineArguments& arguments, machine::Config& config) {
  machine::load_config(config, arguments.gpu, arguments.sets);
}

int simulate_capture(const CommandArguments& arguments, const machine::Config& config,
                     const std::string& file, const capture::Reader& reader, const FrameRange& frames,
                     report::OutputFolder* out, report::Progress& progress, LiveView* live) {
  const auto start = std::chrono::steady_clock::now();
  const MachineArguments& machine = arguments.machine;
  Activity activity{.progress = progress, .frames = frames.last - frames.first + 1, .running = {}};
  std::vector<FrameFigures> figures;
  std::vector<std::string> differences, logs_end;

  replay::SimulationOptions options{.config = config};
  options.clock.seed = machine.seed;
  options.clock.skip_idle = machine.skip_idle;
  std::optional<report::RunDatabase> database;
  if (out && machine.stats) {
    options.clock.record_interval = machine.interval;
    if (machine.fragments) options.clock.log_fragments = machine.fragment_limit;
    database.emplace(out->staged(kDatabase), sweep::annotations_of(reader));
  }
  options.verify = machine.verify;
  options.warmup = machine.warmup;
  options.jobs = machine.jobs ? machine.jobs : std::max(1u, std::thread::hardware_concurrency());
  options.on_seek = [&](uint64_t frame) {
    if (activity.running.empty()) progress.update(-1, fmt::format("emulating frame {}", frame));
  };
  options.on_progress = [&](uint64_t frame, uint64_t cycles, double share) {
    activity.running[frame] = {cycles, share};
    if (live) live->progress(frame, cycles, share);
    activity.show();
  };
  options.on_frame = [&](replay::SimulatedFrame&& frame) {
    const uint64_t number = frame.figures.frame;
    if (out && frame.picture)
      report::write_png(out->staged(fmt::format("frames/{:04}.png", number)), frame.picture->width,
                        frame.picture->height, frame.picture->rgba);
    if (database) database->add(frame.figures, frame.record.value());
    if (!frame.difference.empty()) differences.push_back(std::move(frame.difference));
    progress.line(fmt::format("frame {}: {} cycles", number, grouped(frame.figures.cycles)));
    if (frame.record && frame.record->fragments && frame.record->fragments->end)
      logs_end.push_back(fmt::format(
          "frame {}: its log of fragments holds {} quads and ends at cycle {}; --fragment-limit makes room",
          number, grouped(frame.record->fragments->events), grouped(frame.record->fragments->end)));
    figures.push_back(std::move(frame.figures));
    activity.running.erase(number);
    if (live) live->ended(number, figures.back().cycles);
    activity.ended++;
    activity.show();
  };
  options.on_tick = [&] {
    if (live) live->tick();
    if (!live || !live->paused()) activity.show();
  };
  if (live) options.live = live->simulating(frames, options.jobs, out ? out->path() : ".", progress);
  std::optional<capture::OutputFile> timeline;
  observe(arguments.timeline, frames, options, timeline);
  replay::simulate(reader, frames.first, frames.last, options);
  progress.clear();

  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const std::vector<report::ParameterText> parameters = sweep::parameters_of(config);
  const report::RunInfo run{.gpu = config.name,
                            .base = config.base,
                            .parameters = sweep::changed(parameters),
                            .capture = file,
                            .program = std::string(reader.info().value("program")),
                            .program_hash = sweep::program_hash(),
                            .gpu_argument = machine.gpu,
                            .sets = machine.sets,
                            .warmup = machine.warmup,
                            .verified = machine.verify,
                            .differences = differences,
                            .seconds = seconds.count(),
                            .jobs = options.jobs};
  const bool recorded = database.has_value();
  if (out) {
    if (database) database->finish(run, parameters, machine.interval);
    database.reset();  // completes and closes the file before it is moved
    out->write("summary.json", report::summary_json(run, figures));
    out->commit();
  }
  if (timeline) timeline->commit();
  for (const std::string& line : logs_end) fmt::print(stderr, "{}\n", line);
  print_result(run, figures, differences, out, recorded);
  if (timeline) fmt::print("timeline: {}; open it in ui.perfetto.dev\n", timeline->path().string());
  if (live) live->finish();
  return differences.empty() ? kOk : kFailed;
}

}  // namespace cutaway::app
