#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "database/database.h"

// Converts tables of a run's database to JSON columns: {"work": [0, 1, ...], "kind": ["draw", ...]}. The file
// is untrusted: a value of a type other than its column's is a UserError that names both.
namespace cutaway::report {

enum class Cell : uint8_t { kInteger, kReal, kText, kJson };

struct ColumnSpec {
  const char* name;  // in JSON
  Cell cell = Cell::kInteger;
  bool may_be_null = false;
  const char* sql = nullptr;  // an expression; null: the column's name
};

// `rest`: the query after the columns, "FROM work WHERE frame = ? ORDER BY work"; its parameter, if any, is
// `frame`.
nlohmann::json read_columns(database::Database& database, const std::vector<ColumnSpec>& columns,
                            const std::string& rest, std::optional<int64_t> frame = {});

[[noreturn]] void damaged(const database::Database& database, const std::string& what);
// Checks that a column counts 0, 1, 2..., otherwise reports `damaged`.
void check_numbered(const database::Database& database, const nlohmann::json& column, const char* what);

}  // namespace cutaway::report
