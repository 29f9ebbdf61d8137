#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cutaway::app {

// Completions of the last of `words`, given the earlier ones (the first is the subcommand): one per line,
// optionally followed by a tab and a description. Derived from the declarations of options: their names,
// their choices, presets, and the parameters of the selected machine. Empty: a file, or a value that only the
// user knows.
std::string completions(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace cutaway::app
