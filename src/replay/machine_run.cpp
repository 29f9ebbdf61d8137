#include "replay/machine_run.h"

#include <chrono>

#include "base/error.h"
#include "replay/verify.h"

namespace cutaway::replay {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kReportEvery{100};  // between two reports of progress under a live view

void add(ClockOptions::Amount& sum, const ClockOptions::Amount& more) {
  sum.primitives += more.primitives, sum.fragments += more.fragments;
}

// Options for the clock of a frame: how much its warm-up and itself draw, and what their queries write, some
// of which only the emulator can tell.
ClockOptions clock_options(const FrameStarts& starts, const EmulatedFrame& emulated,
                           const SimulationOptions& options, const WorkerChannel& channel) {
  ClockOptions clock = options.clock;
  const auto add_values = [&clock](const std::vector<messages::QueryValue>& values) {
    clock.query_values.insert(clock.query_values.end(), values.begin(), values.end());
  };
  for (const FrameStart& warm : starts) add_values(warm.query_values), add(clock.amount, warm.amount);
  add_values(emulated.query_values), add(clock.amount, amount_of(emulated));
  clock.on_progress = [&](uint64_t cycles, double share) { channel.progress(cycles, share); };
  clock.displayed = starts.front().displayed;
  return clock;
}

// A frame under a live view, which looks at the machine whenever the clock tells how far it is.
class Watched {
 public:
  Watched(const LiveOptions& view, uint64_t frame, uint64_t draws, const WorkerChannel& channel,
          ClockOptions& clock)
      : channel_(channel), live_(view, frame, draws, [&channel](char kind, const std::string& json) {
          channel.tell(kind, json);
        }) {
    clock.look_on = true;
    clock.on_progress = [this](uint64_t cycles, double share) { look(cycles, share); };
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  // The machine exists; nothing has run on it.
  void attach(FrameClock& machine) { machine_ = &machine; }
  LiveFrame& frame() { return live_; }

 private:
  void look(uint64_t cycles, double share) {
    live_.look(*machine_, cycles, share);
    if (Clock::now() - told_ < kReportEvery) return;
    told_ = Clock::now();
    channel_.progress(cycles, share);
  }

  const WorkerChannel& channel_;
  LiveFrame live_;
  FrameClock* machine_ = nullptr;
  Clock::time_point told_;
};

// The screen with the frame's picture: the rows that the machine took from each picture, as the emulator drew
// them. None: the frame presents nothing.
std::optional<arch::Picture> expected_screen(const StartWalker& walker,
                                             const std::vector<arch::PictureRows>& own_rows) {
  if (!walker.emulated().picture) return {};
  std::vector<const arch::Picture*> drawn;
  for (const FrameStart& start : walker.starts())
    if (start.picture) drawn.push_back(&*start.picture);
  drawn.push_back(&*walker.emulated().picture);
  CUTAWAY_CHECK(drawn.size() == own_rows.size(), "the display shows a picture for each frame");
  arch::Picture screen;
  for (size_t i = 0; i < drawn.size(); i++) arch::copy_rows(*drawn[i], own_rows[i], screen);
  return screen;
}

// How the frame differs from the emulator's; empty: not at all. Runs it anew where it does.
FrameDifference difference_of(const capture::Reader& reader, const StartWalker& walker,
                              const FrameClock& clocked, const SimulatedFrame& simulated,
                              const SimulationOptions& options, ClockOptions clock) {
  const FrameStart& start = walker.starts().back();
  const EmulatedFrame& emulated = walker.emulated();
  clock.query_values = emulated.query_values;
  clock.displayed = start.displayed;
  clock.observe.reset();  // it has been
  if (options.live) clock.look_on = false, clock.on_progress = {};
  const std::optional<arch::Picture> screen = expected_screen(walker, clocked.own_rows());
  return compare_frame({.reader = reader,
                        .frame = emulated.frame,
                        .context = walker.context(),
                        .start = start.memory,
                        .emulated = walker.memory(),
                        .clocked = clocked.memory(),
                        .emulated_picture = screen,
                        .clocked_picture = simulated.picture,
                        .config = options.config,
                        .clock = clock});
}

}  // namespace

SimulatedFrame run_on_machine(const capture::Reader& reader, const StartWalker& walker,
                              const SimulationOptions& options, const WorkerChannel& channel) {
  const FrameStarts& starts = walker.starts();
  const EmulatedFrame& emulated = walker.emulated();
  const uint64_t frame = walker.frame(), warmup = starts.size() - 1;
  ClockOptions clock = clock_options(starts, emulated, options, channel);
  std::optional<Watched> watched;
  if (options.live) watched.emplace(*options.live, frame, emulated.statistics.draws, channel, clock);
  FrameClock clocked(options.config, starts.front().memory, clock);
  if (watched) watched->attach(clocked);
  for (uint64_t before = frame - warmup; before < frame; before++) clocked.run(reader, before, true);
  if (watched) watched->frame().begin(clocked);
  const bool warmup_diverged =
      options.verify && warmup && clocked.memory().hash() != starts.back().memory.hash();
  ClockedFrame result = clocked.run(reader, frame);
  clocked.scan_out(result);
  if (watched) {
    watched->frame().end(clocked);
    result.figures.seconds -= watched->frame().paused_seconds();
  }
  if (result.timeline && options.on_timeline) options.on_timeline(std::move(*result.timeline));
  SimulatedFrame simulated{std::move(result.figures), std::move(result.picture), std::move(result.record),
                           ""};
  if (warmup_diverged) {
    simulated.difference = fmt::format(
        "frame {}: GPU memory differs from the emulator's after the frames of the warm-up; verify those",
        frame);
  } else if (options.verify) {
    FrameDifference found = difference_of(reader, walker, clocked, simulated, options, clock);
    simulated.difference = std::move(found.text), simulated.hangs_on_order = found.hangs_on_order;
  }
  return simulated;
}

}  // namespace cutaway::replay
