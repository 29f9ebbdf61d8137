// Draws the life of a thing as a pipeline diagram: one row per stop, one column per cycle.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "base/xml.h"
#include "report/life.h"

namespace cutaway::report {
namespace {

constexpr double kLeft = 230, kTop = 64, kRow = 24, kBar = 16, kWidth = 1400, kWidestCycle = 18;
constexpr double kLong = 1400, kBroken = 60;  // cycles: a stretch without events that is longer than kLong is
                                              // drawn as kBroken

class Drawing {
 public:
  Drawing(const run_record::Timeline& timeline, const Life& life) : timeline_(timeline), life_(life) {
    place_moments();
    cycle_width_ = std::min(kWidestCycle, kWidth / moments_.back().column);
  }

  std::string text() {
    const double width = std::max(kLeft + moments_.back().column * cycle_width_ + 40, 900.0);
    const double height = kTop + kRow * static_cast<double>(life_.stops.size()) + 76;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
        "{1:g}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#ffffff\"/>\n"
        "<defs><pattern id=\"door\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><rect width=\"3\" height=\"6\" fill=\"#ffffff\" "
        "fill-opacity=\"0.6\"/></pattern></defs>\n",
        std::ceil(width), std::ceil(height));
    write(12, 22, life_.title + fmt::format(": frame {} on {}", timeline_.frame, timeline_.gpu), 15);
    axis();
    for (size_t i = 0; i < life_.stops.size(); i++) row(i);
    legend(kTop + kRow * static_cast<double>(life_.stops.size()) + 42);
    return out_ + "</svg>\n";
  }

 private:
  double at(uint64_t time) const {
    return static_cast<double>(time) / static_cast<double>(timeline_.core_period);
  }
  // Places the cycles in columns. In a long life, a stretch without events is drawn as if it were kBroken
  // cycles.
  void place_moments() {
    std::set<double> times;
    for (const Stop& stop : life_.stops) {
      if (stop.wire) times.insert({at(stop.sent), at(stop.arrives), at(stop.taken)});
      if (stop.leaves) times.insert(at(*stop.leaves));
    }
    times.insert(at(life_.end()) + 1);  // draws the last cycle too
    const bool is_long = *times.rbegin() - *times.begin() > kLong;
    for (const double time : times) {
      const double gap = moments_.empty() ? 0 : time - moments_.back().time;
      const bool broken = is_long && gap > kBroken;
      moments_.push_back(
          {time, moments_.empty() ? 0 : moments_.back().column + (broken ? kBroken : gap), broken});
    }
  }
  double x(double time) const {
    const auto after = std::find_if(moments_.begin() + 1, moments_.end() - 1,
                                    [&](const Moment& moment) { return moment.time >= time; });
    const Moment &end = *after, &begin = *(after - 1);
    const double share = (time - begin.time) / (end.time - begin.time);
    return kLeft + (begin.column + share * (end.column - begin.column)) * cycle_width_;
  }
  double x(uint64_t time) const { return x(at(time)); }

  void write(double left, double base, const std::string& text, double size = 12, const char* more = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" fill=\"#1f2d3d\"{}>{}</text>\n",
                        left, base, size, more, xml_text(text));
  }

  // Draws a line every 1, 2, 5, 10, ... cycles, so that numbers do not overlap, and a band over omitted
  // cycles.
  void axis() {
    double step = 1;
    for (const double factor : {2.0, 2.5, 2.0, 2.0, 2.5, 2.0, 2.0, 2.5, 2.0, 2.0, 2.5, 2.0})
      if (step * cycle_width_ < 80) step *= factor;
    const double bottom = kTop + kRow * static_cast<double>(life_.stops.size());
    write(12, kTop - 12, "cycle of the core's clock");
    double free = 0;  // x coordinate from which no number has been written
    for (size_t i = 1; i < moments_.size(); i++) {
      const double begin = moments_[i - 1].time, end = moments_[i].time;
      if (moments_[i].broken) {
        out_ += fmt::format(
            "<rect x=\"{0:.1f}\" y=\"{1:g}\" width=\"{2:.1f}\" height=\"{3:g}\" fill=\"#fff3d0\"/>\n",
            x(begin), kTop - 6, x(end) - x(begin), bottom - kTop + 6);
        write((x(begin) + x(end)) / 2, bottom + 12, fmt::format("{:.0f}", end - begin), 10,
              " text-anchor=\"middle\"");
        number_at(begin, free);
        continue;
      }
      for (double cycle = std::ceil(begin / step) * step; cycle <= end; cycle += step) {
        if (!number_at(cycle, free)) continue;
        out_ += fmt::format("<path d=\"M{0:.1f} {1:g}V{2:g}\" stroke=\"#d5dae0\"/>\n", x(cycle), kTop - 6,
                            bottom);
      }
    }
  }

