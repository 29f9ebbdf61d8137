#pragma once

#include <span>
#include <vector>

#include "arch/packet.h"
#include "arch/registers.h"
#include "base/field.h"
#include "boxes/command_processor/memory_range.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

// The memory that a draw, a dispatch or a copy may read and write.
struct MemoryUse {
  std::vector<MemoryRange> read;
  std::vector<MemoryRange> written;
  // Targets that a draw has bound, but does not write as a color: depth and stencil, and colors with an empty
  // write mask. They count as written, except to DepthWatch.
  std::vector<MemoryRange> bound;

  bool reads(const MemoryRange& memory) const;
  bool writes(const MemoryRange& memory) const;
  // One of the two writes memory that the other reads or writes, so that they must not run side by side.
  bool overlaps(const MemoryUse& other) const;
  MemoryUse in_lines() const;
  void clear();
};

// These fill `use` anew and keep the room that its vectors have.
//
// The next draw with this state. `stages`: those that it runs.
// True if a surface is bound: it has a format.
bool exists(const arch::Surface& surface);
void use_of_draw(const messages::DrawState& state, EnumSet<arch::Stage> stages, bool indexed, MemoryUse& use);
void use_of_dispatch(const messages::DrawState& state, MemoryUse& use);
// A legal copy or fill: payload of its packet.
void use_of_copy(arch::Opcode opcode, std::span<const uint32_t> payload, MemoryUse& use);

}  // namespace cutaway::boxes
