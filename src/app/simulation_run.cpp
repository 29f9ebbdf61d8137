#include "app/simulation_run.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "app/result_file.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/error.h"
#include "base/text.h"
#include "replay/simulation.h"
#include "report/frame_causes.h"
#include "report/perfetto.h"
#include "report/png.h"
#include "report/summary.h"
#include "sweep/point.h"
#include "sweep/run_recording.h"

namespace cutaway::app {
namespace {

constexpr const char* kSummary = "summary.json";

// Has the worker write what the machine observes into the file.
void observe(const TimelineArguments& arguments, const FrameRange& frames, replay::SimulationOptions& options,
             std::optional<ResultFile>& file) {
  if (arguments.file.empty()) return;
  if (frames.first != frames.last)
    user_error("--timeline: it shows one frame of {}..{}; choose it with --frames", frames.first,
               frames.last);
  machine::ObserverOptions& observer = options.clock.observe.emplace();
  if (arguments.cycles) observer.first = arguments.cycles->first, observer.last = arguments.cycles->last;
  if (arguments.draw) observer.draw = run_record::Timeline::Draw{.number = *arguments.draw};
  file.emplace(arguments.file);
  options.on_timeline = [&file](run_record::Timeline&& timeline) {
    report::write_perfetto(timeline, [&](std::span<const std::byte> bytes) { file->append(bytes); });
  };
}

// The summary as it is written into a folder of results.
struct SummaryFile {
  report::StagedFile file;
  report::SummaryWriter writer;

  SummaryFile(const report::OutputFolder& out, const report::RunInfo& run)
      : file(out, kSummary), writer(run, [this](std::string_view text) { file.append(text); }) {}
  SummaryFile(const SummaryFile&) = delete;
};

// Takes the frames of a run as they end: their lines of the tables and the summary, differences, pictures and
// rows of the database; and shows how far the others are. Figures of a frame do not stay in memory.
class FrameTaker {
 public:
  // Places for results; null if there is none.
  struct Places {
    report::OutputFolder* out;
    report::RunDatabase* database;
    report::SummaryWriter* summary;
    LiveView* live;
  };
  FrameTaker(uint64_t frames, const Places& places, report::Progress& progress)
      : frames_(frames), to_(places), progress_(progress) {}
  FrameTaker(const FrameTaker&) = delete;
  FrameTaker& operator=(const FrameTaker&) = delete;

  // Sets the callbacks of a simulation, which must end before the taker does.
  void listen(replay::SimulationOptions& options) {
    options.on_seek = [this](uint64_t frame) {
      if (running_.empty()) progress_.update(-1, fmt::format("emulating frame {}", frame));
    };
    options.on_progress = [this](uint64_t frame, uint64_t cycles, double share) {
      running_[frame] = {cycles, share};
      if (to_.live) to_.live->progress(frame, cycles, share);
      show();
    };
    options.on_frame = [this](replay::SimulatedFrame&& frame) { take(std::move(frame)); };
    options.on_tick = [this] {
      if (to_.live) to_.live->tick();
      if (!to_.live || !to_.live->paused()) show();
    };
  }

  const report::RunTables& tables() const { return tables_; }
  const report::HostTotals& totals() const { return totals_; }
  const std::vector<std::string>& differences() const { return differences_; }
  bool undecided() const { return undecided_; }  // all of them hang on order
  // Lines about logs of fragments that lack room, by frame.
  const std::vector<std::string>& full_logs() const { return full_logs_; }

 private:
  struct UnderWay {
    uint64_t cycles = 0;
    double share = 0;
  };

  void take(replay::SimulatedFrame&& frame) {
    const run_record::FrameFigures& figures = frame.figures;
    const uint64_t number = figures.frame;
    if (to_.out && frame.picture)
      report::write_png(to_.out->staged(fmt::format("frames/{:04}.png", number)), frame.picture->width,
                        frame.picture->height, frame.picture->rgba);
    if (to_.database) to_.database->add(figures, frame.record.value());
    if (to_.summary) to_.summary->add(figures);
    tables_.add(figures), totals_.add(figures);
    if (!frame.difference.empty()) {
      undecided_ = frame.hangs_on_order && (undecided_ || differences_.empty());
      differences_.push_back(std::move(frame.difference));
    }
    progress_.line(fmt::format("frame {}: {} cycles, {}", number, grouped(figures.cycles),
                               time_text(figures.simulated_seconds())));
    if (frame.record && frame.record->fragments && frame.record->fragments->end)
      full_logs_.push_back(fmt::format(
          "frame {}: its log of fragments holds {} quads and ends at cycle {}; --fragment-limit makes room",
          number, grouped(frame.record->fragments->events), grouped(frame.record->fragments->end)));
    running_.erase(number);
    if (to_.live) to_.live->ended(number, figures.cycles);
    show();
  }

  // Shows in a line how far the frames under way are.
  void show() {
    std::string text = fmt::format("{} of {} simulated", totals_.frames, counted(frames_, "frame"));
    auto share = static_cast<double>(totals_.frames);
    for (const auto& [frame, under_way] : running_) {
      text += fmt::format("; frame {}: {} cycles", frame, grouped(under_way.cycles));
      share += under_way.share;
    }
    progress_.update(share / static_cast<double>(frames_), text);
  }

