#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

namespace cutaway::app {

// Writes the manual pages, cutaway.1 and one for each subcommand that --help lists, into a folder, which is
// made. All of it comes from the declarations of the options. UserError: it cannot be written.
void write_manual(const CLI::App& app, const std::filesystem::path& folder);

}  // namespace cutaway::app
