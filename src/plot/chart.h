#pragma once

#include <optional>
#include <string>
#include <vector>

// Charts as data. plot/figure_svg.h draws them.
namespace cutaway::plot {

struct Tick {
  double at = 0;
  std::string text = {};
  bool heading = false;  // on an axis of names: the title of the names that follow, without a row of values
};

struct Axis {
  enum class Scale {
    kLinear,
    kLog,    // values must be above 0
    kNames,  // value i stands for ticks[i]; one without text leaves a gap
  };
  std::string title = {};
  Scale scale = Scale::kLinear;
  // The interval shown. least == most: a linear axis shows 0 and all data, a logarithmic one all data.
  double least = 0, most = 0;
  std::vector<Tick> ticks = {};       // empty: round numbers
  std::optional<double> accent = {};  // value whose grid line is drawn stronger
};

struct Point {
  double x = 0, y = 0;    // NaN in y: no point
  std::string note = {};  // at the right end of the row of a chart whose y axis has names
};

inline constexpr size_t kHues = 6, kShades = 3;

// Colors repeat after kHues hues and kShades shades. Series of one hue belong together; shades tell them
// apart.
struct Series {
  std::string name = {};  // in the legend; empty: none
  size_t hue = 0, shade = 0;
  bool open = false;  // dots are rings
  std::vector<Point> points = {};
};

struct Interval {
  double least = 0, most = 0;
};

// A rectangle of the area; without an interval it spans the whole axis. An interval of one value is drawn as
// a line.
struct Band {
  std::optional<Interval> x = {}, y = {};
};

struct Chart {
  enum class Mark {
    kBars,  // x axis of names: one bar a series beside another
    kLines,
    kSteps,   // each value holds until the next one
    kPoints,  // joined by a line
    kDots,    // not joined
  };
  enum class BandStyle { kHatched, kTinted };
  std::string title = {};
  Axis x = {}, y = {};
  Mark mark = Mark::kLines;
  std::vector<Series> series = {};
  std::vector<Band> bands = {};
  BandStyle band_style = BandStyle::kHatched;
  std::string band_name = {};              // in the legend; empty: none
  std::string legend_title = {};           // empty: none
  std::optional<Point> proportional = {};  // a dashed line from the origin through this point, of linear axes
  std::vector<std::string> notes = {};     // lines of text below
  double height = 280;  // pixels of the area; of a y axis of names it follows from their number
};

// Charts one below another.
struct Figure {
  std::string title = {}, subtitle = {};  // empty: none
  std::vector<Chart> charts = {};
};

}  // namespace cutaway::plot
