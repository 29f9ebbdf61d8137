#pragma once

#include <string>
#include <string_view>

namespace cutaway::plot {

// Attributes of an element as text: `fill="#fff" stroke="#000"`.
using Attributes = std::string_view;

// Appends elements of SVG. Coordinates are pixels, y downwards. Texts are escaped.
class Svg {
 public:
  void text(double x, double y, std::string_view text, double size, Attributes more = "");
  // data: commands of a path, such as "M0 0L10 10".
  void path(std::string_view data, Attributes more);
  // tip: what a browser shows over the element; empty: nothing.
  void rect(double x, double y, double width, double height, Attributes more, std::string_view tip = "");
  void circle(double x, double y, double radius, Attributes more, std::string_view tip = "");
  void raw(std::string_view elements) { out_ += elements; }

  const std::string& str() const { return out_; }

 private:
  std::string out_;
};

// Estimated width of a text in a sans-serif font.
double text_width(std::string_view text, double size);
// The text, or where it is wider than `width` its beginning and "…".
std::string fitted(std::string_view text, double size, double width);

}  // namespace cutaway::plot
