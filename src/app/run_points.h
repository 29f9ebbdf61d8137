#pragma once

#include <string>
#include <vector>

#include "app/commands.h"
#include "sweep/sweep.h"

namespace cutaway::app {

// Runs the points of a plan that have no result yet, on the engine that --engine names, with --jobs of them
// at a time. sbatch_options: handed on to sbatch. UserError: it was interrupted.
sweep::SweepOutcome run_points(const CommandArguments& arguments, const sweep::Plan& plan,
                               sweep::Store& store, const sweep::Queue& queue,
                               const std::vector<std::string>& sbatch_options);

}  // namespace cutaway::app
