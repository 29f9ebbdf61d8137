#pragma once

#include <functional>
#include <utility>

#include "icd/testing/render_fixture.h"
#include "icd_testdata/state_frag.h"
#include "icd_testdata/state_vert.h"

namespace cutaway::icd::testing {

// Draws triangles to two color targets and one of depth, by pipelines that state all or leave some of it to
// the commands of VK_EXT_extended_dynamic_state3.
struct DynamicState3 : Renderer {
  using Vec4 = std::array<float, 4>;
  static constexpr uint32_t kVertices = 15, kTargets = 2;
  static constexpr VkFormat kDepthFormat = VK_FORMAT_D16_UNORM;

  struct Calls {
    PFN_vkCmdSetDepthClampEnableEXT depth_clamp = nullptr;
    PFN_vkCmdSetDepthClipEnableEXT depth_clip = nullptr;
    PFN_vkCmdSetDepthClipNegativeOneToOneEXT depth_range = nullptr;
    PFN_vkCmdSetPolygonModeEXT polygon_mode = nullptr;
    PFN_vkCmdSetProvokingVertexModeEXT provoking_vertex = nullptr;
    PFN_vkCmdSetLineRasterizationModeEXT line_mode = nullptr;
    PFN_vkCmdSetLineStippleEnableEXT line_stipple = nullptr;
    PFN_vkCmdSetRasterizationSamplesEXT samples = nullptr;
    PFN_vkCmdSetSampleMaskEXT sample_mask = nullptr;
    PFN_vkCmdSetAlphaToCoverageEnableEXT alpha_to_coverage = nullptr;
    PFN_vkCmdSetAlphaToOneEnableEXT alpha_to_one = nullptr;
    PFN_vkCmdSetLogicOpEnableEXT logic_op_on = nullptr;
    PFN_vkCmdSetLogicOpEXT logic_op = nullptr;
    PFN_vkCmdSetColorBlendEnableEXT blend_on = nullptr;
    PFN_vkCmdSetColorBlendEquationEXT equation = nullptr;
    PFN_vkCmdSetColorWriteMaskEXT write_mask = nullptr;
    PFN_vkCmdSetTessellationDomainOriginEXT domain_origin = nullptr;
    PFN_vkCmdSetPrimitiveTopologyEXT topology = nullptr;
    PFN_vkCmdSetLineStippleEXT stipple = nullptr;
    PFN_vkCmdSetDepthBiasEnableEXT depth_bias_on = nullptr;
    PFN_vkCmdSetRasterizerDiscardEnableEXT discard = nullptr;
    PFN_vkCmdSetPrimitiveRestartEnableEXT restart = nullptr;
    PFN_vkCmdSetCullModeEXT cull_mode = nullptr;
    PFN_vkCmdSetFrontFaceEXT front_face = nullptr;
  } set;
  // Structures of features, first that which is under test.
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
  VkPhysicalDeviceExtendedDynamicState2FeaturesEXT wanted2{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, nullptr, VK_TRUE, VK_TRUE};
  VkPhysicalDeviceExtendedDynamicStateFeaturesEXT wanted1{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT, nullptr, VK_TRUE};
  VkPhysicalDeviceDepthClipEnableFeaturesEXT depth_clip{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT, nullptr, VK_TRUE};
  VkPhysicalDeviceDepthClipControlFeaturesEXT clip_control{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT, nullptr, VK_TRUE};
  VkPhysicalDeviceLineRasterizationFeaturesEXT lines{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
      nullptr,
      VK_TRUE,
      VK_TRUE,
      VK_TRUE,
      VK_TRUE,
      VK_TRUE,
      VK_TRUE};
  VkPhysicalDeviceProvokingVertexFeaturesEXT provoking{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT, nullptr, VK_TRUE};
  PipelineShape shape;
  Buffer vertices;

