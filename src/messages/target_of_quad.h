#pragma once

#include "messages/draw_state.h"
#include "messages/messages.h"

// The targets that a quad is drawn to, in the layer of its primitive.
namespace cutaway::messages {

inline func::TargetView color_view(const QuadMessage& quad, uint32_t target) {
  return quad.state->target_view[target].of_layer(quad.primitive->layer);
}
inline func::TargetView depth_view(const QuadMessage& quad) {
  return quad.state->depth_view.of_layer(quad.primitive->layer);
}

// The address of the layer that depth_view() shows.
inline arch::Address depth_base(const QuadMessage& quad) {
  const func::TargetView& view = quad.state->depth_view;
  return view.base + quad.primitive->layer * view.layer_pitch;
}

}  // namespace cutaway::messages
