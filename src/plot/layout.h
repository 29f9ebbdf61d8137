#pragma once

#include "plot/scale.h"

namespace cutaway::plot {

inline constexpr double kWidth = 980;      // of every figure
inline constexpr double kText = 12;        // size of all texts but titles
inline constexpr double kTitle = 40;       // height of a chart's title
inline constexpr double kRow = 15;         // height of a row of a y axis of names
inline constexpr double kLegendLine = 18;  // height of a line of the legend and of the notes
inline constexpr double kNoteColumn = 64;  // width of the notes of points, right of the area

// True if a point has a note.
bool has_notes(const Chart& chart);

struct Margins {
  double left = 0, right = 0;
};

// The room that a chart needs beside its area: titles and labels of the y axis; notes of points, the legend.
Margins margins_of(const Chart& chart);

// Places of the parts of a chart in a figure. y grows downwards from the top of the chart.
struct Layout {
  Interval x_shown, y_shown;
  double left = 0, right = 0, top = 0, bottom = 0;  // of the area
  std::vector<Tick> x_ticks, y_ticks;
  bool slanted = false;   // labels of the x axis stand slanted because they would overlap
  double label_room = 0;  // height of the labels below the area
  double height = 0;      // of the whole chart

  Scale x(const Chart& chart) const { return {chart.x.scale, x_shown, left, right}; }
  Scale y(const Chart& chart) const;
};

// margins: at least those that the chart needs.
Layout layout_of(const Chart& chart, Margins margins);

}  // namespace cutaway::plot