  void SetUp() override {
    features.depthClamp = features.fillModeNonSolid = features.alphaToOne = features.logicOp = VK_TRUE;
    features.tessellationShader = features.sampleRateShading = features.independentBlend = VK_TRUE;
    wanted.extendedDynamicState3TessellationDomainOrigin = VK_TRUE;
    wanted.extendedDynamicState3DepthClampEnable = wanted.extendedDynamicState3DepthClipEnable = VK_TRUE;
    wanted.extendedDynamicState3DepthClipNegativeOneToOne = VK_TRUE;
    wanted.extendedDynamicState3PolygonMode = wanted.extendedDynamicState3ProvokingVertexMode = VK_TRUE;
    wanted.extendedDynamicState3LineRasterizationMode = VK_TRUE;
    wanted.extendedDynamicState3LineStippleEnable = wanted.extendedDynamicState3SampleMask = VK_TRUE;
    wanted.extendedDynamicState3RasterizationSamples = VK_TRUE;
    wanted.extendedDynamicState3AlphaToCoverageEnable = wanted.extendedDynamicState3AlphaToOneEnable =
        VK_TRUE;
    wanted.extendedDynamicState3LogicOpEnable = wanted.extendedDynamicState3ColorBlendEnable = VK_TRUE;
    wanted.extendedDynamicState3ColorBlendEquation = wanted.extendedDynamicState3ColorWriteMask = VK_TRUE;
    more_features = &wanted;
    wanted.pNext = &wanted2, wanted2.pNext = &wanted1, wanted1.pNext = &depth_clip;
    depth_clip.pNext = &clip_control, clip_control.pNext = &lines, lines.pNext = &provoking;
    for (const char* name :
         {VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME, VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME,
          VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME, VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME,
          VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME, VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME,
          VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME})
      extensions.push_back(name);
    Renderer::SetUp();
    load_calls();
    shape.vertex = make_shader(state_vert), shape.fragment = make_shader(state_frag);
    shape.layout = make_layout({}, 16);
    shape.bindings = {{0, sizeof(Vec4), VK_VERTEX_INPUT_RATE_VERTEX}};
    shape.attributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
    shape.colors = kTargets;
    shape.depth.depthTestEnable = shape.depth.depthWriteEnable = VK_TRUE;
    shape.depth.depthCompareOp = VK_COMPARE_OP_LESS;
    // Large triangles, in part before the near plane and behind the far one.
    const Vec4 corners[kVertices] = {
        {-0.9f, -0.8f, -0.9f, 1}, {0.8f, -0.9f, 0.9f, 1},  {-0.5f, 0.9f, 0.4f, 1},  {0.9f, 0.9f, 1.6f, 1},
        {-0.2f, 0.7f, 0.2f, 1},   {0.6f, -0.6f, -0.3f, 1}, {-0.95f, 0.2f, 0.1f, 1}, {-0.1f, -0.95f, 0.3f, 1},
        {0.1f, 0.3f, 0.6f, 1},    {0.3f, 0.95f, 0.5f, 1},  {0.95f, 0.1f, 1.2f, 1},  {0.5f, 0.4f, -0.6f, 1},
        {-0.7f, -0.3f, 0.7f, 1},  {-0.6f, 0.6f, 0.2f, 1},  {0.2f, -0.1f, 0.1f, 1}};
    vertices = make_buffer(sizeof corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    for (uint32_t i = 0; i < kVertices; i++) vertices.put(i, corners[i]);
  }

  void load_calls() {
    load(set.depth_clamp, "vkCmdSetDepthClampEnableEXT");
    load(set.depth_clip, "vkCmdSetDepthClipEnableEXT");
    load(set.depth_range, "vkCmdSetDepthClipNegativeOneToOneEXT");
    load(set.polygon_mode, "vkCmdSetPolygonModeEXT");
    load(set.provoking_vertex, "vkCmdSetProvokingVertexModeEXT");
    load(set.line_mode, "vkCmdSetLineRasterizationModeEXT");
    load(set.line_stipple, "vkCmdSetLineStippleEnableEXT");
    load(set.samples, "vkCmdSetRasterizationSamplesEXT");
    load(set.sample_mask, "vkCmdSetSampleMaskEXT");
    load(set.alpha_to_coverage, "vkCmdSetAlphaToCoverageEnableEXT");
    load(set.alpha_to_one, "vkCmdSetAlphaToOneEnableEXT");
    load(set.logic_op_on, "vkCmdSetLogicOpEnableEXT");
    load(set.logic_op, "vkCmdSetLogicOpEXT");
    load(set.blend_on, "vkCmdSetColorBlendEnableEXT");
    load(set.equation, "vkCmdSetColorBlendEquationEXT");
    load(set.write_mask, "vkCmdSetColorWriteMaskEXT");
    load(set.domain_origin, "vkCmdSetTessellationDomainOriginEXT");
    load(set.topology, "vkCmdSetPrimitiveTopologyEXT");
    load(set.stipple, "vkCmdSetLineStippleEXT");
    load(set.depth_bias_on, "vkCmdSetDepthBiasEnableEXT");
    load(set.discard, "vkCmdSetRasterizerDiscardEnableEXT");
    load(set.restart, "vkCmdSetPrimitiveRestartEnableEXT");
    load(set.cull_mode, "vkCmdSetCullModeEXT");
    load(set.front_face, "vkCmdSetFrontFaceEXT");
  }

  // One subpass: two colors, depth, and with several samples resolved colors behind them.
  VkRenderPass make_pass_of(VkSampleCountFlagBits samples) {
    const bool resolves = samples != VK_SAMPLE_COUNT_1_BIT;
    VkAttachmentDescription attachments[5] = {};
    for (VkAttachmentDescription& a : attachments) {
      a.format = kFormat;
      a.samples = samples;
      a.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      a.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    }
    attachments[2].format = kDepthFormat;
    attachments[2].finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    attachments[3].samples = attachments[4].samples = VK_SAMPLE_COUNT_1_BIT;
    const VkImageLayout color = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkAttachmentReference colors[] = {{0, color}, {1, color}}, resolved[] = {{3, color}, {4, color}};
    const VkAttachmentReference depth{2, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = kTargets;
    subpass.pColorAttachments = colors;
    subpass.pResolveAttachments = resolves ? resolved : nullptr;
    subpass.pDepthStencilAttachment = &depth;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = resolves ? 5 : 3;
    info.pAttachments = attachments;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 1;
    info.pDependencies = &kColorToCopies;
    return make_pass(info);
  }

  void draw(VkCommandBuffer commands, VkPipeline pipeline, uint32_t count = kVertices) const {
    const VkDeviceSize start = 0;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &start);
    vkCmdDraw(commands, count, 1, 0, 0);
  }

  // The bytes of both targets after a pass, of a primary command buffer or of a secondary one.
  using Picture = std::vector<uint32_t>;
  Picture picture_of(VkRenderPass pass, VkSampleCountFlagBits samples,
                     const std::function<void(VkCommandBuffer)>& body, bool secondary = false) {
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    std::vector<Image> images{
        make_image(kFormat, usage, 1, 1, samples), make_image(kFormat, usage, 1, 1, samples),
        make_image(kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, 1, 1, samples)};
    if (samples != VK_SAMPLE_COUNT_1_BIT)
      for (uint32_t i = 0; i < kTargets; i++) images.push_back(make_image(kFormat, usage));
    std::vector<VkImageView> views;
    for (const Image& image : images) views.push_back(image.view);
    const VkCommandBuffer second = secondary ? record_secondary(pass, body) : VK_NULL_HANDLE;
    const VkCommandBuffer commands = begin();
    std::vector<VkClearValue> values(5, clear_color(0.25f, 0.5f, 0.75f, 0.5f));
    values[2].depthStencil = {1, 0};
    run_pass(commands, pass, make_framebuffer(pass, views), body, second, values);
    const size_t first = images.size() > 3 ? 3 : 0;
    const Buffer seen[] = {read_back(commands, images[first]), read_back(commands, images[first + 1])};
    submit(commands);
    Picture picture;
    for (const Buffer& target : seen)
      for (uint32_t i = 0; i < kSide * kSide; i++) picture.push_back(target.at<uint32_t>(i));
    return picture;
  }
};

}  // namespace cutaway::icd::testing
