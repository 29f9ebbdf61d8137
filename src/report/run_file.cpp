#include "report/run_file.h"

#include "base/error.h"
#include "base/text.h"
#include "report/run_schema.h"

namespace cutaway::report {

RunFiles files_of_run(const std::filesystem::path& run) {
  std::error_code error;
  const std::string name = one_line(run.string());
  if (!std::filesystem::exists(run, error))
    user_error("{}: there is no such run; `cutaway simulate FILE --out DIR` makes one", name);
  if (!std::filesystem::is_directory(run, error)) return {run, run.parent_path() / "frames"};
  const std::filesystem::path file = run / "run.sqlite";
  if (!std::filesystem::exists(file, error))
    user_error("{}: the folder holds no run.sqlite; `cutaway simulate FILE --out DIR` writes it", name);
  return {file, run / "frames"};
}

void check_run(database::Database& database) {
  const std::string path = one_line(database.path().string());
  auto check = database.prepare("PRAGMA quick_check(1)");
  if (!check.step() || check.text(0) != "ok")
    user_error("{}: the file is damaged: SQLite's check fails; simulate the frames again", path);
  if (!database.value("SELECT 1 FROM sqlite_master WHERE name = 'meta' AND type = 'table'"))
    user_error("{}: this is not the database of a run", path);
  const auto schema = database.value(
      "SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'schema' AND CAST(value AS INTEGER) > 0");
  if (!schema) user_error("{}: no database of a run: it states no schema", path);
  if (*schema != kRunSchema)
    user_error("{}: its schema is {}, and this command does not read schema {}: simulate again", path,
               *schema, *schema);
}

}  // namespace cutaway::report
