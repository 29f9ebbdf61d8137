#include "experiment/results.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/csv.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "database/database.h"

namespace cutaway::experiment {
namespace {

using database::Database;
using database::Statement;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A query of an experiment's file over a record, which is read-only. Its errors begin with the query's place.
class Query {
 public:
  Query(Database& record, const std::string& where, const std::string& sql)
      : where_(where), statement_(prepared(record, where, sql)) {}

  bool step() {
    try {
      return statement_.step();
    } catch (const UserError& error) { fail(where_, error); }
  }
  const Statement& row() const { return statement_; }

 private:
  [[noreturn]] static void fail(const std::string& where, const UserError& error) {
    end_if_interrupted();
    user_error("{}: {}", where, error.what());
  }
  static Statement prepared(Database& record, const std::string& where, const std::string& sql) {
    try {
      return record.prepare(sql);
    } catch (const UserError& error) { fail(where, error); }
  }

  const std::string& where_;
  Statement statement_;
};

double number(const Statement& row, int column) {
  return row.type(column) == database::Type::kNull ? kNone : row.real(column);
}

double scalar(Database& record, const Measure& measure) {
  Query query(record, measure.where, measure.sql);
  const Statement& row = query.row();
  if (!query.step()) return kNone;
  if (row.type(0) == database::Type::kText || row.type(0) == database::Type::kBlob)
    user_error("{}: measure {}: its query gives no number", measure.where, measure.name);
  return number(row, 0);
}

double together(const std::vector<double>& frames, Measure::Frames how) {
  if (frames.empty()) return kNone;
  double sum = 0;
  for (const double frame : frames) sum += frame;
  if (std::isnan(sum) || how == Measure::Frames::kSum) return sum;
  if (how == Measure::Frames::kMean) return sum / static_cast<double>(frames.size());
  return *std::max_element(frames.begin(), frames.end());
}

SeriesRows rows_of(const Series& series, const std::vector<std::filesystem::path>& records) {
  SeriesRows result;
  double offset = 0;
  for (const std::filesystem::path& path : records) {
    Database record(path, database::Access::kRead, database::kForeignQueries);
    Query query(record, series.where, series.sql);
    const Statement& row = query.row();
    result.columns.clear();
    for (int column = 0; column < row.columns(); column++)
      result.columns.push_back(one_line(row.column_name(column)));
    if (result.columns.size() < 2) user_error("{}: series {}: a query of x and y", series.where, series.name);
    double last = 0;
    while (query.step()) {
      std::vector<double> values;
      for (int column = 0; column < row.columns(); column++) values.push_back(number(row, column));
      last = std::isnan(values[0]) ? last : values[0];
      values[0] += offset;
      result.rows.push_back(std::move(values));
    }
    offset += last;
  }
  return result;
}

// Formulas come after the columns that they use.
void compute_formulas(const ExperimentFile& file, Table& table) {
  const Domain all = whole(table.axes);
  for (const Measure& measure : file.measures) {
    if (!measure.formula) continue;
    std::vector<double> column;
    for (size_t i = 0; i < table.size(); i++)
      column.push_back(measure.formula->value(table, all, table.place(i)));
    table.columns[measure.name] = std::move(column);
  }
}

std::string cell(double value) { return std::isnan(value) ? "" : fmt::format("{:.10g}", value); }

std::string labels(const Table& table, const Place& place) {
  std::string line;
  for (size_t axis = 0; axis < table.axes.size(); axis++)
    line += csv_cell(table.axes[axis].labels[place[axis]]) + ",";
  return line;
}
std::string axis_line(const Table& table) {
  std::string line;
  for (const AxisNames& axis : table.axes) line += csv_cell(axis.name) + ",";
  return line;
}

}  // namespace

Results read_results(const ExperimentFile& file, const std::vector<ConfigurationRuns>& runs) {
  Results results;
  Table& table = results.table;
  table.axes = file.axis_names();
  const size_t size = table.size();
  table.columns[kTransistors] = std::vector<double>(size, kNone);
  for (const Measure& measure : file.measures)
    if (!measure.formula) table.columns[measure.name] = std::vector<double>(size, kNone);
  results.series.resize(size);
  for (const ConfigurationRuns& run : runs) {
    const size_t index = table.index(run.place);
    table.columns[kTransistors][index] = run.transistors;
    std::map<std::string, std::vector<double>> frames;
    for (const std::filesystem::path& path : run.records) {
      Database record(path, database::Access::kRead, database::kForeignQueries);
      for (const Measure& measure : file.measures)
        if (!measure.formula) frames[measure.name].push_back(scalar(record, measure));
    }
    for (const Measure& measure : file.measures)
      if (!measure.formula)
        table.columns[measure.name][index] = together(frames[measure.name], measure.frames);
    for (const Series& series : file.series) results.series[index].push_back(rows_of(series, run.records));
  }
  compute_formulas(file, table);
  return results;
}

std::string results_csv(const ExperimentFile& file, const Results& results) {
  const Table& table = results.table;
  std::vector<std::string> names;
  for (const Measure& measure : file.measures) names.push_back(measure.name);
  names.push_back(kTransistors);
  std::vector<std::string> titles;
  for (const std::string& name : names) titles.push_back(csv_cell(name));
  std::string text = axis_line(table) + fmt::format("{}\r\n", fmt::join(titles, ","));
  for (size_t i = 0; i < table.size(); i++) {
    std::vector<std::string> cells;
    for (const std::string& name : names) cells.push_back(cell(table.columns.at(name)[i]));
    text += labels(table, table.place(i)) + fmt::format("{}\r\n", fmt::join(cells, ","));
  }
  return text;
}

std::string series_csv(const ExperimentFile&, const Results& results, size_t series) {
  const Table& table = results.table;
  std::string text;
  for (size_t i = 0; i < table.size(); i++) {
    if (results.series[i].empty()) continue;
    const SeriesRows& rows = results.series[i][series];
    if (text.empty()) {
      std::vector<std::string> columns;
      for (const std::string& column : rows.columns) columns.push_back(csv_cell(column));
      text = axis_line(table) + fmt::format("{}\r\n", fmt::join(columns, ","));
    }
    for (const std::vector<double>& row : rows.rows) {
      std::vector<std::string> cells;
      for (const double value : row) cells.push_back(cell(value));
      text += labels(table, table.place(i)) + fmt::format("{}\r\n", fmt::join(cells, ","));
    }
  }
  return text;
}

}  // namespace cutaway::experiment
