#include "replay/simulation.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "replay/frame_message.h"
#include "replay/seeker.h"
#include "replay/verify.h"
#include "replay/worker_pool.h"

namespace cutaway::replay {
namespace {

using Clock = std::chrono::steady_clock;
constexpr unsigned kEarlyFrames = 8;  // for each job: frames that wait in memory for one before them
constexpr std::chrono::milliseconds kTell{100};  // between two reports of progress under a live view

// The start of the frame that a seeker comes to, or of one that warms the machine up for it; of the latter
// also what its queries write.
struct Start {
  arch::Memory memory;
  std::vector<messages::QueryValue> query_values;
  ClockOptions::Amount amount;             // of the frame
  std::optional<arch::Surface> displayed;  // presented last before it
};
using Starts = std::deque<Start>;

ClockOptions::Amount amount_of(const EmulatedFrame& frame) {
  return {frame.statistics.primitives_in, frame.statistics.fragments};
}

void add(ClockOptions::Amount& sum, const ClockOptions::Amount& more) {
  sum.primitives += more.primitives, sum.fragments += more.fragments;
}

// Options for the clock of a frame: how much its warm-up and itself draw, and what their queries write, some
// of which only the emulator can tell.
ClockOptions clock_options(const Starts& starts, const EmulatedFrame& emulated,
                           const SimulationOptions& options, const WorkerChannel& channel) {
  ClockOptions clock = options.clock;
  const auto add_values = [&clock](const std::vector<messages::QueryValue>& values) {
    clock.query_values.insert(clock.query_values.end(), values.begin(), values.end());
  };
  for (const Start& warm : starts) add_values(warm.query_values), add(clock.amount, warm.amount);
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
    if (Clock::now() - told_ < kTell) return;
    told_ = Clock::now();
    channel_.progress(cycles, share);
  }

  const WorkerChannel& channel_;
  LiveFrame live_;
  FrameClock* machine_ = nullptr;
  Clock::time_point told_;
};

// How the frame differs from the emulator's; empty: not at all. Runs it anew where it does.
FrameDifference difference_of(const Seeker& seeker, uint64_t frame, const Start& start,
                              const EmulatedFrame& emulated, const FrameClock& clocked,
                              const SimulatedFrame& simulated, const SimulationOptions& options,
                              ClockOptions clock) {
  clock.query_values = emulated.query_values;
  clock.displayed = start.displayed;
  clock.observe.reset();  // it has been
  if (options.live) clock.look_on = false, clock.on_progress = {};
  return compare_frame({.reader = seeker.reader(),
                        .frame = frame,
                        .context = seeker.context(),
                        .start = start.memory,
                        .emulated = seeker.memory(),
                        .clocked = clocked.memory(),
                        .emulated_picture = emulated.picture,
                        .clocked_picture = simulated.picture,
                        .config = options.config,
                        .clock = clock});
}

// Runs, in a worker, the frame at whose start the seeker stands.
SimulatedFrame simulate_frame(Seeker& seeker, const Starts& starts, const SimulationOptions& options,
                              const WorkerChannel& channel) {
  const uint64_t frame = seeker.frame(), warmup = starts.size() - 1;
  // The emulator goes first: the clock needs values that only it can tell.
  const EmulatedFrame emulated = seeker.step();
  ClockOptions clock = clock_options(starts, emulated, options, channel);
  std::optional<Watched> watched;
  if (options.live) watched.emplace(*options.live, frame, emulated.statistics.draws, channel, clock);
  FrameClock clocked(options.config, starts.front().memory, clock);
  if (watched) watched->attach(clocked);
  for (uint64_t before = frame - warmup; before < frame; before++) clocked.run(seeker.reader(), before, true);
  if (watched) watched->frame().begin(clocked);
  const bool warmup_diverged =
      options.verify && warmup && clocked.memory().hash() != starts.back().memory.hash();
  ClockedFrame result = clocked.run(seeker.reader(), frame);
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
    FrameDifference found =
        difference_of(seeker, frame, starts.back(), emulated, clocked, simulated, options, clock);
    simulated.difference = std::move(found.text), simulated.hangs_on_order = found.hangs_on_order;
  }
  return simulated;
}

// All draws of a frame in order, including the driver's own. start: memory at its start.
std::vector<run_record::Timeline::Draw> draws_of(const capture::Reader& reader, uint64_t frame,
                                                 const arch::Memory& start) {
  std::vector<run_record::Timeline::Draw> draws;
  PacketWalker walker(start, [&](const Packet& packet) {
    if (!is_draw(packet.opcode)) return;
    for (uint32_t draw = packet.draw - packet.draws + 1; draw <= packet.draw; draw++)
      draws.push_back(
          {static_cast<uint32_t>(packet.submission), draw, static_cast<uint32_t>(draws.size() + 1)});
  });
  reader.play(frame, walker);
  return draws;
}

// The frame from which a seeker starts: the previous frame if the capture has it, because its presented
// picture is on the display.
uint64_t before(const capture::Reader& reader, uint64_t frame) {
  return frame > reader.info().first_frame() ? frame - 1 : frame;
}
std::optional<arch::Surface> step_to(Seeker& seeker, uint64_t frame) {
  return seeker.frame() < frame ? seeker.step().presented : std::nullopt;
}

