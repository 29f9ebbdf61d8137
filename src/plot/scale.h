#pragma once

#include <vector>

#include "plot/chart.h"

namespace cutaway::plot {

// The interval that an axis shows, given the values on it. Non-finite values are ignored, and so are values
// of at most 0 on a logarithmic axis. On a linear axis `room` is the share of the interval left free beyond
// the data.
Interval extent(const Axis& axis, const std::vector<double>& values, double room);

// The axis's own ticks that lie in the interval, or about `count` round numbers: multiples of 1, 2 or 5 times
// a power of 10, or on a logarithmic axis these numbers themselves.
std::vector<Tick> ticks_of(const Axis& axis, Interval shown, double count);

// "1234", "12.3 K", "4.5 M"
std::string number_text(double value);

// Maps values of an axis to pixels.
class Scale {
 public:
  // begin: pixel of shown.least; end: of shown.most.
  Scale(Axis::Scale kind, Interval shown, double begin, double end)
      : log_(kind == Axis::Scale::kLog), shown_(shown), begin_(begin), end_(end) {}

  // Values outside the interval lie on its ends.
  double at(double value) const;
  double begin() const { return begin_; }
  double end() const { return end_; }

 private:
  bool log_;
  Interval shown_;
  double begin_, end_;
};

}  // namespace cutaway::plot
