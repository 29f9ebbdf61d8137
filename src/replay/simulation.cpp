#include "replay/simulation.h"

#include <map>

#include "base/error.h"
#include "replay/frame_message.h"
#include "replay/seeker.h"
#include "replay/verify.h"
#include "replay/worker_pool.h"

namespace cutaway::replay {
namespace {

// In a worker: the frame at whose start the seeker stands.
SimulatedFrame simulate_frame(Seeker& seeker, const SimulationOptions& options,
                              const WorkerChannel& channel) {
  const uint64_t frame = seeker.frame();
  const arch::Memory start = seeker.memory();
  ClockOptions clock = options.clock;
  clock.on_progress = [&](uint64_t cycles) { channel.progress(cycles); };
  FrameClock clocked(options.config, start, clock);
  ClockedFrame result = clocked.run(seeker.reader(), frame);
  SimulatedFrame simulated{std::move(result.figures), std::move(result.picture), ""};
  if (!options.verify) return simulated;
  const EmulatedFrame emulated = seeker.step();
  simulated.difference = compare_frame({.reader = seeker.reader(),
                                        .frame = frame,
                                        .context = seeker.context(),
                                        .start = start,
                                        .emulated = seeker.memory(),
                                        .clocked = clocked.memory(),
                                        .emulated_picture = emulated.picture,
                                        .clocked_picture = simulated.picture,
                                        .config = options.config,
                                        .clock = options.clock});
  return simulated;
}

}  // namespace

void simulate(const capture::Reader& reader, uint64_t first, uint64_t last,
              const SimulationOptions& options) {
  if (options.on_seek) options.on_seek(reader.start_for(first));
  Seeker seeker(reader, first);
  check_supported(reader, first, last, seeker.memory());

  std::map<uint64_t, SimulatedFrame> early;  // ended before a frame before them
  uint64_t next = first;
  WorkerPool pool(options.jobs,
                  {.on_progress = options.on_progress, .on_result = [&](uint64_t frame, std::string message) {
                     early[frame] = decode_frame(message);
                     for (auto it = early.find(next); it != early.end(); it = early.find(next)) {
                       options.on_frame(std::move(it->second));
                       early.erase(it);
                       next++;
                     }
                   }});
  for (uint64_t frame = first;; frame++) {
    pool.start(frame, [&](const WorkerChannel& channel) {
      return encode_frame(simulate_frame(seeker, options, channel));
    });
    if (frame == last) break;
    if (options.on_seek) options.on_seek(frame + 1);
    seeker.step();
  }
  pool.wait();
}

}  // namespace cutaway::replay