  // Writes a number if there is room to the right of the previous one. Returns false otherwise.
  bool number_at(double cycle, double& free) {
    if (x(cycle) < free) return false;
    free = x(cycle) + 60;
    write(x(cycle), kTop - 12, fmt::format("{:.0f}", cycle), 11, " text-anchor=\"middle\"");
    return true;
  }

  static const char* color(const run_record::Timeline::Unit& unit, uint32_t reason) {
    if (reason == run_record::Timeline::kIdle) return "#b8bfc7";
    if (reason == run_record::Timeline::kBusy) return "#2474c4";
    return unit.reasons[reason].text.starts_with("starved") ? "#e3a21a" : "#c8452f";
  }

  void bar(double top, uint64_t begin, uint64_t end, const char* fill, const std::string& what,
           double height = kBar) {
    out_ += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:g}\" width=\"{:.2f}\" height=\"{:g}\" fill=\"{}\"><title>{}: cycles {:g} "
        "to {:g}</title></rect>\n",
        x(begin), top, std::max(x(end) - x(begin), 0.4), height, fill, xml_text(what), at(begin), at(end));
  }

  void row(size_t number) {
    const Stop& stop = life_.stops[number];
    const run_record::Timeline::Unit& unit = timeline_.units[stop.unit];
    const double top = kTop + kRow * static_cast<double>(number) + 4;
    if (number % 2)
      out_ += fmt::format(
          "<rect x=\"0\" y=\"{:g}\" width=\"100%\" height=\"{:g}\" fill=\"#f0f3f6\" "
          "fill-opacity=\"0.6\"/>\n",
          top - 4, kRow);
    write(12, top + 12, unit.path);
    const uint64_t cycle = timeline_.core_period;
    if (!stop.wire) {
      bar(top, *stop.leaves, *stop.leaves + cycle, "#2474c4", unit.path + " sends " + stop.message);
      return;
    }
    bar(top + 6, stop.sent, stop.arrives, "#8fa3bf", "on its way: " + stop.message, 4);
    for (const Share& share : shares(timeline_, stop.unit, stop.arrives, stop.taken))
      stay(top, share, unit, "waits at the door: ");
    if (stop.arrives < stop.taken)
      out_ += fmt::format(
          "<rect x=\"{:.2f}\" y=\"{:g}\" width=\"{:.2f}\" height=\"{:g}\" fill=\"url(#door)\" "
          "pointer-events=\"none\"/>\n",
          x(stop.arrives), top, x(stop.taken) - x(stop.arrives), kBar);
    // A thing that is taken and not sent on is shown for the cycle in which it is taken.
    const uint64_t until = std::max(stop.leaves.value_or(0), stop.taken + (stop.leaves ? 0 : cycle));
    for (const Share& share : shares(timeline_, stop.unit, stop.taken, until))
      stay(top, share, unit, "inside: ");
    out_ += fmt::format("<path d=\"M{0:.2f} {1:g}v{2:g}\" stroke=\"#1f2d3d\" stroke-width=\"1.2\"/>\n",
                        x(stop.taken), top - 2, kBar + 4);
  }
  void stay(double top, const Share& share, const run_record::Timeline::Unit& unit, const char* how) {
    bar(top, share.begin, share.end, color(unit, share.reason),
        how + unit.path + " is " + unit.reasons[share.reason].text);
  }

  void legend(double base) {
    double left = 12;
    const auto entry = [&](const char* fill, bool door, const std::string& text) {
      for (const char* paint : {fill, door ? "url(#door)" : fill})
        out_ += fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"16\" height=\"{}\" fill=\"{}\"/>\n", left,
                            base - 11 + (text == "on a wire" ? 5 : 0), text == "on a wire" ? 4 : 12, paint);
      write(left + 22, base, text);
      left += 40 + 6.4 * static_cast<double>(text.size());
    };
    entry("#8fa3bf", false, "on a wire");
    entry("#2474c4", false, "in a unit that is busy");
    entry("#e3a21a", false, "that is starved");
    entry("#c8452f", false, "that is blocked");
    entry("#b8bfc7", false, "that is idle");
    entry("#2474c4", true, "striped: at the door, and what the unit does");
    const bool breaks =
        std::any_of(moments_.begin(), moments_.end(), [](const Moment& m) { return m.broken; });
    if (breaks) entry("#fff3d0", false, "shortened, and for how many cycles");
  }

  const run_record::Timeline& timeline_;
  const Life& life_;
  struct Moment {
    double time, column;  // in cycles; column: position in cycles from the left
    bool broken;          // the stretch before it is shortened
  };
  std::vector<Moment> moments_;
  double cycle_width_ = 1;
  std::string out_;
};

}  // namespace

std::string life_svg(const run_record::Timeline& timeline, const Life& life) {
  return Drawing(timeline, life).text();
}

}  // namespace cutaway::report
