#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/run_reader.h"
#include "run_record/frame_record.h"

namespace cutaway::report {

// The fate of all fragments of a pixel of a frame.
struct PixelHistory {
  struct Entry {
    run_record::FragmentEvent event;
    uint32_t pass = 0;
    std::optional<uint32_t> color;  // the pixel's new value, if it was written: R in the lowest 8 bits, then
                                    // G, B, A
  };
  // A pass that draws to the pixel.
  struct Pass {
    uint32_t pass = 0;
    std::vector<run_record::TargetRecord> targets;
    std::vector<Entry> entries;
    bool cut = false;  // it continued after the log was full: events may be missing
  };
  uint64_t frame = 0;
  uint32_t x = 0, y = 0;
  uint64_t end = 0;  // the cycle from which on nothing is logged; 0: the log is complete
  std::vector<Pass> passes;
  std::vector<RunReader::Work> work;  // of the frame
};

// pass: only this pass. UserError: the run has no log of the frame; it is damaged; no target has the pixel.
PixelHistory pixel_history(RunReader& run, uint64_t frame, uint32_t x, uint32_t y,
                           std::optional<uint32_t> pass);

// In lines for a terminal.
std::string pixel_history_text(const PixelHistory& history);

// "#rrggbb, alpha 255"
std::string color_text(uint32_t color);

}  // namespace cutaway::report
