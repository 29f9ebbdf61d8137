#pragma once

#include <vector>

#include "boxes/z_stencil/z_stencil_counters.h"
#include "messages/messages.h"
#include "structures/cache.h"
#include "structures/quad_cache.h"
#include "structures/ring.h"

namespace cutaway::boxes {

struct TileReportsLimits {
  unsigned queue = 8;        // changed lines that wait to be read; 0: lines are read only when they leave
  unsigned line_cycles = 4;  // to read one
};

// Reports to hierarchical Z which depths the lines of a Z cache hold. A line that is exactly one tile of
// 32-bit elements is reported, sample by sample, after tests have changed it and gone on to another line, and
// when it leaves the cache.
class TileReports {
 public:
  // counters: of the unit; must outlive it.
  TileReports(const TileReportsLimits& spec, uint32_t lines, uint32_t line_bytes, ZStencilCounters& counters);

  // Notes that a sample of a quad has its lines in the cache. Call in the order of tests, and of this and the
  // next only for quads before which all others have been written: a report holds for all quads up to its
  // epoch.
  void acquired(const structures::QuadAccess& access, const messages::QuadMessage& quad, uint8_t sample);
  // Notes a test; wrote: it has stored something.
  void tested(const structures::QuadAccess& access, const messages::QuadMessage& quad, bool wrote);
  // Reports the line that the cache has evicted in its last access, if any.
  void look_after_evicted(structures::Cache& cache);
  // Reads the next changed line if it is time. Returns whether it did.
  bool read_next(engine::Cycle now, const structures::Cache& cache);
  // The next cycle in which there is something to read; kAsleep: none.
  engine::Cycle next(engine::Cycle now) const {
    return changed_.empty() ? engine::kAsleep : std::max(now + 1, free_);
  }
  // Forgets all lines, as the cache does.
  void forget();

  bool empty() const { return updates_.empty(); }
  const messages::HzUpdate& front() const { return updates_.front(); }
  messages::HzUpdate pop() { return updates_.pop(); }

 private:
  // The last use of a line of the cache.
  struct Use {
    arch::Address surface = 0;
    int32_t x = 0, y = 0;
    uint32_t epoch = 0;                        // of the last quad that acquired it
    uint32_t tested_epoch = 0;                 // of the last quad that was tested in it
    uint32_t told_epoch = 0;                   // of its last report
    const arch::FormatInfo* format = nullptr;  // null: the line is not one tile
    uint8_t sample = 0;
    bool changed = false;  // since its last report
    bool queued = false;   // in changed_
  };

  void tell(const Use& use, uint32_t epoch, messages::ByteMask readable, const std::byte* data);

  TileReportsLimits spec_;
  ZStencilCounters& counters_;
  uint32_t line_bytes_;
  std::vector<Use> uses_;                        // by line
  uint32_t current_ = structures::Cache::kNone;  // the line that was tested last
  structures::Ring<uint32_t> changed_;           // lines
  structures::Ring<messages::HzUpdate> updates_;
  engine::Cycle free_ = 0;  // when the next line can be read
};

}  // namespace cutaway::boxes
