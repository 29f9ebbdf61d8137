#pragma once

#include <string>
#include <vector>

#include "app/commands.h"
#include "sweep/sweep.h"

namespace cutaway::app {

// Runs the points of a plan without a result, on the engine of --engine, --jobs at a time. sbatch_options:
// passed to sbatch. UserError: interrupted.
sweep::SweepOutcome run_points(const CommandArguments& arguments, const sweep::Plan& plan,
                               sweep::Store& store, const sweep::Queue& queue,
                               const std::vector<std::string>& sbatch_options);

}  // namespace cutaway::app
