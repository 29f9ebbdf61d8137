#include "sweep/worker.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <optional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/whole_file.h"
#include "replay/frame_message.h"
#include "replay/shared_frame.h"
#include "report/frame_causes.h"
#include "sweep/queue.h"
#include "sweep/run_recording.h"

namespace cutaway::sweep {
namespace {

// Checks that the plan was made with this program, these presets and this capture; otherwise nothing is run.
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

// The database of a run that consists of this point.
class Record {
 public:
  Record(const Point& point, const capture::Reader& reader, const std::filesystem::path& path)
      : point_(point) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) user_error("{}: cannot be made: {}", path.parent_path().string(), error.message());
    file_.emplace(path);
    database_.emplace(file_->temporary(), annotations_of(reader));
    run_.program = std::string(reader.info().value("program"));
  }
  void add(const replay::SimulatedFrame& frame) {
    database_->add(frame.figures, frame.record.value());
    run_.seconds = frame.figures.seconds;
  }
  // Returns what held the frame up.
  std::map<std::string, double> commit(const machine::Config& config) {
    const std::vector<report::ParameterText> parameters = parameters_of(config);
    run_.gpu = config.name, run_.base = config.base, run_.parameters = changed(parameters);
    run_.capture = point_.capture.path.string(), run_.program_hash = program_hash();
    run_.gpu_argument = point_.gpu, run_.sets = settings_of(point_);
    run_.warmup = point_.warmup, run_.verified = point_.verify;
    database_->finish(run_, parameters, point_.record_interval);
    database_.reset();  // completes and closes the file before it gets its name
    auto causes = report::add_frame_causes(file_->temporary());
    file_->commit();
    return std::move(causes[point_.frame]);
  }

 private:
  const Point& point_;
  std::optional<WholeFile> file_;  // holds the database, which is closed first
  std::optional<report::RunDatabase> database_;
  report::RunInfo run_;
};

// The frame of the last point, for subsequent points of the same frame, and of those shortly behind it.
class LastFrame {
 public:
  const replay::SharedFrame& frame_of(const Point& point) {
    if (frame_ && point.capture.hash == capture_ && point.warmup == frame_->warmup()) try {
        if (frame_->go_on_to(point.frame)) return *frame_;
      } catch (...) {
        frame_.reset();
        throw;
      }
    frame_.reset();
    if (!reader_ || point.capture.hash != capture_) reader_.emplace(point.capture.path, kUnchecked);
    capture_ = point.capture.hash;
    return frame_.emplace(*reader_, point.frame, point.warmup);
  }
  const capture::Reader& reader() const { return *reader_; }

 private:
  static constexpr capture::ReaderOptions kUnchecked{.check = false};
  std::optional<capture::Reader> reader_;
  std::optional<replay::SharedFrame> frame_;
  std::string capture_;
};

// Simulates the point, and puts its frame and, if its run is kept, what held it up into the outcome.
void simulate_point(Point point, const std::filesystem::path& path_of_record, LastFrame& last,
                    Outcome& outcome) {
  machine::Config config;
  load_config(config, point.gpu, settings_of(point));
  check_unchanged(point, config);
  const replay::SharedFrame& shared = last.frame_of(point);
  replay::SimulationOptions options{.config = config};
  options.verify = point.verify;
  options.clock.record_interval = point.record_interval;
  replay::SimulatedFrame frame = shared.simulate(options);
  if (!frame.difference.empty())
    user_error("verify: {}{}", frame.difference.substr(0, frame.difference.find('\n')),
               frame.hangs_on_order ? ": the result hangs on the order of threads" : "");
  if (point.record_interval) {
    Record record(point, last.reader(), path_of_record);
    record.add(frame);
    outcome.causes = record.commit(config);
  }
  frame.picture.reset();
  frame.record.reset();
  frame.figures.wires.clear();  // the database of results does not store wires
  outcome.frame = encode_frame(frame);
}

void run_point(const Queue& queue, const std::string& hash, const std::string& engine, LastFrame& last) {
  const auto lock = queue.claim(hash);
  if (!lock) return;
  Outcome outcome{new_attempt(engine), {}};
  queue.begin(hash, outcome.attempt);
  try {
    simulate_point(queue.job(hash), queue.record(hash), last, outcome);
    outcome.attempt.outcome = "finished";
  } catch (const std::exception& error) {
    end_if_interrupted();  // an interrupt says nothing about the point
    outcome.attempt.outcome = "failed";
    outcome.attempt.message = error.what();
  }
  outcome.attempt.end = seconds_now();
  queue.finish(hash, outcome);
}

// Waits until few outcomes are left to store, so that the queue never fills a disk.
void wait_for_room(const Queue& queue, std::deque<std::string>& ended) {
  constexpr size_t kMostLeft = 2;
  constexpr std::chrono::milliseconds kPause(5);
  while (true) {
    std::erase_if(ended, [&](const std::string& hash) { return !queue.is_done(hash); });
    if (ended.size() < kMostLeft) return;
    std::this_thread::sleep_for(kPause);
    end_if_interrupted();
  }
}

}  // namespace

void run_points(const std::filesystem::path& folder, const std::vector<std::string>& hashes,
                const std::string& engine) {
  const InterruptGuard guard;
  const Queue queue(folder);
  LastFrame last;
  std::deque<std::string> ended;  // outcomes that the sweep has not stored yet
  for (const std::string& hash : hashes) {
    wait_for_room(queue, ended);
    run_point(queue, hash, engine, last);
    ended.push_back(hash);
  }
}

}  // namespace cutaway::sweep
