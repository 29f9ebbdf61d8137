#include "plot/scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cutaway::plot {
namespace {

// The least of 1, 2 and 5 times a power of 10 that is not below `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

void add_linear(std::vector<Tick>& ticks, Interval shown, double count) {
  const double step = round_step((shown.most - shown.least) / count);
  for (double i = std::ceil(shown.least / step - 1e-9); i * step <= shown.most + 1e-4 * step; i++)
    ticks.push_back({i * step, number_text(i * step + 0.0)});  // + 0.0: never "-0"
}

void add_log(std::vector<Tick>& ticks, Interval shown) {
  for (double power = std::pow(10, std::floor(std::log10(shown.least))); power <= shown.most; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power >= shown.least * (1 - 1e-9) && factor * power <= shown.most * (1 + 1e-9))
        ticks.push_back({factor * power, number_text(factor * power)});
}

Interval padded(double least, double most, bool log) {
  constexpr double kPart = 0.04;
  if (log) {
    const double factor = least < most ? std::pow(most / least, kPart) : 2;
    return {least / factor, most * factor};
  }
  return least < most ? Interval{least, most} : Interval{least, least + 1};
}

}  // namespace

std::string number_text(double value) {
  if (std::abs(value) >= 1e6) return fmt::format("{:g} M", value / 1e6);
  if (std::abs(value) >= 1e4) return fmt::format("{:g} K", value / 1e3);
  return fmt::format("{:g}", std::round(value * 1e6) / 1e6);
}

Interval extent(const Axis& axis, const std::vector<double>& values, double room) {
  if (axis.least < axis.most) return {axis.least, axis.most};
  if (axis.scale == Axis::Scale::kNames) return {-0.5, static_cast<double>(axis.ticks.size()) - 0.5};
  const bool log = axis.scale == Axis::Scale::kLog;
  std::vector<double> usable;
  for (const double value : values)
    if (std::isfinite(value) && (!log || value > 0)) usable.push_back(value);
  if (usable.empty()) return log ? Interval{1, 10} : Interval{0, 1};
  const auto [low, high] = std::minmax_element(usable.begin(), usable.end());
  if (log) return padded(*low, *high, true);
  return padded((1 + room) * std::min(*low, 0.0), (1 + room) * std::max(*high, 0.0), false);
}

std::vector<Tick> ticks_of(const Axis& axis, Interval shown, double count) {
  std::vector<Tick> ticks;
  for (const Tick& tick : axis.ticks)
    if (tick.at >= shown.least && tick.at <= shown.most) ticks.push_back(tick);
  if (!axis.ticks.empty() || axis.scale == Axis::Scale::kNames) return ticks;
  if (axis.scale == Axis::Scale::kLog) add_log(ticks, shown);
  else add_linear(ticks, shown, count);
  return ticks;
}

double Scale::at(double value) const {
  const auto place = [this](double v) { return log_ ? std::log(v) : v; };
  const double inside = std::clamp(value, shown_.least, shown_.most);
  return begin_ +
         (end_ - begin_) * (place(inside) - place(shown_.least)) / (place(shown_.most) - place(shown_.least));
}

}  // namespace cutaway::plot
