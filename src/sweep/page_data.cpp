#include "sweep/page_data.h"

#include <fmt/format.h>
#include <map>
#include <set>

#include "base/regular_file.h"
#include "base/text.h"
#include "report/run_file.h"
#include "sweep/figures.h"
#include "sweep/schema.h"
#include "sweep/store.h"

namespace cutaway::sweep {
namespace {

namespace fs = std::filesystem;
using database::Statement;
using nlohmann::json;

constexpr const char* kDatabase = "sweep.sqlite";
constexpr size_t kMostPlots = 100;
constexpr uint64_t kMostPlotBytes = 16 << 20;

json value_of(const Statement& row, int column) {
  switch (row.type(column)) {
    case database::Type::kInteger:
      return row.integer(column);
    case database::Type::kReal:
      return row.real(column);
    case database::Type::kNull:
      return nullptr;
    default:
      return row.text(column);
  }
}

json column(std::string name, const char* unit, const char* meaning, const char* role, json values) {
  return {{"name", std::move(name)},
          {"unit", unit},
          {"meaning", meaning},
          {"role", role},
          {"values", std::move(values)}};
}

// Columns of the points with a result, in the order of the sweep's file.
class PointColumns {
 public:
  explicit PointColumns(database::Database& database) : database_(database) {
    Statement rows = database_.prepare(
        "SELECT p.id FROM point p JOIN result r ON r.point = p.id WHERE p.number IS NOT NULL ORDER BY p.number");
    while (rows.step()) place_.emplace(rows.integer(0), place_.size());
  }

  json read() {
    json columns = json::array();
    for (const auto& [name, meaning] : {std::pair("number", "its place in the sweep's file"),
                                        {"capture", "as the sweep file names it"},
                                        {"frame", "of the capture"},
                                        {"gpu", "the preset or file that the machine began with"}})
      columns.push_back(column(name, "", meaning, "point", values(name)));
    for (auto& [path, values] : parameters()) columns.push_back(column(path, "", "", "parameter", values));
    if (database_.value("SELECT 1 FROM cause LIMIT 1")) {
      columns.push_back(
          column("held_up_by", "", "what held the frame up most", "point", values(largest_cause("unit"))));
      columns.push_back(
          column("held_up_share", "", "its share of the frame", "figure", values(largest_cause("share"))));
    }
    for (const Figure& figure : figures())
      columns.push_back(column(figure.name, figure.unit, figure.meaning, "figure", values(figure.name)));
    return columns;
  }

 private:
  json values(const std::string& name) {
    json values = json::array();
    Statement rows = database_.prepare(fmt::format(
        "SELECT {} FROM point p JOIN result r ON r.point = p.id WHERE p.number IS NOT NULL ORDER BY "
        "p.number",
        name));
    while (rows.step()) values.push_back(value_of(rows, 0));
    return values;
  }

  // Those that differ between points, or that only some have.
  std::map<std::string, json> parameters() {
    std::map<std::string, json> all;
    Statement rows = database_.prepare("SELECT path, point, value FROM setting ORDER BY path");
    while (rows.step()) {
      const auto place = place_.find(rows.integer(1));
      if (place == place_.end()) continue;
      json& values = all.try_emplace(rows.text(0), json::array()).first->second;
      values.get_ref<json::array_t&>().resize(place_.size());
      values[place->second] = value_of(rows, 2);
    }
    std::erase_if(
        all, [](const auto& one) { return std::set<json>(one.second.begin(), one.second.end()).size() < 2; });
    return all;
  }

  database::Database& database_;
  std::map<int64_t, size_t> place_;  // by id of the point
};

}  // namespace

json page_data(const PageSweep& sweep) {
  const Store store(sweep.path, database::Access::kRead);
  report::check_tables(store.database(), schema(), "a sweep: start it again");
  return {{"path", sweep.path.string()},
          {"name", sweep.name},
          {"columns", PointColumns(store.database()).read()},
          {"plots", sweep.plots},
          {"notes", sweep.notes},
          {"results", store.results_hash()}};
}

bool is_sweep(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return fs::exists(path / kDatabase, error);
  return path.filename() == kDatabase;
}

PageSweep sweep_in(const fs::path& path) {
  std::error_code error;
  const fs::path folder = fs::is_directory(path, error) ? path : path.parent_path();
  const fs::path name = fs::weakly_canonical(folder, error).filename();
  PageSweep sweep{.path = folder / kDatabase, .name = name.string(), .plots = {}, .notes = {}};
  for (size_t i = 1; i <= kMostPlots; i++) {
    const std::string svg = read_whole(folder / fmt::format("plot{}.svg", i), kMostPlotBytes);
    if (svg.empty()) break;
    sweep.plots.push_back(svg);
  }
  return sweep;
}

}  // namespace cutaway::sweep