  uint64_t frames_;
  Places to_;
  report::Progress& progress_;
  std::map<uint64_t, UnderWay> running_;  // by frame
  report::RunTables tables_;
  report::HostTotals totals_;
  std::vector<std::string> differences_, full_logs_;
  bool undecided_ = false;
};

// Options of the simulation, from the command line. recorded: for a database.
replay::SimulationOptions simulation_options(const MachineArguments& machine, const machine::Config& config,
                                             bool recorded) {
  replay::SimulationOptions options{.config = config};
  options.clock.seed = machine.seed;
  options.clock.skip_idle = machine.skip_idle;
  if (recorded) {
    options.clock.record_interval = machine.interval;
    if (machine.fragments) options.clock.log_fragments = machine.fragment_limit;
  }
  options.verify = machine.verify;
  options.warmup = machine.warmup;
  options.jobs = machine.jobs ? machine.jobs : std::max(1u, std::thread::hardware_concurrency());
  return options;
}

// The run as it is known before its first frame.
report::RunInfo run_info(const MachineArguments& machine, const machine::Config& config,
                         const std::vector<report::ParameterText>& parameters, const std::string& file,
                         const capture::Reader& reader, unsigned jobs) {
  return {.gpu = config.name,
          .base = config.base,
          .parameters = sweep::changed(parameters),
          .capture = file,
          .program = std::string(reader.info().value("program")),
          .program_hash = sweep::program_hash(),
          .gpu_argument = lasting(machine.gpu),
          .sets = machine.sets,
          .warmup = machine.warmup,
          .verified = machine.verify,
          .differences = {},
          .jobs = jobs};
}

void print_result(const report::RunInfo& run, const FrameTaker& taker, const report::OutputFolder* out,
                  bool database) {
  tell_lines(taker.tables().frames() + "\n" + taker.tables().units() + "\n");
  tell("{} on {} in {:.1f} s; {} cycles a second in one process\n", counted(taker.totals().frames, "frame"),
       run.gpu, run.seconds, grouped(static_cast<uint64_t>(taker.totals().cycles_per_second())));
  if (run.verified && run.differences.empty())
    tell("verify: GPU memory and pictures equal the emulator's after every frame\n");
  if (out) tell("pictures: {}\nfigures: {}\n", out->pictures(), out->path() / kSummary);
  if (database) tell("database: {}\n", out->path() / kDatabase);
  for (const std::string& difference : run.differences) tell_lines("\nverify: " + difference + "\n");
  if (run.undecided)
    tell(
        "verify: undecided: every difference hangs on the order of threads or of two queues, which differs "
        "between GPUs\n");
}

}  // namespace

std::string lasting(const std::string& gpu) {
  return machine::is_path(gpu) ? std::filesystem::absolute(gpu).lexically_normal().string() : gpu;
}

void load_machine(const MachineArguments& arguments, machine::Config& config) {
  machine::load_config(config, arguments.gpu, arguments.sets);
}

int simulate_capture(const CommandArguments& arguments, const machine::Config& config,
                     const std::string& file, const capture::Reader& reader, const FrameRange& frames,
                     report::OutputFolder* out, report::Progress& progress, LiveView* live) {
  const auto start = std::chrono::steady_clock::now();
  const MachineArguments& machine = arguments.machine;
  const bool recorded = out && machine.stats;
  replay::SimulationOptions options = simulation_options(machine, config, recorded);
  const std::vector<report::ParameterText> parameters = sweep::parameters_of(config);
  report::RunInfo run = run_info(machine, config, parameters, file, reader, options.jobs);
  std::optional<report::RunDatabase> database;
  if (recorded) database.emplace(out->staged(kDatabase), sweep::annotations_of(reader));
  std::optional<SummaryFile> summary;
  if (out) summary.emplace(*out, run);
  FrameTaker taker(frames.last - frames.first + 1,
                   {.out = out,
                    .database = database ? &*database : nullptr,
                    .summary = summary ? &summary->writer : nullptr,
                    .live = live},
                   progress);
  taker.listen(options);
  if (live) options.live = live->simulating(frames, options.jobs, out ? out->path() : ".", progress);
  std::optional<ResultFile> timeline;
  observe(arguments.timeline, frames, options, timeline);
  replay::simulate(reader, frames.first, frames.last, options);
  progress.clear();

  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.differences = taker.differences(), run.undecided = taker.undecided();
  if (out) {
    if (database) database->finish(run, parameters, machine.interval);
    database.reset();  // the file is whole and closed before it gets its place
    if (recorded) report::add_frame_causes(out->staged(kDatabase));
    summary->writer.finish(run);
    summary->file.close();
    out->commit();
    note_result(out->path());
  }
  if (timeline) timeline->keep();
  for (const std::string& line : taker.full_logs()) tell_error("{}\n", line);
  print_result(run, taker, out, recorded);
  if (timeline) tell("timeline: {}; open it in ui.perfetto.dev\n", timeline->path());
  if (live) live->finish();
  return run.differences.empty() ? kOk : run.undecided ? kUndecided : kFailed;
}

}  // namespace cutaway::app
