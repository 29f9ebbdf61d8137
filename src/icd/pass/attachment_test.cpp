#include "icd/testing/depth_feedback.h"
#include "icd_testdata/depth_stencil_input_frag.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/white_frag.h"

// Tests the formats and uses of attachments.
namespace {

using namespace cutaway::icd::testing;

struct Attachments : Renderer {};

TEST_F(Attachments, FragmentsReadTheDepthAndStencilBeforeThem) {
  const Buffer picture =
      draw_depth_feedback(*this, make_shader(half_vert), make_shader(depth_stencil_input_frag));
  expect_depth_feedback(picture);
}

// One subpass whose attachments keep their layout; references to missing attachments are unused.
struct PassOf : Renderer {
  VkRenderPass pass_of(const std::vector<VkAttachmentDescription>& attachments, uint32_t color,
                       uint32_t resolve, uint32_t depth) {
    const auto reference = [&](uint32_t index) {
      return VkAttachmentReference{index < attachments.size() ? index : VK_ATTACHMENT_UNUSED,
                                   VK_IMAGE_LAYOUT_GENERAL};
    };
    const VkAttachmentReference references[3] = {reference(color), reference(resolve), reference(depth)};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &references[0];
    subpass.pResolveAttachments = &references[1];
    subpass.pDepthStencilAttachment = &references[2];
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = static_cast<uint32_t>(attachments.size());
    info.pAttachments = attachments.data();
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    return make_pass(info);
  }
  static VkAttachmentDescription described(VkFormat format, VkAttachmentLoadOp load, bool kept) {
    VkAttachmentDescription made{};
    made.format = format;
    made.samples = VK_SAMPLE_COUNT_1_BIT;
    made.loadOp = made.stencilLoadOp = load;
    made.storeOp = made.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
    made.initialLayout = kept ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_UNDEFINED;
    made.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    return made;
  }
  static void run(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
                  const std::vector<VkClearValue>& values, const VkRect2D& area = {{0, 0}, {kSide, kSide}}) {
    VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    info.renderPass = pass;
    info.framebuffer = framebuffer;
    info.renderArea = area;
    info.clearValueCount = static_cast<uint32_t>(values.size());
    info.pClearValues = values.data();
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
  }
  // Copies an aspect of a layer after all earlier commands.
  Buffer copy_out(VkCommandBuffer commands, const Image& image, VkImageAspectFlags aspect,
                  uint32_t layer = 0) {
    const Buffer to = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkMemoryBarrier all{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                              VK_ACCESS_TRANSFER_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                         &all, 0, nullptr, 0, nullptr);
    VkBufferImageCopy region{};
    region.imageSubresource = {aspect, 0, layer, 1};
    region.imageExtent = {kSide, kSide, 1};
    vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &region);
    return to;
  }
};

constexpr VkAttachmentLoadOp kClear = VK_ATTACHMENT_LOAD_OP_CLEAR, kLoad = VK_ATTACHMENT_LOAD_OP_LOAD;
constexpr VkRect2D kInside{{4, 5}, {6, 7}};

// "renderArea": limits load operation clears and resolves.
TEST_F(PassOf, ClearsAndResolvesTheRenderArea) {
  const Image target = make_target();
  const Image samples = make_image(kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 1, 1, VK_SAMPLE_COUNT_4_BIT);
  VkAttachmentDescription multisampled = described(kFormat, kClear, false);
  multisampled.samples = VK_SAMPLE_COUNT_4_BIT;
  const VkRenderPass whole = pass_of({described(kFormat, kClear, false)}, 0, 9, 9),
                     part = pass_of({described(kFormat, kClear, true)}, 0, 9, 9),
                     resolve = pass_of({multisampled, described(kFormat, kLoad, true)}, 0, 1, 9);
  const VkFramebuffer one = make_framebuffer(whole, {target.view}),
                      two = make_framebuffer(resolve, {samples.view, target.view});
  const VkCommandBuffer commands = begin();
  run(commands, whole, one, {clear_color(1, 0, 0)});
  run(commands, part, one, {clear_color(0, 1, 0)}, kInside);
  const Buffer cleared = copy_out(commands, target, VK_IMAGE_ASPECT_COLOR_BIT);
  run(commands, whole, one, {clear_color(1, 0, 0)});
  run(commands, resolve, two, {clear_color(0, 0, 1), {}}, kInside);
  const Buffer resolved = copy_out(commands, target, VK_IMAGE_ASPECT_COLOR_BIT);
  submit(commands);
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++) {
      const bool inside = x >= 4 && x < 10 && y >= 5 && y < 12;
      EXPECT_EQ(pixel(cleared, x, y), inside ? kGreen : kRed) << x << " " << y;
      EXPECT_EQ(pixel(resolved, x, y), inside ? kBlue : kRed) << x << " " << y;
    }
}

