#include "report/explanation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "report/evidence.h"
#include "report/fragment_evidence.h"
#include "report/hot_instructions.h"
#include "report/starved_shaders.h"
#include "report/texture_evidence.h"
#include "report/unit_words.h"
#include "report/wire_evidence.h"

namespace cutaway::report {
namespace {

// "gpu.texture1" becomes "texture"; a unit's counters for its clients belong to its own kind.
std::string kind_of(const std::string& unit) {
  const std::string kind = class_of(unit);
  return kind.substr(0, kind.find('.'));
}

// Counts by kind of unit and name. Counters of a part of a unit have the part's name before theirs:
// "primitives.instructions".
class Figures {
 public:
  explicit Figures(const std::vector<RunReader::Counts>& counts) {
    for (const auto& count : counts) {
      const std::string kind = kind_of(count.unit), part = class_of(count.unit).substr(kind.size());
      Sum& sum = sums_[{kind, part.empty() ? count.name : part.substr(1) + "." + count.name}];
      sum.own += count.own, sum.meanwhile += count.meanwhile;
    }
  }
  uint64_t own(const std::string& kind, const std::string& name) const { return find(kind, name).own; }
  uint64_t meanwhile(const std::string& kind, const std::string& name) const {
    return find(kind, name).meanwhile;
  }
  bool is_shader(const std::string& kind) const { return sums_.contains({kind, "instructions"}); }

