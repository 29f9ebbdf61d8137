#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/xml.h"
#include "report/diagram.h"
#include "report/diagram_layout.h"

namespace cutaway::report {
namespace {

using Layout = DiagramLayout;
using Kind = Layout::Kind;
using Anchor = Layout::Anchor;

constexpr double kMargin = 24, kTitle = 40, kLegendLine = 20;

const char* color(Kind kind) {
  return kind == Kind::kForward ? "#1f2d3d" : kind == Kind::kBack ? "#a03232" : "#7a6a45";
}
const char* arrow(Kind kind) {
  return kind == Kind::kForward ? "forward" : kind == Kind::kBack ? "back" : "bus";
}

class SvgWriter {
 public:
  explicit SvgWriter(const Diagram& diagram) : diagram_(diagram), layout_(layout_of(diagram)) {}

  std::string text() {
    begin();
    // Lines first, so that boxes and texts cover them.
    for (const Layout::Line& line : layout_.lines) write_line(line);
    for (const Layout::Box& box : layout_.boxes) write_box(box);
    for (const Layout::Text& text : layout_.texts) write_text(text);
    write_legend();
    return out_ + "</svg>\n";
  }

 private:
  void begin() {
    const Layout::Rectangle& area = layout_.area;
    const double left = area.x - kMargin, top = area.y - kMargin - kTitle;
    const double width = std::max({area.width, 640.0, text_width(diagram_.title, 22)}) + 2 * kMargin;
    const double height = area.height + 2 * kMargin + kTitle + 6 * kLegendLine;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{0:g} {1:g} {2:g} {3:g}\" width=\"{2:g}\" "
        "height=\"{3:g}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
        "<defs>\n",
        left, top, width, height);
    for (const Kind kind : {Kind::kForward, Kind::kBack, Kind::kBus})
      out_ += fmt::format(
          "<marker id=\"{}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" "
          "markerHeight=\"9\" "
          "markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\">"
          "<path d=\"M0 1 L10 5 L0 9 z\" fill=\"{}\"/></marker>\n",
          arrow(kind), color(kind));
    out_ += fmt::format(
        "</defs>\n<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"#ffffff\"/>\n", left, top,
        width, height);
    out_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" font-size=\"22\" font-weight=\"bold\">{}</text>\n",
                        area.x, area.y - kTitle + 8, xml_text(diagram_.title));
  }

  void write_line(const Layout::Line& line) {
    out_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" marker-end=\"url(#{})\"{}{}/>\n",
        path(line.points), color(line.kind), line.kind == Kind::kBus ? "2.5" : "1.4", arrow(line.kind),
        line.kind == Kind::kBack ? " stroke-dasharray=\"6 4\"" : "",
        line.kind == Kind::kBus ? " marker-start=\"url(#bus)\"" : "");
  }

  // A path with rounded corners.
  static std::string path(const std::vector<Layout::Point>& points) {
    std::string d = fmt::format("M{:g} {:g}", points[0].x, points[0].y);
    for (size_t i = 1; i < points.size(); i++) {
      const Layout::Point &last = points[i - 1], &at = points[i];
      if (i + 1 == points.size()) {
        d += fmt::format(" L{:g} {:g}", at.x, at.y);
        break;
      }
      const Layout::Point& next = points[i + 1];
      auto part = [](const Layout::Point& from, const Layout::Point& to) {
        const double length = std::abs(to.x - from.x) + std::abs(to.y - from.y);
        const double share = length > 0 ? std::min(9.0, length / 2) / length : 0;
        return Layout::Point{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
      };
      const Layout::Point before = part(at, last), after = part(at, next);
      d += fmt::format(" L{:g} {:g} Q{:g} {:g} {:g} {:g}", before.x, before.y, at.x, at.y, after.x, after.y);
    }
    return d;
  }

  void write_box(const Layout::Box& box) {
    const Diagram::Unit& unit = diagram_.units[box.unit];
    const char* fill = unit.memory ? "#fbf3df" : "#eaf1fa";
    for (const double shift : {box.depth, 0.0}) {
      out_ += fmt::format(
          "<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" rx=\"5\" fill=\"{}\" "
          "stroke=\"#1f2d3d\" "
          "stroke-width=\"1.4\"/>\n",
          box.area.x + shift, box.area.y + shift, box.area.width, box.area.height, fill);
      if (shift == 0) break;
    }
    out_ += fmt::format(
        "<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\" font-weight=\"bold\" "
        "text-anchor=\"middle\">{}</text>\n",
        box.area.x + box.area.width / 2, box.area.y + box.area.height / 2 + kDiagramUnitSize * 0.36,
        kDiagramUnitSize, xml_text(unit_text(unit)));
    if (unit.obeys) write_mark(box.area.right() - 10, box.area.y + 10);
  }

  void write_mark(double x, double y) {
    out_ += fmt::format("<circle cx=\"{:g}\" cy=\"{:g}\" r=\"4\" fill=\"#2f7d4f\"/>\n", x, y);
  }

  void write_text(const Layout::Text& text) {
    const char* anchor = text.anchor == Anchor::kStart ? "start"
                         : text.anchor == Anchor::kEnd ? "end"
                                                       : "middle";
    out_ += fmt::format(
        "<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\" fill=\"{}\" text-anchor=\"{}\" stroke=\"#ffffff\" "
        "stroke-width=\"2\" paint-order=\"stroke\">{}</text>\n",
        text.at.x, text.at.y, kDiagramTextSize, color(text.kind), anchor, xml_text(text.text));
  }

  void write_legend() {
    const double x = layout_.area.x;
    double y = layout_.area.bottom() + 34;
    auto line = [&](const std::string& text) {
      out_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" font-size=\"13\">{}</text>\n", x + 56, y + 4,
                          xml_text(text));
      y += kLegendLine;
    };
    const std::pair<Kind, const char*> kinds[] = {
        {Kind::kForward, "wires: how many × what, latency in cycles / messages a cycle / slots"},
        {Kind::kBack, "wires that lead back to a unit above, or answer"},
        {Kind::kBus, "buses to and from memory: how many wires × latency / messages a cycle / slots"}};
    for (const auto& [kind, text] : kinds) {
      write_line({kind, {{x, y}, {x + 44, y}}});
      line(text);
    }
    if (const std::string controls = control_text(); !controls.empty()) {
      write_mark(x + 22, y);
      line(controls);
    }
  }

  std::string control_text() const {
    std::vector<std::pair<std::string, unsigned>> counts;
    for (const Diagram::Wire& wire : diagram_.wires) {
      if (wire.role != Diagram::Role::kControl) continue;
      const std::string spec = fmt::format("{}/{}/{}", wire.latency, wire.bandwidth, wire.slots);
      const auto known =
          std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == spec; });
      if (known == counts.end()) counts.emplace_back(spec, wire.count);
      else known->second += wire.count;
    }
    std::string text;
    for (const auto& [spec, count] : counts)
      text += fmt::format("{}{} × {}", text.empty() ? "" : ", ", count, spec);
    return text.empty() ? text
                        : "units that obey flushes and invalidates, by wires that are not drawn: " + text;
  }

  const Diagram& diagram_;
  const Layout layout_;
  std::string out_;
};

}  // namespace

std::string diagram_svg(const Diagram& diagram) { return SvgWriter(diagram).text(); }

}  // namespace cutaway::report
