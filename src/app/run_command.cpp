#include "app/commands.h"
#include "app/open_capture.h"
#include "app/program_capture.h"
#include "app/simulation_run.h"
#include "base/error.h"
#include "base/interrupt.h"

namespace cutaway::app {

// capture, then simulate: the machine and the folder are looked at before the program is started.
int run(const CommandArguments& arguments) {
  const InterruptGuard guard;
  machine::Config config;
  load_machine(arguments.machine, config);
  report::OutputFolder out(arguments.out.empty() ? "out" : arguments.out);
  report::Progress progress(arguments.quiet);

  const std::string staged = out.staged("capture.cutaway");
  const CapturedProgram captured = capture_to(staged, arguments, progress);
  if (captured.exit_status != 0) {
    fmt::print(stderr, "cutaway: {}\n", captured.failure);
    return kFailed;
  }
  progress.line(fmt::format("{}: captured {} in {:.1f} s", arguments.program[0], captured.frames_text,
                            captured.seconds));
  const std::string file = out.path() / "capture.cutaway";
  int result = kOk;
  {
    const capture::Reader reader = open_capture(staged);
    const FrameRange frames{reader.info().first_frame(), reader.info().last_frame()};
    result = simulate_capture(arguments, config, file, reader, frames, &out, progress);
  }
  fmt::print("capture: {}\n", file);
  return result;
}

}  // namespace cutaway::app
