#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "icd/testing/loader_fixture.h"

namespace cutaway::icd::testing {

using Color = std::array<uint8_t, 4>;
constexpr Color kBlack{0, 0, 0, 255}, kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlue{0, 0, 255, 255},
    kWhite{255, 255, 255, 255};

// Pictures of 16x16 pixels of R8G8B8A8_UNORM and all that it takes to draw them. Whatever is made here lives
// until the test ends.
struct Renderer : Loader {
  static constexpr uint32_t kSide = 16;
  static constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

  struct Buffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    std::byte* mapped = nullptr;
    template <class T>
    T at(size_t index) const {
      T value;
      std::memcpy(&value, mapped + index * sizeof value, sizeof value);
      return value;
    }
    template <class T>
    void put(size_t index, const T& value) const {
      std::memcpy(mapped + index * sizeof value, &value, sizeof value);
    }
  };
  struct Image {
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;  // all of it
    VkFormat format = kFormat;
    uint32_t layers = 1;
  };

  VkCommandPool pool = VK_NULL_HANDLE;

  void SetUp() override {
    Loader::SetUp();
    VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    ok(vkCreateCommandPool(device, &info, nullptr, &pool));
    at_end([this] { vkDestroyCommandPool(device, pool, nullptr); });
  }

  void TearDown() override {
    vkDeviceWaitIdle(device);
    for (; !cleanup_.empty(); cleanup_.pop_back()) cleanup_.back()();
    Loader::TearDown();
  }

  static void ok(VkResult result) { ASSERT_EQ(result, VK_SUCCESS); }
  void at_end(std::function<void()> what) { cleanup_.push_back(std::move(what)); }

  VkDeviceMemory allocate(const VkMemoryRequirements& needs) {
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = needs.size;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ok(vkAllocateMemory(device, &info, nullptr, &memory));
    at_end([this, memory] { vkFreeMemory(device, memory, nullptr); });
    return memory;
  }

