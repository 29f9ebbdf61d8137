#include "boxes/command_processor/memory_range.h"

#include "base/round_up.h"

namespace cutaway::boxes {
namespace {

constexpr arch::Address kLongestLine = 512;  // bytes, of any cache (line_bytes of their units)

}  // namespace

MemoryRange MemoryRange::in_lines() const {
  return {begin / kLongestLine * kLongestLine, round_up(end, kLongestLine)};
}

MemoryRange range_of(const arch::Surface& surface) {
  return {surface.address, surface.address + arch::surface_span(surface)};
}

}  // namespace cutaway::boxes
