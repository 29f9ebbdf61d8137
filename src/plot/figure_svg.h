#pragma once

#include <string>

#include "plot/chart.h"

namespace cutaway::plot {

// A whole SVG document, 980 pixels wide, on white.
std::string figure_svg(const Figure& figure);

}  // namespace cutaway::plot
