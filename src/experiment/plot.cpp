#include "experiment/plot.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cutaway::experiment {
namespace {

constexpr double kLeft = 70, kRight = 250, kTop = 40, kBottom = 56, kArea = 280, kNote = 18;
// Hues that are told apart without red and green, from light to dark.
constexpr const char* kColors[][3] = {{"#1f6fb2", "#8fbfe6", "#0b3d66"}, {"#e08214", "#f6c68b", "#8c4b00"},
                                      {"#2f8f6b", "#9ad3bd", "#12503a"}, {"#8557a8", "#c9b1dc", "#4b2a66"},
                                      {"#c4453a", "#eba9a3", "#7a1f17"}, {"#6b7480", "#bcc3cb", "#343a42"}};

const char* color(const Plot::Line& line) { return kColors[line.hue % std::size(kColors)][line.shade % 3]; }

// 1, 2 or 5 times a power of 10, so that about `count` steps make `length`.
double nice_step(double length, double count) {
  const double least = length / count, power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

std::string number_text(double value) {
  if (std::abs(value) >= 1e6) return fmt::format("{:g} M", value / 1e6);
  if (std::abs(value) >= 1e4) return fmt::format("{:g} K", value / 1e3);
  return fmt::format("{:g}", std::round(value * 1e6) / 1e6);
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) { find_extent(); }

  std::string text(double y) {
    out_ = fmt::format("<g transform=\"translate(0 {:g})\">\n", y);
    write(kLeft, 22, plot_.title, 15, "font-weight=\"bold\"");
    axes();
    // Bars would hide bands; lines would be lost behind them.
    if (plot_.mark != Plot::Mark::kBars) bands();
    if (plot_.linear) straight_line();
    if (plot_.mark == Plot::Mark::kBars) bars();
    else
      for (const Plot::Line& line : plot_.lines) curve(line);
    if (plot_.mark == Plot::Mark::kBars) bands();
    legend();
    for (size_t i = 0; i < plot_.notes.size(); i++)
      write(kLeft, kTop + kArea + kBottom + kNote * static_cast<double>(i), plot_.notes[i], 12,
            "fill=\"#555\"");
    return out_ + "</g>\n";
  }

 private:
  void find_extent() {
    const bool bars = plot_.mark == Plot::Mark::kBars;
    first_ = bars ? -0.5 : 0, last_ = bars ? static_cast<double>(plot_.groups.size()) - 0.5 : 1e-9;
    for (const Plot::Line& line : plot_.lines)
      for (const auto& [x, y] : line.points) {
        if (!bars) last_ = std::max(last_, x);
        if (!std::isnan(y)) top_ = std::max(top_, y);
      }
    for (const Plot::Band& band : plot_.bands) top_ = std::max(top_, band.most);
    if (plot_.mark == Plot::Mark::kPoints) last_ *= 1.05;
    top_ = plot_.top > 0 ? plot_.top : top_ > 0 ? 1.06 * top_ : 1;
  }
  double x(double value) const { return kLeft + (value - first_) / (last_ - first_) * width(); }
  double y(double value) const { return kTop + kArea * (1 - std::clamp(value / top_, 0.0, 1.0)); }
  static double width() { return kPlotWidth - kLeft - kRight; }

  void write(double left, double base, const std::string& text, double size, const std::string& more = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" {}>{}</text>\n", left, base, size,
                        more, escaped(text));
  }

