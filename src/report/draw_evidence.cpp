#include "report/draw_evidence.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "report/evidence.h"

namespace cutaway::report {

std::optional<std::string> small_draws_remark(RunReader& run, const RunReader::Scope& scope,
                                              uint64_t cycles) {
  constexpr uint64_t kFewIndices = 64, kFewFragments = 64, kMany = 100;
  constexpr double kLarge = 0.2;  // share of the cycles
  if (scope.first_interval) return std::nullopt;
  const std::map<uint32_t, uint64_t> fragments = run.shaded_fragments(scope);
  uint64_t draws = 0, small = 0, small_cycles = 0;
  for (const RunReader::Work& work : run.work(scope.frame)) {
    if (!scope.has(work)) continue;
    if (work.kind != "draw" || work.of_driver || work.packet.starts_with("DISPATCH")) continue;
    draws++;
    const auto shaded = fragments.find(work.work);
    if (work.vertices * std::max<uint64_t>(1, work.instances) > kFewIndices ||
        (shaded != fragments.end() && shaded->second > kFewFragments))
      continue;
    small++, small_cycles += work.marginal_cycles;
  }
  if (small < kMany || ratio(small_cycles, cycles) < kLarge) return std::nullopt;
  return fmt::format(
      "small draws: {} of {} draws have at most {} indices and {} fragments; they take {} of the cycles, {:.0f} "
      "each. Draw many of them at once, by instances or from one buffer",
      grouped(small), grouped(draws), kFewIndices, kFewFragments, percent(small_cycles, cycles),
      ratio(small_cycles, small));
}

}  // namespace cutaway::report
