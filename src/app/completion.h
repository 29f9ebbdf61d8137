#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cutaway::app {

// What the last of `words` may become, given those before it (the first is the subcommand): a line each,
// with a tab and a meaning behind it where there is one. From the declarations of the options: their names,
// the words that they choose from, presets, and the parameters of the chosen machine. Nothing: a file, or
// what only the user knows.
std::string completions(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace cutaway::app
