#include <algorithm>

#include "icd/command/command_buffer.h"

// VK_EXT_extended_dynamic_state3.
namespace cutaway::icd {
namespace {

ExtendedState& extended(VkCommandBuffer commands) {
  return object(commands)->draws().change_dynamic().extended;
}

// Calls change(target, value) for each attachment and its value.
template <class Value, class Change>
void change_targets(VkCommandBuffer commands, uint32_t first, uint32_t count, const Value* values,
                    Change&& change) {
  ColorState& colors = extended(commands).colors;
  for (uint32_t i = 0; i < count && first + i < arch::kColorTargets; i++)
    change(colors.target[first + i], values[i]);
}

}  // namespace

void CmdSetTessellationDomainOriginEXT(VkCommandBuffer commands, VkTessellationDomainOrigin origin) {
  extended(commands).raster.domain_origin = origin;
}

void CmdSetDepthClampEnableEXT(VkCommandBuffer commands, VkBool32 on) {
  extended(commands).raster.depth_clamp = on;
}

void CmdSetDepthClipEnableEXT(VkCommandBuffer commands, VkBool32 on) {
  extended(commands).raster.depth_clip = on;
}

void CmdSetDepthClipNegativeOneToOneEXT(VkCommandBuffer commands, VkBool32 on) {
  extended(commands).raster.from_minus_one = on;
}

void CmdSetPolygonModeEXT(VkCommandBuffer commands, VkPolygonMode mode) {
  object(commands)->record([&] {
    check(mode);
    extended(commands).raster.polygon_mode = mode;
  });
}

void CmdSetProvokingVertexModeEXT(VkCommandBuffer commands, VkProvokingVertexModeEXT mode) {
  extended(commands).raster.provoking_vertex = mode;
}

void CmdSetLineRasterizationModeEXT(VkCommandBuffer commands, VkLineRasterizationModeEXT mode) {
  extended(commands).raster.line_mode = mode;
}

void CmdSetLineStippleEnableEXT(VkCommandBuffer commands, VkBool32 on) {
  extended(commands).raster.stippled = on;
}

void CmdSetRasterizationSamplesEXT(VkCommandBuffer commands, VkSampleCountFlagBits samples) {
  object(commands)->record([&] {
    check(samples);
    extended(commands).samples.samples = samples;
  });
}

// The mask has one word for up to 32 samples: maxSampleMaskWords.
void CmdSetSampleMaskEXT(VkCommandBuffer commands, VkSampleCountFlagBits, const VkSampleMask* mask) {
  now_or_deferred(commands, [word = mask[0]](VkCommandBuffer to) { extended(to).samples.mask = word; });
}

void CmdSetAlphaToCoverageEnableEXT(VkCommandBuffer commands, VkBool32 on) {
  extended(commands).samples.alpha_to_coverage = on;
}

void CmdSetAlphaToOneEnableEXT(VkCommandBuffer commands, VkBool32 on) {
  extended(commands).samples.alpha_to_one = on;
}

void CmdSetLogicOpEnableEXT(VkCommandBuffer commands, VkBool32 on) {
  extended(commands).colors.logic_op_on = on;
}

void CmdSetColorBlendEnableEXT(VkCommandBuffer commands, uint32_t first, uint32_t count, const VkBool32* on) {
  change_targets(commands, first, count, on,
                 [](ColorState::Target& target, VkBool32 blend) { target.blend = blend; });
}

void CmdSetColorBlendEquationEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                 const VkColorBlendEquationEXT* equations) {
  object(commands)->record([&] {
    std::for_each_n(equations, count, [](const VkColorBlendEquationEXT& equation) { check(equation); });
    change_targets(commands, first, count, equations,
                   [](ColorState::Target& target, const VkColorBlendEquationEXT& equation) {
                     target.equation = equation;
                   });
  });
}

void CmdSetColorWriteMaskEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                             const VkColorComponentFlags* masks) {
  change_targets(commands, first, count, masks,
                 [](ColorState::Target& target, VkColorComponentFlags mask) { target.write_mask = mask; });
}

}  // namespace cutaway::icd
