#include "icd/testing/one_pass_fixture.h"
#include "icd_testdata/dotted_vert.h"
#include "icd_testdata/given_frag.h"
#include "icd_testdata/two_sets_frag.h"
#include "icd_testdata/two_sets_vert.h"

// VK_EXT_graphics_pipeline_library: a pipeline that is linked of parts draws what a whole one draws.
namespace {

using namespace cutaway::icd::testing;

using Parts = VkGraphicsPipelineLibraryFlagsEXT;
constexpr Parts kVertexInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr Parts kPreRasterization = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr Parts kFragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr Parts kFragmentOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

struct PipelineLibraries : OnePass {
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, nullptr, VK_TRUE};

  // The validation layer of 2023 crashes when a library of libraries is made.
  void SetUp() override {
    validates = false;
    more_features = &wanted;
    extensions.push_back(VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME);
    extensions.push_back(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME);
    OnePass::SetUp();
  }

  // A stage whose SPIR-V stands in the stage itself.
  struct Stage {
    VkShaderModuleCreateInfo module{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    template <size_t kWords>
    Stage(VkShaderStageFlagBits stage, const uint32_t (&words)[kWords]) {
      module.codeSize = sizeof words, module.pCode = words;
      info.pNext = &module, info.stage = stage, info.pName = "main";
    }
  };

