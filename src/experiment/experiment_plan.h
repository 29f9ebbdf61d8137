#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/frames.h"
#include "experiment/experiment_file.h"
#include "sweep/plan.h"

namespace cutaway::experiment {

// The points of an experiment, for the sweep engine.
struct ExperimentPlan {
  sweep::Plan plan;  // every frame on every configuration; equal machines appear once
  struct Configuration {
    Place place;
    double transistors = 0;           // millions
    std::vector<std::string> points;  // their hashes, in order of the frames
  };
  std::vector<Configuration> configurations;  // in the order of the table
  sweep::CaptureFile capture;
  FrameRange frames;
};

// The paper's number of cycles between rows of figures over time.
inline constexpr uint64_t kInterval = sweep::kRecordInterval;

// frames: of the capture; none: the experiment's default number, from the first on. UserError: not a capture,
// it lacks the frames, or a preset, parameter or machine is invalid.
ExperimentPlan make_experiment_plan(const ExperimentFile& file, const std::filesystem::path& capture,
                                    const std::optional<FrameRange>& frames);

}  // namespace cutaway::experiment
