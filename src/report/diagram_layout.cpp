// Positions of the boxes of a diagram, and of line ends on their sides.
#include "report/diagram_layout.h"

#include <algorithm>
#include <fmt/format.h>

#include "report/diagram_drawing.h"

namespace cutaway::report {

using Role = Diagram::Role;

Drawing::Drawing(const Diagram& diagram) : diagram_(diagram), rows_(rows_of(diagram)) {
  place_.resize(diagram.units.size());
  make_links();
  make_places();
  make_lanes();
  make_buses();
  place_boxes();
  draw_helpers();
  draw_neighbours();
  number_lanes();
  draw_lanes();
  draw_buses();
  frame();
}

void Drawing::make_links() {
  for (size_t i = 0; i < diagram_.wires.size(); i++) {
    const Diagram::Wire& wire = diagram_.wires[i];
    if (wire.role != Role::kData) continue;
    const Kind kind = rows_.back[i] ? Kind::kBack : Kind::kForward;
    auto link = std::find_if(links_.begin(), links_.end(), [&](const Link& known) {
      return std::tie(known.from, known.to, known.kind) == std::tie(wire.from, wire.to, kind);
    });
    if (link == links_.end()) link = links_.insert(link, {wire.from, wire.to, kind, {}});
    link->texts.push_back(wire_text(wire));
    label_ = std::max(label_, text_width(link->texts.back(), kDiagramTextSize));
  }
}

void Drawing::make_places() {
  for (size_t r = 0; r < rows_.rows.size(); r++) {
    size_t column = 0;
    for (size_t i = 0; i < rows_.rows[r].size(); i++) {
      const DiagramRows::Place& group = rows_.rows[r][i];
      const bool first = i == 0, last = i + 1 == rows_.rows[r].size();
      place_[group.unit] = {r, column++, group.unit, first, last};
      for (const size_t helper : group.helpers) place_[helper] = {r, column, group.unit, false, last};
      if (!group.helpers.empty()) column++;
    }
  }
  tracks_.resize(rows_.rows.size());
}

size_t Drawing::make_end(size_t unit, Side side, double room, std::pair<int, double> order) {
  ends_.push_back({.unit = unit, .room = room, .order = order});
  const bool free = side == kLeft ? place_[unit].first : place_[unit].last;
  if (!free) ends_.back().track = tracks_[place_[unit].row] += std::max(kTrack, room);
  sides_[{unit, side}].push_back(ends_.size() - 1);
  return ends_.size() - 1;
}

// Upward links are above downward ones, so that lanes of one box do not cross.
void Drawing::make_lanes() {
  for (const Link& link : links_) {
    if (between_helpers(link) || between_neighbours(link)) continue;
    const Place &from = place_[link.from], &to = place_[link.to];
    const Side side = !(from.first && to.first) && from.last && to.last ? kRight : kLeft;
    const double rows = double(to.row) - double(from.row);
    auto order = [](double away) { return std::pair(away < 0 ? 0 : 1, -away); };
    const size_t start =
        make_end(link.from, side, link.height() + 6, order(link.from == link.to ? -0.5 : rows));
    const size_t end = make_end(link.to, side, kSlot, order(-rows));
    lanes_.push_back({&link, side, {start, end}});
  }
}

void Drawing::make_buses() {
  std::map<std::pair<size_t, size_t>, std::map<std::string, unsigned>> counts;
  for (const Diagram::Wire& wire : diagram_.wires) {
    if (wire.role != Role::kBus) continue;
    const bool to_memory = diagram_.units[wire.to].memory;
    const auto ends = to_memory ? std::pair(wire.from, wire.to) : std::pair(wire.to, wire.from);
    counts[ends][fmt::format("{}/{}/{}", wire.latency, wire.bandwidth, wire.slots)] += wire.count;
  }
  for (const auto& [ends, specs] : counts) {
    Bus bus{ends.first, ends.second, make_end(ends.first, kRight, kSlot, {2, double(ends.second)}), ""};
    for (const auto& [spec, count] : specs)
      bus.text += fmt::format("{}{} × {}", bus.text.empty() ? "" : ", ", count, spec);
    buses_.push_back(std::move(bus));
  }
  auto above = [this](size_t a, size_t b) { return ends_[a].order < ends_[b].order; };
  for (auto& [side, ends] : sides_) std::stable_sort(ends.begin(), ends.end(), above);
}

double Drawing::side_room(size_t unit, Side side) const {
  double room = 0;
  if (const auto ends = sides_.find({unit, side}); ends != sides_.end())
    for (const size_t end : ends->second) room += ends_[end].room;
  return room;
}

void Drawing::place_ends(size_t unit, Side side, double top) {
  const auto ends = sides_.find({unit, side});
  if (ends == sides_.end()) return;
  double y = top + (box(unit).area.bottom() - top - side_room(unit, side)) / 2;
  for (const size_t end : ends->second) {
    y += ends_[end].room;
    ends_[end].y = y - 6;
  }
}

double Drawing::helper_height(size_t unit) const {
  double height = 28;
  for (const Link& link : links_)
    if (link.from == unit || link.to == unit) height += link.height();
  return std::max({kBoxHeight, height, side_room(unit, kRight) + 8});
}

// The largest number of bent lines that leave or enter one unit from below or above.
unsigned Drawing::most_bends() const {
  std::map<size_t, unsigned> bends;
  unsigned most = 0;
  for (const Link& link : links_) {
    if (!between_neighbours(link) || same_column(link)) continue;
    for (const size_t unit : {link.from, link.to}) most = std::max(most, ++bends[unit]);
  }
  return most;
}

// Space for tracks, then for texts beside arrows.
double Drawing::gap_below(size_t row) const {
  double above = 0, lines = 0;
  for (size_t unit = 0; unit < place_.size(); unit++) {
    double forward = 0, back = 0;
    for (const Link& link : links_) {
      if (upper_lower(link).second != unit || place_[unit].row != row + 1 || !between_neighbours(link))
        continue;
      (link.kind == Kind::kForward ? forward : back) += link.height();
      if (!same_column(link)) above += kTrack;
    }
    lines = std::max({lines, forward, back});
  }
  return tracks_[row] + above + lines + kArrow;
}

void Drawing::place_boxes() {
  const unsigned bends = most_bends();
  box_width_ = std::max(150.0, 2 * (50 + kTrack * bends));
  for (const Diagram::Unit& unit : diagram_.units)
    box_width_ = std::max(box_width_, text_width(unit_text(unit), kDiagramUnitSize) + 36);
  // Columns leave room for the texts beside a helper, or for those of two neighbours' lines.
  const double column = std::max(box_width_ + label_ + 40, 2 * (label_ + 45 + kTrack * bends));
  out_.boxes.resize(place_.size());
  for (size_t unit = 0; unit < place_.size(); unit++)
    out_.boxes[unit] = {unit, {}, diagram_.units[unit].count > 1 ? 5.0 : 0.0};
  double y = 0;
  for (size_t r = 0; r < rows_.rows.size(); r++) {
    double bottom = y;
    for (const DiagramRows::Place& group : rows_.rows[r]) {
      double helpers = y;
      for (const size_t unit : group.helpers) {
        box(unit).area = {column * double(place_[unit].column), helpers, box_width_, helper_height(unit)};
        place_ends(unit, kRight, helpers);
        right_ = std::max(right_, box(unit).right());
        helpers = box(unit).bottom() + kBetween;
      }
      const double height = std::max(
          {kBoxHeight, side_room(group.unit, kLeft) + 8, helpers - y + side_room(group.unit, kRight) + 8});
      box(group.unit).area = {column * double(place_[group.unit].column), y, box_width_, height};
      place_ends(group.unit, kLeft, y), place_ends(group.unit, kRight, helpers);
      right_ = std::max(right_, box(group.unit).right());
      bottom = std::max(bottom, box(group.unit).bottom());
    }
    row_bottom_.push_back(bottom);
    y = bottom + gap_below(r);
  }
}

double text_width(const std::string& text, double size) {
  const auto begins = [](char c) { return (c & 0xc0) != 0x80; };  // first byte of a UTF-8 character
  return 0.6 * size * double(std::count_if(text.begin(), text.end(), begins));
}

DiagramLayout::Rectangle DiagramLayout::Text::area() const {
  const double width = text_width(text, kDiagramTextSize);
  const double left = anchor == Anchor::kStart ? at.x
                      : anchor == Anchor::kEnd ? at.x - width
                                               : at.x - width / 2;
  return {left, at.y - 0.75 * kDiagramTextSize, width, kDiagramTextSize};
}

std::string unit_text(const Diagram::Unit& unit) {
  std::string text = unit.name;
  std::replace(text.begin(), text.end(), '_', ' ');
  return unit.count > 1 ? fmt::format("{} ×{}", text, unit.count) : text;
}

std::string wire_text(const Diagram::Wire& wire) {
  std::string name = wire.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  if (wire.count > 1) name = fmt::format("{} × {}", wire.count, name);
  return fmt::format("{} {}/{}/{}", name, wire.latency, wire.bandwidth, wire.slots);
}

DiagramLayout layout_of(const Diagram& diagram) { return Drawing(diagram).take(); }

}  // namespace cutaway::report
