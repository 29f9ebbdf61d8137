#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

// One panel of a figure, ready to be drawn.
namespace cutaway::experiment {

struct Plot {
  enum class Mark { kBars, kPoints, kLines, kSteps };
  struct Line {
    std::string name;
    size_t hue = 0, shade = 0;                      // of its color: lines of one hue belong together
    std::vector<std::pair<double, double>> points;  // x, y; of bars x is the number of the group
  };
  struct Band {  // what the paper says
    double least = 0, most = 0;
    double from = 0, to = 0;  // x, of all of it: from == to
  };
  std::string title, x_title, y_title;
  Mark mark = Mark::kBars;
  std::vector<std::string> groups;  // bars: names on the x axis
  std::vector<Line> lines;
  std::vector<Band> bands;
  std::optional<std::pair<double, double>> linear;  // a dashed line from the origin through this point
  std::vector<std::string> notes;                   // lines under it
  double top = 0;  // of the y axis, which begins at 0; 0: as high as it needs
};

constexpr double kPlotWidth = 980;
double plot_height(const Plot& plot);
// The elements of SVG, with their upper left corner at (0, y).
std::string draw(const Plot& plot, double y);
// As text of XML.
std::string escaped(std::string_view text);

}  // namespace cutaway::experiment
