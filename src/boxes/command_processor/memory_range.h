#pragma once

#include "arch/surface.h"

namespace cutaway::boxes {

// Bytes of memory, from `begin` up to `end`.
struct MemoryRange {
  arch::Address begin = 0, end = 0;

  bool operator==(const MemoryRange&) const = default;
  bool meets(const MemoryRange& other) const { return begin < other.end && other.begin < end; }
  // Extended to whole lines of the cache with the longest lines.
  MemoryRange in_lines() const;
};

MemoryRange range_of(const arch::Surface& surface);  // the whole image, whatever is in view

}  // namespace cutaway::boxes
