#pragma once

#include <string>
#include <vector>

#include "app/commands.h"
#include "sampling/study.h"
#include "sweep/sweep.h"
#include "sweep/sweep_file.h"

namespace cutaway::app {

// The sample of one capture of a sweep.
struct CaptureSample {
  size_t entry = 0;  // index into SweepFile::captures
  FrameRange frames;
  sampling::Study study;  // its machines are those of Point::machine
  double emulator_seconds = 0;
  std::vector<uint64_t> held_back = {};  // frames that pilots simulate only to check the estimate
};

// Draws the first representatives of every capture of which the file wants a sample, and makes them the
// frames of its entry. UserError: too few frames.
std::vector<CaptureSample> begin_samples(const CommandArguments& arguments, sweep::SweepFile& file);

// The points of a capture on one machine.
struct MachinePoints {
  std::string name;     // "attila, shader.units = 8, memory.channels = 2"
  std::string brief;    // without the parameters that all machines share
  std::string machine;  // as Point::machine
  std::vector<const sweep::Point*> points;
};
// In the order of the sweep.
std::vector<MachinePoints> machines_of(const sweep::Plan& plan, const sweep::SweepFile& file,
                                       const CaptureSample& sample);
// All quantities of these points, which must have results.
std::vector<sampling::MachineValues> values_of(const sweep::Store& store,
                                               const std::vector<MachinePoints>& machines);

// The points that a sweep with samples has come to.
struct SampledOutcome {
  sweep::Plan plan;
  sweep::SweepOutcome outcome;
};

// Runs rounds of points until the interval of cycles is narrow enough on every machine, or all frames are
// simulated, then the frames held back. Of several machines the first one simulates all representatives, and
// so does, round by round, the machine with the widest interval; the others simulate few of them. Ends early
// where a point fails.
SampledOutcome run_samples(const CommandArguments& arguments, sweep::SweepFile& file,
                           std::vector<CaptureSample>& samples, sweep::Store& store,
                           const sweep::Queue& queue);

// Writes sample.json into the folder and returns the text for a terminal.
std::string report_samples(const sweep::Plan& plan, const sweep::SweepFile& file,
                           const std::vector<CaptureSample>& samples, const sweep::Store& store,
                           const std::filesystem::path& folder);

}  // namespace cutaway::app
