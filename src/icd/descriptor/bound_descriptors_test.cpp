#include "icd/testing/one_pass_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/sampled_frag.h"
#include "icd_testdata/uniform_frag.h"

// Tests descriptors as shaders read them.
namespace {

using namespace cutaway::icd::testing;

struct BoundDescriptors : OnePass {
  void SetUp() override {
    OnePass::SetUp();
    shape.vertex = make_shader(half_vert);
  }
};

TEST_F(BoundDescriptors, DynamicOffsetsFollowTheirBindings) {
  const VkDescriptorType dynamic = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  // Passed out of order: dynamic offsets count by binding number, then by element.
  const auto [set_layout, set] = make_set({{1, dynamic, 2, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
                                           {0, dynamic, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
  shape.fragment = make_shader(uniform_frag);
  shape.layout = make_layout({set_layout});
  const VkPipeline pipeline = make_pipeline(shape);
  const Buffer uniforms = make_buffer(1024, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  std::memset(uniforms.mapped, 0, 1024);
  uniforms.put(256 / 16, Vec4{1, 0, 0, 0});
  uniforms.put(512 / 16, Vec4{0, 1, 0, 0});
  uniforms.put(768 / 16 + 1, Vec4{0, 0, 0, 1});

  VkDescriptorUpdateTemplateEntry entries[2] = {
      {0, 0, 1, dynamic, 0, 0},
      {1, 0, 2, dynamic, sizeof(VkDescriptorBufferInfo), sizeof(VkDescriptorBufferInfo)}};
  VkDescriptorUpdateTemplateCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
  info.descriptorUpdateEntryCount = 2;
  info.pDescriptorUpdateEntries = entries;
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
  info.descriptorSetLayout = set_layout;
  VkDescriptorUpdateTemplate update = VK_NULL_HANDLE;
  ok(vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &update));
  at_end([this, update] { vkDestroyDescriptorUpdateTemplate(device, update, nullptr); });
  const VkDescriptorBufferInfo buffers[3] = {
      {uniforms.buffer, 0, 16}, {uniforms.buffer, 0, 16}, {uniforms.buffer, 16, 16}};
  vkUpdateDescriptorSetWithTemplate(device, set, update, buffers);

  const Buffer picture = draw(pipeline, [&, set_ = set](VkCommandBuffer commands) {
    const std::array<uint32_t, 3> offsets{256, 512, 768};
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &set_, 3,
                            offsets.data());
    vkCmdDraw(commands, 6, 1, 0, 0);
  });
  EXPECT_EQ(pixel(picture, 0, 0), (Color{255, 255, 0, 255}));
}

// An immutable sampler stays when a descriptor is written with another one.
TEST_F(BoundDescriptors, ImmutableSamplersStay) {
  VkSampler samplers[2];
  for (int i = 0; i < 2; i++) {
    VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    info.borderColor = i ? VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    ok(vkCreateSampler(device, &info, nullptr, &samplers[i]));
    at_end([this, sampler = samplers[i]] { vkDestroySampler(device, sampler, nullptr); });
  }
  const auto [set_layout, set] = make_set(
      {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, &samplers[0]}});
  shape.fragment = make_shader(sampled_frag);
  shape.layout = make_layout({set_layout});
  const VkPipeline pipeline = make_pipeline(shape);
  const Image picture = make_image(kFormat, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  const VkDescriptorImageInfo image{samplers[1], picture.view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  write.pImageInfo = &image;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);

  const Image target = make_target();
  const VkCommandBuffer commands = begin();
  VkImageMemoryBarrier ready{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                             nullptr,
                             0,
                             VK_ACCESS_TRANSFER_WRITE_BIT,
                             VK_IMAGE_LAYOUT_UNDEFINED,
                             VK_IMAGE_LAYOUT_GENERAL,
                             0,
                             0,
                             picture.image,
                             {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &ready);
  const VkClearColorValue red{{1, 0, 0, 1}};
  vkCmdClearColorImage(commands, picture.image, VK_IMAGE_LAYOUT_GENERAL, &red, 1, &ready.subresourceRange);
  ready.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, ready.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  ready.oldLayout = VK_IMAGE_LAYOUT_GENERAL;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &ready);
  begin_pass(commands, pass, make_framebuffer(pass, {target.view}));
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &set, 0, nullptr);
  vkCmdDraw(commands, 6, 2, 0, 0);
  vkCmdEndRenderPass(commands);
  const Buffer seen = read_back(commands, target);
  submit(commands);
  EXPECT_EQ(pixel(seen, 8, 8), kRed);
  EXPECT_EQ(pixel(seen, 0, 0), kWhite);
}

}  // namespace
