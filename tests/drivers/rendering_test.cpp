#include "barrier_fixture.h"

// VK_KHR_dynamic_rendering, and resolves of depth and stencil, which both kinds of passes have.
namespace {

using namespace cutaway::icd::testing;

constexpr VkFormat kDeep = VK_FORMAT_D24_UNORM_S8_UINT;
constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;

struct DynamicRendering : Barriers {
  VkPhysicalDeviceDynamicRenderingFeatures wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, nullptr, VK_TRUE};
  PFN_vkCmdBeginRenderingKHR begin_rendering = nullptr;
  PFN_vkCmdEndRenderingKHR end_rendering = nullptr;
  PFN_vkCreateRenderPass2KHR create_pass2 = nullptr;

  void SetUp() override {
    more_features = &wanted;
    for (const char* name :
         {VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME, VK_KHR_DEPTH_STENCIL_RESOLVE_EXTENSION_NAME,
          VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME})
      extensions.push_back(name);
    Barriers::SetUp();
    load(begin_rendering, "vkCmdBeginRenderingKHR");
    load(end_rendering, "vkCmdEndRenderingKHR");
    load(create_pass2, "vkCreateRenderPass2KHR");
  }

  Image make_picture() {
    return make_image(kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  }
  Image make_deep(VkSampleCountFlagBits samples) {
    return make_image(kDeep, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 1,
                      1, samples);
  }
  static VkRenderingAttachmentInfo attachment(VkImageView view, VkClearValue value) {
    VkRenderingAttachmentInfo info{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    info.imageView = view;
    info.imageLayout = kGeneral;
    info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    info.clearValue = value;
    return info;
  }
  static VkRenderingInfo rendering(const std::vector<VkRenderingAttachmentInfo>& colors,
                                   VkRenderingFlags flags = 0) {
    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.flags = flags;
    info.renderArea = {{0, 0}, {kSide, kSide}};
    info.layerCount = 1;
    info.colorAttachmentCount = static_cast<uint32_t>(colors.size());
    info.pColorAttachments = colors.data();
    return info;
  }
  // Depth and stencil of an image that is ready for copies.
  std::pair<Buffer, Buffer> read_deep(VkCommandBuffer commands, const Image& image) {
    std::pair<Buffer, Buffer> read{make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                                   make_buffer(kSide * kSide, VK_BUFFER_USAGE_TRANSFER_DST_BIT)};
    VkBufferImageCopy region = whole(image);
    for (const bool stencil : {false, true}) {
      const Buffer& to = stencil ? read.second : read.first;
      region.imageSubresource.aspectMask = stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
      vkCmdCopyImageToBuffer(commands, image.image, kGeneral, to.buffer, 1, &region);
      barrier(commands, to, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
              VK_ACCESS_HOST_READ_BIT);
    }
    return read;
  }
  // The left half was drawn at 0.5 with reference 9, the right one was cleared to 0.25 and 7.
  static void expect_halves(const std::pair<Buffer, Buffer>& deep) {
    EXPECT_EQ(deep.first.at<uint32_t>(3) & 0xffffff, 0x800000u);
    EXPECT_EQ(deep.first.at<uint32_t>(kSide - 3) & 0xffffff, 0x400000u);
    EXPECT_EQ(deep.second.at<uint8_t>(3), 9);
    EXPECT_EQ(deep.second.at<uint8_t>(kSide - 3), 7);
  }
  VkPipeline make_deep_pipeline(VkRenderPass pass, const void* more) {
    PipelineShape shape = deep(pass, VK_COMPARE_OP_ALWAYS);
    shape.more = more;
    shape.samples = VK_SAMPLE_COUNT_4_BIT;
    shape.depth.stencilTestEnable = VK_TRUE;
    shape.depth.front = {VK_STENCIL_OP_KEEP,
                         VK_STENCIL_OP_REPLACE,
                         VK_STENCIL_OP_REPLACE,
                         VK_COMPARE_OP_ALWAYS,
                         0xff,
                         0xff,
                         9};
    shape.depth.back = shape.depth.front;
    return make_pipeline(shape);
  }
  static constexpr VkClearValue kDeepClear{.depthStencil = {0.25f, 7}};
};

// A pass that is suspended and goes on with what it left, in the middle of three attachments of which one is
// missing; in a primary and in a secondary command buffer, which owns what it was told.
TEST_F(DynamicRendering, APassGoesOnWhereItStopped) {
  const std::array formats{kFormat, VK_FORMAT_UNDEFINED, kFormat};
  VkPipelineRenderingCreateInfo targets{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  targets.colorAttachmentCount = formats.size();
  targets.pColorAttachmentFormats = formats.data();
  PipelineShape shape = colored(VK_NULL_HANDLE);
  shape.more = &targets;
  shape.colors = 3;
  const VkPipeline pipeline = make_pipeline(shape);
  for (const bool secondary : {false, true}) {
    const Image first = make_picture(), third = make_picture();
    const VkCommandBuffer primary = begin();
    begin_use(primary, {&first, &third});
    VkCommandBuffer commands = primary;
    if (secondary) {
      commands = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
      const VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
      const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0,
                                          &inherited};
      ok(vkBeginCommandBuffer(commands, &info));
    }
    for (const bool goes_on : {false, true}) {
      std::vector<VkRenderingAttachmentInfo> colors(3, attachment(VK_NULL_HANDLE, clear_color(0, 0, 1)));
      colors[0].imageView = first.view;
      colors[2].imageView = third.view;
      colors[2].clearValue = clear_color(1, 1, 1);
      const VkRenderingInfo info =
          rendering(colors, goes_on ? VK_RENDERING_RESUMING_BIT : VK_RENDERING_SUSPENDING_BIT);
      begin_rendering(commands, &info);
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      push(commands, shape.layout, {goes_on ? 0.0f : 1.0f, goes_on ? 1.0f : 0.0f, 0, 1});
      if (!goes_on) vkCmdDraw(commands, 6, 1, 0, 0);  // the left half
      end_rendering(commands);
      colors.clear();
    }
    if (secondary) {
      ok(vkEndCommandBuffer(commands));
      vkCmdExecuteCommands(primary, 1, &commands);
    }
    const Buffer pictures[2] = {show(primary, first), show(primary, third)};
    submit(primary);
    EXPECT_EQ(pixel(pictures[0], 3, 3), kRed);
    EXPECT_EQ(pixel(pictures[0], 12, 12), kBlue);
    EXPECT_EQ(pixel(pictures[1], 12, 12), kWhite);
  }
}

// Nothing but what the program says makes one pass see another's depth.
TEST_F(DynamicRendering, DepthIsResolved) {
  VkPipelineRenderingCreateInfo targets{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  targets.depthAttachmentFormat = targets.stencilAttachmentFormat = kDeep;
  const VkPipeline pipeline = make_deep_pipeline(VK_NULL_HANDLE, &targets);
  const Image samples = make_deep(VK_SAMPLE_COUNT_4_BIT), resolved = make_deep(VK_SAMPLE_COUNT_1_BIT);
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&samples, &resolved});
  VkRenderingAttachmentInfo both = attachment(samples.view, kDeepClear);
  both.resolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  both.resolveImageView = resolved.view;
  both.resolveImageLayout = kGeneral;
  VkRenderingInfo info = rendering({});
  info.pDepthAttachment = info.pStencilAttachment = &both;
  begin_rendering(commands, &info);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdDraw(commands, 6, 1, 0, 0);
  end_rendering(commands);
  // Resolves of depth are writes of color attachments.
  barrier(commands, resolved, kColorStage, kColorWrite, kTransferStage, VK_ACCESS_TRANSFER_READ_BIT);
  const std::pair<Buffer, Buffer> read = read_deep(commands, resolved);
  submit(commands);
  expect_halves(read);
  needed = {"FLUSH(2)"};
}

TEST_F(DynamicRendering, ASubpassResolvesDepth) {
  std::array<VkAttachmentDescription2, 2> attachments{};
  for (VkAttachmentDescription2& a : attachments) {
    a.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2;
    a.format = kDeep;
    a.loadOp = a.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    a.initialLayout = a.finalLayout = kGeneral;
    a.samples = VK_SAMPLE_COUNT_4_BIT;
  }
  attachments[1].samples = VK_SAMPLE_COUNT_1_BIT;
  attachments[1].loadOp = attachments[1].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  VkAttachmentReference2 from{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0, kGeneral, 0}, to = from;
  to.attachment = 1;
  const VkSubpassDescriptionDepthStencilResolve resolve{
      VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE, nullptr, VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
      VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, &to};
  VkSubpassDescription2 subpass{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, &resolve};
  subpass.pDepthStencilAttachment = &from;
  VkRenderPassCreateInfo2 info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
  info.attachmentCount = attachments.size();
  info.pAttachments = attachments.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  VkRenderPass pass = VK_NULL_HANDLE;
  ok(create_pass2(device, &info, nullptr, &pass));
  at_end([this, pass] { vkDestroyRenderPass(device, pass, nullptr); });
  const VkPipeline pipeline = make_deep_pipeline(pass, nullptr);
  const Image samples = make_deep(VK_SAMPLE_COUNT_4_BIT), resolved = make_deep(VK_SAMPLE_COUNT_1_BIT);
  const VkCommandBuffer commands = begin();
  begin_use(commands, {&samples, &resolved});
  begin_pass(commands, pass, make_framebuffer(pass, {samples.view, resolved.view}),
             VK_SUBPASS_CONTENTS_INLINE, {kDeepClear, kDeepClear});
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdDraw(commands, 6, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  barrier(commands, resolved, kColorStage, kColorWrite, kTransferStage, VK_ACCESS_TRANSFER_READ_BIT);
  const std::pair<Buffer, Buffer> read = read_deep(commands, resolved);
  submit(commands);
  expect_halves(read);
  needed = {"FLUSH(2)"};
}

}  // namespace
