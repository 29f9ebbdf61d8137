#include "plot/layout.h"

#include <algorithm>

#include "plot/svg.h"

namespace cutaway::plot {
namespace {

constexpr double kSlant = 0.5;  // sine of 30 degrees
constexpr double kXTicks = 8;
constexpr double kYTickRoom = 47;  // pixels between ticks of the y axis, about

bool has_names(const Axis& axis) { return axis.scale == Axis::Scale::kNames; }

double widest(const std::vector<Tick>& ticks, bool headings = false) {
  double width = 0;
  for (const Tick& tick : ticks)
    if (tick.heading == headings) width = std::max(width, text_width(tick.text, kText));
  return width;
}

std::vector<double> values(const Chart& chart, bool of_x) {
  std::vector<double> all;
  for (const Series& series : chart.series)
    for (const Point& point : series.points) all.push_back(of_x ? point.x : point.y);
  for (const Band& band : chart.bands)
    if (const auto& interval = of_x ? band.x : band.y)
      all.insert(all.end(), {interval->least, interval->most});
  return all;
}

Interval y_extent(const Chart& chart) { return extent(chart.y, values(chart, false), 0.06); }

std::vector<Tick> y_ticks(const Chart& chart) {
  return has_names(chart.y) ? chart.y.ticks : ticks_of(chart.y, y_extent(chart), chart.height / kYTickRoom);
}

// Labels that overlap: names are slanted; of numbers some are left out.
void fit_labels(const Axis& axis, const Scale& x, Layout& layout) {
  constexpr double kGap = 8;
  double end = -kWidth;
  for (Tick& tick : layout.x_ticks) {
    const double half = text_width(tick.text, kText) / 2, at = x.at(tick.at);
    const bool overlaps = at - half < end + kGap;
    if (overlaps && has_names(axis)) layout.slanted = true;
    if (overlaps && !has_names(axis)) tick.text.clear();
    else end = at + half;
  }
  layout.label_room = layout.slanted ? 14 + kSlant * widest(layout.x_ticks) : 18;
}

}  // namespace

bool has_notes(const Chart& chart) {
  for (const Series& series : chart.series)
    for (const Point& point : series.points)
      if (!point.note.empty()) return true;
  return false;
}

Scale Layout::y(const Chart& chart) const {
  // Names are listed from the top, values grow from the bottom.
  if (has_names(chart.y)) return {chart.y.scale, y_shown, top, bottom};
  return {chart.y.scale, y_shown, bottom, top};
}

Margins margins_of(const Chart& chart) {
  constexpr double kBeside = 20, kMostLegend = 330;
  const std::vector<Tick> ticks = y_ticks(chart);
  const double headings = has_names(chart.y) ? kBeside + widest(ticks, true) : 0;
  Margins margins;
  margins.left = std::max(70.0, 16 + headings + widest(ticks) + (chart.y.title.empty() ? 0 : kBeside));
  double legend = text_width(chart.legend_title, kText) - kBeside;
  for (const Series& series : chart.series) legend = std::max(legend, text_width(series.name, kText));
  if (!chart.bands.empty()) legend = std::max(legend, text_width(chart.band_name, kText));
  margins.right = legend > 0 ? std::min(2 * kBeside + legend + kBeside, kMostLegend) : kBeside;
  if (has_notes(chart)) margins.right += kNoteColumn;
  return margins;
}

Layout layout_of(const Chart& chart, Margins margins) {
  Layout layout;
  layout.left = margins.left, layout.right = kWidth - margins.right;
  layout.top = kTitle + (has_names(chart.y) ? kRow : 0);  // labels of the x axis stand above the area, too
  const double rows = static_cast<double>(chart.y.ticks.size());
  layout.bottom = layout.top + (has_names(chart.y) ? kRow * rows : chart.height);
  // The outermost dots keep off the ends of the axis; bars and lines reach them.
  layout.x_shown = extent(chart.x, values(chart, true), chart.mark == Chart::Mark::kPoints ? 0.05 : 0);
  layout.y_shown = y_extent(chart);
  layout.x_ticks = ticks_of(chart.x, layout.x_shown, kXTicks);
  layout.y_ticks = y_ticks(chart);
  fit_labels(chart.x, layout.x(chart), layout);
  layout.height = layout.bottom + layout.label_room + (chart.x.title.empty() ? 8 : 26) +
                  kLegendLine * static_cast<double>(chart.notes.size()) + 24;
  return layout;
}

}  // namespace cutaway::plot
