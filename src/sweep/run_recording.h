#pragma once

#include <filesystem>

#include "capture/reader.h"
#include "machine/config.h"
#include "report/run_database.h"

namespace cutaway::sweep {

// What a capture says of the programs and labels in it.
report::Annotations annotations_of(const capture::Reader& reader);

// All parameters of a machine, with their sources.
std::vector<report::ParameterText> parameters_of(machine::Config config);

// Those that differ from the preset: path, value.
std::vector<std::pair<std::string, std::string>> changed(
    const std::vector<report::ParameterText>& parameters);

}  // namespace cutaway::sweep
