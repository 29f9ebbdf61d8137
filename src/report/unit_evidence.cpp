#include "report/unit_evidence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "report/account_evidence.h"
#include "report/buffer_evidence.h"
#include "report/evidence.h"
#include "report/hot_instructions.h"
#include "report/texture_evidence.h"

namespace cutaway::report {
namespace {

std::vector<Finding> memory_evidence(RunReader& run, const std::vector<RunReader::Counts>& counts,
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
  return {{fmt::format("{} of its {:g} bytes a cycle were moved; by {}", percent(used), peak, shares),
           memory_levers(run)}};
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

std::vector<Finding> cache_evidence(const std::string& kind, const EvidenceSource& from) {
  const uint64_t hits = from.figures.own(kind, "cache_hits"), misses = from.figures.own(kind, "cache_misses");
  if (!(hits + misses)) return {};
  return {{fmt::format("its caches missed {} of {} accesses", percent(misses, hits + misses),
                       grouped(hits + misses)),
           cache_levers(from.run, kind)}};
}

std::vector<Finding> shader_evidence(const std::string& kind, const std::string& stage,
                                     const EvidenceSource& from) {
  std::vector<Finding> evidence;
  if (std::string text = instructions_text(kind, stage, from.figures, from.instructions); !text.empty())
    evidence.push_back({std::move(text), issue_levers(from.run, kind)});
  const uint64_t passes = from.figures.own(kind, "register_passes"),
                 splits = from.figures.own(kind, "register_splits");
  if (passes + splits > 0) {
    Finding ports{fmt::format("temporaries found no read port: {} further passes, and {} did not issue with "
                              "those before",
                              grouped(passes), counted(splits, "instruction")),
                  {}};
    add_lever(from.run, kind + ".register_reads", true, ports.levers);
    evidence.push_back(std::move(ports));
  }
  auto hot = hot_instructions(from.run, from.instructions, kind, stage, from.disassemble);
  std::move(hot.begin(), hot.end(), std::back_inserter(evidence));
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
    {"work_distributor", "vertex_groups",
     "groups of the stages before the rasteriser were given to shader units"},
    {"compute_distributor", "workgroups", "workgroups were given to shader units"},
    {"compute_distributor", "dispatches", "dispatches ended"},
    {"group_fifo", "groups", "groups of fragments were passed on"},
    {"reorder_buffer", "quads", "shaded quads were put back in order"},
    {"primitive_assembly", "primitives", "primitives were assembled"},
    {"geometry_shading", "groups", "groups of geometry invocations were sent to be shaded"},
    {"geometry_shading", "output_stalls", "of these had to wait for room for their output"},
    {"tessellation", "patches", "patches were taken"},
    {"tessellation", "points_shaded", "points were sent to be shaded"},
    {"stream_out", "bytes", "bytes of vertices were captured"},
    {"texture_arbiter", "jobs", "quads were passed on to texture units"},
    {"storage_cache", "loads", "loads were executed"},
    {"storage_cache", "stores", "stores were executed"},
    {"storage_cache", "atomic_lanes", "atomics were executed"},
    {"copy_engine", "bytes", "bytes were copied or filled"},
    {"copy_engine", "sectors_cleared", "sectors of 64 bytes were cleared"},
    {"constant_loader", "bytes", "bytes of constants were loaded"},
    {"dac", "bytes", "bytes of pictures were scanned out"},
    {"bus", "host_bytes", "bytes that the host wrote came in"},
    {"bus", "read_bytes", "bytes of system memory were read"},
    {"bus", "write_bytes", "bytes of system memory were written"},
    {"bus", "doorbells", "submissions were announced"},
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

// How long the program and its driver computed.
std::vector<Finding> host_evidence(const EvidenceSource& from) {
  const uint64_t computed = from.figures.own("host", "computed"), alone = from.figures.own("host", "alone");
  if (!computed) return {};
  return {{fmt::format(
               "the program and its driver computed for {} cycles before {} submissions; in {} of them "
               "the GPU had none",
               grouped(computed), grouped(from.figures.own("host", "submissions")), percent(alone, computed)),
           rate_levers(from.run, "host")}};
}

// How many requests did not find their page, and whose.
std::vector<Finding> translation_evidence(const EvidenceSource& from) {
  uint64_t hits = 0, misses = 0, waited = 0;
  std::vector<std::pair<uint64_t, std::string>> groups;
  for (const auto& count : from.counts) {
    const auto [unit, group] = unit_and_port(count.unit);
    if (unit != "gpu.address_translation") continue;
    if (count.name == "hits") hits += count.own;
    if (count.name == "wait_cycles") waited += count.own;
    if (count.name != "misses") continue;
    misses += count.own;
    groups.emplace_back(count.own, group);
  }
  if (!misses) return {};
  std::sort(groups.rbegin(), groups.rend());
  std::string shares;
  for (size_t i = 0; i < groups.size() && i < 3 && groups[i].first; i++)
    shares += fmt::format("{}{} {}", i ? ", " : "", groups[i].second, percent(groups[i].first, misses));
  const uint64_t far = from.figures.own("address_translation", "l2_misses");
  return {{fmt::format("{} of {} requests did not find their page in a TLB of the first level ({}), and "
                       "waited {:.0f} cycles of the memory clock for it on average; the second level lacked "
                       "the page in {} cases",
                       percent(misses, hits + misses), grouped(hits + misses), shares, ratio(waited, misses),
                       grouped(far)),
           translation_levers(from.run)}};
}

// A screen with a rate of its own: a frame waits for it twice, or once if a later picture may replace its
// own.
std::vector<Finding> screen_evidence(const EvidenceSource& from) {
  const std::string hz = from.run.parameter("dac.refresh_hz").value_or("0");
  if (hz == "0") return {};
  const uint64_t waited = from.figures.own("dac", "retrace_cycles");
  const std::string mode = from.run.parameter("dac.present_mode").value_or("");
  const char* next = "the next PRESENT waits while they are shown";
  if (mode == "mailbox") next = "a later one replaces the one that waits";
  if (mode == "immediate") next = "a later one replaces the one on the screen";
  return {
      {fmt::format("the screen refreshes itself {} times a second: pictures waited for {} in {} cycles, {} "
                   "of all; {}",
                   hz, mode == "immediate" ? "its next row" : "the vertical retrace", grouped(waited),
                   percent(waited, from.cycles), next),
       retrace_levers(from.run)}};
}

std::string rate_text(double a_cycle) {
  constexpr double kOften = 0.1;
  return a_cycle >= kOften
             ? fmt::format("{:.2f} a cycle", a_cycle)
             : fmt::format("one in {} cycles", grouped(static_cast<uint64_t>(std::llround(1 / a_cycle))));
}

// What units of a kind did, by the counters of the table above.
std::vector<Finding> work_evidence(const std::string& kind, const EvidenceSource& from) {
  constexpr double kWorthTelling = 1e-4;  // a cycle
  std::vector<Finding> evidence;
  for (const Told& told : kTold) {
    const uint64_t value = kind == told.kind ? from.figures.own(kind, told.counter) : 0;
    const double rate = ratio(value, from.cycles);
    if (rate > kWorthTelling)
      evidence.push_back({fmt::format("{} {}, {}", grouped(value), told.what, rate_text(rate)),
                          rate_levers(from.run, kind)});
  }
  return evidence;
}

std::vector<Finding> figures_evidence(const std::string& kind, const std::string& stage,
                                      const EvidenceSource& from) {
  if (kind == "memory_controller") return memory_evidence(from.run, from.counts, from.cycles);
  if (kind == "host") return host_evidence(from);
  if (kind == "address_translation") return translation_evidence(from);
  if (kind == "dac")
    if (auto screen = screen_evidence(from); !screen.empty()) return screen;
  if (from.figures.is_shader(kind)) return shader_evidence(kind, stage, from);
  std::vector<Finding> evidence;
  const auto add_all = [&evidence](std::vector<Finding> more) {
    std::move(more.begin(), more.end(), std::back_inserter(evidence));
  };
  const auto add = [&evidence](std::optional<Finding> one) {
    if (one) evidence.push_back(std::move(*one));
  };
  if (kind == "texture") add_all(filter_evidence(from.run, from.scope, from.counts));
  add_all(cache_evidence(kind, from));
  if (kind == "texture" && !from.scope.first_interval)
    add_all(footprint_evidence(from.run, from.scope, from.figures.own(kind, "cache_misses")));
  if (kind == "work_distributor") add(group_evidence(from));
  add_all(work_evidence(kind, from));
  if (std::string balance = balance_evidence(kind, from.counts); !balance.empty())
    evidence.push_back({std::move(balance), balance_levers(from.run, kind)});
  add(kind.empty() ? idle_evidence(from) : account_evidence(kind, from));
  return evidence;
}

}  // namespace

std::string kind_of(const std::string& unit) {
  const std::string kind = class_of(unit);
  return kind.substr(0, kind.find('.'));
}

Figures::Figures(const std::vector<RunReader::Counts>& counts) {
  for (const auto& count : counts) {
    const std::string kind = kind_of(count.unit), part = class_of(count.unit).substr(kind.size());
    Sum& sum = sums_[{kind, part.empty() ? count.name : part.substr(1) + "." + count.name}];
    sum.own += count.own, sum.meanwhile += count.meanwhile;
  }
}

Figures::Sum Figures::find(const std::string& kind, const std::string& name) const {
  const auto found = sums_.find({kind, name});
  return found == sums_.end() ? Sum{} : found->second;
}

std::vector<Finding> evidence_of(const std::string& kind, const std::string& stage,
                                 const EvidenceSource& from) {
  std::vector<Finding> evidence = figures_evidence(kind, stage, from);
  if (auto buffers = buffer_evidence(kind, stage, from)) evidence.push_back(std::move(*buffers));
  return evidence;
}

}  // namespace cutaway::report
