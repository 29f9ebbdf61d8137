#include "app/program_capture.h"

#include <unistd.h>

#include "app/chip_offer.h"
#include "app/result_file.h"
#include "base/error.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "base/work_folder.h"
#include "capture/reader.h"
#include "capture/recover.h"
#include "launch/program_runner.h"
#include "launch/replayer.h"
#include "launch/windows_program.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;
using Why = launch::CaptureOutcome::Why;

constexpr size_t kMostNameBytes = 200;  // of the capture's name in the folder's; names have at most 255

// Checks, before a program is started, that the file can be written.
void check_writable(const fs::path& file) { const WholeFile probe(file); }

// The capture in a folder of its own beside its place, FILE.cutaway-XXXXXXXXXXXX, where the program's driver
// writes it. It gets its place when it is closed. Leftovers of an earlier run are not mistaken for it.
class FreshCapture {
 public:
  explicit FreshCapture(const fs::path& file)
      : stamp_(file),
        folder_(file.parent_path(), file.filename().string().substr(0, kMostNameBytes) + ".cutaway-",
                "name a file in a folder that can be written"),
        fresh_(folder_.path() / "capture") {}
  const fs::path& path() const { return fresh_; }

  // Closes the file of a driver that was ended, and gives the capture its place. Returns its frames; none:
  // there is no whole frame, and no capture.
  std::optional<FrameRange> keep() {
    close_newest();
    if (!fs::exists(fresh_)) return {};
    const capture::Reader reader(fresh_, {.check = false});
    tell_if_outdated(stamp_);
    std::error_code error;
    fs::rename(fresh_, stamp_.path(), error);
    if (error) user_error("{}: cannot be written ({})", stamp_.path().string(), error.message());
    return FrameRange{reader.info().first_frame(), reader.info().last_frame()};
  }

 private:
  // A recording that was ended counts if it has frames and is newer than a closed one.
  void close_newest() {
    std::error_code error;
    const bool closed = fs::exists(fresh_, error);
    for (const fs::path& open : capture::temporary_files(fresh_)) {
      if (closed && fs::last_write_time(open, error) < fs::last_write_time(fresh_, error)) return;
      try {
        if (capture::recover(open, fresh_)) return;
      } catch (const UserError& why) {
        folder_.keep();
        user_error("{}; its frames can be read in {}", why.what(), open.string());
      }
    }
  }

  FileStamp stamp_;
  WorkFolder folder_;
  fs::path fresh_;
};

// True for the capture writer's error about a program that ended early: reported below, with the requested
// frames.
bool about_missing_frames(const std::string& error) { return error.find(": no capture: ") != error.npos; }

std::vector<std::string> refusals(const launch::CaptureOutcome& outcome) {
  std::vector<std::string> result;
  for (const std::string& error : outcome.driver.errors)
    if (!about_missing_frames(error)) result.push_back(error);
  return result;
}

// The end of a line about a capture with fewer frames than requested.
std::string kept_text(const std::string& file, const std::optional<FrameRange>& held,
                      const FrameRange& asked) {
  if (!held) return "; no capture was written";
  std::string text =
      fmt::format("; {} holds {}, {}", file, counted(held->last - held->first + 1, "frame"), held->text());
  if (asked.last != FrameRange::kLast && held->last < asked.last)
    text += fmt::format(" of the {} asked for", asked.text());
  return text;
}

// Message for a program that ended by itself without any requested frame.
std::string nothing_text(const std::string& name, const FrameRange& asked, uint64_t presented) {
  if (presented == 0 && asked.first > 1)
    return fmt::format("--frames {}: {} presented nothing; all that such a program does is frame 1",
                       asked.text(), name);
  if (presented == 0)
    return fmt::format(
        "{}: it gave Cutaway's GPU no work; run a Vulkan program, or an OpenGL one that Mesa drives", name);
  return fmt::format("--frames {}: {} ended after frame {}; ask for frames up to that one", asked.text(),
                     name, presented);
}

struct Problem {
  int code = kOk;
  std::string text;
};

// The problem of a program that ended by itself, if there is one.
Problem problem_at_end(const std::string& name, const launch::CaptureOutcome& outcome,
                       const FrameRange& asked, const std::optional<FrameRange>& held,
                       const std::string& hint) {
  const std::vector<std::string> refused = refusals(outcome);
  // An error of the driver is the reason, whatever the program did afterwards.
  if (!held && !refused.empty()) return {kUserError, fmt::format("{}: {}", name, refused.front())};
  if (!outcome.end.success()) {
    std::string text =
        fmt::format("{}: {} after {}", name, outcome.end.text(), counted(outcome.driver.frames, "frame"));
    if (!refused.empty()) text += ": " + refused.back();
    else if (!outcome.explanation.empty()) text += ": " + outcome.explanation;
    return {kFailed, text + hint};
  }
  if (!held) return {kUserError, nothing_text(name, asked, outcome.driver.frames)};
  if (asked.last != FrameRange::kLast && held->last < asked.last)
    return {kFailed, fmt::format("--frames {}: {} ended after frame {}", asked.text(), name, held->last)};
  return {};
}

