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
  if (next && !closed_ && take(now, *next)) return true;
  if (!control_.primitives || closed_ || (!lacked_ && now < grown_ + spec_.gather_cycles)) return false;
  closed_ = true;
  return true;
}

bool Tessellation::take(Cycle now, const PrimitiveMessage& message) {
  if (message.is_end()) {
    if (control_.primitives) return closed_ = true;
    if (empty()) {
      if (!primitives_out.ready(now) || !assembled_out.ready(now)) return false;
      send_end(now, message.state, message.origin, message.draw_end);
      primitives_in.drop(now);
      return true;
    }
    if (order_.full()) return false;
    entry_[push_entry(message.state, message.origin)].draw_end = message.draw_end;
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
  if (!control_.primitives) {
    control_.stage = Stage::kTessControl;
    control_.primitives = pools_.group_primitives.allocate();
    control_.state = message.state;
    control_.origin = message.origin;
    control_.front_end = front_end_;
    control_.lanes = gathered_ = 0;
  }
  parts::PoolRef<parts::Patch> patch = pools_.patches.allocate();
  patch->id = message.origin.primitive;
  patch->words.assign(registers.patch_bytes / 4, 0);
  for (uint32_t i = 0; i < places; i++) patch->places.push_back(memory.take(now));
  parts::GroupPrimitives& primitives = *control_.primitives;
  for (uint32_t i = 0; i < registers.output_vertices; i++, control_.lanes++) {
    primitives.primitive[control_.lanes] = message.whole;
    primitives.patch[control_.lanes] = patch;
    primitives.id[control_.lanes] = patch->id;
    primitives.invocation[control_.lanes] = i;
  }
  closed_ = ++gathered_ == most_patches(*control_.state);
  grown_ = now;
  counters.patches++;
  primitives_in.drop(now);
  return true;
}

uint16_t Tessellation::push_entry(const parts::DrawState* state, const parts::Origin& origin) {
  const uint16_t slot = free_slots_.back();
  free_slots_.pop_back();
  entry_[slot].state = state, entry_[slot].origin = origin;
  order_.push(slot);
  return slot;
}

void Tessellation::drop_entry() {
  Entry& entry = entry_[order_.front()];
  groups_under_way_ -= entry.patches != 0;
  entry = {};
  free_slots_.push_back(order_.pop());
}

bool Tessellation::send_control(Cycle now) {
  if (!closed_ || order_.full() || groups_under_way_ == spec_.groups || !patch_groups_out.ready(now))
    return false;
  groups_under_way_++;
  control_.slot = push_entry(control_.state, control_.origin);
  entry_[control_.slot].patches = gathered_;
  counters.control_groups++;
  patch_groups_out.send(now, std::move(control_));
  control_ = {};
  closed_ = false;
  return true;
}

// A group from each shader unit.
bool Tessellation::take_patches(Cycle now) {
  bool progress = false;
  for (auto& in : patches_in) {
    if (!in.peek(now)) continue;
    parts::EmittedPrimitives message = in.take(now);
    entry_[message.slot].done = std::move(message.primitives);
    progress = true;
  }
  return progress;
}

}  // namespace cutaway::boxes
