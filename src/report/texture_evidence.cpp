#include "report/texture_evidence.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "base/text.h"
#include "report/evidence.h"
#include "report/explanation.h"

namespace cutaway::report {
namespace {

std::string kilobytes(uint64_t bytes) { return fmt::format("{:.4g} KB", static_cast<double>(bytes) / 1024); }

std::string refetched(uint64_t misses, uint64_t first_touches) {
  return fmt::format("each line was missed {:.1f} times in each cache that was asked for it",
                     static_cast<double>(misses) / static_cast<double>(first_touches));
}

// Totals over all units of one kind, in the cycles of a scope, for any draw.
struct UnitTimes {
  uint64_t working = 0;  // cycles in which a unit held work
  uint64_t starved = 0;  // of these, cycles spent waiting for messages
  std::map<std::string, uint64_t> counted;
  uint64_t of(const std::string& name) const {
    const auto found = counted.find(name);
    return found == counted.end() ? 0 : found->second;
  }
};

std::map<std::string, UnitTimes> times_by_class(const std::vector<RunReader::Counts>& counts) {
  std::map<std::string, UnitTimes> times;
  for (const RunReader::Counts& count : counts) {
    UnitTimes& unit = times[class_of(count.unit)];
    const bool starved = count.name.starts_with("starved.");
    if (starved || count.name == "busy" || count.name.starts_with("blocked."))
      unit.working += count.meanwhile;
    if (starved) unit.starved += count.meanwhile;
    unit.counted[count.name] += count.meanwhile;
  }
  return times;
}

// The share of thread groups' cycles in shader units spent waiting for texture results, and the waiting
// cycles per texture instruction of a group. None if instructions are not recorded: for intervals.
std::optional<std::pair<double, double>> texture_waits(RunReader& run, const RunReader::Scope& scope,
                                                       const UnitTimes& shader) {
  constexpr size_t kSend = 3, kAnswer = 4;  // of Instruction::waited
  if (scope.first_interval) return std::nullopt;
  uint64_t waited = 0, asked = 0;
  for (const RunReader::Instruction& i : run.instructions(scope)) {
    waited += i.waited[kAnswer];
    if (i.waited[kAnswer] || i.waited[kSend]) asked += i.issued;
  }
  if (!asked) return std::nullopt;
  return std::pair(ratio(waited, shader.of("resident_groups")), ratio(waited, asked));
}

// Describes the thread groups of the shader units with the most texture reads, if they fill the units and
// mostly wait.
std::optional<Finding> groups_that_wait(RunReader& run, const RunReader::Scope& scope,
                                        const std::map<std::string, UnitTimes>& times) {
  constexpr double kFull = 0.75, kMost = 0.5;
  const auto shader = std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) {
    return a.second.of("texture_instructions") < b.second.of("texture_instructions");
  });
  const std::string& name = shader->first;
  const uint64_t lanes = whole_number(run, name + ".group_lanes");
  const uint64_t groups = lanes ? whole_number(run, name + ".threads") / lanes : 0;
  const double inside = ratio(shader->second.of("resident_groups"), shader->second.working);
  const auto waits = texture_waits(run, scope, shader->second);
  if (!groups || inside < kFull * static_cast<double>(groups)) return std::nullopt;
  if (waits && waits->first < kMost) return std::nullopt;
  const std::string share =
      waits ? fmt::format(
                  " and wait for texture answers {} of their time, {:.0f} cycles for each texture "
                  "instruction",
                  percent(waits->first), waits->second)
            : "";
  Finding finding = {fmt::format(
      "{:.0f} of the {} groups that fit into a shader unit are in flight{}, too few to hide that: more threads, "
      "if their lines fit into the caches, or a shorter latency of memory save more than more filtering",
      inside, groups, share)};
  add_lever(run, name + ".threads", true, finding.levers);
  add_lever(run, "memory.latency", false, finding.levers);
  return finding;
}

