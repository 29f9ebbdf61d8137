#include "app/simulation_run.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "app/text.h"
#include "base/error.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "replay/simulation.h"
#include "report/perfetto.h"
#include "report/png.h"
#include "report/summary.h"
#include "sweep/point.h"
#include "sweep/run_recording.h"

namespace cutaway::app {
namespace {

constexpr const char* kDatabase = "run.sqlite";

// Has the worker write what the machine observes into the file.
void observe(const TimelineArguments& arguments, const FrameRange& frames, replay::SimulationOptions& options,
             std::optional<WholeFile>& file) {
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

// Takes the frames of a run as they end: their figures, differences, pictures and rows of the database; and
// shows how far the others are.
class FrameTaker {
 public:
  // database, live: null if there is none.
  FrameTaker(uint64_t frames, report::OutputFolder* out, report::RunDatabase* database,
             report::Progress& progress, LiveView* live)
      : frames_(frames), out_(out), database_(database), progress_(progress), live_(live) {}
  FrameTaker(const FrameTaker&) = delete;
  FrameTaker& operator=(const FrameTaker&) = delete;

  // Sets the callbacks of a simulation, which must end before the taker does.
  void listen(replay::SimulationOptions& options) {
    options.on_seek = [this](uint64_t frame) {
      if (running_.empty()) progress_.update(-1, fmt::format("emulating frame {}", frame));
    };
    options.on_progress = [this](uint64_t frame, uint64_t cycles, double share) {
      running_[frame] = {cycles, share};
      if (live_) live_->progress(frame, cycles, share);
      show();
    };
    options.on_frame = [this](replay::SimulatedFrame&& frame) { take(std::move(frame)); };
    options.on_tick = [this] {
      if (live_) live_->tick();
      if (!live_ || !live_->paused()) show();
    };
  }

  const std::vector<run_record::FrameFigures>& figures() const { return figures_; }
  const std::vector<std::string>& differences() const { return differences_; }
  // Lines about logs of fragments that lack room, by frame.
  const std::vector<std::string>& full_logs() const { return full_logs_; }

 private:
  struct UnderWay {
    uint64_t cycles = 0;
    double share = 0;
  };

  void take(replay::SimulatedFrame&& frame) {
    const uint64_t number = frame.figures.frame;
    if (out_ && frame.picture)
      report::write_png(out_->staged(fmt::format("frames/{:04}.png", number)), frame.picture->width,
                        frame.picture->height, frame.picture->rgba);
    if (database_) database_->add(frame.figures, frame.record.value());
    if (!frame.difference.empty()) differences_.push_back(std::move(frame.difference));
    progress_.line(fmt::format("frame {}: {} cycles", number, grouped(frame.figures.cycles)));
    if (frame.record && frame.record->fragments && frame.record->fragments->end)
      full_logs_.push_back(fmt::format(
          "frame {}: its log of fragments holds {} quads and ends at cycle {}; --fragment-limit makes room",
          number, grouped(frame.record->fragments->events), grouped(frame.record->fragments->end)));
    figures_.push_back(std::move(frame.figures));
    running_.erase(number);
    if (live_) live_->ended(number, figures_.back().cycles);
    show();
  }

  // Shows in a line how far the frames under way are.
  void show() {
    std::string text = fmt::format("{} of {} simulated", figures_.size(), counted(frames_, "frame"));
    auto share = static_cast<double>(figures_.size());
    for (const auto& [frame, under_way] : running_) {
      text += fmt::format("; frame {}: {} cycles", frame, grouped(under_way.cycles));
      share += under_way.share;
    }
    progress_.update(share / static_cast<double>(frames_), text);
  }

  uint64_t frames_;
  report::OutputFolder* out_;
  report::RunDatabase* database_;
  report::Progress& progress_;
  LiveView* live_;
  std::map<uint64_t, UnderWay> running_;  // by frame
  std::vector<run_record::FrameFigures> figures_;
  std::vector<std::string> differences_, full_logs_;
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

void print_result(const report::RunInfo& run, const std::vector<run_record::FrameFigures>& frames,
                  const std::vector<std::string>& differences, const report::OutputFolder* out,
                  bool database) {
  double seconds = 0;
  uint64_t cycles = 0;
  for (const run_record::FrameFigures& frame : frames) seconds += frame.seconds, cycles += frame.cycles;
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
  const bool recorded = out && machine.stats;
  replay::SimulationOptions options = simulation_options(machine, config, recorded);
  std::optional<report::RunDatabase> database;
  if (recorded) database.emplace(out->staged(kDatabase), sweep::annotations_of(reader));
  FrameTaker taker(frames.last - frames.first + 1, out, database ? &*database : nullptr, progress, live);
  taker.listen(options);
  if (live) options.live = live->simulating(frames, options.jobs, out ? out->path() : ".", progress);
  std::optional<WholeFile> timeline;
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
                            .differences = taker.differences(),
                            .seconds = seconds.count(),
                            .jobs = options.jobs};
  if (out) {
    if (database) database->finish(run, parameters, machine.interval);
    database.reset();  // the file is whole and closed before it gets its place
    out->write("summary.json", report::summary_json(run, taker.figures()));
    out->commit();
  }
  if (timeline) timeline->commit();
  for (const std::string& line : taker.full_logs()) fmt::print(stderr, "{}\n", line);
  print_result(run, taker.figures(), taker.differences(), out, recorded);
  if (timeline) fmt::print("timeline: {}; open it in ui.perfetto.dev\n", timeline->path().string());
  if (live) live->finish();
  return taker.differences().empty() ? kOk : kFailed;
}

}  // namespace cutaway::app
