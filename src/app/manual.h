#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

namespace cutaway::app {

// Writes the manual pages, cutaway.1 and one for each subcommand that --help lists, to a folder, which is
// created. Everything is derived from the declarations of the options. UserError: it cannot be written.
void write_manual(const CLI::App& app, const std::filesystem::path& folder);

}  // namespace cutaway::app
