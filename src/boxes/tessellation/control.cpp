// Patches to groups for their control programs, and back.
#include <algorithm>

#include "boxes/tessellation/tessellation.h"
#include "draw/legal.h"
#include "parts/draw_state.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;
using parts::PrimitiveMessage;

uint32_t Tessellation::most_patches(const parts::DrawState& state) const {
  return group_lanes_ / state.registers.tessellation.output_vertices;
}

// A patch a cycle. A group holds those of one draw; the end of its batch closes it, and so does waiting, or a
// lack of memory, which may wait for this group.
bool Tessellation::gather(Cycle now) {
  const PrimitiveMessage* next = primitives_in.peek(now);
  if (next && !control_.closed() && take(now, *next)) return true;
  return control_.close_in_time(now, !lacked_);
}

bool Tessellation::take(Cycle now, const PrimitiveMessage& message) {
  if (message.is_end()) {
    if (!control_.empty()) {
      control_.close();
      return true;
    }
    if (empty()) {
      if (!primitives_out.ready(now) || !assembled_out.ready(now)) return false;
      send_end(now, message.state, message.origin, message.draw_end);
      primitives_in.drop(now);
      return true;
    }
    if (order_.full()) return false;
    order_.push_end(message.state, message.origin, message.draw_end);
    primitives_in.drop(now);
    return true;
  }
  if (draw::is_on(message.state->registers, Stage::kTessControl)) return add_patch(now, message);
  if (!empty() || !primitives_out.ready(now)) return false;
  counters.passed++;
  primitives_out.send(now, primitives_in.take(now));
  return true;
}

bool Tessellation::add_patch(Cycle now, const PrimitiveMessage& message) {
  const arch::TessellationRegisters& registers = message.state->registers.tessellation;
  const uint32_t places = std::max((registers.patch_bytes + 1023) / 1024, 1u);
  const bool lacks = memory.free(now) < places;
  counters.memory_stalls += lacks && !lacked_;
  lacked_ = lacks;
  if (lacks) return false;
  parts::VertexGroup& group = control_.join(message);
  parts::PoolRef<parts::Patch> patch = pools_.patches.allocate();
  patch->id = message.origin.primitive;
  patch->words.assign(registers.patch_bytes / 4, 0);
  for (uint32_t i = 0; i < places; i++) patch->places.push_back(memory.take(now));
  parts::GroupPrimitives& primitives = *group.primitives;
  for (uint32_t i = 0; i < registers.output_vertices; i++, group.lanes++) {
    primitives.primitive[group.lanes] = message.whole;
    primitives.patch[group.lanes] = patch;
    primitives.id[group.lanes] = patch->id;
    primitives.invocation[group.lanes] = i;
  }
  control_.joined(now, ++patches_ == most_patches(*group.state));
  counters.patches++;
  primitives_in.drop(now);
  return true;
}

bool Tessellation::send_control(Cycle now) {
  if (!control_.closed() || !order_.takes_group() || !patch_groups_out.ready(now)) return false;
  const parts::VertexGroup& group = control_.group();
  const uint16_t slot = order_.push_group(group.state, group.origin, patches_);
  patches_ = 0;
  counters.control_groups++;
  patch_groups_out.send(now, control_.take(slot));
  return true;
}

// A group from each shader unit.
bool Tessellation::take_patches(Cycle now) {
  bool progress = false;
  for (auto& in : patches_in) {
    if (!in.peek(now)) continue;
    parts::EmittedPrimitives message = in.take(now);
    order_[message.slot].done = std::move(message.primitives);
    progress = true;
  }
  return progress;
}

}  // namespace cutaway::boxes
