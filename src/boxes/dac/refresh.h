#pragma once

#include <algorithm>
#include <cmath>
#include <ranges>

#include "engine/domain.h"

namespace cutaway::boxes {

// When a display that refreshes itself at a fixed rate takes the rows of a picture.
class Refresh {
 public:
  using Cycle = engine::Cycle;

  // A row of the refresh that begins with `retrace`, and when the display takes it.
  struct Place {
    Cycle retrace = 0;
    uint32_t row = 0;
    Cycle due = 0;
  };

  // hz: refreshes a second; 0: the display has no rate of its own. blanking: percent of a refresh behind the
  // picture, in which no rows are taken. mhz: of the clock whose cycles it tells.
  Refresh(double hz, double blanking, double mhz)
      : period_(hz > 0 ? std::max(1.0, mhz * 1e6 / hz) : 0), picture_(period_ * (1 - blanking / 100)) {}

  bool on() const { return period_ > 0; }
  // The first vertical retrace in cycle `now` or later. The first of all is in cycle 0.
  Cycle next(Cycle now) const {
    const double before = std::floor(static_cast<double>(now) / period_);
    const Cycle at = whole(before * period_);
    return at >= now ? at : whole((before + 1) * period_);
  }
  // The last vertical retrace in cycle `now` or before.
  Cycle last(Cycle now) const {
    const double before = std::floor(static_cast<double>(now) / period_);
    const Cycle at = whole(before * period_);
    return at <= now ? at : whole((before - 1) * period_);
  }
  // When the display takes row `row` of `rows` of the picture that begins with a retrace.
  Cycle row_due(Cycle retrace, uint32_t row, uint32_t rows) const {
    return retrace + whole(picture_ * row / rows);
  }
  // When the display has taken the whole picture: with the next vertical retrace at the latest.
  Cycle picture_end(Cycle retrace) const { return std::min(retrace + whole(picture_), next(retrace + 1)); }

  // The first row of a picture that the display takes in cycle `now` or later.
  Place next_picture(Cycle now) const {
    const Cycle retrace = next(now);
    return {retrace, 0, retrace};
  }
  // The first row of `rows` that the display takes in cycle `now` or later.
  Place next_row(Cycle now, uint32_t rows) const {
    const Cycle retrace = last(now);
    const auto all = std::views::iota(uint32_t{0}, rows);
    const auto found =
        std::ranges::partition_point(all, [&](uint32_t row) { return row_due(retrace, row, rows) < now; });
    if (found == all.end()) return next_picture(now);
    return {retrace, *found, row_due(retrace, *found, rows)};
  }

 private:
  static Cycle whole(double cycles) { return static_cast<Cycle>(std::ceil(cycles)); }

  double period_, picture_;  // cycles; of them with rows
};

}  // namespace cutaway::boxes
