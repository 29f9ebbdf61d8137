#pragma once

#include <string>
#include <vector>

#include "app/commands.h"
#include "sampling/selection.h"
#include "sweep/sweep.h"
#include "sweep/sweep_file.h"

namespace cutaway::app {

constexpr double kConfidence = 0.95;

// The sample of one capture of a sweep.
struct CaptureSample {
  size_t entry = 0;  // index into SweepFile::captures
  double error = 0;
  FrameRange frames;
  sampling::Selection selection;
  double emulator_seconds = 0;
  std::vector<uint64_t> held_back = {};  // frames simulated only to check the estimate
};

// Draws the first representatives of every capture of which the file wants a sample, and makes them the
// frames of its entry. UserError: too few frames.
std::vector<CaptureSample> begin_samples(const CommandArguments& arguments, sweep::SweepFile& file);

// The points of a capture on one machine.
struct MachinePoints {
  std::string machine;  // "attila, memory.channels = 2"
  std::vector<const sweep::Point*> points;
};
std::vector<MachinePoints> machines_of(const sweep::Plan& plan, const sweep::SweepFile& file,
                                       const CaptureSample& sample);

// The points that a sweep with samples has come to.
struct SampledOutcome {
  sweep::Plan plan;
  sweep::SweepOutcome outcome;
};

// Runs rounds of points until the interval of cycles is narrow enough on every machine, or all frames are
// simulated, then the frames held back. Ends early where a point fails.
SampledOutcome run_samples(const CommandArguments& arguments, sweep::SweepFile& file,
                           std::vector<CaptureSample>& samples, sweep::Store& store,
                           const sweep::Queue& queue);

// Writes sample.json into the folder and returns the text for a terminal.
std::string report_samples(const sweep::Plan& plan, const sweep::SweepFile& file,
                           const std::vector<CaptureSample>& samples, const sweep::Store& store,
                           const std::filesystem::path& folder);

}  // namespace cutaway::app
