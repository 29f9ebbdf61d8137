#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "probe/fidelity.h"

// The figure of the page: a dot for each row, where ours lies between a tenth and ten times what was
// published.
namespace cutaway::probe {
namespace {

constexpr double kLeft = 230, kWidth = 520, kRow = 15, kTop = 44;
constexpr const char* kDark = "#1f3044";

double across(double ratio) { return kLeft + kWidth * (std::clamp(std::log10(ratio), -1.0, 1.0) + 1) / 2; }

std::string words(double x, double y, const char* anchor, const std::string& text,
                  const char* color = kDark) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", x, y,
                     anchor, color, text);
}

std::string line(double x, double from, double to, const char* color) {
  return fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n",
                     x, from, to, color);
}

}  // namespace

std::string fidelity_svg(const std::vector<Held>& rows) {
  std::string body;
  double y = kTop;
  std::string gpu;
  for (const Held& row : rows) {
    if (row.figure->gpu != gpu) {
      gpu = row.figure->gpu;
      y += kRow;
      body += words(8, y, "start", gpu, "#8a3b12");
    }
    body += words(kLeft - 8, y, "end", row.figure->of);
    if (row.ours) {
      const bool measured = row.figure->told == Told::kMeasured;
      body += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" fill=\"{}\" stroke=\"{}\" "
          "stroke-width=\"1.5\"/>\n",
          across(1 + row.off()), y - 4, measured ? "#c2571a" : "#ffffff", measured ? "#c2571a" : kDark);
      body += words(kLeft + kWidth + 12, y, "start", fmt::format("{:+.0f} %", 100 * row.off()));
    }
    y += kRow;
  }
  std::string axis =
      fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#e6efe2\"/>\n",
                  across(1 - kNear), kTop - 8, across(1 + kNear) - across(1 - kNear), y - kTop);
  for (const double ratio : {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0}) {
    axis += line(across(ratio), kTop - 8, y - 8, ratio == 1 ? "#6a8a5a" : "#d9dfe6");
    axis += words(across(ratio), kTop - 14, "middle", fmt::format("{:g}", ratio));
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"840\" height=\"{0:.0f}\" viewBox=\"0 0 840 "
             "{0:.0f}\" "
             "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" "
             "fill=\"#ffffff\"/>\n",
             y + 8) +
         words(kLeft, 14, "start",
               "ours / published: filled, somebody measured it; open, a vendor's peak; green, within 10 %") +
         axis + body + "</svg>\n";
}

}  // namespace cutaway::probe
