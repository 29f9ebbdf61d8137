#include <filesystem>

#include "app/commands.h"
#include "app/program_capture.h"
#include "app/text.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "report/progress.h"

namespace cutaway::app {

int capture(const CommandArguments& arguments) {
  const InterruptGuard guard;
  report::Progress progress(arguments.quiet);
  const CapturedProgram captured = capture_to(arguments.file, arguments, progress);
  if (captured.exit_status != 0) {
    fmt::print(stderr, "cutaway: {}\n", captured.failure);
    return kFailed;
  }
  fmt::print("{}: {} of {}, {}\n", arguments.file, captured.frames_text, arguments.program[0],
             bytes_text(std::filesystem::file_size(arguments.file)));
  return kOk;
}

}  // namespace cutaway::app
