// Prints the life of a thing as a table.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/text.h"
#include "report/life.h"

namespace cutaway::report {
namespace {

// Cycles of the core's clock; edges of other clocks are rounded to a hundredth.
std::string cycles(const run_record::Timeline& timeline, uint64_t time) {
  if (time % timeline.core_period == 0) return fmt::format("{}", time / timeline.core_period);
  return fmt::format("{:.2f}", static_cast<double>(time) / static_cast<double>(timeline.core_period));
}

// "busy 12, starved by gpu.memory_controller (memory_in) 30", largest first; in cycles of the core's clock.
std::string account(const run_record::Timeline& timeline, uint32_t unit, uint64_t begin, uint64_t end) {
  std::map<uint32_t, uint64_t> sums;
  for (const Share& share : shares(timeline, unit, begin, end)) sums[share.reason] += share.end - share.begin;
  std::vector<std::pair<uint64_t, uint32_t>> order;
  for (const auto& [reason, time] : sums) order.emplace_back(time, reason);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [time, reason] : order)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", timeline.units[unit].reasons[reason].text,
                        cycles(timeline, time));
  return text;
}

struct Row {
  std::string unit, message, sent, on_wire, arrives, waits, taken, inside, leaves;
  std::string meanwhile;  // the unit's activity, in lines
};

Row row_of(const run_record::Timeline& timeline, const Stop& stop) {
  const auto at = [&](uint64_t time) { return cycles(timeline, time); };
  Row row{.unit = timeline.units[stop.unit].path, .message = stop.message};
  if (stop.leaves) row.leaves = at(*stop.leaves);
  if (!stop.wire) return row;
  row.sent = at(stop.sent), row.arrives = at(stop.arrives), row.taken = at(stop.taken);
  row.on_wire = at(stop.arrives - stop.sent), row.waits = at(stop.taken - stop.arrives);
  const auto note = [&](const char* when, uint64_t begin, uint64_t end) {
    if (begin < end)
      row.meanwhile += fmt::format("    {}: {}\n", when, account(timeline, stop.unit, begin, end));
  };
  note("while it waits at the door", stop.arrives, stop.taken);
  if (!stop.leaves) return row;
  row.inside = at(*stop.leaves - stop.taken);
  note("while it is inside", stop.taken, *stop.leaves);
  return row;
}

}  // namespace

std::string life_text(const run_record::Timeline& timeline, const Life& life) {
  uint64_t wires = 0, doors = 0, inside = 0;
  size_t width = 4, message = 7;
  for (const Stop& stop : life.stops) {
    width = std::max(width, timeline.units[stop.unit].path.size());
    message = std::max(message, stop.message.size());
    if (!stop.wire) continue;
    wires += stop.arrives - stop.sent, doors += stop.taken - stop.arrives;
    inside += stop.leaves ? *stop.leaves - stop.taken : 0;
  }
  const auto at = [&](uint64_t time) { return cycles(timeline, time); };
  std::string text = fmt::format(
      "{}: frame {} on {}\n"
      "{} cycles of the core's clock, {} to {} of the frame: {} on wires, {} at the doors of units, {} "
      "inside them\n",
      one_line(life.title), timeline.frame, one_line(timeline.gpu), at(life.end() - life.begin()),
      at(life.begin()), at(life.end()), at(wires), at(doors), at(inside));
  for (const std::string& note : life.notes) text += note + "\n";
  constexpr const char* kLine = "{:<{}}  {:<{}} {:>9} {:>8} {:>9} {:>7} {:>9} {:>7} {:>9}\n";
  text += "\n" + fmt::format(kLine, "unit", width, "message", message, "sent", "on wire", "arrives", "waits",
                             "taken", "inside", "leaves");
  for (const Stop& stop : life.stops) {
    const Row row = row_of(timeline, stop);
    text += fmt::format(kLine, row.unit, width, row.message, message, row.sent, row.on_wire, row.arrives,
                        row.waits, row.taken, row.inside, row.leaves);
    text += row.meanwhile;
  }
  return text;
}

}  // namespace cutaway::report
