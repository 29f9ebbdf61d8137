#include "plot/figure_svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "plot/layout.h"
#include "plot/svg.h"

namespace cutaway::plot {
namespace {

constexpr const char* kInk = "#1f2d3d";
constexpr const char* kGrid = "#dde2e7";
constexpr const char* kQuiet = "#555555";
// Hues that are told apart without red and green, each in three shades.
constexpr const char* kColors[kHues][kShades] = {
    {"#1f6fb2", "#8fbfe6", "#0b3d66"}, {"#e08214", "#f6c68b", "#8c4b00"}, {"#2f8f6b", "#9ad3bd", "#12503a"},
    {"#8557a8", "#c9b1dc", "#4b2a66"}, {"#c4453a", "#eba9a3", "#7a1f17"}, {"#6b7480", "#bcc3cb", "#343a42"}};
constexpr const char* kHatching =
    "<defs><pattern id=\"hatched\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" fill=\"#ffe9a8\" fill-opacity=\"0.35\"/>"
    "<rect width=\"1.6\" height=\"7\" fill=\"#333333\" fill-opacity=\"0.55\"/></pattern></defs>\n";

const char* color(const Series& series) { return kColors[series.hue % kHues][series.shade % kShades]; }

std::string dot_style(const Series& series) {
  return fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"",
                     series.open ? "#ffffff" : color(series), color(series));
}

std::string band_style(const Chart& chart) {
  return chart.band_style == Chart::BandStyle::kTinted
             ? "fill=\"#e6efe2\""
             : "fill=\"url(#hatched)\" stroke=\"#222222\" stroke-dasharray=\"4 3\"";
}

// One chart with its upper left corner at the origin.
class ChartDrawing {
 public:
  ChartDrawing(const Chart& chart, Margins margins, Svg& svg)
      : chart_(chart),
        layout_(layout_of(chart, margins)),
        x_(layout_.x(chart)),
        y_(layout_.y(chart)),
        svg_(svg) {}

  double height() const { return layout_.height; }

  void draw() {
    const bool bars = chart_.mark == Chart::Mark::kBars;
    svg_.text(layout_.left, 22, chart_.title, 15, "font-weight=\"bold\"");
    // Bars would hide bands; lines would be lost behind them.
    if (!bars) draw_bands();
    draw_x_axis();
    draw_y_axis();
    if (chart_.proportional) draw_proportional();
    for (size_t i = 0; i < chart_.series.size(); i++) bars ? draw_bars(i) : draw_series(chart_.series[i]);
    if (bars) draw_bands();
    draw_notes_of_points();
    draw_legend();
    draw_notes();
  }

 private:
  static bool names(const Axis& axis) { return axis.scale == Axis::Scale::kNames; }

  void grid_line(const Axis& axis, double at, std::string_view path) {
    const bool accent = axis.accent && *axis.accent == at;
    svg_.path(path, fmt::format("stroke=\"{}\"", accent ? "#6a8a5a" : kGrid));
  }

  void draw_x_axis() {
    const bool rows = names(chart_.y);
    for (const Tick& tick : layout_.x_ticks) {
      const double at = x_.at(tick.at), below = layout_.bottom + 18;
      if (rows)
        grid_line(chart_.x, tick.at, fmt::format("M{:.1f} {:g}V{:g}", at, layout_.top, layout_.bottom));
      else if (!names(chart_.x))
        svg_.path(fmt::format("M{:.1f} {:g}v5", at, layout_.bottom), fmt::format("stroke=\"{}\"", kInk));
      if (rows) svg_.text(at, layout_.top - 5, tick.text, kText, "text-anchor=\"middle\"");
      if (layout_.slanted)
        svg_.text(at, below - 4, tick.text, kText,
                  fmt::format("text-anchor=\"end\" transform=\"rotate(-30 {:.1f} {:g})\"", at, below - 4));
      else if (!tick.text.empty()) svg_.text(at, below, tick.text, kText, "text-anchor=\"middle\"");
    }
    if (!chart_.x.title.empty())
      svg_.text((layout_.left + layout_.right) / 2, layout_.bottom + layout_.label_room + 18, chart_.x.title,
                kText, "text-anchor=\"middle\"");
  }

  void draw_y_axis() {
    for (const Tick& tick : layout_.y_ticks) {
      const double at = y_.at(tick.at);
      if (tick.heading) {
        svg_.text(16, at + 4, tick.text, kText, "font-weight=\"bold\"");
        continue;
      }
      if (!names(chart_.y))
        grid_line(chart_.y, tick.at, fmt::format("M{:g} {:.1f}H{:g}", layout_.left, at, layout_.right));
      if (!tick.text.empty()) svg_.text(layout_.left - 8, at + 4, tick.text, kText, "text-anchor=\"end\"");
    }
    if (!names(chart_.y))
      svg_.path(fmt::format("M{:g} {:g}V{:g}H{:g}", layout_.left, layout_.top, layout_.bottom, layout_.right),
                fmt::format("stroke=\"{}\" fill=\"none\"", kInk));
    if (!chart_.y.title.empty())
      svg_.text(0, 0, chart_.y.title, kText,
                fmt::format("text-anchor=\"middle\" transform=\"translate(18 {:g}) rotate(-90)\"",
                            (layout_.top + layout_.bottom) / 2));
  }

