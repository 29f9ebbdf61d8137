#pragma once

#include "drawing.h"

// Shadows by stencil: ends and sides of shadow volumes are counted where they lie behind what is seen; where
// the count is zero a light is added.
namespace headless {

inline VkPipelineDepthStencilStateCreateInfo count_behind() {
  VkPipelineDepthStencilStateCreateInfo state = written_where_nearer();
  state.depthWriteEnable = VK_FALSE;
  state.depthCompareOp = VK_COMPARE_OP_LESS;
  state.stencilTestEnable = VK_TRUE;
  state.front = {VK_STENCIL_OP_KEEP,
                 VK_STENCIL_OP_KEEP,
                 VK_STENCIL_OP_DECREMENT_AND_WRAP,
                 VK_COMPARE_OP_ALWAYS,
                 0xff,
                 0xff,
                 0};
  state.back = state.front;
  state.back.depthFailOp = VK_STENCIL_OP_INCREMENT_AND_WRAP;
  return state;
}

inline VkPipelineDepthStencilStateCreateInfo where_none_counted() {
  VkPipelineDepthStencilStateCreateInfo state = written_where_nearer();
  state.depthWriteEnable = VK_FALSE;
  state.stencilTestEnable = VK_TRUE;
  state.front = {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 0xff, 0, 0};
  state.back = state.front;
  return state;
}

// Added to the color that is there.
inline VkPipelineColorBlendAttachmentState adding() {
  return {VK_TRUE,
          VK_BLEND_FACTOR_ONE,
          VK_BLEND_FACTOR_ONE,
          VK_BLEND_OP_ADD,
          VK_BLEND_FACTOR_ONE,
          VK_BLEND_FACTOR_ONE,
          VK_BLEND_OP_ADD,
          0xf};
}

}  // namespace headless
