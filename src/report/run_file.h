#pragma once

#include <filesystem>

#include "database/database.h"

namespace cutaway::report {

// Where the database of a run is, and the pictures beside it.
struct RunFiles {
  std::filesystem::path database, pictures;
};
// Of run.sqlite, or of the folder that holds it. UserError: there is none.
RunFiles files_of_run(const std::filesystem::path& run);

// Files are untrusted. UserError: damaged, not the database of a run, or of another schema.
void check_run(database::Database& database);

}  // namespace cutaway::report
