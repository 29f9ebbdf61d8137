#include "report/account_evidence.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/text.h"
#include "report/evidence.h"
#include "report/unit_words.h"

namespace cutaway::report {

std::optional<Finding> account_evidence(const std::string& kind, const EvidenceSource& from) {
  constexpr size_t kNamed = 3;
  constexpr double kWorthNaming = 0.01;
  const std::map<std::string, std::string> neighbours = from.run.neighbours();
  uint64_t cycles = 0, busy = 0;
  struct Wait {
    uint64_t cycles = 0;
    std::string full;  // the kind of unit in which there is no room
  };
  std::map<std::string, Wait> waits;  // by the words of what is waited for
  for (const RunReader::Counts& count : from.counts) {
    if (class_of(count.unit) != kind) continue;
    const bool starved = count.name.starts_with("starved."), blocked = count.name.starts_with("blocked.");
    if (!starved && !blocked && count.name != "busy" && count.name != "idle") continue;
    cycles += count.meanwhile;
    if (count.name == "busy") busy += count.meanwhile;
    if (!starved && !blocked) continue;
    const auto whom = neighbours.find(count.unit + "." + count.name.substr(8));
    if (whom == neighbours.end()) continue;
    const std::string neighbour = kind_of(whom->second);
    Wait& wait = waits[(starved ? "for what comes from " : "for room in ") + words_of(neighbour)];
    wait.cycles += count.meanwhile;
    if (blocked) wait.full = neighbour;
  }
  if (!cycles) return std::nullopt;
  std::vector<std::pair<std::string, Wait>> longest(waits.begin(), waits.end());
  std::stable_sort(longest.begin(), longest.end(),
                   [](const auto& a, const auto& b) { return a.second.cycles > b.second.cycles; });
  Finding finding{fmt::format("worked in {} of its cycles", percent(busy, cycles)),
                  rate_levers(from.run, kind)};
  for (size_t i = 0; i < std::min(kNamed, longest.size()); i++) {
    const auto& [what, wait] = longest[i];
    if (ratio(wait.cycles, cycles) < kWorthNaming) break;
    finding.sentence += fmt::format(", waited {} in {}", what, percent(wait.cycles, cycles));
    for (Lever& lever : room_levers(from.run, wait.full)) finding.levers.push_back(std::move(lever));
  }
  return finding;
}

std::optional<Finding> group_evidence(const EvidenceSource& from) {
  const char* const kind = "work_distributor";
  const uint64_t groups = from.figures.own(kind, "fragment_groups"),
                 quads = from.figures.own(kind, "fragment_quads");
  if (!groups) return std::nullopt;
  Finding finding{fmt::format("{} groups of fragments were given to shader units, with {:.1f} quads each",
                              grouped(groups), ratio(quads, groups))};
  uint64_t lanes = 0;  // of a group of those units that ran fragments
  for (const RunReader::Counts& count : from.counts)
    if (count.name == "fragment_groups" && from.figures.is_shader(class_of(count.unit)))
      lanes = std::max(lanes, whole_number(from.run, class_of(count.unit) + ".group_lanes"));
  if (lanes >= 4) finding.sentence += fmt::format(" of the {} that fit", lanes / 4);
  finding.sentence +=
      fmt::format("; it takes up to {} a cycle",
                  counted(whole_number(from.run, "work_distributor.quads_per_cycle"), "quad"));
  add_lever(from.run, "work_distributor.quads_per_cycle", true, finding.levers);
  constexpr double kFull = 0.95;
  const uint64_t gathers = whole_number(from.run, "work_distributor.gather_cycles");
  if (gathers && 4.0 * ratio(quads, groups) < kFull * static_cast<double>(lanes)) {
    finding.sentence += fmt::format("; a group that is not full waits {} cycles for more", gathers);
    add_lever(from.run, "work_distributor.gather_cycles", false, finding.levers);
  }
  return finding;
}

std::optional<Finding> idle_evidence(const EvidenceSource& from) {
  if (from.scope.first_interval) return std::nullopt;
  std::set<std::pair<uint32_t, uint64_t>> submissions;
  uint64_t pieces = 0;
  for (const RunReader::Work& work : from.run.work(from.scope.frame)) {
    if (!from.scope.has(work)) continue;
    submissions.emplace(work.context, work.submission), pieces++;
  }
  return Finding{fmt::format("{} with {} took {} cycles", counted(submissions.size(), "submission"),
                             counted(pieces, "piece") + " of work", grouped(from.cycles))};
}

}  // namespace cutaway::report
