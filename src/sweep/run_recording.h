#pragma once

#include <filesystem>

#include "capture/reader.h"
#include "machine/config.h"
#include "report/run_database.h"

namespace cutaway::sweep {

// A capture's annotations of programs and labels.
report::Annotations annotations_of(const capture::Reader& reader);

// All parameters of a machine, with their sources.
std::vector<report::ParameterText> parameters_of(machine::Config config);

// Parameters that differ from the preset: path, value.
std::vector<std::pair<std::string, std::string>> changed(
    const std::vector<report::ParameterText>& parameters);

}  // namespace cutaway::sweep
