#include "icd/testing/one_pass_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/pushed_frag.h"

// Tests imageless framebuffers, and framebuffers with several layers.
namespace {

using namespace cutaway::icd::testing;

struct Framebuffers : OnePass {
  void SetUp() override {
    OnePass::SetUp();
    shape.vertex = make_shader(half_vert);
  }
};

struct Imageless : Framebuffers {
  VkPhysicalDeviceImagelessFramebufferFeatures wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES, nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.insert(extensions.end(),
                      {VK_KHR_IMAGELESS_FRAMEBUFFER_EXTENSION_NAME, VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME});
    Framebuffers::SetUp();
  }
};

TEST_F(Imageless, ViewsComeWithTheRenderPass) {
  VkFramebufferAttachmentImageInfo attachment{VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO};
  attachment.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                     VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  attachment.width = attachment.height = kSide;
  attachment.layerCount = 1;
  attachment.viewFormatCount = 1;
  attachment.pViewFormats = &kFormat;
  VkFramebufferAttachmentsCreateInfo attachments{VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO};
  attachments.attachmentImageInfoCount = 1;
  attachments.pAttachmentImageInfos = &attachment;
  VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, &attachments};
  info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
  info.renderPass = pass;
  info.attachmentCount = 1;
  info.width = info.height = kSide;
  info.layers = 1;
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  ok(vkCreateFramebuffer(device, &info, nullptr, &framebuffer));
  at_end([this, framebuffer] { vkDestroyFramebuffer(device, framebuffer, nullptr); });
  const Image targets[2] = {make_target(), make_target()};
  const VkCommandBuffer commands = begin();
  Buffer pictures[2];
  for (int i = 0; i < 2; i++) {
    VkRenderPassAttachmentBeginInfo views{VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO};
    views.attachmentCount = 1;
    views.pAttachments = &targets[i].view;
    const VkClearValue value = i ? clear_color(0, 1, 0) : clear_color(1, 0, 0);
    VkRenderPassBeginInfo begin_info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, &views};
    begin_info.renderPass = pass;
    begin_info.framebuffer = framebuffer;
    begin_info.renderArea = {{0, 0}, {kSide, kSide}};
    begin_info.clearValueCount = 1;
    begin_info.pClearValues = &value;
    vkCmdBeginRenderPass(commands, &begin_info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
    pictures[i] = read_back(commands, targets[i]);
  }
  submit(commands);
  EXPECT_EQ(pixel(pictures[0], 3, 3), kRed);
  EXPECT_EQ(pixel(pictures[1], 3, 3), kGreen);
}

// A framebuffer with several layers: clears at the start of the pass clear all; a draw without a geometry
// shader goes to the first.
TEST_F(Framebuffers, DrawsGoToTheFirstLayer) {
  shape.fragment = make_shader(pushed_frag);
  shape.layout = make_layout({}, 16);
  const Image target = make_target(3);
  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, make_framebuffer(pass, {target.view}, 3), VK_SUBPASS_CONTENTS_INLINE,
             {clear_color(0, 0, 1)});
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(shape));
  const Vec4 red{1, 0, 0, 1};
  vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof red, red.data());
  vkCmdDraw(commands, 6, 2, 0, 0);
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  submit(commands);
  for (uint32_t layer = 0; layer < 3; layer++) EXPECT_EQ(pixel(picture, 3, 3, layer), layer ? kBlue : kRed);
}

}  // namespace
