#include "app/program_capture.h"

#include <cstring>

#include "app/program_runner.h"
#include "app/replayer.h"
#include "base/error.h"
#include "base/text.h"
#include "capture/file.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;

// Before a program is started for it: that the file can be written at all.
void check_writable(const fs::path& file) {
  if (fs::is_directory(file)) user_error("{}: a folder; name the file to write", file.string());
  const capture::OutputFile probe(file);
}

// What the capture's writer says of a program that ended early: told below, by what was asked for.
bool about_missing_frames(const std::string& error) { return error.find(": no capture: ") != error.npos; }

// The capture under the name that a program's driver writes to, which gets its own when it is whole. What an
// earlier run left there is not taken for this one's.
class FreshCapture {
 public:
  explicit FreshCapture(const fs::path& file) : file_(file), fresh_(file.string() + ".new") { remove(); }
  ~FreshCapture() { remove(); }
  FreshCapture(const FreshCapture&) = delete;
  const fs::path& path() const { return fresh_; }
  void keep() const {
    std::error_code error;
    fs::rename(fresh_, file_, error);
    if (error) user_error("{}: cannot be written ({})", file_.string(), error.message());
  }

 private:
  void remove() const {
    std::error_code error;
    fs::remove(fresh_, error);
    fs::remove(fresh_.string() + ".part", error);
  }
  fs::path file_, fresh_;
};

// How a program ended, from its status as a shell tells it.
std::string end_text(int status) {
  if (status <= 128) return fmt::format("ended with exit code {}", status);
  return fmt::format("was ended by signal {} ({})", status - 128, strsignal(status - 128));
}

}  // namespace

CapturedProgram capture_to(const fs::path& file, const CommandArguments& arguments,
                           report::Progress& progress) {
  check_writable(file);
  const std::vector<std::string> program = with_replayer(arguments.program);
  const std::string name = arguments.program[0];
  const FrameRange frames = arguments.frames.value_or(FrameRange{1, 1});
  CaptureRequest request{.command = program, .frames = frames, .key_interval = arguments.key_interval};
  request.on_frame = [&](uint64_t frame) {
    const bool open = frames.last == FrameRange::kLast;
    progress.update(open ? -1 : static_cast<double>(frame) / static_cast<double>(frames.last),
                    fmt::format("{}: frame {}", name, frame));
  };
  progress.update(-1, fmt::format("{}: starting", name));
  const FreshCapture fresh(file);
  request.file = fresh.path().string();
  const CaptureOutcome outcome = capture_program(request);
  progress.clear();

  CapturedProgram captured{.seconds = outcome.seconds};
  const bool failed = !outcome.complete && outcome.exit_status != 0,
             written = fs::exists(fresh.path()) && !failed;
  if (!written) {
    // What the driver refused is the reason, whatever the program then did.
    for (const std::string& refused : outcome.errors)
      if (!about_missing_frames(refused)) user_error("{}: {}", name, refused);
  }
  for (const std::string& refused : outcome.errors)
    if (!about_missing_frames(refused)) progress.line(fmt::format("{}: {}", name, refused));
  if (failed) {
    captured.exit_status = outcome.exit_status;
    captured.failure =
        fmt::format("{}: {} after {}; no capture was written{}", name, end_text(outcome.exit_status),
                    counted(outcome.frames, "frame"), replay_hint(program));
    return captured;
  }
  if (!written) {
    if (outcome.frames == 0 && frames.first > 1)
      user_error("--frames {}: {} presented nothing; all that such a program does is frame 1", frames.text(),
                 name);
    if (outcome.frames == 0)
      user_error("{}: it gave Cutaway's GPU no work; run a Vulkan program, or an OpenGL one that Mesa drives",
                 name);
    user_error("--frames {}: {} ended after frame {}; ask for frames up to that one", frames.text(), name,
               outcome.frames);
  }
  // A program that presents nothing has one frame, all that it did.
  const uint64_t reached = outcome.frames ? outcome.frames : 1;
  if (!outcome.complete && frames.last != FrameRange::kLast && reached < frames.last)
    user_error("--frames {}: {} ended after frame {}; ask for frames up to that one", frames.text(), name,
               reached);
  fresh.keep();
  const FrameRange kept{frames.first, std::min(frames.last, reached)};
  captured.frames_text = outcome.frames ? (kept.first == kept.last ? "frame " : "frames ") + kept.text()
                                        : "frame 1 (all of a program that presents nothing)";
  return captured;
}

}  // namespace cutaway::app
