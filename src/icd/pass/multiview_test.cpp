#include "icd/testing/render_fixture.h"
#include "icd_testdata/subpass_input_frag.h"
#include "icd_testdata/views_frag.h"
#include "icd_testdata/views_vert.h"

// Tests multiview: a draw goes to every view of its subpass (Vulkan, "Multiview").
namespace {

using namespace cutaway::icd::testing;

constexpr Color kNothing{0, 0, 0, 0}, kCleared{0, 0, 255, 255};

struct Multiview : Renderer {
  VkPhysicalDeviceMultiviewFeatures wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, nullptr,
                                           VK_TRUE};
  VkShaderModule vertex = VK_NULL_HANDLE;

  void SetUp() override {
    more_features = &wanted;
    Renderer::SetUp();
    vertex = make_shader(views_vert);
  }
  VkPipeline views_pipeline(VkRenderPass pass) {
    PipelineShape shape;
    shape.vertex = vertex;
    shape.fragment = make_shader(views_frag);
    shape.layout = make_layout();
    shape.pass = pass;
    return make_pipeline(shape);
  }
};

TEST_F(Multiview, FeatureAndLimitsAreThere) {
  VkPhysicalDeviceMultiviewFeatures have{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES};
  VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &have};
  vkGetPhysicalDeviceFeatures2(physical, &all);
  EXPECT_TRUE(have.multiview);
  EXPECT_TRUE(have.multiviewGeometryShader);
  EXPECT_TRUE(have.multiviewTessellationShader);
}

// Masks with and without the first view: layers of other views do not change.
struct ViewMasks : Multiview, ::testing::WithParamInterface<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Masks, ViewMasks, ::testing::Values(0b1101u, 0b0110u));

TEST_P(ViewMasks, EveryViewIsClearedAndDrawnInItsLayer) {
  const uint32_t mask = GetParam();
  const VkRenderPass pass = make_pass(1, VK_ATTACHMENT_LOAD_OP_CLEAR, mask);
  const VkPipeline pipeline = views_pipeline(pass);
  const Image target = make_target(4);
  const VkFramebuffer framebuffer = make_framebuffer(pass, {target.view});
  const VkCommandBuffer commands = begin();

  const VkImageMemoryBarrier ready{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                   nullptr,
                                   0,
                                   VK_ACCESS_TRANSFER_WRITE_BIT,
                                   VK_IMAGE_LAYOUT_UNDEFINED,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                   0,
                                   0,
                                   target.image,
                                   {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 4}};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &ready);
  const VkClearColorValue nothing{};
  vkCmdClearColorImage(commands, target.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &nothing, 1,
                       &ready.subresourceRange);
  const VkMemoryBarrier cleared{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 1, &cleared, 0, nullptr, 0, nullptr);
  begin_pass(commands, pass, framebuffer, VK_SUBPASS_CONTENTS_INLINE, {clear_color(0, 0, 1)});
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdDraw(commands, 6, 1, 0, 0);
  // One pixel of every view.
  const VkClearAttachment white{VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(1, 1, 1)};
  const VkClearRect corner{{{15, 15}, {1, 1}}, 0, 1};
  vkCmdClearAttachments(commands, 1, &white, 1, &corner);
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  submit(commands);

  for (uint32_t view = 0; view < 4; view++) {
    const bool drawn = mask >> view & 1;
    for (uint32_t column = 0; column < 4; column++) {
      const Color there{255, static_cast<uint8_t>(view), 0, 255};
      EXPECT_EQ(pixel(picture, 4 * column, 3, view), !drawn           ? kNothing
                                                     : column == view ? there
                                                                      : kCleared)
          << "view " << view << " column " << column;
    }
    EXPECT_EQ(pixel(picture, 15, 15, view), drawn ? kWhite : kNothing);
  }
}

