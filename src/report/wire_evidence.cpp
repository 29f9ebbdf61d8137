#include "report/wire_evidence.h"

#include <algorithm>

#include "base/text.h"
#include "report/evidence.h"

namespace cutaway::report {
namespace {

// "gpu.shader3.quads_out[1]" becomes "shader.quads_out".
std::string kind_of_port(const std::string& full_name) {
  const auto [unit, port] = unit_and_port(full_name);
  return class_of(unit) + "." + port.substr(0, port.find('['));
}

}  // namespace

std::vector<Explanation::Wires> wires_of(RunReader& run, uint64_t frame) {
  std::vector<Explanation::Wires> all;
  for (const RunReader::Wire& wire : run.wires(frame)) {
    const std::string from = kind_of_port(wire.sender), to = kind_of_port(wire.receiver);
    auto kind = std::find_if(all.begin(), all.end(), [&](const auto& known) {
      return known.from == from && known.to == to && known.slots == wire.slots;
    });
    if (kind == all.end()) kind = all.insert(all.end(), {from, to, 0, wire.slots, 0, 0});
    kind->count++;
    kind->filling += (wire.filling - kind->filling) / kind->count;
    kind->peak = std::max(kind->peak, wire.peak);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.filling * static_cast<double>(b.slots) > b.filling * static_cast<double>(a.slots);
  });
  return all;
}

std::string wires_text(const std::vector<Explanation::Wires>& all) {
  constexpr size_t kMost = 8;
  constexpr double kLeast = 0.25;
  std::string text;
  for (size_t i = 0; i < std::min(kMost, all.size()); i++) {
    const Explanation::Wires& wires = all[i];
    const double share = wires.filling / static_cast<double>(wires.slots);
    if (share < kLeast) break;
    text += fmt::format("    {:>5}  {} to {}: {:.1f} of {} slots, {} at the most", percent(share),
                        one_line(wires.from), one_line(wires.to), wires.filling, wires.slots, wires.peak);
    text += wires.count > 1 ? fmt::format(", {} wires\n", wires.count) : "\n";
  }
  if (text.empty()) return text;
  return "  the fullest wires, by the mean filling of their slots:\n" + text;
}

}  // namespace cutaway::report
