#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/frames.h"
#include "experiment/experiment_file.h"
#include "sweep/plan.h"

namespace cutaway::experiment {

// The points of an experiment, for the engine of sweeps.
struct ExperimentPlan {
  sweep::Plan plan;  // every frame on every configuration; those that are the same machine stand once
  struct Configuration {
    Place place;
    double transistors = 0;           // millions
    std::vector<std::string> points;  // their hashes, in order of the frames
  };
  std::vector<Configuration> configurations;  // in the order of the table
  sweep::CaptureFile capture;
  FrameRange frames;
};

// Cycles between rows of figures over time: the paper's.
inline constexpr uint64_t kInterval = 10'000;

// frames: of the capture; none: as many as the experiment asks for, from the first on. UserError: the capture
// is none, or does not hold the frames; a preset, parameter or machine cannot be.
ExperimentPlan make_experiment_plan(const ExperimentFile& file, const std::filesystem::path& capture,
                                    const std::optional<FrameRange>& frames);

}  // namespace cutaway::experiment
