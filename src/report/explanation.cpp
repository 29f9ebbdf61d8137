#include "report/explanation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "report/evidence.h"
#include "report/hot_instructions.h"
#include "report/starved_shaders.h"
#include "report/texture_evidence.h"
#include "report/wire_evidence.h"

namespace cutaway::report {
namespace {

struct Words {
  const char *kind, *words;
};
// Units that count instructions are shader units.
constexpr Words kWords[] = {{"command_processor", "command processing"},
                            {"constant_loader", "loading of constants, descriptors and programs"},
                            {"copy_engine", "copies"},
                            {"streamer", "vertex fetch and commit"},
                            {"primitive_assembly", "primitive assembly"},
                            {"tessellation", "tessellation"},
                            {"geometry_shading", "groups and strips of geometry programs"},
                            {"stream_out", "transform feedback"},
                            {"clipper", "clipping"},
                            {"triangle_setup", "triangle setup"},
                            {"fragment_generation", "rasterisation"},
                            {"hierarchical_z", "hierarchical Z"},
                            {"z_stencil", "Z and stencil tests"},
                            {"interpolator", "interpolation"},
                            {"work_distributor", "work distribution"},
                            {"compute_distributor", "distribution of workgroups"},
                            {"group_fifo", "queues of thread groups"},
                            {"texture_arbiter", "texture arbiters"},
                            {"texture_cache", "the second level of texture caches"},
                            {"texture", "texture filtering"},
                            {"storage_cache", "the cache of stores and atomics"},
                            {"reorder_buffer", "restoring of order"},
                            {"color_write", "color writes"},
                            {"memory_controller", "memory"},
                            {"dac", "scan-out"}};

// "gpu.texture1" becomes "texture"; a unit's counters for its clients belong to its own kind.
std::string kind_of(const std::string& unit) {
  const std::string kind = class_of(unit);
  return kind.substr(0, kind.find('.'));
}

// Counts by kind of unit and name.
class Figures {
 public:
  explicit Figures(const std::vector<RunReader::Counts>& counts) {
    for (const auto& count : counts) {
      Sum& sum = sums_[{kind_of(count.unit), count.name}];
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

std::string words_of(const std::string& kind, const Figures& figures) {
  for (const Words& words : kWords)
    if (kind == words.kind) return words.words;
  if (!figures.is_shader(kind)) return kind.empty() ? "nothing under way" : kind;
  const uint64_t all = figures.meanwhile(kind, "instructions"),
                 vertex = figures.meanwhile(kind, "vertex_instructions");
  return 2 * vertex > all ? "vertex shading" : "fragment shading";
}

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

std::vector<std::string> shader_evidence(const std::string& kind, const Figures& figures) {
  const uint64_t instructions = figures.own(kind, "instructions"),
                 vertex = figures.own(kind, "vertex_instructions"),
                 texture = figures.own(kind, "texture_instructions");
  if (!instructions) return {};
  std::string text = fmt::format("{} instructions were issued to groups, {} of them for vertices",
                                 grouped(instructions), percent(vertex, instructions));
  if (texture) text += fmt::format(", {} texture instructions", percent(texture, instructions));
  const uint64_t groups = figures.own(kind, "fragment_groups");
  if (groups)
    text += fmt::format("; {:.1f} for each group of fragments", ratio(instructions - vertex, groups));
  return {text};
}

std::vector<std::string> cache_evidence(const std::string& kind, const Figures& figures) {
  const uint64_t hits = figures.own(kind, "cache_hits"), misses = figures.own(kind, "cache_misses");
  if (!(hits + misses)) return {};
  return {fmt::format("its caches missed {} of {} accesses", percent(misses, hits + misses),
                      grouped(hits + misses))};
}

// Instructions and footprints are recorded by work, not over time.
std::vector<std::string> shader_evidence(const std::string& kind, RunReader& run,
                                         const RunReader::Scope& scope, const Figures& figures,
                                         const Disassembler& disassemble) {
  std::vector<std::string> evidence = shader_evidence(kind, figures);
  if (scope.first_interval) return evidence;
  const uint64_t all = figures.own(kind, "instructions"), vertex = figures.own(kind, "vertex_instructions");
  const auto hot = hot_instructions(run, scope, vertex > 0, all > vertex, disassemble);
  evidence.insert(evidence.end(), hot.begin(), hot.end());
  return evidence;
}

std::vector<std::string> evidence_of(const std::string& kind, RunReader& run, const RunReader::Scope& scope,
                                     const std::vector<RunReader::Counts>& counts, const Figures& figures,
                                     uint64_t cycles, const Disassembler& disassemble) {
  if (kind == "memory_controller") return memory_evidence(run, counts, cycles);
  if (figures.is_shader(kind)) return shader_evidence(kind, run, scope, figures, disassemble);
  std::vector<std::string> evidence = cache_evidence(kind, figures);
  if (kind == "texture") {
    const auto binds = filter_evidence(run, scope, counts);
    evidence.insert(evidence.begin(), binds.begin(), binds.end());
  }
  if (kind == "texture" && !scope.first_interval) {
    const auto footprint = footprint_evidence(run, scope, figures.own(kind, "cache_misses"));
    evidence.insert(evidence.end(), footprint.begin(), footprint.end());
  }
  const auto tell = [&](const char* name, const char* what) {
    if (const uint64_t value = figures.own(kind, name))
      evidence.push_back(fmt::format("{} {}, {:.2f} a cycle", grouped(value), what, ratio(value, cycles)));
  };
  if (kind == "texture") tell("bilinear_samples", "bilinear samples");
  if (kind == "color_write") tell("fragments", "samples were written");
  if (kind == "z_stencil") tell("fragments_tested", "fragments were tested before shading");
  if (kind == "fragment_generation") tell("fragments", "fragments were generated");
  if (kind == "triangle_setup") tell("primitives", "primitives were set up");
  if (kind == "streamer") tell("indices", "indices were read");
  return evidence;
}

// Waits between kinds of units, in the cycles of the scope.
std::vector<Explanation::Wait> waits_of(RunReader& run, const std::vector<RunReader::Counts>& counts,
                                        const Figures& figures) {
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
    result.push_back(
        {words_of(edge.first, figures), words_of(edge.second, figures), ratio(waited, cycles[edge.first])});
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

// Attributes to the streamer the cycles of shader units that lack vertices.
void blame_the_streamer(RunReader& run, const std::vector<RunReader::Counts>& counts, const Figures& figures,
                        std::vector<Explanation::Cause>& causes) {
  const auto streamer_in = [&]() -> Explanation::Cause& {
    for (Explanation::Cause& cause : causes)
      if (cause.kind == "streamer") return cause;
    return causes.emplace_back(Explanation::Cause{"streamer", words_of("streamer", figures), 0, {}});
  };
  for (size_t i = 0; i < causes.size(); i++) {
    if (!figures.is_shader(causes[i].kind)) continue;
    const auto starved = starved_shaders(run, counts, causes[i].kind);
    if (!starved) continue;
    const double moved = starved->share * causes[i].share;
    causes[i].share -= moved;
    Explanation::Cause& streamer = streamer_in();
    streamer.share += moved;
    streamer.evidence.insert(streamer.evidence.begin(), starved->sentence);
  }
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

Explanation explain(RunReader& run, const RunReader::Scope& scope, const Disassembler& disassemble) {
  Explanation result;
  if (scope.first_interval) describe_intervals(run, scope, result);
  else describe_work(run, scope, result);
  for (const RunReader::Frame& frame : run.frames()) {
    if (frame.frame != scope.frame) continue;
    result.share_of_frame = ratio(result.cycles, frame.cycles);
    if (scope.first_interval || scope.first_work) continue;
    result.phases = phases_text(frame);
    result.wires = wires_of(run, scope.frame);
  }

  const std::vector<RunReader::Counts> counts = run.counts(scope);
  const Figures figures(counts);
  std::map<std::string, uint64_t> probes;
  uint64_t all = 0;
  for (const auto& [unit, count] : run.holdups(scope)) probes[kind_of(unit)] += count, all += count;
  for (const auto& [kind, count] : probes)
    result.causes.push_back({kind, words_of(kind, figures), ratio(count, all),
                             evidence_of(kind, run, scope, counts, figures, result.cycles, disassemble)});
  blame_the_streamer(run, counts, figures, result.causes);
  std::stable_sort(result.causes.begin(), result.causes.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  result.waits = waits_of(run, counts, figures);
  return result;
}

std::string causes_text(const Explanation& explanation) {
  std::string text;
  double told = 0;
  for (const auto& cause : explanation.causes) {
    if (cause.share < 0.01 || told > 0.95) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", one_line(cause.words), percent(cause.share));
    told += cause.share;
  }
  return text.empty() ? "too short to tell" : text;
}

std::string explanation_text(const Explanation& explanation) {
  std::string text = fmt::format("{}: {} cycles", one_line(explanation.title), grouped(explanation.cycles));
  if (explanation.share_of_frame < 0.9999)
    text += fmt::format(", {:.1f} % of the frame's", 100 * explanation.share_of_frame);
  text += "\n";
  text += fmt::format("  held up by {}\n", causes_text(explanation));
  text +=
      "  (by probes of the machine; `holds up` in the table of units sums accounts instead: for a frame "
      "believe this)\n";
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
