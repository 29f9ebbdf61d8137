#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/diagram_layout.h"
#include "report/diagram_rows.h"

// Internals of layout_of().
namespace cutaway::report {

using Box = DiagramLayout::Box;
using Kind = DiagramLayout::Kind;
using Anchor = DiagramLayout::Anchor;
using Point = DiagramLayout::Point;

constexpr double kLine = 15;   // of text
constexpr double kSlot = 20;   // along a side of a box, per line that ends there
constexpr double kTrack = 14;  // between parallel lines
constexpr double kBoxHeight = 46;
constexpr double kArrow = 24;    // space for an arrow
constexpr double kBetween = 14;  // space between helpers

// All data wires from one unit to another, drawn as one line.
struct Link {
  size_t from, to;
  Kind kind;
  std::vector<std::string> texts;
  double height() const { return kLine * double(texts.size()); }
};

enum Side { kLeft, kRight };

// An end of a line at the side of a box, from which the line continues to a lane or to memory.
struct End {
  size_t unit;
  double room = kSlot;           // needed along the side
  std::pair<int, double> order;  // sort key along the side, from the top
  double y = 0;                  // at the box
  double track = -1;             // below the row, if another box is in the way; otherwise -1
};

struct Lane {
  const Link* link;
  Side side;
  size_t ends[2];  // indices into `ends`: from, to
  int number = 0;  // counts from the boxes outwards
};

struct Bus {
  size_t client, memory, end;
  std::string text;
};

// Places the boxes, then draws the lines and their texts.
class Drawing {
 public:
  explicit Drawing(const Diagram& diagram);
  DiagramLayout take() { return std::move(out_); }

 private:
  struct Place {
    size_t row = 0, column = 0;
    size_t helps = 0;                // the unit that it serves, or itself
    bool first = true, last = true;  // in its row
  };

  void make_links();
  void make_places();
  void make_lanes();
  void make_buses();
  size_t make_end(size_t unit, Side side, double room, std::pair<int, double> order);
  void place_boxes();
  double side_room(size_t unit, Side side) const;
  void place_ends(size_t unit, Side side, double top);
  double helper_height(size_t unit) const;
  unsigned most_bends() const;
  double gap_below(size_t row) const;
  void draw_helpers();
  void draw_neighbours();
  void draw_neighbour(const Link& link, double at_upper, double at_lower);
  void tell_neighbours(size_t lower, const std::vector<const Link*>& links, double left, double right);
  void number_lanes();
  void draw_lanes();
  void draw_buses();
  void leave(const End& end, Side side, std::vector<Point>& points);
  void frame();

  bool is_helper(size_t unit) const { return place_[unit].helps != unit; }
  bool between_helpers(const Link& link) const { return is_helper(link.from) || is_helper(link.to); }
  static std::pair<size_t, size_t> upper_lower(const Link& link) {
    return link.kind == Kind::kForward ? std::pair(link.from, link.to) : std::pair(link.to, link.from);
  }
  // True if the link connects consecutive rows, in the direction of its kind.
  bool between_neighbours(const Link& link) const {
    const auto [upper, lower] = upper_lower(link);
    return !between_helpers(link) && place_[lower].row == place_[upper].row + 1;
  }
  bool same_column(const Link& link) const { return place_[link.from].column == place_[link.to].column; }
  // Height at which the line of this end runs to its lane or to memory.
  double run(const End& end) const {
    return end.track < 0 ? end.y : row_bottom_[place_[end.unit].row] + end.track;
  }
  // Position of the i-th of `count` lines, spread about the middle of a box.
  double spread(size_t unit, size_t i, size_t count) {
    return middle(unit) + (double(i) - double(count - 1) / 2) * 24;
  }
  Box& box(size_t unit) { return out_.boxes[unit]; }
  double middle(size_t unit) { return box(unit).area.x + box(unit).area.width / 2; }
  void line(Kind kind, std::vector<Point> points) { out_.lines.push_back({kind, std::move(points)}); }
  // Adds lines of text, the last of them on `base`.
  void text(Kind kind, double x, double base, Anchor anchor, const std::vector<std::string>& lines) {
    for (size_t i = 0; i < lines.size(); i++)
      out_.texts.push_back({{x, base - kLine * double(lines.size() - 1 - i)}, anchor, kind, lines[i]});
  }

  const Diagram& diagram_;
  const DiagramRows rows_;
  std::vector<Place> place_;  // by unit
  std::vector<Link> links_;
  std::vector<End> ends_;
  std::map<std::pair<size_t, Side>, std::vector<size_t>> sides_;  // ends by unit and side, from the top
  std::vector<Lane> lanes_;
  std::vector<Bus> buses_;
  std::vector<double> tracks_;      // by row: below it
  std::vector<double> row_bottom_;  // by row
  double box_width_ = 0, label_ = 0, right_ = 0, memory_ = 0;
  DiagramLayout out_;
};

}  // namespace cutaway::report