TEST_F(PassOf, ClearsStencilAloneAndKeepsDepth) {
  const VkFormat format = VK_FORMAT_D24_UNORM_S8_UINT;
  const Image depth =
      make_image(format, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  VkAttachmentDescription stencil_alone = described(format, kLoad, true);
  stencil_alone.stencilLoadOp = kClear;
  const VkRenderPass both = pass_of({described(format, kClear, false)}, 9, 9, 0),
                     one = pass_of({stencil_alone}, 9, 9, 0);
  const VkFramebuffer framebuffer = make_framebuffer(both, {depth.view});
  const VkCommandBuffer commands = begin();
  VkClearValue first, second;
  first.depthStencil = {1, 3}, second.depthStencil = {0, 7};
  run(commands, both, framebuffer, {first});
  run(commands, one, framebuffer, {second});
  const Buffer depths = copy_out(commands, depth, VK_IMAGE_ASPECT_DEPTH_BIT),
               stencils = copy_out(commands, depth, VK_IMAGE_ASPECT_STENCIL_BIT);
  submit(commands);
  EXPECT_EQ(depths.at<uint32_t>(17) & 0xffffff, 0xffffffu);
  EXPECT_EQ(stencils.at<uint8_t>(17), 7);
}

// One clear of whole elements is cheaper than one that leaves bytes alone.
TEST_F(PassOf, ClearsAnAspectThatNobodyKeepsBesideTheOther) {
  for (const VkFormat format : {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT})
    for (const bool stencil : {false, true}) {
      const Image image =
          make_image(format, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
      VkAttachmentDescription one = described(format, kClear, false);
      (stencil ? one.loadOp : one.stencilLoadOp) = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
      const VkRenderPass both = pass_of({described(format, kClear, false)}, 9, 9, 0),
                         half = pass_of({one}, 9, 9, 0);
      const VkFramebuffer framebuffer = make_framebuffer(both, {image.view});
      const VkCommandBuffer commands = begin();
      VkClearValue first, second;
      first.depthStencil = {1, 3}, second.depthStencil = {1, 7};
      run(commands, both, framebuffer, {first});
      run(commands, half, framebuffer, {second});
      const Buffer depths = copy_out(commands, image, VK_IMAGE_ASPECT_DEPTH_BIT),
                   stencils = copy_out(commands, image, VK_IMAGE_ASPECT_STENCIL_BIT);
      submit(commands);
      EXPECT_EQ(depths.at<uint32_t>(17) != 0, !stencil);
      EXPECT_EQ(stencils.at<uint8_t>(17), stencil ? 7 : 0);
    }
}

// "VkClearRect": from baseArrayLayer on.
TEST_F(PassOf, ClearsTheLayersOfARectangle) {
  const Image target = make_target(2);
  const VkRenderPass pass = pass_of({described(kFormat, kClear, false)}, 0, 9, 9);
  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, make_framebuffer(pass, {target.view}, 2), VK_SUBPASS_CONTENTS_INLINE,
             {clear_color(1, 0, 0)});
  const VkClearAttachment green{VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(0, 1, 0)};
  const VkClearRect second{{{0, 0}, {kSide, kSide}}, 1, 1};
  vkCmdClearAttachments(commands, 1, &green, 1, &second);
  vkCmdEndRenderPass(commands);
  const Buffer layers[2] = {copy_out(commands, target, VK_IMAGE_ASPECT_COLOR_BIT, 0),
                            copy_out(commands, target, VK_IMAGE_ASPECT_COLOR_BIT, 1)};
  submit(commands);
  EXPECT_EQ(pixel(layers[0], 8, 8), kRed);
  EXPECT_EQ(pixel(layers[1], 8, 8), kGreen);
}

// Invalid usage that Zink relies on. The validation layer complains, but the device continues.
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
