#include "sweep/point_values.h"

#include <cctype>

#include "base/error.h"
#include "sweep/figures.h"

namespace cutaway::sweep {
namespace {

// "gpu.shader12.texture" becomes "gpu.shader*.texture".
std::string kind_of(const std::string& unit) {
  std::string kind;
  for (const char c : unit) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c));
    if (!digit) kind += c;
    else if (kind.empty() || kind.back() != '*') kind += '*';
  }
  return kind;
}

}  // namespace

std::map<std::string, ValuesByFrame> values_of(const Store& store, const std::vector<const Point*>& points) {
  std::map<std::string, ValuesByFrame> values;
  database::Database& database = store.database();
  database::Statement figure_rows = database.prepare(
      "SELECT result.* FROM result JOIN point ON point.id = result.point WHERE point.hash = ?");
  // Name of a unit, of its quantity, and the value.
  const char* queries[] = {
      "SELECT c.unit, '.' || c.name, v.value FROM result_counter v JOIN counter c ON c.counter = v.counter "
      "JOIN point p ON p.id = v.point WHERE p.hash = ?",
      "SELECT a.unit, ': busy cycles', a.busy FROM account a JOIN point p ON p.id = a.point WHERE p.hash = ?",
      "SELECT a.unit, ': starved cycles', a.starved FROM account a JOIN point p ON p.id = a.point "
      "WHERE p.hash = ?",
      "SELECT a.unit, ': blocked cycles', a.blocked FROM account a JOIN point p ON p.id = a.point "
      "WHERE p.hash = ?",
      "SELECT c.name, ': bytes read', c.read FROM client c JOIN point p ON p.id = c.point WHERE p.hash = ?",
      "SELECT c.name, ': bytes written', c.written FROM client c JOIN point p ON p.id = c.point "
      "WHERE p.hash = ?"};
  for (const Point* point : points) {
    figure_rows.bind(0, point->hash);
    CUTAWAY_CHECK(figure_rows.step(), "no result of {}", point->text());
    for (size_t i = 0; i < figures().size(); i++)
      values[figures()[i].name][point->frame] = figure_rows.real(static_cast<int>(i) + 1);
    figure_rows.reset();
    for (const char* query : queries) {
      database::Statement rows = database.prepare(query);
      rows.bind(0, point->hash);
      while (rows.step()) values[kind_of(rows.text(0)) + rows.text(1)][point->frame] += rows.real(2);
    }
  }
  return values;
}

}  // namespace cutaway::sweep
