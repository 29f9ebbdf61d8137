#pragma once

#include <span>

#include "arch/packet.h"
#include "arch/surface.h"

namespace cutaway::boxes {

// Bytes of memory that work reads or writes, or more.
struct MemoryRange {
  arch::Address begin = 0, end = 0;

  bool meets(const MemoryRange& other) const { return begin < other.end && other.begin < end; }
  // With all of the lines of caches that a part of it may stand in.
  MemoryRange in_lines() const;
};

MemoryRange range_of(const arch::Surface& surface);  // the whole image, whatever is in view

struct CopyRanges {
  MemoryRange read, written;
};
// Of a legal copy or fill.
CopyRanges ranges_of_copy(arch::Opcode opcode, std::span<const uint32_t> payload);

}  // namespace cutaway::boxes
