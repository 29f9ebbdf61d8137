#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/run_reader.h"

namespace cutaway::report {

// Work of a frame under one label, or of one pass.
struct RollUpRow {
  std::string name;  // "shadow pass"; "(no label)"
  uint32_t depth = 0;
  uint64_t cycles = 0;  // marginal: rows of depth 0 sum to the frame's
  uint64_t draws = 0;   // the program's own
  uint32_t first_work = 0;
};

// Rows by label. Work whose label comes again in the frame is in the row that it has already.
std::vector<RollUpRow> by_label(std::span<const RunReader::Work> work);
// Rows by pass, each with the labels that its draws share, as pass.label of the database: "pass 2, 'frame /
// shadow pass'". One depth.
std::vector<RollUpRow> by_pass(std::span<const RunReader::Work> work);

// Lines for a terminal. seconds: that the frame's cycles take; at most `count` rows.
std::string roll_up_text(std::span<const RollUpRow> rows, uint64_t frame_cycles, double seconds,
                         size_t count);

// Many frames in a few lines: median, worst, and a chart whose columns are the worst of equal runs of frames.
std::string frames_text(std::span<const RunReader::Frame> frames, double core_mhz);

}  // namespace cutaway::report
