#include <cmath>
#include <optional>

#include "icd/testing/render_fixture.h"

// Tests resolves of depth and stencil: every mode of each aspect, format and load operation, in render passes
// and in dynamic rendering.
namespace depth_resolve_test {
namespace {

using namespace cutaway::icd::testing;

constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT, kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
constexpr VkResolveModeFlagBits kNone = VK_RESOLVE_MODE_NONE, kZero = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
constexpr VkAttachmentLoadOp kLoad = VK_ATTACHMENT_LOAD_OP_LOAD, kClear = VK_ATTACHMENT_LOAD_OP_CLEAR;
constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
// Values of the target before the pass, of its clear, and of the samples.
constexpr VkClearDepthStencilValue kBefore{0.25f, 3}, kLoaded{0.5f, 5}, kSamples{0.75f, 9};

struct Case {
  VkFormat format;
  VkResolveModeFlagBits depth, stencil;
  VkAttachmentLoadOp load;
};

struct DepthResolve : Renderer {
  VkPhysicalDeviceVulkan13Features wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};

  void SetUp() override {
    version = VK_API_VERSION_1_3;
    wanted.dynamicRendering = VK_TRUE;
    more_features = &wanted;
    Renderer::SetUp();
  }

  // Clears the attachments that are loaded by kClear. The second one, if there is one, receives the samples.
  VkRenderPass make_resolve_pass(const Case& of, const std::vector<VkSampleCountFlagBits>& samples) {
    std::vector<VkAttachmentDescription2> attachments(samples.size());
    for (size_t i = 0; i < samples.size(); i++) {
      VkAttachmentDescription2& a = attachments[i];
      a.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2;
      a.format = of.format, a.samples = samples[i];
      a.loadOp = a.stencilLoadOp = i == 1 ? of.load : kClear;
      a.storeOp = a.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
      a.initialLayout = i == 1 && of.load == kLoad ? kGeneral : VK_IMAGE_LAYOUT_UNDEFINED;
      a.finalLayout = kGeneral;
    }
    VkAttachmentReference2 references[2] = {};
    for (uint32_t i = 0; i < 2; i++)
      references[i] = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, i, kGeneral, aspect_of(of.format)};
    const VkSubpassDescriptionDepthStencilResolve resolve{
        VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE, nullptr, of.depth, of.stencil,
        &references[1]};
    VkSubpassDescription2 subpass{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    if (samples.size() > 1) subpass.pNext = &resolve;
    subpass.pDepthStencilAttachment = &references[0];
    VkRenderPassCreateInfo2 info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
    info.attachmentCount = static_cast<uint32_t>(samples.size());
    info.pAttachments = attachments.data();
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    VkRenderPass pass = VK_NULL_HANDLE;
    ok(vkCreateRenderPass2(device, &info, nullptr, &pass));
    at_end([this, pass] { vkDestroyRenderPass(device, pass, nullptr); });
    return pass;
  }

  void run(VkCommandBuffer commands, const Case& of, const std::vector<VkSampleCountFlagBits>& samples,
           const std::vector<VkImageView>& views, const std::vector<VkClearDepthStencilValue>& values) {
    const VkRenderPass pass = make_resolve_pass(of, samples);
    std::vector<VkClearValue> clears(values.size());
    for (size_t i = 0; i < values.size(); i++) clears[i].depthStencil = values[i];
    begin_pass(commands, pass, make_framebuffer(pass, views), VK_SUBPASS_CONTENTS_INLINE, clears);
    vkCmdEndRenderPass(commands);
    everything(commands);
  }

