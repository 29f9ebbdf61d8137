#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "database/database.h"

// Tables of a run's database as JSON of columns: {"work": [0, 1, ...], "kind": ["draw", ...]}. The file is
// untrusted: a value of another type than a column has is a UserError that names both.
namespace cutaway::report {

enum class Cell : uint8_t { kInteger, kReal, kText, kJson };

struct ColumnSpec {
  const char* name;  // in JSON
  Cell cell = Cell::kInteger;
  bool may_be_null = false;
  const char* sql = nullptr;  // an expression; null: the column's name
};

// `rest`: what follows the columns in the query, "FROM work WHERE frame = ? ORDER BY work"; its parameter is
// `frame`, if it has one.
nlohmann::json read_columns(database::Database& database, const std::vector<ColumnSpec>& columns,
                            const std::string& rest, std::optional<int64_t> frame = {});

[[noreturn]] void damaged(const database::Database& database, const std::string& what);
// Checks that a column counts 0, 1, 2... or `damaged`.
void check_numbered(const database::Database& database, const nlohmann::json& column, const char* what);

}  // namespace cutaway::report
