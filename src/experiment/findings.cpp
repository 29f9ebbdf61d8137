#include "experiment/findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "report/evidence.h"
#include "report/explanation.h"
#include "report/run_reader.h"

namespace cutaway::experiment {
namespace {

using report::Explanation;
using report::RunReader;

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

// Totals over the frames of one class of units: shader units, texture units, ROPs.
struct Unit {
  uint64_t busy = 0, starved = 0, blocked = 0, idle = 0, instructions = 0, vertex_instructions = 0;
  std::set<std::string> units;
  std::map<std::string, uint64_t> waits;  // "starved.quads_in": cycles
};

struct Frames {
  uint64_t cycles = 0;
  std::map<std::string, double> held_up;                        // by words: cycles
  std::map<std::string, std::vector<std::string>> evidence;     // by words: of the first frame
  std::map<std::pair<std::string, std::string>, double> waits;  // (who, whom): share x cycles
  std::map<std::string, Unit> kinds;                            // "gpu.shader"
};

void add(RunReader& run, Frames& all) {
  for (const RunReader::Frame& frame : run.frames()) {
    const Explanation explanation = report::explain(run, {.frame = frame.frame});
    const auto cycles = static_cast<double>(frame.cycles);
    all.cycles += frame.cycles;
    for (const Explanation::Cause& cause : explanation.causes) {
      all.held_up[cause.words] += cause.share * cycles;
      std::vector<std::string> sentences;
      for (const report::Finding& finding : cause.evidence) sentences.push_back(finding.sentence);
      all.evidence.try_emplace(cause.words, std::move(sentences));
    }
    for (const Explanation::Wait& wait : explanation.waits)
      all.waits[{wait.who, wait.whom}] += wait.share * cycles;
    for (const RunReader::Counts& count : run.counts({.frame = frame.frame})) {
      Unit& kind = all.kinds[report::kind_of_unit(count.unit)];
      if (count.name == "busy") kind.busy += count.own, kind.units.insert(count.unit);
      if (count.name == "idle") kind.idle += count.own;
      if (count.name.starts_with("starved.")) kind.starved += count.own;
      if (count.name.starts_with("blocked.")) kind.blocked += count.own;
      if (count.name == "instructions") kind.instructions += count.own;
      if (count.name == "vertex_instructions") kind.vertex_instructions += count.own;
    }
  }
}

std::vector<std::pair<double, std::string>> largest_first(const std::map<std::string, double>& parts) {
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [name, part] : parts) sorted.emplace_back(part, name);
  std::sort(sorted.rbegin(), sorted.rend());
  return sorted;
}

std::string causes(const Frames& all) {
  std::string text;
  double told = 0;
  for (const auto& [cycles, words] : largest_first(all.held_up)) {
    const double part = share(cycles, static_cast<double>(all.cycles));
    if (part < 0.02 || told > 0.95) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "held up by " : ", ", words, 100 * part);
    told += part;
  }
  return text.empty() ? "too short to tell who held it up" : text;
}

// The units that units of a kind wait for, by the explanation's names.
std::string waits_of(const Frames& all, const std::string& who) {
  std::map<std::string, double> whom;
  for (const auto& [edge, cycles] : all.waits)
    if (edge.first == who) whom[edge.second] += cycles;
  std::string text;
  for (const auto& [cycles, name] : largest_first(whom)) {
    const double part = share(cycles, static_cast<double>(all.cycles));
    if (part < 0.05) break;
    text += fmt::format("{}{:.0f} % for {}", text.empty() ? ", waiting " : " and ", 100 * part, name);
  }
  return text;
}

}  // namespace

std::vector<std::string> findings(const std::vector<std::filesystem::path>& records) {
  Frames all;
  for (const std::filesystem::path& record : records) {
    RunReader run(record);
    add(run, all);
  }
  if (!all.cycles) return {};
  std::vector<std::string> lines = {causes(all)};
  size_t told = 0;
  for (const auto& [cycles, words] : largest_first(all.held_up)) {
    if (told++ >= 3 && words != "memory") continue;
    if (share(cycles, static_cast<double>(all.cycles)) < 0.1 && words != "memory") continue;
    for (const std::string& sentence : all.evidence.at(words)) lines.push_back(words + ": " + sentence);
  }
  for (const auto& [kind, unit] : all.kinds) {
    if (!unit.instructions) continue;
    const auto cycles = static_cast<double>(unit.busy + unit.starved + unit.blocked + unit.idle);
    const std::string who =
        2 * unit.vertex_instructions > unit.instructions ? "vertex shading" : "fragment shading";
    lines.push_back(fmt::format(
        "{} units: busy {:.0f} %, starved {:.0f} %, blocked {:.0f} %, idle {:.0f} % of their cycles; {:.2f} "
        "instructions a cycle each{}",
        report::class_of(kind), 100 * share(static_cast<double>(unit.busy), cycles),
        100 * share(static_cast<double>(unit.starved), cycles),
        100 * share(static_cast<double>(unit.blocked), cycles),
        100 * share(static_cast<double>(unit.idle), cycles),
        share(static_cast<double>(unit.instructions), cycles), waits_of(all, who)));
  }
  return lines;
}

}  // namespace cutaway::experiment
