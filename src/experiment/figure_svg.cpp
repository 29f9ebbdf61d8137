#include "experiment/figure_svg.h"

#include <algorithm>
#include <fmt/format.h>

#include "plot/figure_svg.h"

namespace cutaway::experiment {
namespace {

using plot::Chart;

Chart::Mark mark_of(Panel::Kind kind) {
  switch (kind) {
    case Panel::Kind::kBars:
      return Chart::Mark::kBars;
    case Panel::Kind::kPoints:
      return Chart::Mark::kPoints;
    case Panel::Kind::kLines:
      return Chart::Mark::kLines;
    case Panel::Kind::kSteps:
      break;
  }
  return Chart::Mark::kSteps;
}

class Panels {
 public:
  Panels(const ExperimentFile& file, const Results& results) : file_(file), results_(results) {}

  Chart chart(const Panel& panel) const {
    Chart chart{.title = panel.title, .mark = mark_of(panel.kind), .band_name = "what the paper says"};
    chart.x.title = panel.x_title;
    chart.y.title = panel.y_title, chart.y.most = panel.top.value_or(0);
    if (panel.kind == Panel::Kind::kBars) add_bars(panel, chart);
    else if (panel.kind == Panel::Kind::kPoints) add_points(panel, chart);
    else add_series(panel, chart);
    add_paper(panel, chart);
    return chart;
  }

 private:
  size_t axis_of(const std::string& name) const {
    size_t axis = 0;
    while (axis < table().axes.size() && table().axes[axis].name != name) axis++;
    return axis;
  }
  const Table& table() const { return results_.table; }

  // A line for each combination of labels of the other axes that are looked at.
  template <class Add>
  void for_lines(const Panel& panel, size_t without, Chart& chart, const Add& add) const {
    const Domain domain = panel.where_chosen.of(table().axes);
    std::vector<bool> open(table().axes.size(), true);
    Place start(table().axes.size());
    if (without < open.size()) open[without] = false;
    std::vector<size_t> several;  // axes that lines differ in
    for (size_t axis = 0; axis < open.size(); axis++)
      if (open[axis] && domain[axis].size() > 1) several.push_back(axis);
    for (const Place& place : places(domain, open, start)) {
      plot::Series line;
      for (const size_t axis : several)
        line.name += (line.name.empty() ? "" : ", ") + label_text(table().axes[axis], place[axis]);
      if (!several.empty()) line.hue = place[several.back()];
      if (several.size() > 1) line.shade = place[several.front()];
      for (const size_t label : without < open.size() ? domain[without] : std::vector<size_t>{0}) {
        Place at = place;
        if (without < open.size()) at[without] = label;
        add(line, at);
      }
      chart.series.push_back(std::move(line));
    }
  }

  void add_bars(const Panel& panel, Chart& chart) const {
    const size_t axis = axis_of(panel.x);
    const std::vector<size_t> labels = panel.where_chosen.of(table().axes)[axis];
    chart.x.scale = plot::Axis::Scale::kNames;
    for (size_t i = 0; i < labels.size(); i++)
      chart.x.ticks.push_back({static_cast<double>(i), table().axes[axis].labels[labels[i]]});
    const std::vector<double>& values = table().columns.at(panel.y[0]);
    for_lines(panel, axis, chart, [&](plot::Series& line, const Place& at) {
      const auto group = std::find(labels.begin(), labels.end(), at[axis]) - labels.begin();
      line.points.push_back({static_cast<double>(group), values[table().index(at)]});
    });
  }

  void add_points(const Panel& panel, Chart& chart) const {
    if (panel.linear) chart.proportional = {panel.linear->first, panel.linear->second};
    const std::vector<double>&xs = table().columns.at(panel.x), &ys = table().columns.at(panel.y[0]);
    for_lines(panel, axis_of(panel.along), chart, [&](plot::Series& line, const Place& at) {
      line.points.push_back({xs[table().index(at)], ys[table().index(at)]});
    });
  }

  // A line for each column of each configuration that is looked at.
  void add_series(const Panel& panel, Chart& chart) const {
    size_t series = 0;
    while (file_.series[series].name != panel.x) series++;
    Chart some;
    std::vector<Place> at;
    for_lines(panel, table().axes.size(), some,
              [&](plot::Series&, const Place& place) { at.push_back(place); });
    for (size_t i = 0; i < at.size(); i++) {
      const auto& of_configuration = results_.series[table().index(at[i])];
      if (of_configuration.empty()) continue;
      const SeriesRows& rows = of_configuration[series];
      for (size_t k = 0; k < panel.y.size(); k++) {
        const auto column =
            std::find(rows.columns.begin(), rows.columns.end(), panel.y[k]) - rows.columns.begin();
        if (static_cast<size_t>(column) == rows.columns.size()) continue;
        plot::Series line{.name = panel.y[k], .hue = k, .shade = i, .points = {}};
        if (at.size() > 1) line.name += ", " + some.series[i].name;
        for (const auto& row : rows.rows) line.points.push_back({row[0], row[static_cast<size_t>(column)]});
        chart.series.push_back(std::move(line));
      }
    }
  }

  void add_paper(const Panel& panel, Chart& chart) const {
    for (const PaperValue& value : panel.paper) {
      plot::Band band{.y = plot::Interval{value.least, value.most}};
      if (!value.at.empty() && panel.kind == Panel::Kind::kBars) {
        const auto named = [&](const plot::Tick& tick) { return tick.text == value.at; };
        const auto group = std::find_if(chart.x.ticks.begin(), chart.x.ticks.end(), named);
        if (group == chart.x.ticks.end()) continue;
        band.x = {group->at - 0.45, group->at + 0.45};
      }
      chart.bands.push_back(band);
      chart.notes.push_back(
          fmt::format("paper{}: {}", value.at.empty() ? "" : ", " + panel.x + " " + value.at, value.words));
    }
  }

  const ExperimentFile& file_;
  const Results& results_;
};

}  // namespace

std::string figure_svg(const ExperimentFile& file, const Results& results, const std::string& subtitle) {
  plot::Figure figure{.title = file.title, .subtitle = subtitle};
  for (const Panel& panel : file.panels) figure.charts.push_back(Panels(file, results).chart(panel));
  return plot::figure_svg(figure);
}

}  // namespace cutaway::experiment
