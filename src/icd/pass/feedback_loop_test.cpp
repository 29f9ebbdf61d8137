#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/swapped_frag.h"

// VK_EXT_attachment_feedback_loop_layout: a subpass samples the color attachment that it draws to.
namespace {

using namespace cutaway::icd::testing;

struct FeedbackLoop : Renderer {
  VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT, nullptr, VK_TRUE};

  // The validation layer of 2023 takes the layout for unknown in attachment references.
  void SetUp() override {
    validates = false;
    more_features = &wanted;
    extensions.push_back(VK_EXT_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_EXTENSION_NAME);
    Renderer::SetUp();
  }
  VkRenderPass make_loop_pass() {
    constexpr VkImageLayout kLoop = VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT;
    VkAttachmentDescription attachment{};
    attachment.format = kFormat;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkAttachmentReference reference{0, kLoop};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &reference;
    const VkSubpassDependency dependencies[2] = {
        {0, 0, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT,
         VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT},
        kColorToCopies};
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = 1, info.pAttachments = &attachment;
    info.subpassCount = 1, info.pSubpasses = &subpass;
    info.dependencyCount = 2, info.pDependencies = dependencies;
    return make_pass(info);
  }
};

// Cleared to red. The left half is drawn twice, the right half once, each after a barrier.
TEST_F(FeedbackLoop, DrawsReadWhatEarlierDrawsLeft) {
  const VkRenderPass pass = make_loop_pass();
  const Image target = make_image(kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                               VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                               VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT);
  const VkSamplerCreateInfo nearest{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  VkSampler sampler = VK_NULL_HANDLE;
  ok(vkCreateSampler(device, &nearest, nullptr, &sampler));
  at_end([this, sampler] { vkDestroySampler(device, sampler, nullptr); });
  const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  const auto [set_layout, set] = make_set({{0, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
  const VkDescriptorImageInfo image{sampler, target.view,
                                    VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 0, 0, 1, type};
  write.pImageInfo = &image;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  PipelineShape shape;
  shape.vertex = make_shader(half_vert);
  shape.fragment = make_shader(swapped_frag);
  shape.layout = make_layout({set_layout});
  shape.pass = pass;
  shape.flags = VK_PIPELINE_CREATE_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
  const VkPipeline pipeline = make_pipeline(shape);

  const VkCommandBuffer commands = begin();
  begin_pass(commands, pass, make_framebuffer(pass, {target.view}), VK_SUBPASS_CONTENTS_INLINE,
             {clear_color(1, 0, 0)});
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &set, 0, nullptr);
  for (const uint32_t halves : {1u, 2u}) {
    const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                 VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                         VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_FEEDBACK_LOOP_BIT_EXT, 1, &memory, 0,
                         nullptr, 0, nullptr);
    vkCmdDraw(commands, 6, halves, 0, 0);
  }
  vkCmdEndRenderPass(commands);
  const Buffer picture = read_back(commands, target);
  submit(commands);
  for (uint32_t x = 0; x < kSide; x++)
    EXPECT_EQ(pixel(picture, x, 3), x < kSide / 2 ? (Color{255, 128, 0, 255}) : (Color{0, 64, 255, 255}))
        << x;
}

}  // namespace