  void axes() {
    const double step = nice_step(top_, 6), bottom = kTop + kArea;
    for (double value = 0; value <= top_ * 1.0001; value += step) {
      out_ += fmt::format("<path d=\"M{:g} {:.1f}h{:g}\" stroke=\"#dde2e7\"/>\n", kLeft, y(value), width());
      write(kLeft - 8, y(value) + 4, number_text(value), 12, "text-anchor=\"end\"");
    }
    if (plot_.mark == Plot::Mark::kBars) {
      for (size_t i = 0; i < plot_.groups.size(); i++)
        write(x(static_cast<double>(i)), bottom + 18, plot_.groups[i], 12, "text-anchor=\"middle\"");
    } else {
      const double x_step = nice_step(last_ - first_, 8);
      for (double value = 0; value <= last_ * 1.0001; value += x_step) {
        out_ += fmt::format("<path d=\"M{:.1f} {:g}v5\" stroke=\"#1f2d3d\"/>\n", x(value), bottom);
        write(x(value), bottom + 18, number_text(value), 12, "text-anchor=\"middle\"");
      }
    }
    out_ += fmt::format("<path d=\"M{0:g} {1:g}V{2:g}H{3:g}\" stroke=\"#1f2d3d\" fill=\"none\"/>\n", kLeft,
                        kTop, bottom, kLeft + width());
    write(kLeft + width() / 2, bottom + 36, plot_.x_title, 12, "text-anchor=\"middle\"");
    write(
        0, 0, plot_.y_title, 12,
        fmt::format("text-anchor=\"middle\" transform=\"translate(18 {:g}) rotate(-90)\"", kTop + kArea / 2));
  }

  void bars() {
    const double count = static_cast<double>(plot_.lines.size()), room = 0.8 / std::max(count, 1.0);
    for (size_t i = 0; i < plot_.lines.size(); i++)
      for (const auto& [group, value] : plot_.lines[i].points) {
        if (std::isnan(value)) continue;
        const double left = x(group - 0.4 + room * static_cast<double>(i)),
                     right = x(group - 0.4 + room * (static_cast<double>(i) + 0.9));
        out_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"><title>{}: "
            "{:.4g}</title>"
            "</rect>\n",
            left, y(value), right - left, kTop + kArea - y(value), color(plot_.lines[i]),
            escaped(plot_.lines[i].name), value);
      }
  }

  void curve(const Plot::Line& line) {
    std::string path;
    double before = 0;
    for (const auto& [at, value] : line.points) {
      if (std::isnan(value)) continue;
      if (plot_.mark == Plot::Mark::kSteps && !path.empty())
        path += fmt::format("L{:.1f} {:.1f}", x(at), y(before));
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(at), y(value));
      before = value;
    }
    out_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>\n", path,
        color(line));
    if (plot_.mark != Plot::Mark::kPoints) return;
    for (const auto& [at, value] : line.points)
      if (!std::isnan(value))
        out_ += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"><title>{}: {:.4g}</title></circle>\n",
            x(at), y(value), color(line), escaped(line.name), value);
  }

  void straight_line() {
    const double slope = plot_.linear->second / plot_.linear->first, end = std::min(last_, top_ / slope);
    out_ +=
        fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#555\" stroke-dasharray=\"6 4\"/>\n",
                    x(0), y(0), x(end), y(slope * end));
  }

  // At least as high as a line, so that a single value of the paper can be seen.
  void bands() {
    for (const Plot::Band& band : plot_.bands) {
      const bool everywhere = band.from == band.to;
      const double left = everywhere ? kLeft : x(band.from),
                   right = everywhere ? kLeft + width() : x(band.to);
      const double high = y(band.most), low = std::max(y(band.least), high + 2);
      out_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"url(#paper)\" "
          "stroke=\"#222\" "
          "stroke-width=\"1\" stroke-dasharray=\"4 3\"/>\n",
          left, high, right - left, low - high);
    }
  }

  void legend() {
    const double left = kPlotWidth - kRight + 20;
    double top = kTop + 8;
    const auto entry = [&](const std::string& fill, const std::string& name) {
      out_ += fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"14\" height=\"11\" fill=\"{}\"/>\n", left,
                          top - 9, fill);
      write(left + 20, top + 1, name, 12);
      top += 18;
    };
    for (const Plot::Line& line : plot_.lines) entry(color(line), line.name);
    if (plot_.bands.empty()) return;
    entry("url(#paper)", "what the paper says");
  }

  const Plot& plot_;
  double first_ = 0, last_ = 1, top_ = 0;
  std::string out_;
};

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else if (static_cast<unsigned char>(c) < 0x20) out += ' ';
    else out += c;
  }
  return out;
}

double plot_height(const Plot& plot) {
  return kTop + kArea + kBottom + kNote * static_cast<double>(plot.notes.size()) + 12;
}

std::string draw(const Plot& plot, double y) { return Drawing(plot).text(y); }

}  // namespace cutaway::experiment
