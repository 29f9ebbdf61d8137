#pragma once

#include <vector>

#include "boxes/z_stencil/counters.h"
#include "parts/cache.h"
#include "parts/messages.h"
#include "parts/quad_cache.h"
#include "parts/ring.h"

namespace cutaway::boxes {

struct TileReportsLimits {
  unsigned queue = 8;        // changed lines that wait to be read; 0: lines are read only when they leave
  unsigned line_cycles = 4;  // to read one
};

// Tells hierarchical Z what the lines of a Z cache hold. A line that holds exactly one tile of 32-bit
// elements can be described, sample by sample: when tests have changed it and gone on to another line, and
// when it leaves the cache.
class TileReports {
 public:
  // counters: those of the unit, which must outlive it.
  TileReports(const TileReportsLimits& spec, uint32_t lines, uint32_t line_bytes, ZStencilCounters& counters);

  // A quad's sample has its lines in the cache, in the order in which quads are tested.
  void acquired(const parts::QuadAccess& access, const parts::QuadMessage& quad, uint8_t sample);
  // It was tested, and something was stored or not.
  void tested(const parts::QuadAccess& access, const parts::QuadMessage& quad, bool wrote);
  // The cache may have evicted a line just now.
  void look_after_evicted(parts::Cache& cache);
  // Reads the next changed line if it is time. True: it did.
  bool read_next(engine::Cycle now, const parts::Cache& cache);
  // The next cycle in which there is something to read; kAsleep: none.
  engine::Cycle next(engine::Cycle now) const {
    return changed_.empty() ? engine::kAsleep : std::max(now + 1, free_);
  }
  // The cache forgets its lines.
  void forget();

  bool empty() const { return updates_.empty(); }
  const parts::HzUpdate& front() const { return updates_.front(); }
  parts::HzUpdate pop() { return updates_.pop(); }

 private:
  // What a line of the cache was used for last.
  struct Use {
    arch::Address surface = 0;
    int32_t x = 0, y = 0;
    uint32_t epoch = 0;                        // of the last quad that acquired it
    uint32_t tested_epoch = 0;                 // of the last quad that was tested in it
    uint32_t told_epoch = 0;                   // of what hierarchical Z was told last
    const arch::FormatInfo* format = nullptr;  // null: the line is not one tile
    uint8_t sample = 0;
    bool changed = false, queued = false;  // since it was told; in changed_
  };

  void tell(const Use& use, uint32_t epoch, const std::byte* data);

  TileReportsLimits spec_;
  ZStencilCounters& counters_;
  uint32_t line_bytes_;
  std::vector<Use> uses_;                   // by line
  uint32_t current_ = parts::Cache::kNone;  // the line that was tested last
  parts::Ring<uint32_t> changed_;           // lines
  parts::Ring<parts::HzUpdate> updates_;
  engine::Cycle free_ = 0;  // when the next line can be read
};

}  // namespace cutaway::boxes
