#include "report/texture_evidence.h"

#include <cstdlib>
#include <fmt/format.h>

#include "base/text.h"

namespace cutaway::report {
namespace {

uint64_t number(RunReader& run, const char* parameter) {
  return std::strtoull(run.parameter(parameter).value_or("0").c_str(), nullptr, 10);
}

std::string kilobytes(uint64_t bytes) { return fmt::format("{:.4g} KB", static_cast<double>(bytes) / 1024); }

std::string refetched(uint64_t misses, uint64_t first_touches) {
  return fmt::format("each line was missed {:.1f} times in each cache that was asked for it",
                     static_cast<double>(misses) / static_cast<double>(first_touches));
}

}  // namespace

std::vector<std::string> footprint_evidence(RunReader& run, const RunReader::Scope& scope, uint64_t misses) {
  const uint64_t holds = number(run, "texture.cache_lines") * number(run, "texture.line_bytes");
  if (!holds) return {};
  uint64_t touches = 0, draws = 0, larger = 0;
  std::optional<RunReader::Work> most;  // in one cache
  for (const RunReader::Work& work : run.work(scope.frame)) {
    if (work.work < scope.first_work.value_or(0) || work.work > scope.last_work.value_or(~0u)) continue;
    if (!work.texture_first_touches) continue;
    touches += work.texture_first_touches, draws++;
    larger += work.texture_cache_footprint > holds;
    if (!most || work.texture_cache_footprint > most->texture_cache_footprint) most = work;
  }
  if (!most) return {};
  const std::string size = fmt::format(
      "the footprint of its textures is {}, {} of it in one cache, which holds {}",
      kilobytes(most->texture_footprint), kilobytes(most->texture_cache_footprint), kilobytes(holds));
  if (draws == 1)
    return {
        fmt::format("{}{}: {}", size, larger ? "" : ", so that all of it fits", refetched(misses, touches))};
  uint64_t of_frame = 0;
  for (const RunReader::Frame& frame : run.frames())
    if (frame.frame == scope.frame) of_frame = frame.texture_footprint;
  return {fmt::format("of {} with textures {} more than a cache holds; {} (all of the frame's: {})",
                      counted(draws, "draw"), larger == 1 ? "1 touches" : fmt::format("{} touch", larger),
                      refetched(misses, touches), kilobytes(of_frame)),
          fmt::format("most of all touches work {}: {}", most->work, size)};
}

}  // namespace cutaway::report
