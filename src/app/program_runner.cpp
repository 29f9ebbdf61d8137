#include "app/program_runner.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <poll.h>
#include <thread>
#include <unistd.h>

#include "app/process.h"
#include "base/error.h"
#include "base/interrupt.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) user_error("cannot make a pipe");
    read = ends[0], write = ends[1];
  }
  ~Pipe() {
    if (read >= 0) close(read);
    if (write >= 0) close(write);
  }
  void close_write() { close(std::exchange(write, -1)); }
};

// Reads what is there within a time; false at the end of the stream.
bool read_some(int descriptor, int milliseconds, std::string& text) {
  pollfd poller{descriptor, POLLIN, 0};
  if (poll(&poller, 1, milliseconds) <= 0) return true;
  char buffer[4096];
  const ssize_t count = read(descriptor, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(buffer, static_cast<size_t>(count));
  return count > 0;
}

// An X server without a screen; it picks a free display number itself.
struct XServer {
  std::unique_ptr<Process> process;
  std::string display;

  XServer() {
    if (find_program("Xvfb").empty())
      user_error("no DISPLAY is set and Xvfb is not installed: apt-get install xvfb, or set DISPLAY");
    Pipe pipe;
    process = std::make_unique<Process>(
        Process::Start{.command = {"Xvfb", "-displayfd", std::to_string(pipe.write), "-screen", "0",
                                   "1280x1024x24", "-nolisten", "tcp", "-noreset"},
                       .keep_open = {pipe.write},
                       .quiet = true});
    pipe.close_write();
    std::string text;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (text.find('\n') == text.npos) {
      end_if_interrupted();
      if (!read_some(pipe.read, 200, text) || std::chrono::steady_clock::now() > until)
        user_error("Xvfb did not start; set DISPLAY to use another X server");
    }
    display = ":" + text.substr(0, text.find('\n'));
  }
};

// What the driver reports through the pipe: "frame N" for each frame presented, "done" when the capture is
// whole, "error TEXT" for what it had to refuse.
struct Progress {
  uint64_t frames = 0;
  bool done = false;
  std::vector<std::string> errors;
  std::string rest;

  void take(const std::function<void(uint64_t)>& on_frame) {
    for (size_t end; (end = rest.find('\n')) != rest.npos; rest.erase(0, end + 1)) {
      const std::string line = rest.substr(0, end);
      if (line == "done") done = true;
      if (line.starts_with("error ")) errors.push_back(line.substr(6));
      if (!line.starts_with("frame ")) continue;
      frames = std::strtoull(line.c_str() + 6, nullptr, 10);
      if (on_frame) on_frame(frames);
    }
  }
};

std::map<std::string, std::string> driver_environment(const CaptureRequest& request, int progress) {
  const std::string manifest = driver_manifest();
  return {
      {"VK_DRIVER_FILES", manifest},
      {"VK_ICD_FILENAMES", manifest},
      {"MESA_LOADER_DRIVER_OVERRIDE", "zink"},
      {"GALLIUM_DRIVER", "zink"},
      {"GALLIUM_THREAD", "0"},  // Zink presents from the thread that asks for it: no frame is lost at exit
      {"LIBGL_ALWAYS_SOFTWARE", ""},
      {"CUTAWAY_CAPTURE", fs::absolute(request.file)},
      {"CUTAWAY_FRAMES", request.frames.text()},
      {"CUTAWAY_KEY_FRAMES", std::to_string(request.key_interval)},
      {"CUTAWAY_PROGRESS_FD", std::to_string(progress)}};
}

}  // namespace

std::string driver_manifest() {
  const fs::path command = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path places[] = {command / "cutaway_icd.json", command / "../share/vulkan/icd.d/cutaway_icd.json",
                             command / "../etc/vulkan/icd.d/cutaway_icd.json"};
  for (const fs::path& place : places)
    if (fs::exists(place)) return fs::weakly_canonical(place);
  user_error("{}: Cutaway's driver manifest is missing; build or install the whole project",
             places[0].string());
}

CaptureOutcome capture_program(const CaptureRequest& request) {
  if (request.command.empty()) user_error("no program given; put it after --");
  if (find_program(request.command[0]).empty())
    user_error("{}: program not found; give its path or install it", request.command[0]);
  const auto start = std::chrono::steady_clock::now();
  const InterruptGuard guard;  // the program's group is ended first
  Pipe pipe;
  std::map<std::string, std::string> environment = driver_environment(request, pipe.write);
  std::optional<XServer> server;
  if (const char* display = std::getenv("DISPLAY"); !display || !*display)
    environment["DISPLAY"] = server.emplace().display;

  Process program({.command = request.command, .environment = environment, .keep_open = {pipe.write}});
  pipe.close_write();
  Progress progress;
  while (!progress.done && !interrupted() && read_some(pipe.read, 200, progress.rest)) {
    progress.take(request.on_frame);
    if (program.ended() && !progress.done) {
      read_some(pipe.read, 0, progress.rest);
      progress.take(request.on_frame);
      break;
    }
  }
  progress.take(request.on_frame);
  CaptureOutcome outcome;
  outcome.complete =
      progress.done && request.frames.last != FrameRange::kLast && progress.frames >= request.frames.last;
  outcome.frames = progress.frames;
  outcome.errors = std::move(progress.errors);
  // A program may close the pipe and go on.
  while (!outcome.complete && !interrupted() && !program.ended())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (outcome.complete || interrupted()) program.end();
  else outcome.exit_status = program.wait();
  if (interrupted()) user_error("interrupted; the capture was not written");
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace cutaway::app