// "Query Operation": one slot per view; the sum of them is the result.
TEST_F(Multiview, AQueryTakesASlotPerView) {
  const VkRenderPass pass = make_pass(1, VK_ATTACHMENT_LOAD_OP_CLEAR, 0b11);
  const VkPipeline pipeline = views_pipeline(pass);
  const Image target = make_target(2);
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_OCCLUSION;
  info.queryCount = 2;
  VkQueryPool queries;
  ok(vkCreateQueryPool(device, &info, nullptr, &queries));
  at_end([this, queries] { vkDestroyQueryPool(device, queries, nullptr); });
  const VkCommandBuffer commands = begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  begin_pass(commands, pass, make_framebuffer(pass, {target.view}));
  vkCmdBeginQuery(commands, queries, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdDraw(commands, 6, 1, 0, 0);
  vkCmdEndQuery(commands, queries, 0);
  vkCmdEndRenderPass(commands);
  submit(commands);
  uint32_t samples[2];
  ok(vkGetQueryPoolResults(device, queries, 0, 2, sizeof samples, samples, 4, 0));
  EXPECT_EQ(samples[0] + samples[1], 2 * 4 * kSide);
}

// Vulkan requires a slot for every view; without them the validation layer itself writes out of bounds.
struct TooFewSlots : Multiview {
  void SetUp() override {
    validates = false;
    Multiview::SetUp();
  }
};

// A query writes only the existing slots. The memory after them in the pool's page is read as if it were a
// third.
TEST_F(TooFewSlots, AQueryStaysInItsPool) {
  const VkRenderPass pass = make_pass(1, VK_ATTACHMENT_LOAD_OP_CLEAR, 0b11);
  const VkPipeline pipeline = views_pipeline(pass);
  const Image target = make_target(2);
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_OCCLUSION;
  info.queryCount = 2;
  VkQueryPool queries;
  ok(vkCreateQueryPool(device, &info, nullptr, &queries));
  at_end([this, queries] { vkDestroyQueryPool(device, queries, nullptr); });
  const VkCommandBuffer commands = begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  begin_pass(commands, pass, make_framebuffer(pass, {target.view}));
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdBeginQuery(commands, queries, 1, 0);
  vkCmdDraw(commands, 6, 1, 0, 0);
  vkCmdEndQuery(commands, queries, 1);
  vkCmdEndRenderPass(commands);
  submit(commands);
  uint32_t samples = 0;
  EXPECT_EQ(vkGetQueryPoolResults(device, queries, 0, 1, sizeof samples, &samples, 4, 0), VK_NOT_READY);
  EXPECT_EQ(vkGetQueryPoolResults(device, queries, 2, 1, sizeof samples, &samples, 4, 0), VK_NOT_READY);
  ok(vkGetQueryPoolResults(device, queries, 1, 1, sizeof samples, &samples, 4, 0));
  EXPECT_EQ(samples, 2 * 4 * kSide);
}

// Two subpasses: the second reads the first through an input attachment, each view its own layer. The second
// attachment is cleared on its first use; an unused attachment keeps its contents.
struct Subpasses : Multiview {
  void draw_in_two(uint32_t view_mask) {
    const uint32_t layers = view_mask ? 2 : 1;
    VkAttachmentDescription description{};
    description.format = kFormat;
    description.samples = VK_SAMPLE_COUNT_1_BIT;
    description.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    description.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    description.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkAttachmentDescription attachments[3] = {description, description, description};
    const VkAttachmentReference first{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
        input{0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
        second{1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpasses[2] = {};
    subpasses[0].colorAttachmentCount = subpasses[1].colorAttachmentCount = 1;
    subpasses[0].pColorAttachments = &first;
    subpasses[1].pColorAttachments = &second;
    subpasses[1].inputAttachmentCount = 1;
    subpasses[1].pInputAttachments = &input;
    const VkSubpassDependency dependencies[2] = {
        {0, 1, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
         VK_DEPENDENCY_BY_REGION_BIT},
        {1, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
         VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT,
         0}};
    const uint32_t masks[2] = {view_mask, view_mask};
    VkRenderPassMultiviewCreateInfo views{VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
    views.subpassCount = 2;
    views.pViewMasks = masks;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, view_mask ? &views : nullptr};
    info.attachmentCount = 3;
    info.pAttachments = attachments;
    info.subpassCount = 2;
    info.pSubpasses = subpasses;
    info.dependencyCount = 2;
    info.pDependencies = dependencies;
    const VkRenderPass pass = make_pass(info);

    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
                                               VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    const auto [set_layout, set] = make_set({binding});
    PipelineShape shape;
    shape.vertex = vertex;
    shape.fragment = make_shader(views_frag);
    shape.layout = make_layout({set_layout});
    shape.pass = pass;
    const VkPipeline draw = make_pipeline(shape);
    shape.fragment = make_shader(subpass_input_frag);
    shape.subpass = 1;
    const VkPipeline read = make_pipeline(shape);

    const Image targets[3] = {make_target(layers), make_target(layers), make_target(layers)};
    const VkDescriptorImageInfo image{VK_NULL_HANDLE, targets[0].view,
                                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);

    const VkCommandBuffer commands = begin();
    begin_pass(commands, pass, make_framebuffer(pass, {targets[0].view, targets[1].view, targets[2].view}),
               VK_SUBPASS_CONTENTS_INLINE,
               {clear_color(0, 0, 1), clear_color(1, 1, 1), clear_color(1, 0, 0)});
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draw);
    vkCmdDraw(commands, 6, 1, 0, 0);
    vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, read);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &set, 0, nullptr);
    vkCmdDraw(commands, 6, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    const Buffer picture = read_back(commands, targets[1]);
    submit(commands);
    for (uint32_t layer = 0; layer < layers; layer++)
      for (uint32_t column = 0; column < 4; column++)
        EXPECT_EQ(pixel(picture, 4 * column, 9, layer),
                  column == layer ? (Color{static_cast<uint8_t>(layer), 0, 255, 255}) : kWhite)
            << "layer " << layer << " column " << column;
  }
};

TEST_F(Subpasses, ReadAnEarlierOne) { draw_in_two(0); }
TEST_F(Subpasses, ReadAnEarlierOneInEachView) { draw_in_two(0b11); }

}  // namespace
