#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/error.h"
#include "base/field.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "plot/figure_svg.h"
#include "sweep/export.h"
#include "sweep/figures.h"

namespace cutaway::sweep {
namespace {

using database::Statement;

constexpr const char* kAccounts[] = {"cycles", "busy", "starved", "blocked", "idle"};

std::vector<std::string> columns_of(const Plan& plan) {
  std::vector<std::string> columns = {"capture", "frame", "gpu"};
  columns.insert(columns.end(), plan.varied.begin(), plan.varied.end());
  for (const Figure& figure : figures()) columns.push_back(figure.name);
  return columns;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A counter's or account's value as SQL, of the point p; empty: there is none of this name.
std::string counter_sql(const Store& store, const std::string& full_name) {
  const size_t dot = full_name.rfind('.');
  const std::string path = full_name.substr(0, dot),
                    name = dot == full_name.npos ? "" : full_name.substr(dot + 1);
  Statement id = store.database().prepare("SELECT counter FROM counter WHERE unit = ? AND name = ?");
  if (id.bind(0, path).bind(1, name).step())
    return fmt::format("(SELECT value FROM result_counter WHERE point = p.id AND counter = {})",
                       id.integer(0));
  Statement unit = store.database().prepare("SELECT 1 FROM account WHERE unit = ? LIMIT 1");
  const bool account = std::find(std::begin(kAccounts), std::end(kAccounts), name) != std::end(kAccounts);
  if (!account || !unit.bind(0, path).step()) return "";
  std::string literal = path;
  for (size_t at = 0; (at = literal.find('\'', at)) != literal.npos; at += 2) literal.insert(at, 1, '\'');
  return fmt::format("(SELECT {} FROM account WHERE point = p.id AND unit = '{}')", name, literal);
}

std::string column_sql(const Store& store, const Plot& plot, const std::string& name) {
  Statement view = store.database().prepare("SELECT * FROM sweep");
  std::vector<std::string> columns;
  for (int i = 0; i < view.columns(); i++) columns.push_back(view.column_name(i));
  if (has(columns, name)) return "s." + sql_name(name);
  const std::string counter = counter_sql(store, name);
  if (counter.empty())
    user_error("{}: no counter {}; the tables counter and account of the database have those that there are",
               plot.where, name);
  return counter;
}

struct Series {
  std::string name;
  std::vector<std::pair<std::string, double>> points;  // x as text, mean of y
};

struct Data {
  std::vector<std::string> xs;  // in order
  bool numeric = true;          // all of them
  std::vector<Series> series;
  size_t most = 0;          // points that a mean is of
  bool same_frames = true;  // all means are of the same frames of the same captures

  double place(const std::string& x) const;  // on the x axis
};

double number(const std::string& text, bool& numeric) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  numeric = numeric && error == std::errc{} && end == text.data() + text.size();
  return value;
}

double Data::place(const std::string& x) const {
  bool ignored = true;
  return numeric ? number(x, ignored) : static_cast<double>(std::find(xs.begin(), xs.end(), x) - xs.begin());
}

// A point of a plot: the mean over points of the sweep.
struct Mean {
  double sum = 0;
  std::multiset<std::string> frames;  // what it is a mean of: capture and frame
};

// Restricts points `s` of the view to frames that as many machines as any frame of the capture have.
constexpr const char* kSharedFrames =
    " AND (s.capture, s.frame) IN (SELECT capture, frame FROM (SELECT capture, frame, count(*) AS machines, "
    "max(count(*)) OVER (PARTITION BY capture) AS most FROM sweep GROUP BY capture, frame) WHERE machines = "
    "most)";

// Means by series and x, both in the order of the sweep.
Data means_of(const Store& store, const Plot& plot, PlotFrames frames_of_plot) {
  const std::string series = plot.series.empty() ? "''" : column_sql(store, plot, plot.series);
  Statement rows = store.database().prepare(fmt::format(
      "SELECT x, series, y, frame FROM (SELECT {} AS x, {} AS series, {} AS y, s.number AS number, "
      "s.capture || ' ' || s.frame AS frame FROM sweep s JOIN point p ON p.hash = s.point WHERE true{}) WHERE y "
      "IS NOT NULL ORDER BY number",
      column_sql(store, plot, plot.x), series, column_sql(store, plot, plot.y),
      frames_of_plot == PlotFrames::kShared ? kSharedFrames : ""));
  Data data;
  std::vector<std::map<std::string, Mean>> means;  // by series, by x
  while (rows.step()) {
    const std::string x = rows.text(0), name = rows.text(1);
    if (!has(data.xs, x)) data.xs.push_back(x);
    number(x, data.numeric);
    const auto same = [&](const Series& other) { return other.name == name; };
    const auto found = std::find_if(data.series.begin(), data.series.end(), same);
    const auto place = static_cast<size_t>(found - data.series.begin());
    if (found == data.series.end()) data.series.push_back({name, {}}), means.emplace_back();
    Mean& mean = means[place][x];
    mean.sum += rows.real(2);
    mean.frames.insert(rows.text(3));
  }
  const std::multiset<std::string>* frames = nullptr;
  for (size_t i = 0; i < means.size(); i++)
    for (const std::string& x : data.xs) {
      const auto found = means[i].find(x);
      if (found == means[i].end()) continue;
      const Mean& mean = found->second;
      data.series[i].points.emplace_back(x, mean.sum / static_cast<double>(mean.frames.size()));
      data.most = std::max(data.most, mean.frames.size());
      if (!frames) frames = &mean.frames;
      data.same_frames = data.same_frames && mean.frames == *frames;
    }
  return data;
}

Data read(const Store& store, const Plot& plot, PlotFrames frames) {
  Data data = means_of(store, plot, frames);
  if (data.numeric) {
    bool ignored = true;
    const auto less = [&](const std::string& a, const std::string& b) {
      return number(a, ignored) < number(b, ignored);
    };
    std::sort(data.xs.begin(), data.xs.end(), less);
    for (Series& one : data.series)
      std::sort(one.points.begin(), one.points.end(),
                [&](const auto& a, const auto& b) { return less(a.first, b.first); });
  }
  return data;
}

// Numbers that grow by factors stand at equal distances.
bool by_factors(const Data& data) {
  bool numeric = data.numeric && data.xs.size() > 2;
  for (size_t i = 0; numeric && i + 1 < data.xs.size(); i++) {
    const double here = number(data.xs[i], numeric), next = number(data.xs[i + 1], numeric);
    if (here <= 0 || next < 1.5 * here) return false;
  }
  return numeric;
}

std::string unit_of(const std::string& name) {
  for (const Figure& figure : figures())
    if (name == figure.name && name != figure.unit) return fmt::format(" ({})", figure.unit);
  return "";
}

plot::Axis x_axis(const Plot& plot, const Data& data) {
  plot::Axis axis{.title = plot.x};
  if (!data.numeric) axis.scale = plot::Axis::Scale::kNames;
  else if (by_factors(data)) axis.scale = plot::Axis::Scale::kLog;
  for (const std::string& x : data.xs) axis.ticks.push_back({data.place(x), one_line(x)});
  if (axis.scale == plot::Axis::Scale::kLinear) {
    constexpr double kRoom = 0.04;
    const double least = axis.ticks.front().at, most = axis.ticks.back().at;
    const double room = least < most ? kRoom * (most - least) : 1;
    axis.least = least - room, axis.most = most + room;
  }
  return axis;
}

// The plot compares frames or captures on purpose.
bool is_frame(const Plot& plot) {
  const auto names = [](const std::string& column) { return column == "frame" || column == "capture"; };
  return names(plot.x) || names(plot.series);
}

plot::Chart chart(const Plot& plot, const Data& data) {
  plot::Chart chart{.title = plot.title,
                    .x = x_axis(plot, data),
                    .mark = plot::Chart::Mark::kPoints,
                    .legend_title = plot.series,
                    .height = 380};
  chart.y.title = plot.y + unit_of(plot.y);
  if (data.most > 1) {
    const char* frames = data.same_frames || is_frame(plot) ? "" : " of different frames";
    chart.y.title += fmt::format(", mean of up to {} points{}", data.most, frames);
  }
  for (size_t i = 0; i < data.series.size(); i++) {
    plot::Series& line = chart.series.emplace_back();
    line.name = one_line(data.series[i].name), line.hue = i, line.shade = i / plot::kHues;
    for (const auto& [x, y] : data.series[i].points) line.points.push_back({data.place(x), y});
  }
  return chart;
}

}  // namespace

void check_plots(const SweepFile& file, const Plan& plan) {
  const std::vector<std::string> columns = columns_of(plan);
  for (const Plot& plot : file.plots) {
    for (const auto& [key, name] :
         {std::pair("x", plot.x), std::pair("series", plot.series), std::pair("y", plot.y)}) {
      const bool counter = std::string_view(key) == "y" && name.find('.') != name.npos;
      if (name.empty() || counter || has(columns, name)) continue;
      const std::string nearest = nearest_name(name, columns);
      user_error("{}: {} = {}: expected a column of the results{}; there are: {}", plot.where, key, name,
                 nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest),
                 fmt::join(columns, ", "));
    }
  }
}

bool draw_plot(const Store& store, const Plot& plot, PlotFrames frames, const std::filesystem::path& folder,
               std::string& svg) {
  if (!store.database().value("SELECT 1 FROM sweep LIMIT 1")) return false;
  const Data data = read(store, plot, frames);
  if (data.series.empty()) return false;
  svg = plot::figure_svg({.charts = {chart(plot, data)}});
  write_whole(folder / (plot.name + ".svg"), svg);
  return true;
}

}  // namespace cutaway::sweep