// Names the port between shader units and texture units that is occupied most of the time, if one is.
std::optional<Finding> narrow_port(RunReader& run, const UnitTimes& texture) {
  constexpr double kMost = 0.75;  // of the cycles in which a unit holds work
  const auto occupied = [&](const char* further) {
    const uint64_t cycles = texture.of(further);
    return cycles ? ratio(texture.of("quads") + cycles, texture.working) : 0;
  };
  const double requests = occupied("request_cycles"), results = occupied("result_cycles");
  if (std::max(requests, results) < kMost) return std::nullopt;
  const bool result = results >= requests;
  Finding finding{fmt::format("bound by the width of its messages: {} pass in {} of the cycles in which a "
                              "texture unit holds work",
                              result ? "results" : "requests", percent(std::max(requests, results))),
                  {}};
  add_lever(run, result ? "texture.result_words" : "texture.request_words", true, finding.levers);
  return finding;
}

}  // namespace

std::vector<Finding> filter_evidence(RunReader& run, const RunReader::Scope& scope,
                                     const std::vector<RunReader::Counts>& counts) {
  constexpr double kSaturated = 0.85, kSlack = 0.7;  // shares of the cycles in which a unit holds work
  const std::map<std::string, UnitTimes> times = times_by_class(counts);
  const auto texture = times.find("texture");
  const uint64_t rate = whole_number(run, "texture.steps_per_cycle");
  if (texture == times.end() || !rate || !texture->second.working) return {};
  const double busy = ratio(texture->second.of("steps"), texture->second.working * rate);
  const std::string filter = fmt::format(
      "the filter takes {} of the steps that it could in the cycles in which a texture unit holds work",
      percent(busy));
  std::vector<Lever> filtering;
  add_lever(run, "texture.steps_per_cycle", true, filtering);
  if (busy >= kSaturated) return {{fmt::format("filtering itself binds: {}", filter), filtering}};
  if (busy >= kSlack) return {{filter, filtering}};
  if (auto port = narrow_port(run, texture->second)) return {*port};
  const std::optional<Finding> groups = groups_that_wait(run, scope, times);
  const std::vector<Lever> latency = cache_levers(run, "texture");
  const std::string starved = fmt::format("{}; in {} of them it does nothing but wait for memory", filter,
                                          percent(ratio(texture->second.starved, texture->second.working)));
  if (!groups) return {{starved, latency}};
  return {{fmt::format("bound by the latency of texture reads, not by filtering: {}", starved), latency},
          *groups};
}

std::vector<Finding> footprint_evidence(RunReader& run, const RunReader::Scope& scope, uint64_t misses) {
  const uint64_t holds = whole_number(run, "texture.cache_lines") * whole_number(run, "texture.line_bytes");
  if (!holds) return {};
  uint64_t touches = 0, draws = 0, larger = 0;
  std::optional<RunReader::Work> most;  // in one cache
  for (const RunReader::Work& work : run.work(scope.frame)) {
    if (!scope.has(work)) continue;
    if (!work.texture_first_touches) continue;
    touches += work.texture_first_touches, draws++;
    larger += work.texture_cache_footprint > holds;
    if (!most || work.texture_cache_footprint > most->texture_cache_footprint) most = work;
  }
  if (!most) return {};
  std::vector<Lever> capacity;
  add_lever(run, "texture.cache_lines", true, capacity);
  const std::string size = fmt::format(
      "the footprint of its textures is {}, {} of it in one cache, which holds {}",
      kilobytes(most->texture_footprint), kilobytes(most->texture_cache_footprint), kilobytes(holds));
  if (draws == 1)
    return {
        {fmt::format("{}{}: {}", size, larger ? "" : ", so that all of it fits", refetched(misses, touches)),
         capacity}};
  uint64_t of_frame = 0;
  for (const RunReader::Frame& frame : run.frames())
    if (frame.frame == scope.frame) of_frame = frame.texture_footprint;
  return {{fmt::format("of {} with textures {} more than a cache holds; {} (all of the {}'s: {})",
                       counted(draws, "draw"), larger == 1 ? "1 touches" : fmt::format("{} touch", larger),
                       refetched(misses, touches), run.is_shared() ? "run" : "frame", kilobytes(of_frame)),
           capacity},
          {fmt::format("{} (work {}) has the largest: {}", one_line(title_of(*most)), most->work, size),
           capacity}};
}

}  // namespace cutaway::report
