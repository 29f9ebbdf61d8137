#include "report/explanation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "report/draw_evidence.h"
#include "report/evidence.h"
#include "report/fragment_evidence.h"
#include "report/starved_shaders.h"
#include "report/unit_evidence.h"
#include "report/unit_words.h"
#include "report/wire_evidence.h"

namespace cutaway::report {
namespace {

// Waits between kinds of units, in the cycles of the scope.
std::vector<Explanation::Wait> waits_of(RunReader& run, const std::vector<RunReader::Counts>& counts) {
  const std::map<std::string, std::string> neighbours = run.neighbours();
  std::map<std::string, uint64_t> cycles;
  std::map<std::pair<std::string, std::string>, uint64_t> waits;
  for (const auto& count : counts) {
    const bool wait = count.name.starts_with("starved.") || count.name.starts_with("blocked.");
    if (!wait && count.name != "busy" && count.name != "idle") continue;
    const std::string kind = kind_of(count.unit);
    cycles[kind] += count.meanwhile;
    if (!wait) continue;
    const auto whom = neighbours.find(count.unit + "." + count.name.substr(8));
    if (whom != neighbours.end()) waits[{kind, kind_of(whom->second)}] += count.meanwhile;
  }
  std::vector<Explanation::Wait> result;
  for (const auto& [edge, waited] : waits)
    result.push_back({words_of(edge.first), words_of(edge.second), ratio(waited, cycles[edge.first])});
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return result;
}

}  // namespace

std::string title_of(const RunReader::Work& work) {
  std::string title = work.kind == "draw"
                          ? fmt::format("draw {} of submission {}", work.draw.value_or(0), work.submission)
                      : work.kind == "rest" ? fmt::format("end of submission {}", work.submission)
                                            : work.packet;
  if (work.of_driver) title += ", the driver's own";
  if (!work.label.empty()) title += fmt::format(", '{}'", work.label);
  if (!work.program.empty()) title += fmt::format(", program '{}'", work.program);
  if (!work.owner.empty()) title += fmt::format(", of {}", work.owner);
  return title;
}

std::string name_of_program(RunReader& run, uint32_t context) {
  const auto& shared = run.shared();
  if (!shared || context >= shared->programs.size()) return "";
  return fmt::format("program {}, {}", context + 1, shared->programs[context].name);
}

namespace {

// The name of a frame. A run of several programs is one, unless the GPU was reset.
std::string title_of_frame(RunReader& run, uint64_t frame) {
  if (!run.is_shared()) return fmt::format("frame {}", frame);
  const size_t parts = run.frames().size();
  return parts == 1 ? "the run" : fmt::format("part {} of {} of the run, parted by resets", frame, parts);
}

// Writes title and cycles of the scope's work; of all work of the frame if the scope selects none.
void describe_work(RunReader& run, const RunReader::Scope& scope, Explanation& result) {
  const RunReader::Work* only = nullptr;
  for (const RunReader::Work& w : run.work(scope.frame)) {
    if (!scope.has(w)) continue;
    result.cycles += w.marginal_cycles;
    only = &w;
  }
  if (!only) user_error("{}: frame {} has no such work", run.path().string(), scope.frame);
  const bool one = scope.first_work && scope.first_work == scope.last_work;
  result.title = scope.context       ? name_of_program(run, *scope.context)
                 : !scope.first_work ? title_of_frame(run, scope.frame)
                 : one               ? fmt::format("work {}: {}", only->work, title_of(*only))
                                     : fmt::format("work {} to {}", *scope.first_work, *scope.last_work);
}

void describe_intervals(RunReader& run, const RunReader::Scope& scope, Explanation& result) {
  const uint32_t first = *scope.first_interval, last = scope.last_interval.value_or(first);
  uint64_t began = 0, ended = 0;
  for (const RunReader::Interval& interval : run.intervals(scope.frame)) {
    if (interval.interval == first) began = interval.began;
    if (interval.interval >= first && interval.interval <= last) ended = interval.ended;
  }
  if (ended <= began) user_error("{}: frame {} has no such interval", run.path().string(), scope.frame);
  result.cycles = ended - began;
  result.title =
      fmt::format("{}, cycles {} to {} (interval {}{})", title_of_frame(run, scope.frame), grouped(began),
                  grouped(ended), first, last > first ? fmt::format(" to {}", last) : "");
}

// Attributes to the streamer the cycles of vertex shading in which shader units lack vertices.
void blame_the_streamer(RunReader& run, const std::vector<RunReader::Counts>& counts,
                        std::vector<Explanation::Cause>& causes) {
  const auto streamer_in = [&]() -> Explanation::Cause& {
    for (Explanation::Cause& cause : causes)
      if (cause.kind == "streamer") return cause;
    return causes.emplace_back(Explanation::Cause{"streamer", "", words_of("streamer"), 0, {}});
  };
  for (size_t i = 0; i < causes.size(); i++) {
    if (causes[i].stage != "vertex") continue;
    const auto starved = starved_shaders(run, counts, causes[i].kind);
    if (!starved) continue;
    const double moved = starved->share * causes[i].share;
    causes[i].share -= moved;
    Explanation::Cause& streamer = streamer_in();
    streamer.share += moved;
    streamer.evidence.insert(streamer.evidence.begin(), {starved->sentence, starvation_levers(run)});
  }
}

std::vector<Explanation::Cause> causes_of(RunReader& run, const RunReader::Scope& scope,
                                          const std::vector<RunReader::Counts>& counts) {
  std::map<std::pair<std::string, std::string>, uint64_t> probes;  // by kind and stage
  uint64_t all = 0;
  for (const RunReader::Holdup& holdup : run.holdups(scope))
    probes[{kind_of(holdup.unit), holdup.stage}] += holdup.probes, all += holdup.probes;
  std::vector<Explanation::Cause> causes;
  for (const auto& [cause, count] : probes)
    causes.push_back({cause.first, cause.second, words_of(cause.first, cause.second), ratio(count, all), {}});
  blame_the_streamer(run, counts, causes);
  std::stable_sort(causes.begin(), causes.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return causes;
}

// "of them draws 83 %, copies 9 %, ..." in the order of FramePhases. The GPU has no submission in the other
// cycles.
std::string phases_text(const RunReader::Frame& frame) {
  const run_record::FramePhases& phases = frame.phases;
  const uint64_t submissions = phases.sum();
  const std::pair<const char*, uint64_t> named[] = {
      {"draws", phases.draws},
      {"copies and clears", phases.copies},
      {"caches", phases.caches},
      {"waiting for the display", phases.display},
      {"commands alone", phases.commands},
      {"waiting for the host", frame.cycles - std::min(frame.cycles, submissions)}};
  std::string text;
  for (const auto& [name, cycles] : named)
    if (cycles)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, percent(ratio(cycles, frame.cycles)));
  if (phases.beside_scan_out)
    text += fmt::format("; the picture before was scanned out beside {} of them",
                        percent(ratio(phases.beside_scan_out, frame.cycles)));
  if (frame.scan_out_cycles)
    text += fmt::format("; its own took {} cycles after them", grouped(frame.scan_out_cycles));
  return text;
}

// The mean of the pictures that came to the screen in a frame.
std::string latency_text(const Figures& figures, double core_mhz) {
  const uint64_t shown = figures.own("host", "shown");
  if (!shown) return "";
  const double seconds = run_record::seconds_of(figures.own("host", "latency"), core_mhz);
  return fmt::format("; from a frame's begin on the host to its picture on the screen: {}",
                     time_text(seconds / static_cast<double>(shown)));
}

// How much of the frame the compute queue had in common with the graphics queue, if it ran beside it.
std::string queues_text(const Figures& figures, uint64_t cycles) {
  if (!figures.own("command_processor", "compute_submissions")) return "";
  const uint64_t both = figures.own("command_processor", "side_by_side_cycles"),
                 follows = figures.own("command_processor", "follow_cycles");
  return fmt::format(
      "; both queues had work under way in {} of the frame's, and one waited for the other in {}",
      percent(ratio(both, cycles)), percent(ratio(follows, cycles)));
}

}  // namespace

std::vector<Explanation::Cause> causes_of(RunReader& run, const RunReader::Scope& scope) {
  return causes_of(run, scope, run.counts(scope));
}

Explanation explain(RunReader& run, const RunReader::Scope& scope, const Disassembler& disassemble) {
  Explanation result;
  if (scope.first_interval) describe_intervals(run, scope, result);
  else describe_work(run, scope, result);
  const bool is_shared = run.is_shared();
  if (is_shared) result.whole = "run";
  result.seconds = run_record::seconds_of(result.cycles, number(run, "gpu.core_mhz"));
  for (const RunReader::Frame& frame : run.frames()) {
    if (frame.frame != scope.frame) continue;
    result.share_of_frame = ratio(result.cycles, frame.cycles);
    if (scope.first_interval || scope.first_work || scope.context) continue;
    result.phases = phases_text(frame);
    if (frame.phases.beside_scan_out && !is_shared && run.fact("warmup") == "0")
      result.phases +=
          "; the machine began cold, without the tags of cleared blocks, so the display read every byte "
          "of the picture before (`simulate --warmup 1` keeps tags)";
    result.wires = wires_of(run, scope.frame);
  }

  const std::vector<RunReader::Counts> counts = run.counts(scope);
  const Figures figures(counts);
  if (!result.phases.empty())
    result.phases += latency_text(figures, number(run, "gpu.core_mhz")) + queues_text(figures, result.cycles);
  const EvidenceSource from = {
      run,
      scope,
      counts,
      figures,
      scope.first_interval ? decltype(EvidenceSource::instructions)() : run.instructions(scope),
      result.cycles,
      disassemble};
  result.causes = causes_of(run, scope, counts);
  for (Explanation::Cause& cause : result.causes) {
    auto evidence = evidence_of(cause.kind, cause.stage, from);
    std::move(evidence.begin(), evidence.end(), std::back_inserter(cause.evidence));
  }
  if (auto remark = small_draws_remark(run, scope, result.cycles)) result.remarks.push_back(*remark);
  for (std::string& remark : fragment_remarks(run, scope)) result.remarks.push_back(std::move(remark));
  result.waits = waits_of(run, counts);
  return result;
}

namespace {

// The helpful values of a sentence's parameters as a command, without those that an earlier sentence offers.
std::string offer_text(const Finding& finding, const std::string& command, std::set<std::string>& offered) {
  std::string tries;
  for (const Lever& lever : finding.levers)
    if (!lever.helpful.empty() && offered.insert(lever.parameter).second)
      tries += fmt::format(" --try {}={}", lever.parameter, lever.helpful);
  return tries.empty() || command.empty() ? "" : fmt::format("    {}{}\n", command, tries);
}

}  // namespace

std::string causes_text(const std::vector<Explanation::Cause>& causes) {
  std::string text;
  double told = 0;
  for (const auto& cause : causes) {
    if (cause.share < 0.01 || told > 0.95) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", one_line(cause.words), percent(cause.share));
    told += cause.share;
  }
  return text.empty() ? "too short to tell" : text;
}

std::string explanation_text(const Explanation& explanation, const std::string& command) {
  std::set<std::string> offered;
  std::string text = fmt::format("{}: {} cycles, {}", one_line(explanation.title),
                                 grouped(explanation.cycles), time_text(explanation.seconds));
  if (explanation.share_of_frame < 0.9999)
    text += fmt::format(", {:.1f} % of the {}'s", 100 * explanation.share_of_frame, explanation.whole);
  text += "\n";
  text += fmt::format("  held up by {}\n", causes_text(explanation.causes));
  for (const std::string& remark : explanation.remarks) text += fmt::format("  {}\n", remark);
  text +=
      "  (by probes of the machine; `holds up` in the table of units sums accounts instead: for a frame "
      "believe this)\n";
  if (!explanation.phases.empty()) text += fmt::format("  cycles: {}\n", explanation.phases);
  for (const auto& cause : explanation.causes) {
    if (cause.share < Explanation::kTold) break;
    for (const Finding& finding : cause.evidence)
      text += fmt::format("  {}: {}\n", one_line(cause.words), one_line(finding.sentence)) +
              offer_text(finding, command, offered);
  }
  text += "  who waits for whom, in shares of the cycles of those who wait:\n";
  size_t told = 0;
  for (const auto& wait : explanation.waits) {
    if (wait.share < 0.05 || told++ == 8) break;
    text +=
        fmt::format("    {:>5}  {} for {}\n", percent(wait.share), one_line(wait.who), one_line(wait.whom));
  }
  return text + wires_text(explanation.wires);
}

}  // namespace cutaway::report
