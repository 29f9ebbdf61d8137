#pragma once

#include <string>

#include "experiment/results.h"

namespace cutaway::experiment {

// The panels of an experiment, one below the other, on white, with what the paper says drawn in as hatched
// bands. subtitle: of what it was measured.
std::string figure_svg(const ExperimentFile& file, const Results& results, const std::string& subtitle);

}  // namespace cutaway::experiment