  static void render(VkCommandBuffer commands, const Case& of, VkImageView samples, VkImageView target) {
    const auto attachment = [&](VkResolveModeFlagBits mode) {
      VkRenderingAttachmentInfo info{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
      info.imageView = samples;
      info.imageLayout = info.resolveImageLayout = kGeneral;
      info.resolveMode = mode;
      if (mode != kNone) info.resolveImageView = target;
      info.loadOp = kClear;
      info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      info.clearValue.depthStencil = kSamples;
      return info;
    };
    const VkRenderingAttachmentInfo depth = attachment(of.depth), stencil = attachment(of.stencil);
    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea = {{0, 0}, {kSide, kSide}};
    info.layerCount = 1;
    if (aspect_of(of.format) & kDepth) info.pDepthAttachment = &depth;
    if (aspect_of(of.format) & kStencil) info.pStencilAttachment = &stencil;
    vkCmdBeginRendering(commands, &info);
    vkCmdEndRendering(commands);
    everything(commands);
  }

  static void everything(VkCommandBuffer commands) {
    const VkMemoryBarrier all{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                              VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                         1, &all, 0, nullptr, 0, nullptr);
  }
  Buffer copy_out(VkCommandBuffer commands, const Image& image, VkImageAspectFlags aspect) {
    const Buffer to = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkBufferImageCopy region{};
    region.imageSubresource = {aspect, 0, 0, 1};
    region.imageExtent = {kSide, kSide, 1};
    vkCmdCopyImageToBuffer(commands, image.image, kGeneral, to.buffer, 1, &region);
    return to;
  }
  void to_general(VkCommandBuffer commands, const Image& image) {
    VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    barrier.dstAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
    barrier.newLayout = kGeneral;
    barrier.image = image.image;
    barrier.subresourceRange = {aspect_of(image.format), 0, 1, 0, 1};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                         0, nullptr, 0, nullptr, 1, &barrier);
  }

  static float depth_at(VkFormat format, const Buffer& buffer, uint32_t index) {
    switch (format) {
      case VK_FORMAT_D16_UNORM:
      case VK_FORMAT_D16_UNORM_S8_UINT:
        return static_cast<float>(buffer.at<uint16_t>(index)) / 65535;
      case VK_FORMAT_D32_SFLOAT:
      case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return buffer.at<float>(index);
      default:
        return static_cast<float>(buffer.at<uint32_t>(index) & 0xffffff) / 0xffffff;
    }
  }

  void check(const Case& of, bool dynamic) {
    constexpr VkImageUsageFlags kUsage =
        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImageAspectFlags aspects = aspect_of(of.format);
    const Image target = make_image(of.format, kUsage),
                samples = make_image(of.format, kUsage, 1, 1, VK_SAMPLE_COUNT_4_BIT);
    const VkCommandBuffer commands = begin();
    run(commands, of, {VK_SAMPLE_COUNT_1_BIT}, {target.view}, {kBefore});
    if (dynamic) {
      to_general(commands, samples);
      render(commands, of, samples.view, target.view);
    } else {
      run(commands, of, {VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_1_BIT}, {samples.view, target.view},
          {kSamples, kLoaded});
    }
    std::optional<Buffer> depths, stencils;
    if (aspects & kDepth) depths = copy_out(commands, target, kDepth);
    if (aspects & kStencil) stencils = copy_out(commands, target, kStencil);
    everything(commands);
    submit(commands);
    const VkClearDepthStencilValue kept = !dynamic && of.load == kClear ? kLoaded : kBefore;
    const VkClearDepthStencilValue expected{(of.depth == kZero ? kSamples : kept).depth,
                                            (of.stencil == kZero ? kSamples : kept).stencil};
    for (uint32_t i = 0; i < kSide * kSide; i++) {
      if (depths) { ASSERT_NEAR(depth_at(of.format, *depths, i), expected.depth, 1e-4); }
      if (stencils) { ASSERT_EQ(stencils->at<uint8_t>(i), expected.stencil); }
    }
  }
};

TEST_F(DepthResolve, KeepsAnAspectWithoutResolve) {
  uint32_t formats = 0;
  for (const VkFormat format :
       {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D32_SFLOAT, VK_FORMAT_S8_UINT,
        VK_FORMAT_D16_UNORM_S8_UINT, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT}) {
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(physical, format, &properties);
    if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)) continue;
    formats++;
    const bool both = aspect_of(format) == (kDepth | kStencil);
    for (const VkAttachmentLoadOp load : {kLoad, kClear})
      for (const VkResolveModeFlagBits depth : {kNone, kZero})
        for (const VkResolveModeFlagBits stencil : {kNone, kZero}) {
          if (both ? depth == kNone && stencil == kNone : depth == kNone || stencil == kNone) continue;
          for (const bool dynamic : {false, true}) {
            SCOPED_TRACE(::testing::Message() << "format " << format << " load " << load << " depth " << depth
                                              << " stencil " << stencil << " dynamic " << dynamic);
            check({format, depth, stencil, load}, dynamic);
          }
        }
  }
  EXPECT_GE(formats, 6u);
}

}  // namespace
}  // namespace depth_resolve_test
