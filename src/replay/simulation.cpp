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

// Leads the emulator from frame to frame, with the memory at the starts of the frame and of its warm-up.
class Walk {
 public:
  Walk(const capture::Reader& reader, uint64_t first, uint64_t last, const SimulationOptions& options)
      : reader_(reader),
        last_(last),
        clocked_(first_clocked(reader, first, options.warmup)),
        on_seek_(options.on_seek),
        seeker_(reader, before(reader, clocked_), {.on_frame = options.on_seek}),
        displayed_(step_to(seeker_, clocked_)) {
    starts_.push_back({seeker_.memory(), {}, {}, displayed_});
  }
  // UserError: a machine of these abilities cannot run the frames. Only before the first step.
  void check(const command_stream::Abilities& abilities) const {
    check_supported(reader_, clocked_, last_, seeker_.memory(), abilities);
  }
  void warm_up(uint64_t first) {
    while (seeker_.frame() < first) step();
  }
  void next() {
    if (on_seek_) on_seek_(seeker_.frame() + 1);
    step();
    starts_.pop_front();
  }
  Seeker& seeker() { return seeker_; }
  const Starts& starts() const { return starts_; }

 private:
  void step() {
    EmulatedFrame emulated = seeker_.step();
    starts_.back().query_values = std::move(emulated.query_values);
    starts_.back().amount = amount_of(emulated);
    if (emulated.presented) displayed_ = emulated.presented;
    starts_.push_back({seeker_.memory(), {}, {}, displayed_});
  }

  const capture::Reader& reader_;
  const uint64_t last_, clocked_;
  const std::function<void(uint64_t frame)> on_seek_;
  Seeker seeker_;
  std::optional<arch::Surface> displayed_;
  Starts starts_;
};

void check_held(const capture::Reader& reader, uint64_t first, uint64_t last) {
  if (first < reader.info().first_frame() || last > reader.info().last_frame() || last < first)
    user_error("frames {}..{}: the capture holds {}..{}", first, last, reader.info().first_frame(),
               reader.info().last_frame());
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
  check_held(reader, first, last);
  CUTAWAY_CHECK(!options.clock.observe || first == last, "several frames are observed");
  Walk walk(reader, first, last, options);
  walk.check(options.config.abilities());
  walk.warm_up(first);
  if (options.clock.observe) name_draw(reader, first, walk.seeker().memory(), *options.clock.observe);

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
      return encode_frame(simulate_frame(walk.seeker(), walk.starts(), options, channel));
    });
    if (frame == last) break;
    walk.next();
  }
  pool.wait();
}

void simulate_machines(const capture::Reader& reader, uint64_t first, uint64_t last,
                       const std::vector<machine::Config>& machines, const MachinesOptions& events) {
  constexpr char kFrame = 'f', kRefusal = 'r';
  check_held(reader, first, last);
  SimulationOptions options{.warmup = events.warmup};
  Walk walk(reader, first, last, options);
  std::vector<bool> refused(machines.size());
  const auto refuse = [&](size_t machine, const std::string& why) {
    if (!refused[machine]) events.on_refusal(machine, why);
    refused[machine] = true;
  };
  for (size_t i = 0; i < machines.size(); i++) try {
      walk.check(machines[i].abilities());
    } catch (const UserError& error) { refuse(i, error.what()); }
  walk.warm_up(first);
  WorkerPool pool(events.jobs, {.on_progress =
                                    [&](uint64_t item, uint64_t, double share) {
                                      events.on_progress(item % machines.size(),
                                                         first + item / machines.size(), share);
                                    },
                                .on_result =
                                    [&](uint64_t item, std::string message) {
                                      const size_t machine = item % machines.size();
                                      if (message.at(0) == kRefusal) refuse(machine, message.substr(1));
                                      else events.on_frame(machine, decode_frame(message.substr(1)));
                                    }});
  for (uint64_t frame = first;; frame++) {
    for (size_t i = 0; i < machines.size(); i++) {
      if (refused[i]) continue;
      options.config = machines[i];
      pool.start((frame - first) * machines.size() + i, [&](const WorkerChannel& channel) {
        try {
          return kFrame + encode_frame(simulate_frame(walk.seeker(), walk.starts(), options, channel));
        } catch (const UserError& error) { return kRefusal + std::string(error.what()); }
      });
    }
    if (frame == last) break;
    walk.next();
  }
  pool.wait();
}

}  // namespace cutaway::replay
