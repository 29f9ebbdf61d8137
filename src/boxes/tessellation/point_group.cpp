#include "boxes/tessellation/point_group.h"

#include <utility>

#include "func/shader/micro_op.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

PointGroup::PointGroup(uint32_t front_end, uint32_t lanes, messages::Pools& pools)
    : front_end_(front_end), lanes_(lanes), width_(func::register_width(lanes)), pools_(pools) {}

void PointGroup::add(messages::SlotIndex slot, const messages::PoolRef<messages::Patch>& patch,
                     const messages::Vec4& coordinate, const messages::DrawState* state,
                     const messages::Origin& origin) {
  if (empty()) {
    group_.stage = arch::Stage::kTessEvaluation;
    group_.vertices = pools_.group_vertices.allocate();
    group_.primitives = pools_.group_primitives.allocate();
    group_.state = state;
    group_.origin = origin;
    group_.front_end = front_end_;
  }
  const uint32_t lane = group_.lanes++;
  messages::GroupVertices& vertices = *group_.vertices;
  vertices.slot[lane] = slot;
  vertices.index[lane] = messages::kEmittedVertex;
  vertices.instance[lane] = 0;
  group_.primitives->patch[lane] = patch;
  put(arch::kInputTessCoord, lane, coordinate);
  put(arch::kInputPrimitive, lane, {patch->id, 0, state->registers.tessellation.output_vertices, 0});
}

messages::VertexGroup PointGroup::take() { return std::exchange(group_, {}); }

void PointGroup::put(uint32_t input, uint32_t lane, const messages::Vec4& value) {
  for (uint32_t c = 0; c < 4; c++)
    group_.vertices->word[func::register_word(width_, input, c, lane)] = value[c];
}

}  // namespace cutaway::boxes
