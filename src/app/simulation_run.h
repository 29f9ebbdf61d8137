#pragma once

#include <string>

#include "app/commands.h"
#include "app/live_view.h"
#include "capture/reader.h"
#include "machine/config.h"
#include "report/output_folder.h"
#include "report/progress.h"

namespace cutaway::app {

// The machine that the command line asks for. UserError: preset or parameter.
void load_machine(const MachineArguments& arguments, machine::Config& config);

// Simulates frames of a capture, writes frames/ and summary.json into `out` where there is one, and prints
// the tables. live: that is told of it; none: null. kOk, or kFailed where verify found a difference.
int simulate_capture(const CommandArguments& arguments, const machine::Config& config,
                     const std::string& file, const capture::Reader& reader, const FrameRange& frames,
                     report::OutputFolder* out, report::Progress& progress, LiveView* live = nullptr);

}  // namespace cutaway::app
