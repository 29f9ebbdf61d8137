// The lines of a diagram, with their texts.
#include <algorithm>

#include "report/diagram_drawing.h"

namespace cutaway::report {

// Draws helpers beside their unit: the unit's messages above the helper's answers.
void Drawing::draw_helpers() {
  for (size_t unit = 0; unit < place_.size(); unit++) {
    if (diagram_.units[unit].memory || !is_helper(unit)) continue;
    const double left = box(place_[unit].helps).right(), right = box(unit).area.x;
    double y = box(unit).area.y + 4;
    for (const Kind kind : {Kind::kForward, Kind::kBack})
      for (const Link& link : links_) {
        if (link.kind != kind || (link.from != unit && link.to != unit)) continue;
        const bool outwards = link.to == unit;
        y += kind == Kind::kForward ? link.height() : kLine - 2;
        line(kind, outwards ? std::vector<Point>{{left, y}, {right, y}}
                            : std::vector<Point>{{right, y}, {left, y}});
        const double base = kind == Kind::kForward ? y - 6 : y + link.height() - 2;
        text(kind, (left + right) / 2, base, Anchor::kMiddle, link.texts);
      }
  }
}

void Drawing::draw_neighbour(const Link& link, double at_upper, double at_lower) {
  const auto [upper, lower] = upper_lower(link);
  std::vector<Point> points{{at_upper, box(upper).bottom()}, {at_lower, box(lower).area.y}};
  if (!same_column(link)) {
    const size_t row = place_[upper].row;
    const double y = row_bottom_[row] + (tracks_[row] += kTrack);
    points.insert(points.begin() + 1, {{at_upper, y}, {at_lower, y}});
  }
  if (link.kind == Kind::kBack) std::reverse(points.begin(), points.end());
  line(link.kind, std::move(points));
}

// Draws a straight line down if the units are above one another, otherwise through a track between the rows.
// Backward links are to the left of forward links, each with its texts on its own side.
void Drawing::draw_neighbours() {
  std::map<size_t, unsigned> bends;  // lines with a bend below each unit
  for (size_t lower = 0; lower < place_.size(); lower++) {
    std::vector<const Link*> straight, bent;
    for (const Kind kind : {Kind::kBack, Kind::kForward})
      for (const Link& link : links_) {
        if (link.kind != kind || upper_lower(link).second != lower || !between_neighbours(link)) continue;
        (same_column(link) ? straight : bent).push_back(&link);
      }
    double first = middle(lower), last = first;  // extent of the lines
    auto draw = [&](const Link& link, double at_upper, double at_lower) {
      draw_neighbour(link, at_upper, at_lower);
      first = std::min(first, at_lower), last = std::max(last, at_lower);
    };
    for (size_t i = 0; i < straight.size(); i++) {
      const double x = spread(lower, i, straight.size());
      draw(*straight[i], x, x);
    }
    for (size_t i = 0; i < bent.size(); i++) {
      const size_t upper = upper_lower(*bent[i]).first;
      const double towards = place_[upper].column < place_[lower].column ? 1 : -1;
      const double beside = middle(lower) - towards * (36 + kTrack * double(i));
      draw(*bent[i], middle(upper) + towards * (43 + kTrack * bends[upper]++),
           straight.empty() ? spread(lower, i, bent.size()) : beside);
    }
    bent.insert(bent.end(), straight.begin(), straight.end());
    tell_neighbours(lower, bent, first - 7, last + 7);
  }
}

// Writes the texts from the arrows upwards.
void Drawing::tell_neighbours(size_t lower, const std::vector<const Link*>& links, double left,
                              double right) {
  double forward = box(lower).area.y - 10, back = forward;
  for (const Link* link : links) {
    const bool down = link->kind == Kind::kForward;
    double& base = down ? forward : back;
    text(link->kind, down ? right : left, base, down ? Anchor::kStart : Anchor::kEnd, link->texts);
    base -= link->height();
  }
}

// Numbers the lanes: the shortest are innermost; lanes that do not overlap share a number.
void Drawing::number_lanes() {
  auto span = [this](const Lane& lane) {
    return std::minmax({run(ends_[lane.ends[0]]), run(ends_[lane.ends[1]])});
  };
  std::stable_sort(lanes_.begin(), lanes_.end(), [&](const Lane& a, const Lane& b) {
    return span(a).second - span(a).first < span(b).second - span(b).first;
  });
  for (size_t i = 0; i < lanes_.size(); i++) {
    const auto [top, bottom] = span(lanes_[i]);
    for (size_t k = 0; k < i; k++) {
      const auto [other_top, other_bottom] = span(lanes_[k]);
      if (lanes_[k].side == lanes_[i].side && top < other_bottom + kTrack && other_top < bottom + kTrack)
        lanes_[i].number = std::max(lanes_[i].number, lanes_[k].number + 1);
    }
  }
}

// Draws a line outwards from the side of a box: straight, or through a track below the row if another box is
// in the way.
void Drawing::leave(const End& end, Side side, std::vector<Point>& points) {
  const double x = side == kLeft ? box(end.unit).area.x : box(end.unit).right();
  points.push_back({x, end.y});
  if (end.track < 0) return;
  const double beside = x + (side == kLeft ? -1 : 1) * (12 + 0.4 * end.track);
  points.push_back({beside, end.y}), points.push_back({beside, run(end)});
}

void Drawing::draw_lanes() {
  const double room = label_ + 18;
  double most = right_;
  for (const Lane& lane : lanes_) {
    const double x = lane.side == kLeft ? -room - kTrack * lane.number : right_ + room + kTrack * lane.number;
    most = std::max(most, x);
    std::vector<Point> points, back;
    leave(ends_[lane.ends[0]], lane.side, points), leave(ends_[lane.ends[1]], lane.side, back);
    const Point label = points.back();
    points.push_back({x, points.back().y}), points.push_back({x, back.back().y});
    points.insert(points.end(), back.rbegin(), back.rend());
    line(lane.link->kind, std::move(points));
    const bool left = lane.side == kLeft;
    text(lane.link->kind, label.x + (left ? -8 : 8), label.y - 6, left ? Anchor::kEnd : Anchor::kStart,
         lane.link->texts);
  }
  right_ = most;
}

void Drawing::draw_buses() {
  double room = 0;
  for (const Bus& bus : buses_) room = std::max(room, text_width(bus.text, kDiagramTextSize) + 40);
  for (const auto& text : out_.texts) right_ = std::max(right_, text.area().right() + 12);
  memory_ = right_ + room;
  // Down to the last bus.
  const double bottom =
      row_bottom_.empty() ? kBoxHeight : row_bottom_.back() + (tracks_.back() > 0 ? tracks_.back() + 8 : 0);
  double x = memory_;
  for (size_t unit = 0; unit < place_.size(); unit++) {
    if (!diagram_.units[unit].memory) continue;
    box(unit).area = {x, 0, text_width(unit_text(diagram_.units[unit]), kDiagramUnitSize) + 24, bottom};
    x = box(unit).right() + 40;
  }
  for (const Bus& bus : buses_) {
    std::vector<Point> points;
    leave(ends_[bus.end], kRight, points);
    const double y = points.back().y;
    points.push_back({box(bus.memory).area.x, y});
    line(Kind::kBus, std::move(points));
    text(Kind::kBus, memory_ - 12, y - 6, Anchor::kEnd, {bus.text});
  }
}

void Drawing::frame() {
  double left = 0, top = 0, right = 0, bottom = 0;
  auto include = [&](double x0, double y0, double x1, double y1) {
    left = std::min(left, x0), top = std::min(top, y0), right = std::max(right, x1),
    bottom = std::max(bottom, y1);
  };
  for (const Box& box : out_.boxes) include(box.area.x, box.area.y, box.right(), box.bottom());
  for (const auto& line : out_.lines)
    for (const Point& point : line.points) include(point.x, point.y, point.x, point.y);
  for (const auto& text : out_.texts)
    include(text.area().x, text.area().y, text.area().right(), text.area().bottom());
  out_.area = {left, top, right - left, bottom - top};
}

}  // namespace cutaway::report
