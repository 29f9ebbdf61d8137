#include "base/csv.h"

#include "base/error.h"
#include "base/whole_file.h"
#include "sweep/export.h"

namespace cutaway::sweep {

std::string csv(const Store& store) {
  database::Statement rows = store.database().prepare("SELECT * FROM sweep");
  std::string text;
  const auto line = [&](auto value) {
    for (int column = 0; column < rows.columns(); column++)
      text += (column ? "," : "") + csv_cell(value(column));
    text += "\n";
  };
  line([&](int column) { return rows.column_name(column); });
  while (rows.step()) line([&](int column) { return rows.text(column); });
  return text;
}

void export_table(const Store& store, const std::filesystem::path& path) {
  if (path.extension() == ".parquet")
    user_error(
        "{}: no library of Debian 12 writes Parquet; pandas and DuckDB make it of the database: "
        "docs/sweeps.md says how",
        path.string());
  if (path.extension() != ".csv") user_error("{}: expected a name that ends in .csv", path.string());
  write_whole(path, csv(store));
}

}  // namespace cutaway::sweep
