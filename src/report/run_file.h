#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "database/database.h"

namespace cutaway::report {

// The text of SPIR-V, a line for each instruction. It is not trusted: throws what it likes.
using Disassembler = std::function<std::vector<std::string>(std::span<const uint32_t>)>;

// Where the database of a run is, and the pictures beside it.
struct RunFiles {
  std::filesystem::path database, pictures;
};
// Of run.sqlite, or of the folder that holds it. UserError: there is none.
RunFiles files_of_run(const std::filesystem::path& run);

// Files are untrusted. UserError: damaged, not the database of a run, or of another schema.
void check_run(database::Database& database);

}  // namespace cutaway::report
