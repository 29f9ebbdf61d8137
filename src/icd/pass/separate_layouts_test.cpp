#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/sampled_frag.h"

// Tests VK_KHR_separate_depth_stencil_layouts: depth is sampled while stencil is written.
namespace {

using namespace cutaway::icd::testing;

constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;

struct SeparateLayouts : Renderer {
  VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES, nullptr, VK_TRUE};
  PFN_vkCreateRenderPass2KHR create_pass = nullptr;

  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME);
    extensions.push_back(VK_KHR_SEPARATE_DEPTH_STENCIL_LAYOUTS_EXTENSION_NAME);
    Renderer::SetUp();
    load(create_pass, "vkCreateRenderPass2KHR");
  }

  // The first of two passes clears; the other one loads, with read-only depth.
  VkRenderPass make_separate_pass(bool first) {
    const VkImageLayout depth_layout =
        first ? VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    const VkAttachmentLoadOp load = first ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
    VkAttachmentDescriptionStencilLayout stencil{VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT};
    stencil.stencilInitialLayout =
        first ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
    stencil.stencilFinalLayout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
    std::array<VkAttachmentDescription2, 2> attachments{};
    for (VkAttachmentDescription2& a : attachments) {
      a.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2;
      a.samples = VK_SAMPLE_COUNT_1_BIT;
    }
    attachments[0].format = kFormat;
    attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachments[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    attachments[1].pNext = &stencil;
    attachments[1].format = kDepthFormat;
    attachments[1].loadOp = attachments[1].stencilLoadOp = load;
    attachments[1].initialLayout =
        first ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    attachments[1].finalLayout = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    const VkAttachmentReferenceStencilLayout stencil_use{
        VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT, nullptr,
        VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference2 color{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0,
                                       VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_ASPECT_COLOR_BIT};
    const VkAttachmentReference2 depth{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, &stencil_use, 1,
                                       depth_layout, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT};
    VkSubpassDescription2 subpass{VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pDepthStencilAttachment = &depth;
    VkSubpassDependency2 out{VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2};
    out.dstSubpass = VK_SUBPASS_EXTERNAL;
    out.srcStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
    out.dstStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    out.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    out.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    VkRenderPassCreateInfo2 info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2};
    info.attachmentCount = 2;
    info.pAttachments = attachments.data();
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 1;
    info.pDependencies = &out;
    VkRenderPass pass = VK_NULL_HANDLE;
    ok(create_pass(device, &info, nullptr, &pass));
    at_end([this, pass] { vkDestroyRenderPass(device, pass, nullptr); });
    return pass;
  }

  // A set with the depth of an image.
  std::pair<VkDescriptorSetLayout, VkDescriptorSet> make_depth_set(const Image& image) {
    VkImageViewCreateInfo view_info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view_info.image = image.image;
    view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view_info.format = kDepthFormat;
    view_info.subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1};
    const VkSamplerCreateInfo sampler_info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler sampler = VK_NULL_HANDLE;
    ok(vkCreateSampler(device, &sampler_info, nullptr, &sampler));
    at_end([this, sampler] { vkDestroySampler(device, sampler, nullptr); });
    const auto made =
        make_set({{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
    const VkDescriptorImageInfo depth{sampler, make_view(view_info), VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = made.second;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    write.pImageInfo = &depth;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
    return made;
  }
};

TEST_F(SeparateLayouts, DepthIsReadWhileStencilIsWritten) {
  const VkRenderPass first = make_separate_pass(true), second = make_separate_pass(false);
  const Image target = make_target();
  const Image depth =
      make_image(kDepthFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                   VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  const auto [set_layout, set] = make_depth_set(depth);
  PipelineShape shape;
  shape.vertex = make_shader(half_vert);
  shape.fragment = make_shader(sampled_frag);
  shape.layout = make_layout({set_layout});
  shape.pass = second;
  shape.depth.stencilTestEnable = VK_TRUE;
  shape.depth.front = shape.depth.back = {VK_STENCIL_OP_KEEP,
                                          VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                                          VK_STENCIL_OP_KEEP,
                                          VK_COMPARE_OP_EQUAL,
                                          0xff,
                                          0xff,
                                          2};
  const VkPipeline pipeline = make_pipeline(shape);
  const Buffer stencils = make_buffer(256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);

  const VkCommandBuffer commands = begin();
  std::vector<VkClearValue> values(2);
  values[1].depthStencil = {0.4f, 2};
  run_pass(
      commands, first, make_framebuffer(first, {target.view, depth.view}), [](VkCommandBuffer) {},
      VK_NULL_HANDLE, values);
  run_pass(commands, second, make_framebuffer(second, {target.view, depth.view}),
           [&, set_ = set](VkCommandBuffer to) {
             vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
             vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &set_, 0,
                                     nullptr);
             vkCmdDraw(to, 6, 1, 0, 0);
             vkCmdDraw(to, 6, 1, 0, 0);  // fails the test
           });
  // The layout of one aspect changes.
  VkImageMemoryBarrier stencil{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  stencil.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  stencil.oldLayout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
  stencil.newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  stencil.image = depth.image;
  stencil.subresourceRange = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &stencil);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1};
  region.imageExtent = {kSide, kSide, 1};
  vkCmdCopyImageToBuffer(commands, depth.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, stencils.buffer, 1,
                         &region);
  const Buffer picture = read_back(commands, target);
  submit(commands);
  EXPECT_EQ(pixel(picture, 7, 7), (Color{102, 0, 0, 255}));
  EXPECT_EQ(pixel(picture, 8, 7), Color{});
  EXPECT_EQ(stencils.at<uint8_t>(7), 3);
  EXPECT_EQ(stencils.at<uint8_t>(8), 2);
}

}  // namespace
