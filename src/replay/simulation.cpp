#include "replay/simulation.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "replay/frame_message.h"
#include "replay/frame_start.h"
#include "replay/machine_run.h"
#include "replay/packet_walk.h"
#include "replay/worker_pool.h"

namespace cutaway::replay {
namespace {

constexpr unsigned kEarlyFrames = 8;  // for each job: frames that wait in memory for one before them

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

void check_held(const capture::Reader& reader, uint64_t first, uint64_t last) {
  if (first < reader.info().first_frame() || last > reader.info().last_frame() || last < first)
    user_error("frames {}..{}: the capture holds {}..{}", first, last, reader.info().first_frame(),
               reader.info().last_frame());
}

// Emulates a frame while the workers run those before it. If it cannot be emulated, these end first, so that
// their results are not lost.
void emulate_beside(StartWalker& walker, WorkerPool& pool) {
  try {
    walker.emulate();
  } catch (const UserError&) {
    pool.wait();
    throw;
  }
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
  StartWalker walker(reader, frame, 0, {});
  const FrameStart& start = walker.starts().back();
  clock.displayed = start.displayed;
  check_supported(reader, frame, frame, start.memory, config.abilities());
  name_draw(reader, frame, start.memory, clock.observe.value());
  walker.emulate();
  clock.query_values = walker.emulated().query_values;
  clock.amount = amount_of(walker.emulated());
  return FrameClock(config, start.memory, clock).run(reader, frame).timeline.value();
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
  StartWalker walker(reader, first, options.warmup, options.on_seek);
  check_supported(reader, walker.first_clocked(), last, walker.starts().front().memory,
                  options.config.abilities());
  if (options.clock.observe) name_draw(reader, first, walker.starts().back().memory, *options.clock.observe);

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
    emulate_beside(walker, pool);
    pool.start(frame, [&](const WorkerChannel& channel) {
      return encode_frame(run_on_machine(reader, walker, options, channel));
    });
    if (frame == last) break;
    if (options.on_seek) options.on_seek(frame + 1);
    walker.next();
  }
  pool.wait();
}

void simulate_machines(const capture::Reader& reader, uint64_t first, uint64_t last,
                       const std::vector<machine::Config>& machines, const MachinesOptions& events) {
  constexpr char kFrame = 'f', kRefusal = 'r';
  check_held(reader, first, last);
  SimulationOptions options;
  StartWalker walker(reader, first, events.warmup, {});
  std::vector<bool> refused(machines.size());
  const auto refuse = [&](size_t machine, const std::string& why) {
    if (!refused[machine]) events.on_refusal(machine, why);
    refused[machine] = true;
  };
  for (size_t i = 0; i < machines.size(); i++) try {
      check_supported(reader, walker.first_clocked(), last, walker.starts().front().memory,
                      machines[i].abilities());
    } catch (const UserError& error) { refuse(i, error.what()); }
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
    emulate_beside(walker, pool);
    for (size_t i = 0; i < machines.size(); i++) {
      if (refused[i]) continue;
      options.config = machines[i];
      pool.start((frame - first) * machines.size() + i, [&](const WorkerChannel& channel) {
        try {
          return kFrame + encode_frame(run_on_machine(reader, walker, options, channel));
        } catch (const UserError& error) { return kRefusal + std::string(error.what()); }
      });
    }
    if (frame == last) break;
    walker.next();
  }
  pool.wait();
}

}  // namespace cutaway::replay
