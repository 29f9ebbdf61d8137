#include "plot/svg.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/xml.h"

namespace cutaway::plot {
namespace {

std::string closed(const char* element, std::string_view tip) {
  return tip.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", xml_text(tip), element);
}

constexpr double kMeanWidth = 0.6;  // of a character, in parts of the size: DejaVu Sans, rounded up

bool begins_character(char c) { return (c & 0xc0) != 0x80; }  // of UTF-8

}  // namespace

void Svg::text(double x, double y, std::string_view text, double size, Attributes more) {
  out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" {}>{}</text>\n", x, y, size, more,
                      xml_text(text));
}

void Svg::path(std::string_view data, Attributes more) {
  out_ += fmt::format("<path d=\"{}\" {}/>\n", data, more);
}

void Svg::rect(double x, double y, double width, double height, Attributes more, std::string_view tip) {
  out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}", x, y, width,
                      height, more) +
          closed("rect", tip);
}

void Svg::circle(double x, double y, double radius, Attributes more, std::string_view tip) {
  out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" {}", x, y, radius, more) +
          closed("circle", tip);
}

double text_width(std::string_view text, double size) {
  const auto characters = std::count_if(text.begin(), text.end(), begins_character);
  return kMeanWidth * size * static_cast<double>(characters);
}

std::string fitted(std::string_view text, double size, double width) {
  if (text_width(text, size) <= width) return std::string(text);
  const double step = kMeanWidth * size;
  double used = step;  // the width of "…"
  size_t bytes = 0;
  for (; bytes < text.size(); bytes++) {
    if (!begins_character(text[bytes])) continue;
    used += step;
    if (used > width) break;
  }
  return std::string(text.substr(0, bytes)) + "\xe2\x80\xa6";
}

}  // namespace cutaway::plot
