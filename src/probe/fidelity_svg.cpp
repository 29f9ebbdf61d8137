#include <fmt/format.h>

#include "plot/figure_svg.h"
#include "probe/fidelity.h"

namespace cutaway::probe {
namespace {

constexpr double kLeastRatio = 0.1, kMostRatio = 10;  // ratios shown; those beyond stand at the ends

// A row for each figure below a heading for each preset; `row_of` gets the row of each figure.
plot::Axis rows_axis(const std::vector<Held>& rows, std::vector<double>& row_of) {
  plot::Axis axis{.scale = plot::Axis::Scale::kNames};
  const auto add = [&](const std::string& text, bool heading) {
    axis.ticks.push_back({static_cast<double>(axis.ticks.size()), text, heading});
  };
  std::string gpu;
  for (const Held& row : rows) {
    if (row.figure->gpu != gpu) {
      if (!gpu.empty()) add("", false);
      add(gpu = row.figure->gpu, true);
    }
    row_of.push_back(static_cast<double>(axis.ticks.size()));
    add(row.figure->of, false);
  }
  return axis;
}

plot::Axis ratio_axis() {
  plot::Axis axis{.scale = plot::Axis::Scale::kLog, .least = kLeastRatio, .most = kMostRatio, .accent = 1};
  for (const double ratio : {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0})
    axis.ticks.push_back({ratio, fmt::format("{:g}", ratio)});
  return axis;
}

}  // namespace

std::string fidelity_svg(const std::vector<Held>& rows) {
  std::vector<double> row_of;
  plot::Chart chart{.title = "Ours, in parts of what was published",
                    .x = ratio_axis(),
                    .y = rows_axis(rows, row_of),
                    .mark = plot::Chart::Mark::kDots,
                    .bands = {{.x = plot::Interval{1 - kNear, 1 + kNear}}},
                    .band_style = plot::Chart::BandStyle::kTinted,
                    .band_name = fmt::format("within {:.0f} %", 100 * kNear)};
  constexpr size_t kOrange = 1;
  plot::Series measured{.name = "measured", .hue = kOrange};
  plot::Series stated{.name = "a vendor's peak", .open = true};
  for (size_t i = 0; i < rows.size(); i++) {
    if (!rows[i].ours) continue;
    plot::Series& series = rows[i].figure->told == Told::kMeasured ? measured : stated;
    series.points.push_back({1 + rows[i].off(), row_of[i], fmt::format("{:+.0f} %", 100 * rows[i].off())});
  }
  chart.series = {measured, stated};
  return plot::figure_svg({.charts = {chart}});
}

}  // namespace cutaway::probe