// The first frame that is clocked, warm-up included.
uint64_t first_clocked(const capture::Reader& reader, uint64_t first, uint64_t warmup) {
  const uint64_t held = reader.info().first_frame();
  if (warmup > first - held)
    user_error("--warmup {}: the capture holds {} before frame {}; simulate frames from {}", warmup,
               counted(first - held, "frame"), first, held + warmup);
  return first - warmup;
}

}  // namespace

void name_draw(const capture::Reader& reader, uint64_t frame, const arch::Memory& start,
               machine::ObserverOptions& observe) {
  if (!observe.draw) return;
  const std::vector<run_record::Timeline::Draw> draws = draws_of(reader, frame, start);
  const uint32_t number = observe.draw->number;
  if (number == 0 || number > draws.size())
    user_error("draw {}: frame {} has {}, the driver's own among them", number, frame,
               counted(draws.size(), "draw"));
  observe.draw = draws[number - 1];
}

run_record::Timeline observe(const capture::Reader& reader, uint64_t frame, const machine::Config& config,
                             const ClockOptions& options) {
  ClockOptions clock = options;
  Seeker seeker(reader, before(reader, frame));
  clock.displayed = step_to(seeker, frame);
  const arch::Memory start = seeker.memory();
  check_supported(reader, frame, frame, start, config.abilities());
  name_draw(reader, frame, start, clock.observe.value());
  const EmulatedFrame emulated = seeker.step();
  clock.query_values = emulated.query_values;
  clock.amount = amount_of(emulated);
  return FrameClock(config, start, clock).run(reader, frame).timeline.value();
}

std::vector<run_record::Timeline::Draw> draws_over(const capture::Reader& reader, uint64_t frame,
                                                   const machine::Config& config, const ClockOptions& options,
                                                   int32_t x, int32_t y) {
  ClockOptions clock = options;
  machine::ObserverOptions& observer = clock.observe.emplace();
  observer.units = false;
  observer.most_cycles = ~uint64_t{0} / 1'000'000;
  observer.keep = [&](const run_record::Timeline::Thing& thing) {
    return thing.kind == run_record::Timeline::Thing::Kind::kTile && thing.covers(x, y);
  };
  const run_record::Timeline timeline = observe(reader, frame, config, clock);
  std::vector<run_record::Timeline::Draw> over;
  Seeker seeker(reader, frame);
  for (const run_record::Timeline::Draw& draw : draws_of(reader, frame, seeker.memory()))
    if (std::any_of(timeline.things.begin(), timeline.things.end(),
                    [&](const run_record::Timeline::Thing& thing) {
                      return thing.submission == draw.submission && thing.draw == draw.draw;
                    }))
      over.push_back(draw);
  return over;
}

void simulate(const capture::Reader& reader, uint64_t first, uint64_t last,
              const SimulationOptions& simulation_options) {
  SimulationOptions options = simulation_options;
  if (first < reader.info().first_frame() || last > reader.info().last_frame() || last < first)
    user_error("frames {}..{}: the capture holds {}..{}", first, last, reader.info().first_frame(),
               reader.info().last_frame());
  CUTAWAY_CHECK(!options.clock.observe || first == last, "several frames are observed");
  const uint64_t clocked = first_clocked(reader, first, options.warmup);
  Seeker seeker(reader, before(reader, clocked), {.on_frame = options.on_seek});
  std::optional<arch::Surface> displayed = step_to(seeker, clocked);
  check_supported(reader, clocked, last, seeker.memory(), options.config.abilities());
  Starts starts{{seeker.memory(), {}, {}, displayed}};
  const auto step = [&] {
    EmulatedFrame emulated = seeker.step();
    starts.back().query_values = std::move(emulated.query_values);
    starts.back().amount = amount_of(emulated);
    if (emulated.presented) displayed = emulated.presented;
    starts.push_back({seeker.memory(), {}, {}, displayed});
  };
  while (seeker.frame() < first) step();
  if (options.clock.observe) name_draw(reader, first, seeker.memory(), *options.clock.observe);

  std::map<uint64_t, SimulatedFrame> early;  // finished before an earlier frame
  uint64_t next = first;
  WorkerPool pool(options.jobs,
                  {.on_progress = options.on_progress,
                   .on_result =
                       [&](uint64_t frame, std::string message) {
                         early[frame] = decode_frame(message);
                         for (auto it = early.find(next); it != early.end(); it = early.find(next)) {
                           options.on_frame(std::move(it->second));
                           early.erase(it);
                           next++;
                         }
                       },
                   .on_text =
                       [&](uint64_t frame, char kind, const std::string& json) {
                         const LiveOptions& live = options.live.value();
                         (kind == LiveFrame::kRunning ? live.on_running : live.on_recording)(frame, json);
                       },
                   .on_tick = options.on_tick});
  const uint64_t most_early = uint64_t{kEarlyFrames} * options.jobs;
  for (uint64_t frame = first;; frame++) {
    pool.wait_until([&] { return early.size() < most_early; });
    pool.start(frame, [&](const WorkerChannel& channel) {
      return encode_frame(simulate_frame(seeker, starts, options, channel));
    });
    if (frame == last) break;
    if (options.on_seek) options.on_seek(frame + 1);
    step();
    starts.pop_front();
  }
  pool.wait();
}

}  // namespace cutaway::replay
