#include "experiment/figure_svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "experiment/plot.h"

namespace cutaway::experiment {
namespace {

constexpr double kHead = 62;

Plot::Mark mark_of(Panel::Kind kind) {
  switch (kind) {
    case Panel::Kind::kBars:
      return Plot::Mark::kBars;
    case Panel::Kind::kPoints:
      return Plot::Mark::kPoints;
    case Panel::Kind::kLines:
      return Plot::Mark::kLines;
    case Panel::Kind::kSteps:
      break;
  }
  return Plot::Mark::kSteps;
}

class Panels {
 public:
  Panels(const ExperimentFile& file, const Results& results) : file_(file), results_(results) {}

  Plot plot(const Panel& panel) const {
    Plot plot{.title = panel.title,
              .x_title = panel.x_title,
              .y_title = panel.y_title,
              .mark = mark_of(panel.kind),
              .top = panel.top.value_or(0)};
    if (panel.kind == Panel::Kind::kBars) add_bars(panel, plot);
    else if (panel.kind == Panel::Kind::kPoints) add_points(panel, plot);
    else add_series(panel, plot);
    add_paper(panel, plot);
    return plot;
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
  void for_lines(const Panel& panel, size_t without, Plot& plot, const Add& add) const {
    const Domain domain = panel.where_chosen.of(table().axes);
    std::vector<bool> open(table().axes.size(), true);
    Place start(table().axes.size());
    if (without < open.size()) open[without] = false;
    std::vector<size_t> several;  // axes that lines differ in
    for (size_t axis = 0; axis < open.size(); axis++)
      if (open[axis] && domain[axis].size() > 1) several.push_back(axis);
    for (const Place& place : places(domain, open, start)) {
      Plot::Line line;
      for (const size_t axis : several)
        line.name += (line.name.empty() ? "" : ", ") + label_text(table().axes[axis], place[axis]);
      if (!several.empty()) line.hue = place[several.back()];
      if (several.size() > 1) line.shade = place[several.front()];
      for (const size_t label : without < open.size() ? domain[without] : std::vector<size_t>{0}) {
        Place at = place;
        if (without < open.size()) at[without] = label;
        add(line, at);
      }
      plot.lines.push_back(std::move(line));
    }
  }

  void add_bars(const Panel& panel, Plot& plot) const {
    const size_t axis = axis_of(panel.x);
    const std::vector<size_t> labels = panel.where_chosen.of(table().axes)[axis];
    for (const size_t label : labels) plot.groups.push_back(table().axes[axis].labels[label]);
    const std::vector<double>& values = table().columns.at(panel.y[0]);
    for_lines(panel, axis, plot, [&](Plot::Line& line, const Place& at) {
      const auto group = std::find(labels.begin(), labels.end(), at[axis]) - labels.begin();
      line.points.emplace_back(static_cast<double>(group), values[table().index(at)]);
    });
  }

  void add_points(const Panel& panel, Plot& plot) const {
    plot.linear = panel.linear;
    const std::vector<double>&xs = table().columns.at(panel.x), &ys = table().columns.at(panel.y[0]);
    for_lines(panel, axis_of(panel.along), plot, [&](Plot::Line& line, const Place& at) {
      line.points.emplace_back(xs[table().index(at)], ys[table().index(at)]);
    });
  }

  // A line for each column of each configuration that is looked at.
  void add_series(const Panel& panel, Plot& plot) const {
    size_t series = 0;
    while (file_.series[series].name != panel.x) series++;
    Plot some;
    std::vector<Place> at;
    for_lines(panel, table().axes.size(), some,
              [&](Plot::Line&, const Place& place) { at.push_back(place); });
    for (size_t i = 0; i < at.size(); i++) {
      const auto& of_configuration = results_.series[table().index(at[i])];
      if (of_configuration.empty()) continue;
      const SeriesRows& rows = of_configuration[series];
      for (size_t k = 0; k < panel.y.size(); k++) {
        const auto column =
            std::find(rows.columns.begin(), rows.columns.end(), panel.y[k]) - rows.columns.begin();
        if (static_cast<size_t>(column) == rows.columns.size()) continue;
        Plot::Line line{.name = panel.y[k], .hue = k, .shade = i, .points = {}};
        if (at.size() > 1) line.name += ", " + some.lines[i].name;
        for (const auto& row : rows.rows) line.points.emplace_back(row[0], row[static_cast<size_t>(column)]);
        plot.lines.push_back(std::move(line));
      }
    }
  }

  void add_paper(const Panel& panel, Plot& plot) const {
    for (const PaperValue& value : panel.paper) {
      Plot::Band band{value.least, value.most, 0, 0};
      if (!value.at.empty() && panel.kind == Panel::Kind::kBars) {
        const auto group = std::find(plot.groups.begin(), plot.groups.end(), value.at) - plot.groups.begin();
        if (static_cast<size_t>(group) == plot.groups.size()) continue;
        band.from = static_cast<double>(group) - 0.45, band.to = static_cast<double>(group) + 0.45;
      }
      plot.bands.push_back(band);
      plot.notes.push_back(
          fmt::format("paper{}: {}", value.at.empty() ? "" : ", " + panel.x + " " + value.at, value.words));
    }
  }

  const ExperimentFile& file_;
  const Results& results_;
};

}  // namespace

std::string figure_svg(const ExperimentFile& file, const Results& results, const std::string& subtitle) {
  std::vector<Plot> plots;
  for (const Panel& panel : file.panels) plots.push_back(Panels(file, results).plot(panel));
  double height = kHead;
  for (const Plot& plot : plots) height += plot_height(plot);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
      "{1:g}\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" fill=\"#1f2d3d\">\n"
      "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#ffffff\"/>\n"
      "<defs><pattern id=\"paper\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" fill=\"#ffe9a8\" "
      "fill-opacity=\"0.35\"/>"
      "<rect width=\"1.6\" height=\"7\" fill=\"#333333\" fill-opacity=\"0.55\"/></pattern></defs>\n"
      "<text x=\"24\" y=\"28\" font-size=\"18\" font-weight=\"bold\">{2}</text>\n"
      "<text x=\"24\" y=\"48\" font-size=\"12\" fill=\"#555555\">{3}</text>\n",
      kPlotWidth, height, escaped(file.title), escaped(subtitle));
  double y = kHead;
  for (const Plot& plot : plots) {
    svg += draw(plot, y);
    y += plot_height(plot);
  }
  return svg + "</svg>\n";
}

}  // namespace cutaway::experiment
