#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"

namespace cutaway::report {

// Disassembles SPIR-V, one line per instruction. The input is untrusted: it may throw anything.
using Disassembler = std::function<std::vector<std::string>(std::span<const uint32_t>)>;

// Paths of a run's database and of the pictures beside it.
struct RunFiles {
  std::filesystem::path database, pictures;
};
// From run.sqlite, or the folder that contains it. UserError: there is none.
RunFiles files_of_run(const std::filesystem::path& run);

// Files are untrusted. Checks that the tables of a schema in SQL, as far as the file has them, are plain
// ones. what: ends the message, "a run". UserError: one is not.
void check_tables(database::Database& database, std::string_view tables, const char* what);

// Files are untrusted. UserError: damaged, not a run's database, or of another schema.
void check_run(database::Database& database);

}  // namespace cutaway::report
