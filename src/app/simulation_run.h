#pragma once

#include <string>

#include "app/commands.h"
#include "app/live_view.h"
#include "capture/reader.h"
#include "machine/config.h"
#include "report/output_folder.h"
#include "report/progress.h"

namespace cutaway::app {

constexpr const char* kDatabase = "run.sqlite";  // the record of a run, in its folder

// Loads the machine selected on the command line. UserError: preset or parameter.
void load_machine(const MachineArguments& arguments, machine::Config& config);
// A machine's file by a path that is good in any folder; the name of a preset as it is.
std::string lasting(const std::string& gpu);

// Simulates frames of a capture, writes frames/ and summary.json to `out` if there is one, and prints the
// tables. live: the view to inform; null: none. Returns kOk, kFailed if verify found a
// difference, or kUndecided if all that it found hang on the order of threads.
int simulate_capture(const CommandArguments& arguments, const machine::Config& config,
                     const std::string& file, const capture::Reader& reader, const FrameRange& frames,
                     report::OutputFolder* out, report::Progress& progress, LiveView* live = nullptr);

}  // namespace cutaway::app
