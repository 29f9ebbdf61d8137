#pragma once

#include <algorithm>
#include <vector>

#include "boxes/command_processor/memory_range.h"

namespace cutaway::boxes {

// Tells whether hierarchical Z may keep its bounds when the caches of depth are invalidated: it may while
// only the Z and stencil units have written the surface. Watches the depth surfaces that draws and clears
// have used since hierarchical Z last forgot.
class DepthWatch {
 public:
  void used(const MemoryRange& surface) {
    for (const MemoryRange& known : surfaces_)
      if (known.begin == surface.begin && known.end == surface.end) return;
    written(surface);  // if it lies in the memory of another
    if (surfaces_.size() == kSurfaces) lost_ = true;
    else surfaces_.push_back(surface);
  }
  // By copies, color targets, values, programs that store, or the host.
  void written(const MemoryRange& memory) {
    lost_ |= std::any_of(surfaces_.begin(), surfaces_.end(),
                         [&](const MemoryRange& surface) { return surface.meets(memory); });
  }

  bool lost() const { return lost_; }  // bounds of hierarchical Z may be wrong
  void forgotten() { lost_ = false, surfaces_.clear(); }

 private:
  static constexpr size_t kSurfaces = 16;
  std::vector<MemoryRange> surfaces_;
  bool lost_ = false;
};

}  // namespace cutaway::boxes
