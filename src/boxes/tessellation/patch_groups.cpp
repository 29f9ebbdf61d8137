#include "boxes/tessellation/patch_groups.h"

#include "arch/state.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using arch::Stage;

PatchGroups::PatchGroups(uint32_t groups, engine::Cycle wait, uint32_t front_end, uint32_t lanes,
                         messages::Pools& pools)
    : lanes_(lanes), pools_(pools), gathered_(Stage::kTessControl, front_end, wait, pools), order_(groups) {}

messages::Patch& PatchGroups::add(engine::Cycle now, const messages::PrimitiveMessage& message) {
  const arch::TessellationRegisters& registers = message.state->registers.tessellation;
  messages::VertexGroup& group = gathered_.join(message);
  messages::PoolRef<messages::Patch> patch = pools_.patches.allocate();
  patch->id = message.origin.primitive;
  patch->words.assign(registers.patch_bytes / 4, 0);
  messages::GroupPrimitives& primitives = *group.primitives;
  for (uint32_t i = 0; i < registers.output_vertices; i++, group.lanes++) {
    primitives.primitive[group.lanes] = message.whole;
    primitives.patch[group.lanes] = patch;
    primitives.id[group.lanes] = patch->id;
    primitives.invocation[group.lanes] = i;
  }
  gathered_.joined(now, ++patches_ == lanes_ / registers.output_vertices);
  return *patch;  // the group holds it
}

messages::VertexGroup PatchGroups::send() {
  const messages::VertexGroup& group = gathered_.group();
  const uint16_t slot = order_.push_group(group.state, group.origin, patches_);
  patches_ = 0;
  return gathered_.take(slot);
}

void PatchGroups::add_end(const messages::PrimitiveMessage& end) {
  order_.push_end(end.state, end.origin, end.draw_end);
}

const messages::PoolRef<messages::Patch>& PatchGroups::patch() const {
  const structures::GroupOrder::Entry& group = next();
  return group.done->patch[next_patch_ * group.state->registers.tessellation.output_vertices];
}

void PatchGroups::pop_patch() {
  if (++next_patch_ < next().count) return;
  next_patch_ = 0;
  order_.pop();
}

}  // namespace cutaway::boxes