  // Everything that a part may need, in structures that are gone when the library is linked.
  VkPipeline make_library(Parts parts, const std::vector<VkPipelineShaderStageCreateInfo>& stages,
                          VkPipelineLayout layout, const PipelineShape& from) {
    VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    input.vertexBindingDescriptionCount = static_cast<uint32_t>(from.bindings.size());
    input.pVertexBindingDescriptions = from.bindings.data();
    input.vertexAttributeDescriptionCount = static_cast<uint32_t>(from.attributes.size());
    input.pVertexAttributeDescriptions = from.attributes.data();
    VkPipelineInputAssemblyStateCreateInfo assembly{
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = from.topology;
    VkPipelineViewportStateCreateInfo viewports{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    viewports.viewportCount = viewports.scissorCount = 1;
    viewports.pViewports = &from.viewport, viewports.pScissors = &from.scissor;
    VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    samples.rasterizationSamples = from.samples;
    const VkSampleMask mask = ~0u;
    samples.pSampleMask = &mask;
    VkPipelineColorBlendAttachmentState blend{};
    blend.colorWriteMask = 0xf;
    blend.blendEnable = from.adds;
    blend.srcColorBlendFactor = blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
    blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    VkPipelineColorBlendStateCreateInfo colors{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    colors.attachmentCount = 1, colors.pAttachments = &blend;
    VkPipelineDynamicStateCreateInfo open{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    open.dynamicStateCount = static_cast<uint32_t>(from.dynamic.size());
    open.pDynamicStates = from.dynamic.data();
    VkGraphicsPipelineLibraryCreateInfoEXT library{
        VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, nullptr, parts};
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &library};
    info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.stageCount = static_cast<uint32_t>(stages.size()), info.pStages = stages.data();
    if (parts & kVertexInput) info.pVertexInputState = &input, info.pInputAssemblyState = &assembly;
    if (parts & kPreRasterization) info.pViewportState = &viewports, info.pRasterizationState = &from.raster;
    if (parts & kFragmentShader) info.pDepthStencilState = &from.depth;
    if (parts & (kFragmentShader | kFragmentOutput)) info.pMultisampleState = &samples;
    if (parts & kFragmentOutput) info.pColorBlendState = &colors;
    info.pDynamicState = &open;
    info.layout = layout;
    info.renderPass = from.pass;
    return create(info);
  }
  VkPipeline link(const std::vector<VkPipeline>& libraries, VkPipelineLayout layout,
                  VkPipelineCreateFlags flags = 0) {
    VkPipelineLibraryCreateInfoKHR linked{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR};
    linked.libraryCount = static_cast<uint32_t>(libraries.size()), linked.pLibraries = libraries.data();
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &linked};
    info.flags = flags;
    info.layout = layout;
    return create(info);
  }
  VkPipeline create(const VkGraphicsPipelineCreateInfo& info) {
    VkPipeline made = VK_NULL_HANDLE;
    ok(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made));
    return made;
  }
  std::vector<Color> pixels(const Buffer& picture) const {
    std::vector<Color> all;
    for (uint32_t i = 0; i < kSide * kSide; i++) all.push_back(picture.at<Color>(i));
    return all;
  }
};

TEST_F(PipelineLibraries, FourPartsDrawWhatAWholePipelineDraws) {
  const Buffer points = make_buffer(24 * 8, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  for (uint32_t i = 0; i < 8; i++) {
    const float of_point[6] = {static_cast<float>(2 * i), static_cast<float>(i), 1, i / 8.0f, 0, 1};
    for (uint32_t k = 0; k < 6; k++) points.put(6 * i + k, of_point[k]);
  }
  shape.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  shape.bindings = {{0, 24, VK_VERTEX_INPUT_RATE_VERTEX}};
  shape.attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {3, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 8}};
  shape.adds = true;
  shape.layout = make_layout();
  PipelineShape whole = shape;
  whole.vertex = make_shader(dotted_vert);
  whole.fragment = make_shader(given_frag);
  // The viewport is open, and belongs to one of the parts: in the others it has no effect.
  shape.dynamic = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_BLEND_CONSTANTS};
  const Stage vertex(VK_SHADER_STAGE_VERTEX_BIT, dotted_vert),
      fragment(VK_SHADER_STAGE_FRAGMENT_BIT, given_frag);
  std::vector<VkPipeline> parts{make_library(kVertexInput, {}, VK_NULL_HANDLE, shape),
                                make_library(kPreRasterization, {vertex.info}, shape.layout, shape),
                                make_library(kFragmentShader, {fragment.info}, shape.layout, shape),
                                make_library(kFragmentOutput, {}, VK_NULL_HANDLE, shape)};
  // A library of libraries, which may be gone before it is linked.
  const VkPipeline half = link({parts[1], parts[2]}, shape.layout, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
  for (const int gone : {1, 2}) vkDestroyPipeline(device, parts[gone], nullptr);
  const VkPipeline linked = link({parts[3], half, parts[0]}, shape.layout);
  for (const VkPipeline part : {half, parts[0], parts[3]}) vkDestroyPipeline(device, part, nullptr);
  const auto picture = [&](VkPipeline pipeline) {
    return pixels(draw(pipeline, [&](VkCommandBuffer commands) {
      const VkDeviceSize start = 0;
      vkCmdBindVertexBuffers(commands, 0, 1, &points.buffer, &start);
      if (pipeline == linked) vkCmdSetViewport(commands, 0, 1, &shape.viewport);
      vkCmdDraw(commands, 8, 2, 0, 0);
    }));
  };
  const std::vector<Color> expected = picture(make_pipeline(whole));
  EXPECT_EQ(picture(linked), expected);
  EXPECT_EQ(std::count_if(expected.begin(), expected.end(), [](const Color& c) { return c != kNothing; }), 8);
  vkDestroyPipeline(device, linked, nullptr);
}

// Each part has a layout with its own set alone; modules, layouts and constants are gone when they are
// linked.
TEST_F(PipelineLibraries, PartsHaveIndependentSets) {
  const auto [vertex_layout, vertex_set] =
      make_set({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, nullptr}});
  const auto [fragment_layout, fragment_set] =
      make_set({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
  const auto layout_of = [&](VkDescriptorSetLayout first, VkDescriptorSetLayout second) {
    const VkDescriptorSetLayout sets[2] = {first, second};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
    info.setLayoutCount = 2, info.pSetLayouts = sets;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    ok(vkCreatePipelineLayout(device, &info, nullptr, &layout));
    return layout;
  };
  const VkPipelineLayout of_vertex = layout_of(vertex_layout, VK_NULL_HANDLE);
  const VkPipelineLayout of_fragment = layout_of(VK_NULL_HANDLE, fragment_layout);
  const VkPipelineLayout both = layout_of(vertex_layout, fragment_layout);
  const Stage vertex(VK_SHADER_STAGE_VERTEX_BIT, two_sets_vert);
  Stage fragment(VK_SHADER_STAGE_FRAGMENT_BIT, two_sets_frag);
  float green = 1;
  const VkSpecializationMapEntry entry{3, 0, 4};
  const VkSpecializationInfo constants{1, &entry, sizeof green, &green};
  fragment.info.pSpecializationInfo = &constants;
  const VkPipeline parts[] = {make_library(kVertexInput | kFragmentOutput, {}, VK_NULL_HANDLE, shape),
                              make_library(kPreRasterization, {vertex.info}, of_vertex, shape),
                              make_library(kFragmentShader, {fragment.info}, of_fragment, shape)};
  green = 0;
  vkDestroyPipelineLayout(device, of_vertex, nullptr);
  vkDestroyPipelineLayout(device, of_fragment, nullptr);
  const VkPipeline linked = link({parts[0], parts[1], parts[2]}, both);
  const Buffer left = make_buffer(16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const Buffer colors = make_buffer(32, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  left.put(0, 0.0f);
  for (uint32_t i = 0; i < 8; i++) colors.put(i, i == 4 || i == 7 ? 1.0f : 0.0f);
  for (const auto& [set, buffer] :
       {std::pair{vertex_set, left.buffer}, std::pair{fragment_set, colors.buffer}}) {
    const VkDescriptorBufferInfo range{buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set, write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, write.pBufferInfo = &range;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }
  const Buffer picture = draw(linked, [&](VkCommandBuffer commands) {
    const VkDescriptorSet sets[2] = {vertex_set, fragment_set};
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, both, 0, 2, sets, 0, nullptr);
    vkCmdDraw(commands, 6, 1, 0, 0);
  });
  for (uint32_t x = 0; x < kSide; x++)
    EXPECT_EQ(pixel(picture, x, 3), x < kSide / 2 ? kNothing : (Color{255, 255, 0, 255})) << x;
  vkDestroyPipeline(device, linked, nullptr);
  for (const VkPipeline part : parts) vkDestroyPipeline(device, part, nullptr);
  vkDestroyPipelineLayout(device, both, nullptr);
}

}  // namespace
