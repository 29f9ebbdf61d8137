#pragma once

#include <algorithm>
#include <utility>

#include "icd/testing/pass_fixture.h"

namespace cutaway::icd::testing {

// Descriptor sets, shaders and pipelines.
struct Pipelines : Passes {
  // Makes a set with its own pool.
  std::pair<VkDescriptorSetLayout, VkDescriptorSet> make_set(
      const std::vector<VkDescriptorSetLayoutBinding>& bindings) {
    VkDescriptorSetLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    layout_info.bindingCount = static_cast<uint32_t>(bindings.size());
    layout_info.pBindings = bindings.data();
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    ok(vkCreateDescriptorSetLayout(device, &layout_info, nullptr, &layout));
    at_end([this, layout] { vkDestroyDescriptorSetLayout(device, layout, nullptr); });
    std::vector<VkDescriptorPoolSize> sizes;
    for (const VkDescriptorSetLayoutBinding& binding : bindings)
      sizes.push_back({binding.descriptorType, binding.descriptorCount});
    VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool_info.maxSets = 1;
    pool_info.poolSizeCount = static_cast<uint32_t>(sizes.size());
    pool_info.pPoolSizes = sizes.data();
    VkDescriptorPool descriptors = VK_NULL_HANDLE;
    ok(vkCreateDescriptorPool(device, &pool_info, nullptr, &descriptors));
    at_end([this, descriptors] { vkDestroyDescriptorPool(device, descriptors, nullptr); });
    const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr,
                                           descriptors, 1, &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    ok(vkAllocateDescriptorSets(device, &info, &set));
    return {layout, set};
  }

  VkPipelineLayout make_layout(const std::vector<VkDescriptorSetLayout>& sets = {},
                               uint32_t push_constant_bytes = 0) {
    const VkPushConstantRange range{VK_SHADER_STAGE_ALL_GRAPHICS, 0, push_constant_bytes};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = static_cast<uint32_t>(sets.size());
    info.pSetLayouts = sets.data();
    info.pushConstantRangeCount = push_constant_bytes ? 1 : 0;
    info.pPushConstantRanges = &range;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    ok(vkCreatePipelineLayout(device, &info, nullptr, &layout));
    at_end([this, layout] { vkDestroyPipelineLayout(device, layout, nullptr); });
    return layout;
  }

  template <size_t kWords>
  VkShaderModule make_shader(const uint32_t (&words)[kWords]) {
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = sizeof words;
    info.pCode = words;
    VkShaderModule module = VK_NULL_HANDLE;
    ok(vkCreateShaderModule(device, &info, nullptr, &module));
    at_end([this, module] { vkDestroyShaderModule(device, module, nullptr); });
    return module;
  }

  // Triangles over the whole target, without vertex buffers, depth and blending, unless changed.
  struct PipelineShape {
    VkShaderModule vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
    VkShaderModule control = VK_NULL_HANDLE, evaluation = VK_NULL_HANDLE, geometry = VK_NULL_HANDLE;
    uint32_t patch_vertices = 0;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkRenderPass pass = VK_NULL_HANDLE;
    const void* more = nullptr;  // a pNext chain
    uint32_t subpass = 0, colors = 1;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    std::vector<VkVertexInputBindingDescription> bindings;
    std::vector<VkVertexInputAttributeDescription> attributes;
    const void* more_input = nullptr;  // a pNext chain
    bool has_input = true;             // false: no state of vertex input is given
    bool restart = false;
    VkPipelineCache cache = VK_NULL_HANDLE;
    VkPipelineCreateFlags flags = 0;
    VkPipeline base = VK_NULL_HANDLE;
    VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                  nullptr,
                                                  0,
                                                  VK_FALSE,
                                                  VK_FALSE,  // no rasterizer discard
                                                  VK_POLYGON_MODE_FILL,
                                                  VK_CULL_MODE_NONE,
                                                  VK_FRONT_FACE_COUNTER_CLOCKWISE,
                                                  VK_FALSE,
                                                  0,
                                                  0,
                                                  0,
                                                  1};
    bool adds = false;  // adds to the existing color
    VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    VkViewport viewport{0, 0, kSide, kSide, 0, 1};
    VkRect2D scissor{{0, 0}, {kSide, kSide}};
    const void* more_blend = nullptr;                         // a pNext chain
    std::vector<VkPipelineColorBlendAttachmentState> blends;  // empty: all that `adds` says
    VkBool32 logic_op = VK_FALSE;
    VkLogicOp operation = VK_LOGIC_OP_CLEAR;
    VkSampleMask sample_mask = 0xffffffff;
    VkBool32 alpha_to_coverage = VK_FALSE, alpha_to_one = VK_FALSE;
    float least_shading = 0;              // 0: no sample shading
    const void* more_viewport = nullptr;  // a pNext chain
    // False: pointers to state that is dynamic as a whole are null.
    bool gives_all = true;
    std::vector<VkDynamicState> dynamic;

