#include <filesystem>

#include "app/commands.h"
#include "app/program_capture.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "report/progress.h"

namespace cutaway::app {

int capture(const CommandArguments& arguments) {
  const InterruptGuard guard;
  report::Progress progress(arguments.quiet);
  const FrameRange frames = arguments.frames.value_or(FrameRange{});
  machine::Config config;
  if (arguments.for_gpu) machine::load_config(config, *arguments.for_gpu, {});
  const CapturedProgram captured = capture_to(arguments.file, arguments.file, arguments, frames,
                                              arguments.for_gpu ? &config : nullptr, progress);
  if (captured.frames) note_result(arguments.file);
  if (captured.frames)
    tell("{}: {} of {}, {}\n", arguments.file, captured.frames_text(), arguments.program[0],
         bytes_text(std::filesystem::file_size(arguments.file)));
  if (captured.code != kOk) tell_error("cutaway: {}\n", captured.problem);
  return captured.code;
}

}  // namespace cutaway::app
