#pragma once

#include <string>
#include <toml++/toml.h>
#include <vector>

#include "machine/config.h"

namespace cutaway::machine {

// Reads the tables [[not_modelled]] of a machine's file. UserError with file and line: no tables, an unknown
// key, no text.
std::vector<NotModelled> not_modelled_in(const std::string& path, const toml::node& tables);

}  // namespace cutaway::machine