    std::vector<VkPipelineShaderStageCreateInfo> stages() const {
      std::vector<VkPipelineShaderStageCreateInfo> all;
      for (const auto& [stage, module] : {std::pair{VK_SHADER_STAGE_VERTEX_BIT, vertex},
                                          std::pair{VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, control},
                                          std::pair{VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, evaluation},
                                          std::pair{VK_SHADER_STAGE_GEOMETRY_BIT, geometry},
                                          std::pair{VK_SHADER_STAGE_FRAGMENT_BIT, fragment}}) {
        VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
        info.stage = stage, info.module = module, info.pName = "main";
        if (module) all.push_back(info);
      }
      return all;
    }
    bool leaves_open(VkDynamicState state) const {
      return std::find(dynamic.begin(), dynamic.end(), state) != dynamic.end();
    }
  };
  VkPipeline make_pipeline(const PipelineShape& shape, bool until_end = true) {
    const std::vector<VkPipelineShaderStageCreateInfo> stages = shape.stages();
    VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                               shape.more_input};
    input.vertexBindingDescriptionCount = static_cast<uint32_t>(shape.bindings.size());
    input.pVertexBindingDescriptions = shape.bindings.data();
    input.vertexAttributeDescriptionCount = static_cast<uint32_t>(shape.attributes.size());
    input.pVertexAttributeDescriptions = shape.attributes.data();
    VkPipelineInputAssemblyStateCreateInfo assembly{
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = shape.topology;
    assembly.primitiveRestartEnable = shape.restart;
    VkPipelineTessellationStateCreateInfo patches{VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO};
    patches.patchControlPoints = shape.patch_vertices;
    VkPipelineViewportStateCreateInfo viewports{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                shape.more_viewport};
    viewports.viewportCount = shape.leaves_open(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT) ? 0 : 1;
    viewports.scissorCount = shape.leaves_open(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT) ? 0 : 1;
    viewports.pViewports = &shape.viewport;
    viewports.pScissors = &shape.scissor;
    VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    samples.rasterizationSamples = shape.samples;
    samples.pSampleMask = &shape.sample_mask;
    samples.alphaToCoverageEnable = shape.alpha_to_coverage;
    samples.alphaToOneEnable = shape.alpha_to_one;
    samples.sampleShadingEnable = shape.least_shading > 0;
    samples.minSampleShading = shape.least_shading;
    VkPipelineColorBlendAttachmentState blend{};
    blend.colorWriteMask = 0xf;
    blend.blendEnable = shape.adds;
    blend.srcColorBlendFactor = blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
    blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    std::vector<VkPipelineColorBlendAttachmentState> blends(shape.colors, blend);
    if (!shape.blends.empty()) blends = shape.blends;
    VkPipelineColorBlendStateCreateInfo colors{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                               shape.more_blend};
    VkPipelineDynamicStateCreateInfo open{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    open.dynamicStateCount = static_cast<uint32_t>(shape.dynamic.size());
    open.pDynamicStates = shape.dynamic.data();
    colors.logicOpEnable = shape.logic_op;
    colors.logicOp = shape.operation;
    colors.attachmentCount = shape.colors;
    colors.pAttachments = blends.data();
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.pNext = shape.more;
    info.flags = shape.flags;
    info.stageCount = static_cast<uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = shape.has_input ? &input : nullptr;
    info.pInputAssemblyState = shape.gives_all ? &assembly : nullptr;
    info.pTessellationState = shape.control ? &patches : nullptr;
    info.pViewportState = &viewports;
    info.pRasterizationState = shape.gives_all ? &shape.raster : nullptr;
    info.pMultisampleState = shape.gives_all ? &samples : nullptr;
    info.pDepthStencilState = &shape.depth;
    info.pColorBlendState = shape.gives_all ? &colors : nullptr;
    info.pDynamicState = &open;
    info.layout = shape.layout;
    info.renderPass = shape.pass;
    info.subpass = shape.subpass;
    info.basePipelineHandle = shape.base;
    info.basePipelineIndex = -1;
    VkPipeline pipeline = VK_NULL_HANDLE;
    ok(vkCreateGraphicsPipelines(device, shape.cache, 1, &info, nullptr, &pipeline));
    if (until_end) at_end([this, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
};

}  // namespace cutaway::icd::testing
