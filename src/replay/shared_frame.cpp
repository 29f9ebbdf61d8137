#include "replay/shared_frame.h"

#include "replay/frame_message.h"
#include "replay/machine_run.h"
#include "replay/worker_pool.h"

namespace cutaway::replay {

SharedFrame::SharedFrame(const capture::Reader& reader, uint64_t frame, uint64_t warmup)
    : reader_(reader), walker_(reader, frame, warmup, {}) {
  walker_.emulate();
}

bool SharedFrame::go_on_to(uint64_t frame) {
  // To read a key frame takes as long as to emulate about so many frames of a game.
  constexpr uint64_t kFramesForAKeyFrame = 8;
  if (frame < walker_.frame() || frame > reader_.info().last_frame()) return false;
  if (reader_.start_for(frame - warmup()) > walker_.frame() + kFramesForAKeyFrame) return false;
  while (walker_.frame() < frame) walker_.next();
  walker_.emulate();
  return true;
}

SimulatedFrame SharedFrame::simulate(const SimulationOptions& options) const {
  check_supported(reader_, walker_.first_clocked(), walker_.frame(), walker_.starts().front().memory,
                  options.config.abilities());
  std::string message;
  WorkerPool pool(1, {.on_progress = {},
                      .on_result = [&](uint64_t, std::string result) { message = std::move(result); }});
  pool.start(walker_.frame(), [&](const WorkerChannel& channel) {
    return encode_frame(run_on_machine(reader_, walker_, options, channel));
  });
  pool.wait();
  return decode_frame(message);
}

}  // namespace cutaway::replay
