#include "run_record/shared_figures.h"

#include <algorithm>
#include <map>

namespace cutaway::run_record {

std::optional<SharedFigures::TimeShares> SharedFigures::Program::shares() const {
  const uint64_t end = lost ? lost->cycle : frames.empty() ? 0 : frames.back().end;
  if (!end) return {};
  const auto share = [&](uint64_t cycles) {
    return std::min(1.0, static_cast<double>(cycles) / static_cast<double>(end));
  };
  TimeShares shares{.host = share(host ? host->alone + host->interrupts : 0)};
  shares.others = std::min(share(waited), 1 - shares.host);
  shares.window = std::min(share(waited_for_window), 1 - shares.host - shares.others);
  shares.gpu = 1 - shares.host - shares.others - shares.window;
  return shares;
}

uint64_t SharedFigures::Program::left_out() const {
  return static_cast<uint64_t>(
      std::count_if(frames.begin(), frames.end(), [](const Frame& frame) { return frame.left_out; }));
}

std::optional<SharedFigures::HostCycles> SharedFigures::host_cycles() const {
  if (programs.empty() || !programs.front().host) return {};
  uint64_t alone_cycles = 0;
  for (const Program& program : programs)
    for (const Frame& frame : program.frames) alone_cycles += frame.alone;
  return HostCycles{.alone = alone_cycles - std::min(alone_cycles, alone.sum()),
                    .together = cycles - std::min(cycles, together.sum())};
}

SharedFigures::InWindow SharedFigures::in_window(const Program& program) const {
  std::map<uint64_t, uint64_t> ends;  // of the first program's frames, by number
  for (const Frame& shows : programs.front().frames) ends[shows.number] = shows.end;
  InWindow sum;
  for (const Frame& frame : program.frames) {
    const auto end = frame.shown_in ? ends.find(*frame.shown_in) : ends.end();
    if (end == ends.end() || end->second < frame.begin) continue;
    sum.shown++;
    sum.latency += end->second - frame.begin;
  }
  return sum;
}

}  // namespace cutaway::run_record