Problem problem_of(const std::string& name, const launch::CaptureOutcome& outcome, const FrameRange& asked,
                   const std::optional<FrameRange>& held, const std::string& hint) {
  switch (outcome.why) {
    case Why::kComplete:
      return {};
    case Why::kEnded:
      return problem_at_end(name, outcome, asked, held, hint);
    case Why::kLost:
      return {kFailed, fmt::format("{}: {}", name, outcome.driver.lost)};
    case Why::kUnwritable:
      return {kUserError, outcome.driver.failed};
    case Why::kInterrupted:
      return {held ? kFailed : kUserError, held ? "interrupted" : "interrupted before a frame was whole"};
  }
  return {};
}

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(STDERR_FILENO, text.data(), text.size());
    if (count <= 0) return;  // no reader
    text.remove_prefix(static_cast<size_t>(count));
  }
}

}  // namespace

std::string CapturedProgram::frames_text() const {
  if (!frames) return "no frame";
  if (!presented) return "frame 1 (all of a program that presents nothing)";
  return (frames->first == frames->last ? "frame " : "frames ") + frames->text();
}

CapturedProgram capture_to(const fs::path& file, const std::string& shown, const CommandArguments& arguments,
                           const FrameRange& frames, const machine::Config* gpu, report::Progress& progress) {
  check_writable(file);
  const std::vector<std::string> program = launch::with_replayer(arguments.program);
  const std::string name = arguments.program[0];
  launch::CaptureRequest request{
      .command = program, .frames = frames, .key_interval = arguments.key_interval};
  if (launch::is_windows_program(name)) {
    launch::WineStart wine = launch::wine_start(arguments.program, progress);
    request.command = std::move(wine.command);
    request.environment = std::move(wine.environment);
  }
  request.halves = arguments.halves, request.host_times = arguments.host_times;
  request.gl_thread = arguments.gl_thread;
  if (gpu) {
    const command_stream::Abilities abilities = gpu->abilities();
    request.without = app::without(abilities), request.formats = app::formats(abilities);
    request.images = app::images(abilities);
    request.programs = app::programs(abilities);
    request.halves |= abilities.halves;
    request.fog = abilities.fog;
    request.host_times |= gpu->host.present();
    request.loads = app::loads(*gpu);
    if (arguments.gl_thread && request.host_times)
      user_error(
          "--gl-thread: {} has a host in time (host.cpu), whose times are those of the program's own thread",
          gpu->name);
    request.memory = app::memory(*gpu, arguments.system_textures);
    if (arguments.system_textures && request.memory.empty())
      user_error(
          "--system-textures: {} has no bus to system memory (bus.bytes_per_cycle, bus.memory): give a "
          "machine that has one",
          gpu->name);
    // Mesa's fast path of GL_SELECT uses a geometry program, even if the device has no geometry stage.
    if (!abilities.stages.has(arch::Stage::kGeometry)) request.environment["MESA_HW_ACCEL_SELECT"] = "0";
  }
  request.on_wait = [&](uint64_t ended) {
    const bool open = frames.last == FrameRange::kLast;
    progress.update(open ? -1 : static_cast<double>(ended) / static_cast<double>(frames.last),
                    fmt::format("{}: in frame {}", name, ended + 1));
  };
  request.on_error_text = [&](std::string_view text) {
    progress.clear();
    write_all(text);
  };
  progress.update(-1, fmt::format("{}: starting", name));
  FreshCapture fresh(file);
  request.file = fresh.path().string();
  const launch::CaptureOutcome outcome = launch::capture_program(request);
  progress.clear();
  const FrameRange asked = arguments.frames.value_or(FrameRange{});  // a default range need not be reached

  CapturedProgram captured{.presented = outcome.driver.frames > 0, .seconds = outcome.seconds};
  captured.frames = fresh.keep();
  captured.stopped = outcome.why != Why::kComplete && outcome.why != Why::kEnded;
  const Problem problem = problem_of(name, outcome, asked, captured.frames, launch::replay_hint(program));
  if (captured.frames)
    for (const std::string& refused : refusals(outcome)) progress.line(fmt::format("{}: {}", name, refused));
  captured.code = problem.code;
  if (problem.code == kFailed || captured.frames || captured.stopped)
    captured.problem = problem.text + kept_text(shown, captured.frames, asked);
  else captured.problem = problem.text;
  return captured;
}

}  // namespace cutaway::app
