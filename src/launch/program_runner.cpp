#include "launch/program_runner.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "launch/pipe.h"
#include "launch/x_server.h"

namespace cutaway::launch {
namespace {

namespace fs = std::filesystem;

// The library that keeps the debug groups of OpenGL (src/preload/): beside the command (build tree) or as
// installed. Empty: there is none. Its path must have no separator of LD_PRELOAD.
std::string debug_group_library() {
  const fs::path command = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {".", CUTAWAY_LIBRARIES}) {
    const fs::path library = fs::weakly_canonical(command / place / "libcutaway_preload.so");
    if (fs::exists(library) && library.string().find_first_of(" :") == std::string::npos) return library;
  }
  return {};
}

std::map<std::string, std::string> driver_environment(const CaptureRequest& request, const Pipe& progress) {
  const std::string manifest = driver_manifest();
  std::map<std::string, std::string> environment = {
      {"VK_DRIVER_FILES", manifest},
      {"VK_ICD_FILENAMES", manifest},
      {"MESA_LOADER_DRIVER_OVERRIDE", "zink"},
      {"GALLIUM_DRIVER", "zink"},
      // Without a thread, Zink presents from the requesting thread: no frame is lost at exit. But Mesa 22.3
      // then never frees the buffers that it streams vertices and textures with.
      {"GALLIUM_THREAD", request.gl_thread ? "1" : "0"},
      {"mesa_glthread", "false"},  // a program's calls are recorded on its own thread
      {"LIBGL_ALWAYS_SOFTWARE", ""},
      {"WGPU_ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER", "1"},  // wgpu hides this driver otherwise
      {"CUTAWAY_CAPTURE", fs::absolute(request.file)},
      {"CUTAWAY_FRAMES", request.frames.text()},
      {"CUTAWAY_WITHOUT", request.without},
      {"CUTAWAY_FORMATS", request.formats},
      {"CUTAWAY_IMAGES", request.images},
      {"CUTAWAY_PROGRAMS", request.programs},
      {"CUTAWAY_LOADS", request.loads},
      {"CUTAWAY_MEMORY", request.memory},
      {"CUTAWAY_HOST_TIMES", request.host_times ? "1" : "0"},
      {"CUTAWAY_HALVES", request.halves ? "1" : "0"},
      {"CUTAWAY_FOG", request.fog ? "1" : "0"},
      {"CUTAWAY_KEY_FRAMES", std::to_string(request.key_interval)},
      {"CUTAWAY_PROGRESS_FD", std::to_string(progress.write_end())},
      {"CUTAWAY_PROGRESS_PIPE", fmt::format("/proc/{}/fd/{}", getpid(), progress.read_end())}};
  // The loader refuses extensions that the driver lacks before the driver hears of them, and names them only
  // so.
  if (!std::getenv("VK_LOADER_DEBUG")) environment["VK_LOADER_DEBUG"] = "error";
  // It hears the program's thread, not Mesa's.
  if (const std::string library = debug_group_library(); !library.empty() && !request.gl_thread) {
    const char* others = std::getenv("LD_PRELOAD");
    environment["LD_PRELOAD"] = others && *others ? fmt::format("{}:{}", others, library) : library;
  }
  // Else Mesa tells of options that are set in the environment.
  if (!std::getenv("MESA_DEBUG")) environment["MESA_DEBUG"] = "silent";
  environment.insert(request.environment.begin(), request.environment.end());
  return environment;
}

}  // namespace

std::string driver_manifest() {
  const fs::path command = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path places[] = {command / "cutaway_icd.json", command / "../share/cutaway/cutaway_icd.json"};
  for (const fs::path& place : places)
    if (fs::exists(place)) return fs::weakly_canonical(place);
  user_error("{}: Cutaway's driver manifest is missing; build or install the whole project",
             places[0].string());
}

namespace {

// The program's pipes and received data.
class Conversation {
 public:
  explicit Conversation(const CaptureRequest& request) : request_(request) {}
  Pipe driver_pipe, error_pipe;
  DriverLines driver;
  ErrorOutput errors;

  // Waits for a moment, or until there is something to read.
  void listen() {
    constexpr int kMoment = 50;  // milliseconds
    pollfd pollers[] = {{driver_pipe.read_end(), POLLIN, 0}, {error_pipe.read_end(), POLLIN, 0}};
    poll(pollers, 2, kMoment);
    take();
    if (request_.on_wait) request_.on_wait(driver.frames);
  }
  void take() {
    driver.take(driver_pipe.take());
    const std::string text = error_pipe.take();
    errors.take(text);
    if (!text.empty() && request_.on_error_text) request_.on_error_text(text);
  }
  bool complete() const {
    return request_.frames.last != FrameRange::kLast && driver.done && driver.frames >= request_.frames.last;
  }

 private:
  const CaptureRequest& request_;
};

CaptureOutcome::Why why_over(const Conversation& said, bool ended) {
  using Why = CaptureOutcome::Why;
  if (!said.driver.failed.empty()) return Why::kUnwritable;
  if (!said.driver.lost.empty()) return Why::kLost;
  if (said.complete()) return Why::kComplete;
  return ended ? Why::kEnded : Why::kInterrupted;
}

}  // namespace

CaptureOutcome capture_program(const CaptureRequest& request) {
  if (request.command.empty()) user_error("no program given; put it after --");
  if (find_program(request.command[0]).empty())
    user_error("{}: program not found; give its path or install it", request.command[0]);
  const auto start = std::chrono::steady_clock::now();
  const InterruptGuard guard;  // ends the program first
  Conversation said(request);
  std::map<std::string, std::string> environment = driver_environment(request, said.driver_pipe);
  std::optional<XServer> server;
  if (const char* display = std::getenv("DISPLAY"); !display || !*display)
    environment["DISPLAY"] = server.emplace().display();

  Process program({.command = request.command,
                   .environment = environment,
                   .keep_open = {said.driver_pipe.write_end()},
                   .error_output = said.error_pipe.write_end()});
  said.driver_pipe.close_write(), said.error_pipe.close_write();
  while (!interrupted() && !program.ended() && !said.complete() && said.driver.lost.empty() &&
         said.driver.failed.empty())
    said.listen();

  CaptureOutcome outcome;
  const bool ended = program.ended();
  if (ended) outcome.end = program.wait();
  program.end();
  said.take();
  outcome.why = why_over(said, ended);
  outcome.driver = std::move(said.driver);
  outcome.explanation = said.errors.explanation();
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace cutaway::launch