  void draw_bars(size_t number) {
    const Series& series = chart_.series[number];
    const double part = 0.8 / static_cast<double>(chart_.series.size());
    const double offset = part * static_cast<double>(number) - 0.4, base = y_.at(0);
    for (const Point& point : series.points) {
      if (std::isnan(point.y)) continue;
      const double left = x_.at(point.x + offset), right = x_.at(point.x + offset + 0.9 * part);
      const double end = y_.at(point.y);
      svg_.rect(left, std::min(base, end), right - left, std::abs(base - end),
                fmt::format("fill=\"{}\"", color(series)), tip(series, point.y));
    }
  }

  void draw_series(const Series& series) {
    if (chart_.mark != Chart::Mark::kDots) draw_line(series);
    if (chart_.mark == Chart::Mark::kLines || chart_.mark == Chart::Mark::kSteps) return;
    const bool rows = names(chart_.y);
    for (const Point& point : series.points)
      if (!std::isnan(point.y))
        svg_.circle(x_.at(point.x), y_.at(point.y), 4, dot_style(series),
                    tip(series, rows ? point.x : point.y));
  }

  void draw_line(const Series& series) {
    std::string path;
    double before = 0;
    for (const Point& point : series.points) {
      if (std::isnan(point.y)) continue;
      if (chart_.mark == Chart::Mark::kSteps && !path.empty())
        path += fmt::format("L{:.1f} {:.1f}", x_.at(point.x), y_.at(before));
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_.at(point.x), y_.at(point.y));
      before = point.y;
    }
    if (!path.empty())
      svg_.path(path,
                fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"",
                            color(series)));
  }

  void draw_proportional() {
    const double slope = chart_.proportional->y / chart_.proportional->x;
    const double end = std::min(layout_.x_shown.most, layout_.y_shown.most / slope);
    svg_.path(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x_.at(0), y_.at(0), x_.at(end), y_.at(slope * end)),
              fmt::format("stroke=\"{}\" stroke-dasharray=\"6 4\"", kQuiet));
  }

  // Bands of one value are two pixels wide, so that they can be seen.
  void draw_bands() {
    constexpr double kThinnest = 2;
    for (const Band& band : chart_.bands) {
      const double left = band.x ? x_.at(band.x->least) : layout_.left;
      const double right = band.x ? std::max(x_.at(band.x->most), left + kThinnest) : layout_.right;
      const double top = band.y ? y_.at(band.y->most) : layout_.top;
      const double bottom = band.y ? std::max(y_.at(band.y->least), top + kThinnest) : layout_.bottom;
      svg_.rect(left, top, right - left, bottom - top, band_style(chart_));
    }
  }

  void draw_notes_of_points() {
    for (const Series& series : chart_.series)
      for (const Point& point : series.points)
        if (!point.note.empty()) svg_.text(layout_.right + 10, y_.at(point.y) + 4, point.note, kText);
  }

  void draw_legend() {
    const double left = layout_.right + 20 + (has_notes(chart_) ? kNoteColumn : 0);
    double base = layout_.top + 9;
    const auto next = [&](const std::string& name) {
      svg_.text(left + 20, base, fitted(name, kText, kWidth - left - 20), kText);
      base += kLegendLine;
    };
    if (!chart_.legend_title.empty()) {
      svg_.text(left, base, chart_.legend_title, kText, "font-weight=\"bold\"");
      base += kLegendLine;
    }
    for (const Series& series : chart_.series) {
      if (series.name.empty()) continue;
      if (chart_.mark == Chart::Mark::kDots) svg_.circle(left + 7, base - 4.5, 4, dot_style(series));
      else svg_.rect(left, base - 10, 14, 11, fmt::format("fill=\"{}\"", color(series)));
      next(series.name);
    }
    if (chart_.bands.empty() || chart_.band_name.empty()) return;
    svg_.rect(left, base - 10, 14, 11, band_style(chart_));
    next(chart_.band_name);
  }

  void draw_notes() {
    double base = layout_.bottom + layout_.label_room + (chart_.x.title.empty() ? 18 : 38);
    for (const std::string& note : chart_.notes) {
      svg_.text(layout_.left, base, note, kText, fmt::format("fill=\"{}\"", kQuiet));
      base += kLegendLine;
    }
  }

  static std::string tip(const Series& series, double value) {
    return series.name.empty() ? fmt::format("{:.4g}", value) : fmt::format("{}: {:.4g}", series.name, value);
  }

  const Chart& chart_;
  const Layout layout_;
  const Scale x_, y_;
  Svg& svg_;
};

}  // namespace

std::string figure_svg(const Figure& figure) {
  const double head = figure.title.empty() ? 0 : figure.subtitle.empty() ? 42 : 62;
  // Areas stand exactly below one another.
  Margins margins;
  for (const Chart& chart : figure.charts) {
    const Margins own = margins_of(chart);
    margins = {std::max(margins.left, own.left), std::max(margins.right, own.right)};
  }
  Svg body;
  if (head > 0) body.text(24, 28, figure.title, 18, "font-weight=\"bold\"");
  if (head > 0 && !figure.subtitle.empty())
    body.text(24, 48, figure.subtitle, kText, fmt::format("fill=\"{}\"", kQuiet));
  double y = head;
  for (const Chart& chart : figure.charts) {
    ChartDrawing drawing(chart, margins, body);
    body.raw(fmt::format("<g transform=\"translate(0 {:g})\">\n", y));
    drawing.draw();
    body.raw("</g>\n");
    y += drawing.height();
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:g} "
      "{1:.0f}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" fill=\"{2}\">\n"
      "<rect width=\"{0:g}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n"
      "{3}{4}</svg>\n",
      kWidth, y, kInk, kHatching, body.str());
}

}  // namespace cutaway::plot
