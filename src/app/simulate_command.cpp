#include <optional>

#include "app/commands.h"
#include "app/open_capture.h"
#include "app/shared_run.h"
#include "app/simulation_run.h"
#include "base/interrupt.h"

namespace cutaway::app {

int simulate(const CommandArguments& arguments) {
  const InterruptGuard guard;
  if (!arguments.shared.with.empty()) return simulate_shared(arguments);
  machine::Config config;
  load_machine(arguments.machine, config);
  const capture::Reader reader = open_capture(arguments.file);
  const FrameRange frames = frames_of(reader, arguments.file, arguments.frames);
  std::optional<report::OutputFolder> out;
  if (!arguments.out.empty()) out.emplace(arguments.out);
  std::optional<LiveView> live;
  if (arguments.live) live.emplace(arguments);
  report::Progress progress(arguments.quiet);
  return simulate_capture(arguments, config, arguments.file, reader, frames, out ? &*out : nullptr, progress,
                          live ? &*live : nullptr);
}

}  // namespace cutaway::app
