#pragma once

#include <string>
#include <vector>

#include "report/diagram.h"

namespace cutaway::report {

// A diagram as boxes, lines and texts in a plane, in pixels, x to the right and y down.
struct DiagramLayout {
  struct Point {
    double x, y;
  };
  struct Rectangle {
    double x, y, width, height;
    double right() const { return x + width; }
    double bottom() const { return y + height; }
    bool overlaps(const Rectangle& other) const {
      return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }
  };
  struct Box {
    size_t unit;
    Rectangle area;
    // Extent of the copies drawn below and to the right, for a unit that exists several times.
    double depth;
    double right() const { return area.right() + depth; }
    double bottom() const { return area.bottom() + depth; }
  };
  enum class Kind { kForward, kBack, kBus };
  struct Line {
    Kind kind;
    std::vector<Point> points;  // segments are horizontal or vertical; an arrow at the end, for buses at both
                                // ends
  };
  enum class Anchor { kStart, kMiddle, kEnd };
  struct Text {
    Point at;  // on the base line
    Anchor anchor;
    Kind kind;
    std::string text;
    Rectangle area() const;
  };
  std::vector<Box> boxes;  // one for each unit
  std::vector<Line> lines;
  std::vector<Text> texts;  // beside lines
  Rectangle area;           // bounds all of them
};

constexpr double kDiagramTextSize = 12;  // size of the texts beside lines
constexpr double kDiagramUnitSize = 15;  // size of the names of units

// Upper bound of the width in any common font.
double text_width(const std::string& text, double size);
// "z stencil ×2"
std::string unit_text(const Diagram::Unit& unit);
// "2 × quads 1/32/64"
std::string wire_text(const Diagram::Wire& wire);

// Lays out rows from top to bottom, memory at the right. Wires that skip rows or lead back over them run at
// the left, or at the right if the unit has another unit on its left. Control wires are omitted.
DiagramLayout layout_of(const Diagram& diagram);

}  // namespace cutaway::report
