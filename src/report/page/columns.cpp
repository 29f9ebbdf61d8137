#include "report/page/columns.h"

#include "base/error.h"
#include "base/json_depth.h"
#include "base/text.h"

namespace cutaway::report {
namespace {

using database::Statement;
using database::Type;
using nlohmann::json;

json cell_of(const database::Database& database, const Statement& row, int i, const ColumnSpec& column) {
  const Type type = row.type(i);
  if (type == Type::kNull && column.may_be_null) return nullptr;
  switch (column.cell) {
    case Cell::kInteger:
      if (type == Type::kInteger) return row.integer(i);
      break;
    case Cell::kReal:
      if (type == Type::kReal || type == Type::kInteger) return row.real(i);
      break;
    case Cell::kText:
      if (type == Type::kText) return row.text(i);
      break;
    case Cell::kJson:
      if (type != Type::kText || !is_shallow_json(row.text(i))) break;
      if (json value = json::parse(row.text(i), nullptr, false); !value.is_discarded()) return value;
      break;
  }
  damaged(database, fmt::format("a value of \"{}\" is not of its type", column.name));
}

}  // namespace

void damaged(const database::Database& database, const std::string& what) {
  user_error("{}: the file is damaged: {}; simulate the frames again", one_line(database.path().string()),
             what);
}

json read_columns(database::Database& database, const std::vector<ColumnSpec>& columns,
                  const std::string& rest, std::optional<int64_t> frame) {
  std::string query;
  std::vector<json> cells(columns.size(), json::array());
  for (const ColumnSpec& column : columns)
    query += (query.empty() ? "SELECT " : ", ") + std::string(column.sql ? column.sql : column.name);
  Statement rows = database.prepare(query + " " + rest);
  if (frame) rows.bind(0, *frame);
  while (rows.step())
    for (size_t i = 0; i < columns.size(); i++)
      cells[i].push_back(cell_of(database, rows, static_cast<int>(i), columns[i]));
  json table = json::object();
  for (size_t i = 0; i < columns.size(); i++) table[columns[i].name] = std::move(cells[i]);
  return table;
}

void check_numbered(const database::Database& database, const json& column, const char* what) {
  for (size_t i = 0; i < column.size(); i++)
    if (column[i] != i) damaged(database, fmt::format("{} are not numbered from 0", what));
}

}  // namespace cutaway::report
