#include <gtest/gtest.h>

#include "icd/testing/render_fixture.h"
#include "icd_testdata/diagonal_vert.h"
#include "icd_testdata/pushed_frag.h"
#include "icd_testdata/sample_id_frag.h"

// Tests several samples per pixel: draws, clears, copies, resolves.
namespace cutaway::icd {
namespace {

using namespace testing;

struct Multisample : Renderer, ::testing::WithParamInterface<VkSampleCountFlagBits> {
  static constexpr VkImageUsageFlags kUsage =
      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;

  void SetUp() override {
    features.sampleRateShading = VK_TRUE;
    Renderer::SetUp();
  }

  Image make_samples() { return make_image(kFormat, kUsage, 1, 1, GetParam()); }

  // Color 0 with several samples, cleared, and resolved to attachment 1; both are available for copies at the
  // end.
  VkRenderPass make_resolving_pass() {
    VkAttachmentDescription attachments[2] = {};
    for (VkAttachmentDescription& attachment : attachments) {
      attachment.format = kFormat;
      attachment.samples = GetParam();
      attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
      attachment.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    }
    attachments[1].samples = VK_SAMPLE_COUNT_1_BIT;
    attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference resolve{1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pResolveAttachments = &resolve;
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

  static void barrier(VkCommandBuffer commands, const Image& image, VkImageLayout from, VkImageLayout to,
                      VkAccessFlags source, VkAccessFlags destination) {
    VkImageMemoryBarrier b{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    b.srcAccessMask = source, b.dstAccessMask = destination;
    b.oldLayout = from, b.newLayout = to;
    b.srcQueueFamilyIndex = b.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    b.image = image.image;
    b.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                         nullptr, 0, nullptr, 1, &b);
  }
};

// White above the diagonal on black: pixels on it have as many white samples as standard locations above it.
TEST_P(Multisample, PassesAndCommandsResolveAlike) {
  const Image samples = make_samples(), resolved = make_target(), copy = make_samples(), part = make_target();
  const VkRenderPass pass = make_resolving_pass();
  PipelineShape shape;
  shape.vertex = make_shader(diagonal_vert), shape.fragment = make_shader(pushed_frag);
  shape.layout = make_layout({}, 16), shape.pass = pass, shape.samples = GetParam();
  const VkPipeline pipeline = make_pipeline(shape);
  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, make_framebuffer(pass, {samples.view, resolved.view}),
             VK_SUBPASS_CONTENTS_INLINE, {clear_color(0, 0, 0), clear_color(0, 0, 0)});
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  const float white[4] = {1, 1, 1, 1};
  vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof white, white);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  const Buffer whole = read_back(commands, resolved);

  // Copies all samples, and resolves a part to another place.
  const VkImageLayout undefined = VK_IMAGE_LAYOUT_UNDEFINED, to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                      from = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  barrier(commands, copy, undefined, to, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  barrier(commands, part, undefined, to, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  VkImageCopy region{};
  region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.extent = {kSide, kSide, 1};
  vkCmdCopyImage(commands, samples.image, from, copy.image, to, 1, &region);
  barrier(commands, copy, to, from, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  const VkClearColorValue red{{1, 0, 0, 1}};
  const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, part.image, to, &red, 1, &range);
  barrier(commands, part, to, to, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  VkImageResolve resolve{};
  resolve.srcSubresource = resolve.dstSubresource = region.srcSubresource;
  resolve.srcOffset = {5, 4, 0}, resolve.dstOffset = {2, 3, 0}, resolve.extent = {8, 7, 1};
  vkCmdResolveImage(commands, copy.image, from, part.image, to, 1, &resolve);
  barrier(commands, part, to, from, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  const Buffer moved = read_back(commands, part);
  submit(commands);

  uint32_t gray = 0;
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++) {
      const Color color = pixel(whole, x, y);
      if (x + y + 1 != kSide) { EXPECT_EQ(color, x + y + 1 < kSide ? kWhite : kBlack) << x << ", " << y; }
      gray += color[0] > 0 && color[0] < 255;
    }
  EXPECT_EQ(gray, kSide);
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++) {
      const bool inside = x >= 2 && x < 10 && y >= 3 && y < 10;
      EXPECT_EQ(pixel(moved, x, y), inside ? pixel(whole, x + 3, y + 1) : kRed) << x << ", " << y;
    }
}

TEST_P(Multisample, ShadersSeeTheirSample) {
  const Image samples = make_samples(), resolved = make_target();
  const VkRenderPass pass = make_resolving_pass();
  PipelineShape shape;
  shape.vertex = make_shader(diagonal_vert), shape.fragment = make_shader(sample_id_frag);
  shape.layout = make_layout(), shape.pass = pass, shape.samples = GetParam();
  const VkPipeline pipeline = make_pipeline(shape);
  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, make_framebuffer(pass, {samples.view, resolved.view}),
             VK_SUBPASS_CONTENTS_INLINE, {clear_color(0, 0, 0), clear_color(0, 0, 0)});
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
  const Buffer whole = read_back(commands, resolved);
  submit(commands);
  // The mean of the numbers is (n - 1) / 2; the mean of the locations is the pixel's centre.
  const double number = (static_cast<double>(GetParam()) - 1) / 2 / 8;
  const Color color = pixel(whole, 3, 4);
  EXPECT_NEAR(color[0], number * 255, 1);
  EXPECT_NEAR(color[1], 127.5, 1.01);
  EXPECT_NEAR(color[2], 127.5, 1.01);
}

INSTANTIATE_TEST_SUITE_P(Samples, Multisample,
                         ::testing::Values(VK_SAMPLE_COUNT_2_BIT, VK_SAMPLE_COUNT_4_BIT,
                                           VK_SAMPLE_COUNT_8_BIT));

}  // namespace
}  // namespace cutaway::icd
