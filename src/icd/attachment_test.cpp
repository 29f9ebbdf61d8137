#include "icd/testing/render_fixture.h"
#include "icd_testdata/depth_stencil_input_frag.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/white_frag.h"

// What attachments are read and written as.
namespace {

using namespace cutaway::icd::testing;

struct Attachments : Renderer {
  VkImageView view_of(const Image& image, VkImageSubresourceRange range) {
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image.image;
    info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    info.format = image.format;
    info.subresourceRange = range;
    return make_view(info);
  }
};

constexpr VkFormat kDepthStencil = VK_FORMAT_D24_UNORM_S8_UINT;

// A subpass that writes depth and stencil and reads both as input attachments, in an order that barriers
// within it make ("Subpass Self-dependency").
struct DepthAndStencilInput : Attachments {
  VkRenderPass make_feedback_pass() {
    VkAttachmentDescription attachments[2] = {};
    for (VkAttachmentDescription& attachment : attachments) {
      attachment.samples = VK_SAMPLE_COUNT_1_BIT;
      attachment.loadOp = attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      attachment.storeOp = attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
    }
    attachments[0].format = kFormat;
    attachments[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    attachments[1].format = kDepthStencil;
    attachments[1].finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference inputs[2] = {depth, depth};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pDepthStencilAttachment = &depth;
    subpass.inputAttachmentCount = 2;
    subpass.pInputAttachments = inputs;
    const VkSubpassDependency dependencies[2] = {
        {0, 0, kTests, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
         VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, VK_DEPENDENCY_BY_REGION_BIT},
        {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT,
         0}};
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = 2;
    info.pAttachments = attachments;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 2;
    info.pDependencies = dependencies;
    return make_pass(info);
  }
  static void barrier(VkCommandBuffer commands) {
    const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                 VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                                 VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
    vkCmdPipelineBarrier(commands, kTests, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_DEPENDENCY_BY_REGION_BIT,
                         1, &memory, 0, nullptr, 0, nullptr);
  }

  static constexpr VkPipelineStageFlags kTests =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
};

TEST_F(DepthAndStencilInput, FragmentsReadWhatWasThereBeforeThem) {
  const VkRenderPass pass = make_feedback_pass();
  const Image target = make_target();
  const Image depth = make_image(
      kDepthStencil, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
  const VkDescriptorType input = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  const auto [set_layout, set] = make_set({{0, input, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
                                           {1, input, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
  for (uint32_t i = 0; i < 2; i++) {
    const VkImageAspectFlags aspect = i ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
    const VkDescriptorImageInfo image{VK_NULL_HANDLE, view_of(depth, {aspect, 0, 1, 0, 1}),
                                      VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, i, 0, 1, input};
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }
  PipelineShape shape;
  shape.vertex = make_shader(half_vert);
  shape.fragment = make_shader(depth_stencil_input_frag);
  shape.layout = make_layout({set_layout});
  shape.pass = pass;
  shape.depth.depthTestEnable = shape.depth.depthWriteEnable = shape.depth.stencilTestEnable = VK_TRUE;
  shape.depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  shape.depth.front = {
      VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 9};
  shape.depth.back = shape.depth.front;
  const VkPipeline pipeline = make_pipeline(shape);

  const VkCommandBuffer commands = begin();
  std::vector<VkClearValue> clears(2);
  clears[1].depthStencil = {0.8f, 5};
  begin_pass(commands, pass, make_framebuffer(pass, {target.view, depth.view}), VK_SUBPASS_CONTENTS_INLINE,
             clears);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &set, 0, nullptr);
  barrier(commands);
  vkCmdDraw(commands, 6, 1, 0, 0);  // the left half, at depth 0.5
  barrier(commands);
  vkCmdDraw(commands, 6, 2, 0, 0);
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  submit(commands);
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++)
      EXPECT_EQ(pixel(picture, x, y), x < kSide / 2 ? (Color{128, 9, 0, 255}) : (Color{204, 5, 0, 255}))
          << x << " " << y;
}

// What no program may ask for, and what Zink does all the same. The validation layer complains, the device
// goes on.
struct Tolerated : Attachments {
  VkPipeline white(VkRenderPass pass) {
    PipelineShape shape;
    shape.vertex = make_shader(half_vert);
    shape.fragment = make_shader(white_frag);
    shape.layout = make_layout();
    shape.pass = pass;
    return make_pipeline(shape);
  }
  Buffer draw(const Image& target, VkRenderPass pass, VkFramebuffer framebuffer) {
    const VkCommandBuffer commands = begin();
    begin_pass(commands, pass, framebuffer);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, white(pass));
    vkCmdDraw(commands, 6, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    messages.clear();
    return picture;
  }
};

TEST_F(Tolerated, ALevelThatTheImageDoesNotHaveIsItsLast) {
  const Image target = make_target();
  const VkRenderPass pass = make_pass();
  const VkImageView view = view_of(target, {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1});
  const Buffer picture = draw(target, pass, make_framebuffer(pass, {view}));
  EXPECT_EQ(pixel(picture, 7, 15), kWhite);
  EXPECT_EQ(pixel(picture, 8, 15), (Color{0, 0, 0, 0}));
}

TEST_F(Tolerated, ALayerThatTheImageDoesNotHaveIsItsLast) {
  const Image target = make_target(2);
  const VkRenderPass pass = make_pass();
  const VkImageView view = view_of(target, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, 7, 4});
  const Buffer picture = draw(target, pass, make_framebuffer(pass, {view}));
  EXPECT_EQ(pixel(picture, 7, 15, 1), kWhite);
  EXPECT_EQ(pixel(picture, 8, 15, 1), (Color{0, 0, 0, 0}));
}

TEST_F(Tolerated, AnAttachmentSmallerThanTheFramebufferBoundsIt) {
  const Image target =
      make_image(kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 1, 2);
  const VkRenderPass pass = make_pass();
  const VkImageView half = view_of(target, {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1});
  const VkFramebuffer framebuffer = make_framebuffer(pass, {half});  // of kSide pixels
  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, framebuffer);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, white(pass));
  vkCmdDraw(commands, 6, 2, 0, 0);
  vkCmdEndRenderPass(commands);
  const Buffer picture = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 0, 1};
  region.imageExtent = {kSide / 2, kSide / 2, 1};
  vkCmdCopyImageToBuffer(commands, target.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, picture.buffer, 1,
                         &region);
  submit(commands);
  messages.clear();
  EXPECT_EQ(picture.at<Color>(0), kWhite);
  EXPECT_EQ(picture.at<Color>(kSide * kSide / 4 - 1), kWhite);
}

}  // namespace
