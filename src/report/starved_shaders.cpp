#include "report/starved_shaders.h"

#include "report/evidence.h"

namespace cutaway::report {
namespace {

// Counts of one kind of units in the scope, by name.
using Counted = std::map<std::string, uint64_t>;

Counted counted_of(const std::vector<RunReader::Counts>& counts, const std::string& kind) {
  Counted counted;
  for (const RunReader::Counts& count : counts)
    if (class_of(count.unit) == kind) counted[count.name] += count.meanwhile;
  return counted;
}

uint64_t sum_of(const Counted& counted, std::string_view prefix) {
  uint64_t sum = 0;
  for (const auto& [name, value] : counted)
    if (name.starts_with(prefix)) sum += value;
  return sum;
}

uint64_t value_of(const Counted& counted, const std::string& name) {
  const auto found = counted.find(name);
  return found == counted.end() ? 0 : found->second;
}

}  // namespace

std::optional<StarvedShaders> starved_shaders(RunReader& run, const std::vector<RunReader::Counts>& counts,
                                              const std::string& kind) {
  constexpr double kFew = 0.5, kLeast = 0.05;
  const Counted shader = counted_of(counts, kind), streamer = counted_of(counts, "streamer");
  const uint64_t vertices = whole_number(run, kind + ".vertex_lanes");
  const uint64_t lanes = vertices ? vertices : whole_number(run, kind + ".group_lanes");
  const uint64_t room = lanes ? whole_number(run, kind + ".threads") / lanes : 0;
  if (!room || !value_of(shader, "vertex_instructions")) return std::nullopt;
  const uint64_t cycles = sum_of(shader, "cycles_");
  const uint64_t waits = value_of(shader, "cycles_dependency"), issued = value_of(shader, "cycles_issued");
  const double inside = ratio(value_of(shader, "resident_groups"), cycles);
  if (inside >= kFew * static_cast<double>(room)) return std::nullopt;

  // If the streamer is blocked or has no draw, the shader units wait for something else.
  const uint64_t all = value_of(streamer, "busy") + value_of(streamer, "idle") +
                       sum_of(streamer, "starved.") + sum_of(streamer, "blocked.");
  const uint64_t fetching = value_of(streamer, "starved.memory_in"),
                 shading = sum_of(streamer, "starved.shaded_in"), busy = value_of(streamer, "busy");
  StarvedShaders result{.share = ratio(waits, waits + issued) * ratio(busy + fetching + shading, all)};
  if (result.share < kLeast) return std::nullopt;
  result.sentence = fmt::format(
      "shader units wait for a result in {} of their cycles with {:.1f} groups inside, of {}: with the {} "
      "vertices of `streamer.queue`, {} of them found in the vertex cache, it waits for attributes in {} of "
      "the cycles, and for shaded vertices in {}",
      percent(waits, cycles), inside, room, whole_number(run, "streamer.queue"),
      percent(value_of(streamer, "post_cache_hits"), value_of(streamer, "indices")), percent(fetching, all),
      percent(shading, all));
  return result;
}

}  // namespace cutaway::report
