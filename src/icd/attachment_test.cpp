#include "icd/testing/depth_feedback.h"
#include "icd_testdata/depth_stencil_input_frag.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/white_frag.h"

// What attachments are read and written as.
namespace {

using namespace cutaway::icd::testing;

struct Attachments : Renderer {};

TEST_F(Attachments, FragmentsReadTheDepthAndStencilBeforeThem) {
  const Buffer picture =
      draw_depth_feedback(*this, make_shader(half_vert), make_shader(depth_stencil_input_frag));
  expect_depth_feedback(picture);
}

// What no program may ask for, and what Zink does all the same. The validation layer complains, the device
// goes on.
struct Tolerated : Renderer {
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
  const VkImageView view = make_view(target, {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1});
  const Buffer picture = draw(target, pass, make_framebuffer(pass, {view}));
  EXPECT_EQ(pixel(picture, 7, 15), kWhite);
  EXPECT_EQ(pixel(picture, 8, 15), (Color{0, 0, 0, 0}));
}

TEST_F(Tolerated, ALayerThatTheImageDoesNotHaveIsItsLast) {
  const Image target = make_target(2);
  const VkRenderPass pass = make_pass();
  const VkImageView view = make_view(target, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 3, 7, 4});
  const Buffer picture = draw(target, pass, make_framebuffer(pass, {view}));
  EXPECT_EQ(pixel(picture, 7, 15, 1), kWhite);
  EXPECT_EQ(pixel(picture, 8, 15, 1), (Color{0, 0, 0, 0}));
}

TEST_F(Tolerated, AnAttachmentSmallerThanTheFramebufferBoundsIt) {
  const Image target =
      make_image(kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 1, 2);
  const VkRenderPass pass = make_pass();
  const VkImageView half = make_view(target, {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 0, 1});
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