  Buffer make_buffer(VkDeviceSize bytes, VkBufferUsageFlags usage) {
    Buffer made;
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes;
    info.usage = usage;
    ok(vkCreateBuffer(device, &info, nullptr, &made.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, made.buffer, &needs);
    const VkDeviceMemory memory = allocate(needs);
    ok(vkBindBufferMemory(device, made.buffer, memory, 0));
    void* mapped = nullptr;
    ok(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    made.mapped = static_cast<std::byte*>(mapped);
    at_end([this, made] { vkDestroyBuffer(device, made.buffer, nullptr); });
    return made;
  }

  Image make_image(VkFormat format, VkImageUsageFlags usage, uint32_t layers = 1, uint32_t levels = 1,
                   VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
    Image made;
    made.format = format, made.layers = layers;
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {kSide, kSide, 1};
    info.mipLevels = levels;
    info.arrayLayers = layers;
    info.samples = samples;
    info.usage = usage;
    ok(vkCreateImage(device, &info, nullptr, &made.image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device, made.image, &needs);
    ok(vkBindImageMemory(device, made.image, allocate(needs), 0));
    made.view = make_view(made, 0, layers, levels);
    at_end([this, made] { vkDestroyImage(device, made.image, nullptr); });
    return made;
  }
  Image make_target(uint32_t layers = 1) {
    return make_image(kFormat,
                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                          VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
                      layers);
  }

  VkImageView make_view(const Image& image, uint32_t first_layer, uint32_t layers, uint32_t levels = 1) {
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image.image;
    info.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    info.format = image.format;
    info.subresourceRange = {aspect_of(image.format), 0, levels, first_layer, layers};
    return make_view(info);
  }
  VkImageView make_view(const Image& image, const VkImageSubresourceRange& range) {
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image.image;
    info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    info.format = image.format;
    info.subresourceRange = range;
    return make_view(info);
  }
  VkImageView make_view(const VkImageViewCreateInfo& info) {
    VkImageView view = VK_NULL_HANDLE;
    ok(vkCreateImageView(device, &info, nullptr, &view));
    at_end([this, view] { vkDestroyImageView(device, view, nullptr); });
    return view;
  }
  static VkImageAspectFlags aspect_of(VkFormat format) {
    if (format == VK_FORMAT_D16_UNORM || format == VK_FORMAT_D32_SFLOAT) return VK_IMAGE_ASPECT_DEPTH_BIT;
    if (format == VK_FORMAT_D24_UNORM_S8_UINT) return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    return VK_IMAGE_ASPECT_COLOR_BIT;
  }

  // One subpass with color attachments that are cleared, or loaded, and are ready for a copy at the end.
  VkRenderPass make_pass(uint32_t attachments = 1, VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_CLEAR,
                         uint32_t view_mask = 0) {
    VkAttachmentDescription attachment{};
    attachment.format = kFormat;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = load;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.initialLayout =
        load == VK_ATTACHMENT_LOAD_OP_LOAD ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED;
    attachment.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const std::vector<VkAttachmentDescription> all(attachments, attachment);
    std::vector<VkAttachmentReference> references;
    for (uint32_t i = 0; i < attachments; i++)
      references.push_back({i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL});
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = attachments;
    subpass.pColorAttachments = references.data();
    const VkSubpassDependency out{0,
                                  VK_SUBPASS_EXTERNAL,
                                  VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                  VK_PIPELINE_STAGE_TRANSFER_BIT,
                                  VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                  VK_ACCESS_TRANSFER_READ_BIT,
                                  0};
    VkRenderPassMultiviewCreateInfo views{VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
    views.subpassCount = 1;
    views.pViewMasks = &view_mask;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, view_mask ? &views : nullptr};
    info.attachmentCount = attachments;
    info.pAttachments = all.data();
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 1;
    info.pDependencies = &out;
    return make_pass(info);
  }
  VkRenderPass make_pass(const VkRenderPassCreateInfo& info) {
    VkRenderPass pass = VK_NULL_HANDLE;
    ok(vkCreateRenderPass(device, &info, nullptr, &pass));
    at_end([this, pass] { vkDestroyRenderPass(device, pass, nullptr); });
    return pass;
  }

  // One subpass with a color and a depth attachment, which are cleared; the color is ready for a copy at the
  // end.
  VkRenderPass make_color_depth_pass(VkFormat depth_format) {
    VkAttachmentDescription attachments[2] = {};
    for (VkAttachmentDescription& a : attachments) {
      a.samples = VK_SAMPLE_COUNT_1_BIT;
      a.loadOp = a.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    }
    attachments[0].format = kFormat;
    attachments[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    attachments[1].format = depth_format;
    attachments[1].finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pDepthStencilAttachment = &depth;
    const VkSubpassDependency out{0,
                                  VK_SUBPASS_EXTERNAL,
                                  VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                  VK_PIPELINE_STAGE_TRANSFER_BIT,
                                  VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                  VK_ACCESS_TRANSFER_READ_BIT,
                                  0};
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = 2;
    info.pAttachments = attachments;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 1;
    info.pDependencies = &out;
    return make_pass(info);
  }

  VkFramebuffer make_framebuffer(VkRenderPass pass, const std::vector<VkImageView>& views,
                                 uint32_t layers = 1) {
    VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    info.renderPass = pass;
    info.attachmentCount = static_cast<uint32_t>(views.size());
    info.pAttachments = views.data();
    info.width = info.height = kSide;
    info.layers = layers;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    ok(vkCreateFramebuffer(device, &info, nullptr, &framebuffer));
    at_end([this, framebuffer] { vkDestroyFramebuffer(device, framebuffer, nullptr); });
    return framebuffer;
  }

  // A set of its own pool.
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
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkRenderPass pass = VK_NULL_HANDLE;
    uint32_t subpass = 0, colors = 1;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    std::vector<VkVertexInputBindingDescription> bindings;
    std::vector<VkVertexInputAttributeDescription> attributes;
    VkPipelineCache cache = VK_NULL_HANDLE;
    VkPipelineCreateFlags flags = 0;
    VkPipeline base = VK_NULL_HANDLE;
    VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                  nullptr,
                                                  0,
                                                  VK_FALSE,
                                                  VK_FALSE,  // discards nothing before the rasterizer
                                                  VK_POLYGON_MODE_FILL,
                                                  VK_CULL_MODE_NONE,
                                                  VK_FRONT_FACE_COUNTER_CLOCKWISE,
                                                  VK_FALSE,
                                                  0,
                                                  0,
                                                  0,
                                                  1};
    bool adds = false;  // to the color that is there
    VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    VkViewport viewport{0, 0, kSide, kSide, 0, 1};
    VkRect2D scissor{{0, 0}, {kSide, kSide}};
    const void* more_blend = nullptr;  // a pNext chain
    VkBool32 logic_op = VK_FALSE;
    std::vector<VkDynamicState> dynamic;

    bool leaves_open(VkDynamicState state) const {
      return std::find(dynamic.begin(), dynamic.end(), state) != dynamic.end();
    }
  };
  VkPipeline make_pipeline(const PipelineShape& shape, bool until_end = true) {
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    for (const auto& [stage, module] : {std::pair{VK_SHADER_STAGE_VERTEX_BIT, shape.vertex},
                                        std::pair{VK_SHADER_STAGE_FRAGMENT_BIT, shape.fragment}}) {
      VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
      info.stage = stage, info.module = module, info.pName = "main";
      if (module) stages.push_back(info);
    }
    VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    input.vertexBindingDescriptionCount = static_cast<uint32_t>(shape.bindings.size());
    input.pVertexBindingDescriptions = shape.bindings.data();
    input.vertexAttributeDescriptionCount = static_cast<uint32_t>(shape.attributes.size());
    input.pVertexAttributeDescriptions = shape.attributes.data();
    VkPipelineInputAssemblyStateCreateInfo assembly{
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = shape.topology;
    VkPipelineViewportStateCreateInfo viewports{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    viewports.viewportCount = shape.leaves_open(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT) ? 0 : 1;
    viewports.scissorCount = shape.leaves_open(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT) ? 0 : 1;
    viewports.pViewports = &shape.viewport;
    viewports.pScissors = &shape.scissor;
    VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    samples.rasterizationSamples = shape.samples;
    VkPipelineColorBlendAttachmentState blend{};
    blend.colorWriteMask = 0xf;
    blend.blendEnable = shape.adds;
    blend.srcColorBlendFactor = blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
    blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    const std::vector<VkPipelineColorBlendAttachmentState> blends(shape.colors, blend);
    VkPipelineColorBlendStateCreateInfo colors{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                               shape.more_blend};
    VkPipelineDynamicStateCreateInfo open{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    open.dynamicStateCount = static_cast<uint32_t>(shape.dynamic.size());
    open.pDynamicStates = shape.dynamic.data();
    colors.logicOpEnable = shape.logic_op;
    colors.attachmentCount = shape.colors;
    colors.pAttachments = blends.data();
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.flags = shape.flags;
    info.stageCount = static_cast<uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewports;
    info.pRasterizationState = &shape.raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &shape.depth;
    info.pColorBlendState = &colors;
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

  VkCommandBuffer allocate_commands(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) const {
    const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                           level, 1};
    VkCommandBuffer commands = nullptr;
    ok(vkAllocateCommandBuffers(device, &info, &commands));
    return commands;
  }
  VkCommandBuffer begin(VkCommandBufferUsageFlags flags = 0) const {
    const VkCommandBuffer commands = allocate_commands();
    const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, flags};
    ok(vkBeginCommandBuffer(commands, &info));
    return commands;
  }
  static void begin_pass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
                         VkSubpassContents contents = VK_SUBPASS_CONTENTS_INLINE,
                         std::vector<VkClearValue> values = std::vector<VkClearValue>(8)) {
    VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    info.renderPass = pass;
    info.framebuffer = framebuffer;
    info.renderArea = {{0, 0}, {kSide, kSide}};
    info.clearValueCount = static_cast<uint32_t>(values.size());
    info.pClearValues = values.data();
    vkCmdBeginRenderPass(commands, &info, contents);
  }
  // A secondary command buffer for draws in a pass.
  template <class Body>
  VkCommandBuffer record_secondary(VkRenderPass pass, Body&& body) const {
    const VkCommandBuffer commands = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    inherited.renderPass = pass;
    const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                        VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inherited};
    ok(vkBeginCommandBuffer(commands, &info));
    body(commands);
    ok(vkEndCommandBuffer(commands));
    return commands;
  }
  // The same as a pass of the primary: by the secondary where there is one, else by the body.
  template <class Body>
  static void run_pass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer, Body&& body,
                       VkCommandBuffer secondary = VK_NULL_HANDLE,
                       std::vector<VkClearValue> values = std::vector<VkClearValue>(8)) {
    begin_pass(commands, pass, framebuffer,
               secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE,
               std::move(values));
    if (secondary) vkCmdExecuteCommands(commands, 1, &secondary);
    else body(commands);
    vkCmdEndRenderPass(commands);
  }
  static VkClearValue clear_color(float r, float g, float b, float a = 1) {
    VkClearValue value;
    value.color = {{r, g, b, a}};
    return value;
  }

  // All layers of an image that is ready for copies, into a buffer, behind each other.
  Buffer read_back(VkCommandBuffer commands, const Image& image) {
    const Buffer to =
        make_buffer(uint64_t{image.layers} * kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    read_back(commands, image, to);
    return to;
  }
  static void read_back(VkCommandBuffer commands, const Image& image, const Buffer& to) {
    VkBufferImageCopy region{};
    region.imageSubresource = {aspect_of(image.format), 0, 0, image.layers};
    region.imageExtent = {kSide, kSide, 1};
    vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to.buffer, 1,
                           &region);
    const VkMemoryBarrier host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                               VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &host, 0,
                         nullptr, 0, nullptr);
  }
  static Color pixel(const Buffer& picture, uint32_t x, uint32_t y, uint32_t layer = 0) {
    return picture.at<Color>((layer * kSide + y) * kSide + x);
  }

  void submit(VkCommandBuffer commands) {
    ok(vkEndCommandBuffer(commands));
    submit_again(commands);
  }
  void submit_again(VkCommandBuffer commands) const {
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    ok(vkQueueWaitIdle(queue));
  }

 private:
  std::vector<std::function<void()>> cleanup_;
};

}  // namespace cutaway::icd::testing
