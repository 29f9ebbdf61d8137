#include "app/commands.h"
#include "app/open_capture.h"
#include "app/program_capture.h"
#include "app/simulation_run.h"
#include "app/terminal.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"

namespace cutaway::app {
namespace {

// Default range: the last of these frames that exists is simulated. The first frames of many programs show
// little.
constexpr FrameRange kDefaultFrames{1, 3};

FrameRange frames_to_simulate(const CommandArguments& arguments, const FrameRange& held) {
  return arguments.frames ? held : FrameRange{held.last, held.last};
}

}  // namespace

// capture, then simulate. Checks the machine and the folder before the program is started. Keeps the capture
// even if the simulation fails.
int run(const CommandArguments& arguments) {
  const InterruptGuard guard;
  machine::Config config;
  load_machine(arguments.machine, config);
  report::OutputFolder out(arguments.out.empty() ? "out" : arguments.out);
  std::optional<LiveView> live;
  if (arguments.live) live.emplace(arguments);
  report::Progress progress(arguments.quiet);

  const std::string file = out.path() / "capture.cutaway";
  const FrameRange asked = arguments.frames.value_or(kDefaultFrames);
  if (live) live->capturing(arguments.program[0]);
  const CapturedProgram captured =
      capture_to(out.staged("capture.cutaway"), file, arguments, asked, &config, progress);
  if (captured.frames) out.place("capture.cutaway"), note_result(file);
  if (captured.code != kOk) tell_error("cutaway: {}\n", captured.problem);
  if (!captured.frames || captured.stopped) return captured.code;

  const FrameRange frames = frames_to_simulate(arguments, *captured.frames);
  progress.line(fmt::format(
      "{}: captured {} in {:.1f} s{}", arguments.program[0], captured.frames_text(), captured.seconds,
      frames == *captured.frames ? ""
                                 : fmt::format("; frame {} is simulated (--frames chooses)", frames.text())));
  int result = kOk;
  try {
    const capture::Reader reader = open_capture(file);
    result =
        simulate_capture(arguments, config, file, reader, frames, &out, progress, live ? &*live : nullptr);
  } catch (const UserError& error) { user_error("{}; the capture is kept: {}", error.what(), file); }
  tell("capture: {}\n", file);
  return result == kOk ? captured.code : result;
}

}  // namespace cutaway::app
