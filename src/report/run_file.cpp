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

// A view, a virtual table, a computed column or a constraint that calculates in place of a table would make
// reading a row as costly as its author likes.
void check_tables(database::Database& database, std::string_view tables, const char* what) {
  const std::string path = one_line(database.path().string());
  auto found = database.prepare(
      "SELECT lower(name), type, rootpage, upper(sql) FROM sqlite_master WHERE type IN ('table', 'view')");
  while (found.step()) {
    const std::string name = found.text(0), sql = found.text(3);
    const bool ours = tables.find("CREATE TABLE " + name + " ") != std::string::npos;
    auto computed = database.prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden > 0");
    const bool plain = found.text(1) == "table" && found.integer(2) > 0 && sql.find("CHECK") == sql.npos &&
                       !computed.bind(0, name).step();
    if (ours && !plain) user_error("{}: its {} is not the table of {}", path, name, what);
  }
}

void check_run(database::Database& database) {
  const std::string path = one_line(database.path().string());
  check_tables(database, kRunTables, "a run: simulate the frames again");
  if (const std::string damage = database.damage(); !damage.empty())
    user_error("{}: the file is damaged: {}; simulate the frames again", path, damage);
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
