#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "report/bottleneck.h"
#include "report/summary.h"

namespace cutaway::report {
namespace {

std::string columns(const DrawTotals& totals) {
  return fmt::format("{:>10} {:>10} {:>12} {:>12} {:>13}", grouped(totals.vertices),
                     grouped(totals.triangles), grouped(totals.fragments.generated),
                     grouped(totals.fragments.written), grouped(totals.instructions));
}

std::string longest_wait(const UnitWeight& unit) {
  if (unit.waits.empty() || unit.waits.front().share < 0.0005) return "";
  const UnitWeight::Wait& wait = unit.waits.front();
  return fmt::format("{} by {} {:.1f} %", wait.starved ? "starved" : "blocked", wait.neighbour,
                     100 * wait.share);
}

}  // namespace

void RunTables::add(const run_record::FrameFigures& frame) {
  const FrameTotals totals = totals_of(frame);
  lines_ += fmt::format("{:>6} {:>13} {:>9} {} {:>13} {:>13}\n", frame.frame, grouped(frame.cycles),
                        time_text(frame.simulated_seconds()), columns(totals.program),
                        grouped(totals.bytes_read), grouped(totals.bytes_written));
  if (totals.driver.draws)
    lines_ += fmt::format("{:>6} {:>13} {:>9} {}\n", "driver", grouped(totals.driver_cycles), "",
                          columns(totals.driver));
  weights_.add(frame);
}

std::string RunTables::frames() const {
  return fmt::format("{:>6} {:>13} {:>9} {:>10} {:>10} {:>12} {:>12} {:>13} {:>13} {:>13}\n", "frame",
                     "cycles", "time", "vertices", "triangles", "fragments", "written", "instructions",
                     "bytes read", "written") +
         lines_;
}

std::string RunTables::units() const {
  const std::vector<UnitWeight> units = weights_.by_weight();
  size_t width = 4;
  for (const UnitWeight& unit : units) width = std::max(width, unit.path.size());
  std::string text = fmt::format("{:<{}} {:>8} {:>8} {:>8} {:>8} {:>9}  {}\n", "unit", width, "busy",
                                 "starved", "blocked", "idle", "holds up", "waits most (% of the cycles)");
  for (const UnitWeight& unit : units)
    text += fmt::format("{:<{}} {:>7.1f}% {:>7.1f}% {:>7.1f}% {:>7.1f}% {:>8.1f}%  {}\n", unit.path, width,
                        100 * unit.busy, 100 * unit.starved, 100 * unit.blocked, 100 * unit.idle,
                        100 * unit.holds_up, longest_wait(unit));
  return text +
         "(holds up: from sums over all frames; for what held a frame up believe `cutaway explain`, which "
         "asked in each)\n";
}

}  // namespace cutaway::report