 private:
  struct Sum {
    uint64_t own = 0, meanwhile = 0;
  };
  Sum find(const std::string& kind, const std::string& name) const {
    const auto found = sums_.find({kind, name});
    return found == sums_.end() ? Sum{} : found->second;
  }
  std::map<std::pair<std::string, std::string>, Sum> sums_;
};

std::vector<std::string> memory_evidence(RunReader& run, const std::vector<RunReader::Counts>& counts,
                                         uint64_t cycles) {
  std::map<std::string, uint64_t> by_client;
  uint64_t all = 0;
  for (const auto& count : counts) {
    if (!count.unit.starts_with("gpu.memory_controller.")) continue;
    if (count.name != "read_bytes" && count.name != "write_bytes") continue;
    const std::string client = unit_and_port(kind_of_unit(count.unit)).second;
    by_client[client] += count.meanwhile;
    all += count.meanwhile;
  }
  const double clocks = number(run, "gpu.memory_mhz") / std::max(1.0, number(run, "gpu.core_mhz"));
  const double peak = number(run, "memory.channels") * number(run, "memory.bytes_per_cycle") * clocks;
  std::vector<std::pair<uint64_t, std::string>> clients;
  for (const auto& [client, bytes] : by_client) clients.emplace_back(bytes, client);
  std::sort(clients.rbegin(), clients.rend());
  std::string shares;
  for (size_t i = 0; i < clients.size() && i < 3 && clients[i].first; i++)
    shares += fmt::format("{}{} {}", i ? ", " : "", clients[i].second, percent(clients[i].first, all));
  if (!all || peak <= 0) return {};
  const double used = static_cast<double>(all) / (peak * static_cast<double>(cycles));
  return {fmt::format("{} of its {:g} bytes a cycle were moved; by {}", percent(used), peak, shares)};
}

// Instructions that groups of the stage issued, by the counters of units of this kind.
std::string instructions_text(const std::string& kind, const std::string& stage, const Figures& figures,
                              const std::vector<RunReader::Instruction>& instructions) {
  const uint64_t all = figures.own(kind, "instructions");
  uint64_t of_stage = 0;
  for (const RunReader::Instruction& i : instructions)
    if (i.stage == stage) of_stage += i.issued;
  if (!all || !of_stage) return "";
  std::string text = fmt::format("{} instructions were issued to groups of this stage, {} of the units'",
                                 grouped(of_stage), percent(of_stage, all));
  const uint64_t texture = figures.own(kind, "texture_instructions"),
                 groups = figures.own(kind, "fragment_groups");
  if (stage == "fragment" && groups) text += fmt::format("; {:.1f} for each group", ratio(of_stage, groups));
  if (texture) text += fmt::format("; {} of all are texture instructions", percent(texture, all));
  return text;
}

std::vector<std::string> cache_evidence(const std::string& kind, const Figures& figures) {
  const uint64_t hits = figures.own(kind, "cache_hits"), misses = figures.own(kind, "cache_misses");
  if (!(hits + misses)) return {};
  return {fmt::format("its caches missed {} of {} accesses", percent(misses, hits + misses),
                      grouped(hits + misses))};
}

// The figures that evidence of a scope is made of.
struct Evidence {
  RunReader& run;
  const RunReader::Scope& scope;
  const std::vector<RunReader::Counts>& counts;
  const Figures& figures;
  const std::vector<RunReader::Instruction> instructions;  // recorded by work, so that intervals have none
  uint64_t cycles;
  const Disassembler& disassemble;
};

std::vector<std::string> shader_evidence(const std::string& kind, const std::string& stage,
                                         const Evidence& from) {
  std::vector<std::string> evidence;
  if (std::string text = instructions_text(kind, stage, from.figures, from.instructions); !text.empty())
    evidence.push_back(std::move(text));
  const auto hot = hot_instructions(from.run, from.instructions, stage, from.disassemble);
  evidence.insert(evidence.end(), hot.begin(), hot.end());
  return evidence;
}

struct Told {
  const char *kind, *counter, *what;
};
constexpr Told kTold[] = {
    {"texture", "bilinear_samples", "bilinear samples"},
    {"color_write", "fragments", "samples were written"},
    {"z_stencil", "fragments_tested", "fragments were tested before shading"},
    {"z_stencil", "late_quads", "quads were tested after shading, as their programs discard or write depth"},
    {"hierarchical_z", "tiles", "tiles were tested"},
    {"fragment_generation", "fragments", "fragments were generated"},
    {"triangle_setup", "primitives", "primitives were set up"},
    {"clipper", "primitives", "primitives were tested"},
    {"streamer", "indices", "indices were read"},
    {"interpolator", "quads", "quads were interpolated"},
    {"interpolator", "interpolants", "four-component interpolants were evaluated, one for each quad"},
    {"work_distributor", "fragment_groups", "fragment groups were given to shader units"},
    {"work_distributor", "vertex_groups",
     "groups of the stages before the rasteriser were given to shader units"},
    {"command_processor", "packets", "packets were carried out"},
    {"command_processor", "state_bytes", "bytes of state and programs were sent to units"}};

// Names the one unit of several that does most of the work of its kind; "" if there is none.
std::string balance_evidence(const std::string& kind, const std::vector<RunReader::Counts>& counts) {
  constexpr double kUneven = 3;  // times the mean of the others
  std::vector<std::pair<uint64_t, std::string>> busy;
  for (const auto& count : counts)
    if (count.name == "busy" && class_of(count.unit) == kind) busy.emplace_back(count.meanwhile, count.unit);
  if (busy.size() < 2) return "";
  std::sort(busy.rbegin(), busy.rend());
  uint64_t others = 0;
  for (size_t i = 1; i < busy.size(); i++) others += busy[i].first;
  const double mean = ratio(others, busy.size() - 1);
  if (static_cast<double>(busy[0].first) < kUneven * std::max(1.0, mean)) return "";
  return fmt::format("{} was busy in {} cycles, the {} in {:.0f} on average", busy[0].second,
                     grouped(busy[0].first), counted(busy.size() - 1, "other"), mean);
}

std::vector<std::string> evidence_of(const std::string& kind, const std::string& stage,
                                     const Evidence& from) {
  const auto& [run, scope, counts, figures, instructions, cycles, disassemble] = from;
  if (kind == "memory_controller") return memory_evidence(run, counts, cycles);
  if (figures.is_shader(kind)) return shader_evidence(kind, stage, from);
  std::vector<std::string> evidence = cache_evidence(kind, figures);
  if (kind == "texture") {
    const auto binds = filter_evidence(run, scope, counts);
    evidence.insert(evidence.begin(), binds.begin(), binds.end());
  }
  if (kind == "texture" && !scope.first_interval) {
    const auto footprint = footprint_evidence(run, scope, figures.own(kind, "cache_misses"));
    evidence.insert(evidence.end(), footprint.begin(), footprint.end());
  }
  for (const Told& told : kTold)
    if (const uint64_t value = kind == told.kind ? figures.own(kind, told.counter) : 0)
      evidence.push_back(
          fmt::format("{} {}, {:.2f} a cycle", grouped(value), told.what, ratio(value, cycles)));
  if (std::string balance = balance_evidence(kind, counts); !balance.empty())
    evidence.push_back(std::move(balance));
  return evidence;
}

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
  return title;
}

namespace {

// Writes title and cycles of the scope's work; of all work of the frame if the scope selects none.
void describe_work(RunReader& run, const RunReader::Scope& scope, Explanation& result) {
  const RunReader::Work* only = nullptr;
  const std::vector<RunReader::Work> work = run.work(scope.frame);
  for (const RunReader::Work& w : work) {
    if (w.work < scope.first_work.value_or(0) || w.work > scope.last_work.value_or(~0u)) continue;
    result.cycles += w.marginal_cycles;
    only = &w;
  }
  if (!only) user_error("{}: frame {} has no such work", run.path().string(), scope.frame);
  const bool one = scope.first_work && scope.first_work == scope.last_work;
  result.title = !scope.first_work ? fmt::format("frame {}", scope.frame)
                 : one             ? fmt::format("work {}: {}", only->work, title_of(*only))
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
  result.title = fmt::format("frame {}, cycles {} to {} (interval {}{})", scope.frame, grouped(began),
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
    streamer.evidence.insert(streamer.evidence.begin(), starved->sentence);
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

// "of them draws 83 %, copies 9 %, ..." in the order of FramePhases.
std::string phases_text(const RunReader::Frame& frame) {
  const run_record::FramePhases& phases = frame.phases;
  const std::pair<const char*, uint64_t> named[] = {{"draws", phases.draws},
                                                    {"copies and clears", phases.copies},
                                                    {"caches", phases.caches},
                                                    {"waiting for the display", phases.display},
                                                    {"commands alone", phases.commands}};
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

}  // namespace

std::vector<Explanation::Cause> causes_of(RunReader& run, const RunReader::Scope& scope) {
  return causes_of(run, scope, run.counts(scope));
}

Explanation explain(RunReader& run, const RunReader::Scope& scope, const Disassembler& disassemble) {
  Explanation result;
  if (scope.first_interval) describe_intervals(run, scope, result);
  else describe_work(run, scope, result);
  result.seconds = run_record::seconds_of(result.cycles, number(run, "gpu.core_mhz"));
  for (const RunReader::Frame& frame : run.frames()) {
    if (frame.frame != scope.frame) continue;
    result.share_of_frame = ratio(result.cycles, frame.cycles);
    if (scope.first_interval || scope.first_work) continue;
    result.phases = phases_text(frame);
    if (frame.phases.beside_scan_out && run.fact("warmup") == "0")
      result.phases +=
          "; the machine began cold, without the tags of cleared blocks, so the display read every byte "
          "of the picture before (`simulate --warmup 1` keeps tags)";
    result.wires = wires_of(run, scope.frame);
  }

  const std::vector<RunReader::Counts> counts = run.counts(scope);
  const Figures figures(counts);
  const Evidence from = {run,
                         scope,
                         counts,
                         figures,
                         scope.first_interval ? decltype(Evidence::instructions)() : run.instructions(scope),
                         result.cycles,
                         disassemble};
  result.causes = causes_of(run, scope, counts);
  for (Explanation::Cause& cause : result.causes) {
    const auto evidence = evidence_of(cause.kind, cause.stage, from);
    cause.evidence.insert(cause.evidence.end(), evidence.begin(), evidence.end());
  }
  result.remarks = fragment_remarks(run, scope);
  result.waits = waits_of(run, counts);
  return result;
}

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

std::string explanation_text(const Explanation& explanation) {
  std::string text = fmt::format("{}: {} cycles, {}", one_line(explanation.title),
                                 grouped(explanation.cycles), time_text(explanation.seconds));
  if (explanation.share_of_frame < 0.9999)
    text += fmt::format(", {:.1f} % of the frame's", 100 * explanation.share_of_frame);
  text += "\n";
  text += fmt::format("  held up by {}\n", causes_text(explanation.causes));
  text +=
      "  (by probes of the machine; `holds up` in the table of units sums accounts instead: for a frame "
      "believe this)\n";
  for (const std::string& remark : explanation.remarks) text += fmt::format("  {}\n", remark);
  if (!explanation.phases.empty()) text += fmt::format("  cycles: {}\n", explanation.phases);
  for (const auto& cause : explanation.causes) {
    if (cause.share < 0.05) break;
    for (const std::string& sentence : cause.evidence)
      text += fmt::format("  {}: {}\n", one_line(cause.words), one_line(sentence));
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
