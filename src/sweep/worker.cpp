#include "sweep/worker.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "replay/frame_message.h"
#include "replay/simulation.h"
#include "sweep/queue.h"

namespace cutaway::sweep {
namespace {

// The plan was made with this program, these presets and this capture, or nothing is run.
void check_unchanged(Point& point, machine::Config& config) {
  const CaptureFile& capture = point.capture;
  struct stat status {};
  if (stat(capture.path.c_str(), &status)) user_error("{}: {}", capture.path.string(), std::strerror(errno));
  const int64_t modified = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  if (static_cast<uint64_t>(status.st_size) != capture.bytes || modified != capture.modified)
    user_error("{}: has changed since the sweep was planned; start the sweep again", capture.path.string());
  point.machine = text_hash(machine_text(config));
  if (identity_hash(point) != point.hash)
    user_error(
        "{}: planned by another build of cutaway, or with other presets; start the sweep again with "
        "the same program everywhere",
        point.hash);
}

std::string simulate_point(Point point) {
  machine::Config config;
  load_config(config, point.gpu, settings_of(point));
  check_unchanged(point, config);
  const capture::Reader reader(point.capture.path, {.check = false});
  replay::SimulationOptions options{.config = config};
  options.verify = point.verify;
  options.warmup = point.warmup;
  std::string message;
  options.on_frame = [&](replay::SimulatedFrame&& frame) {
    if (!frame.difference.empty())
      user_error("verify: {}", frame.difference.substr(0, frame.difference.find('\n')));
    frame.picture.reset();
    message = encode_frame(frame);
  };
  replay::simulate(reader, point.frame, point.frame, options);
  return message;
}

}  // namespace

void run_point(const std::filesystem::path& folder, const std::string& hash, const std::string& engine) {
  const InterruptGuard guard;
  const Queue queue(folder);
  const auto lock = queue.claim(hash);
  if (!lock) return;
  Outcome outcome{new_attempt(engine), {}};
  queue.begin(hash, outcome.attempt);
  try {
    outcome.frame = simulate_point(queue.job(hash));
    outcome.attempt.outcome = "finished";
  } catch (const std::exception& error) {
    end_if_interrupted();  // then nothing is known of the point
    outcome.attempt.outcome = "failed";
    outcome.attempt.message = error.what();
  }
  outcome.attempt.end = seconds_now();
  queue.finish(hash, outcome);
}

}  // namespace cutaway::sweep
