#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "report/summary.h"

namespace cutaway::report {
namespace {

std::string grouped(uint64_t number) {
  std::string digits = fmt::format("{}", number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// A unit's account over several frames.
struct Sum {
  uint64_t cycles = 0, busy = 0, starved = 0, blocked = 0, idle = 0;
  std::map<std::string, uint64_t> waits;  // "starved by gpu.streamer"

  void add(const UnitFigures& unit) {
    cycles += unit.cycles, busy += unit.busy, starved += unit.starved;
    blocked += unit.blocked, idle += unit.idle;
    for (const UnitFigures::Wait& wait : unit.waits)
      waits[fmt::format("{} by {}", wait.starved ? "starved" : "blocked", wait.neighbour)] += wait.cycles;
  }
  double percent(uint64_t part) const {
    return cycles ? 100.0 * static_cast<double>(part) / static_cast<double>(cycles) : 0;
  }
  std::string worst() const {
    const auto most = std::max_element(waits.begin(), waits.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == waits.end() || percent(most->second) < 0.05) return "";
    return fmt::format("{} {:.1f} %", most->first, percent(most->second));
  }
};

}  // namespace

std::string frame_table(const std::vector<FrameFigures>& frames) {
  std::string text =
      fmt::format("{:>6} {:>13} {:>10} {:>10} {:>12} {:>12} {:>13} {:>13} {:>13}\n", "frame", "cycles",
                  "vertices", "triangles", "fragments", "written", "instructions", "bytes read", "written");
  for (const FrameFigures& frame : frames) {
    const FrameTotals totals = totals_of(frame);
    text +=
        fmt::format("{:>6} {:>13} {:>10} {:>10} {:>12} {:>12} {:>13} {:>13} {:>13}\n", frame.frame,
                    grouped(frame.cycles), grouped(totals.vertices), grouped(totals.triangles),
                    grouped(totals.fragments.generated), grouped(totals.fragments.written),
                    grouped(totals.instructions), grouped(totals.bytes_read), grouped(totals.bytes_written));
  }
  return text;
}

std::string unit_table(const std::vector<FrameFigures>& frames) {
  std::vector<std::string> order;
  std::map<std::string, Sum> sums;
  size_t width = 4;
  for (const FrameFigures& frame : frames)
    for (const UnitFigures& unit : frame.units) {
      if (!sums.contains(unit.path)) order.push_back(unit.path);
      sums[unit.path].add(unit);
      width = std::max(width, unit.path.size());
    }
  std::string text = fmt::format("{:<{}} {:>8} {:>8} {:>8} {:>8}  {}\n", "unit", width, "busy", "starved",
                                 "blocked", "idle", "waits most (% of the cycles)");
  for (const std::string& path : order) {
    const Sum& sum = sums[path];
    text += fmt::format("{:<{}} {:>7.1f}% {:>7.1f}% {:>7.1f}% {:>7.1f}%  {}\n", path, width,
                        sum.percent(sum.busy), sum.percent(sum.starved), sum.percent(sum.blocked),
                        sum.percent(sum.idle), sum.worst());
  }
  return text;
}

}  // namespace cutaway::report
