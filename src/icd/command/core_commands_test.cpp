#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/helper_frag.h"
#include "icd_testdata/passed_frag.h"
#include "icd_testdata/point_vert.h"
#include "icd_testdata/pushed_frag.h"
#include "icd_testdata/sampled_frag.h"
#include "icd_testdata/sixteen_vert.h"
#include "icd_testdata/uniform_frag.h"

// Commands of Vulkan 1.1's core, one or two of each kind, by what they leave in memory.
namespace {

using namespace cutaway::icd::testing;
using Vec4 = std::array<float, 4>;

constexpr Color kNothing{0, 0, 0, 0};

struct Core : Renderer {
  VkRenderPass pass = VK_NULL_HANDLE;
  PipelineShape shape;

  void SetUp() override {
    Renderer::SetUp();
    pass = make_pass();
    shape.vertex = make_shader(half_vert);
    shape.pass = pass;
  }
  // Draws into a target of its own.
  template <class Draw>
  Buffer draw(VkPipeline pipeline, Draw&& body) {
    const Image target = make_target();
    const VkCommandBuffer commands = begin();
    begin_pass(commands, pass, make_framebuffer(pass, {target.view}));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    body(commands);
    vkCmdEndRenderPass(commands);
    const Buffer picture = read_back(commands, target);
    submit(commands);
    return picture;
  }
};

// A point of one pixel is shaded with three helpers, what fills a quad with none.
TEST_F(Core, HelpersKnowThatTheyAre) {
  shape.fragment = make_shader(helper_frag);
  shape.layout = make_layout();
  const VkPipeline whole = make_pipeline(shape);
  shape.vertex = make_shader(point_vert);
  shape.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  const VkPipeline point = make_pipeline(shape);
  const Buffer picture = draw(whole, [&](VkCommandBuffer commands) {
    vkCmdDraw(commands, 6, 1, 0, 0);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, point);
    vkCmdDraw(commands, 1, 1, 3, 0);
  });
  EXPECT_EQ(pixel(picture, 3, 0), (Color{255, 0, 255, 255}));
  EXPECT_EQ(pixel(picture, 4, 8), kBlack);
}

struct Indirect : Core {
  VkPipeline pipeline = VK_NULL_HANDLE;
  void SetUp() override {
    features.multiDrawIndirect = features.drawIndirectFirstInstance = VK_TRUE;
    extensions.push_back(VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME);
    Core::SetUp();
    shape.fragment = make_shader(pushed_frag);
    shape.layout = make_layout({}, 16);
    pipeline = make_pipeline(shape);
  }
  void push_red(VkCommandBuffer commands) const {
    const Vec4 red{1, 0, 0, 1};
    vkCmdPushConstants(commands, shape.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof red, red.data());
  }
};

TEST_F(Indirect, DrawsTheirCount) {
  const Buffer arguments = make_buffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  std::memset(arguments.mapped, 0, 64);
  const VkDrawIndirectCommand left{6, 1, 0, 0}, right{6, 1, 0, 1};
  std::memcpy(arguments.mapped + 4, &left, sizeof left);
  std::memcpy(arguments.mapped + 4 + 24, &right, sizeof right);
  for (uint32_t count = 0; count < 3; count++) {
    const Buffer picture = draw(pipeline, [&](VkCommandBuffer commands) {
      push_red(commands);
      vkCmdDrawIndirect(commands, arguments.buffer, 4, count, 24);
    });
    EXPECT_EQ(pixel(picture, 0, 0), count > 0 ? kRed : kNothing) << count;
    EXPECT_EQ(pixel(picture, 15, 0), count > 1 ? kRed : kNothing) << count;
  }
}

TEST_F(Indirect, TheCountMayLieInMemory) {
  const auto draw_count = reinterpret_cast<PFN_vkCmdDrawIndexedIndirectCountKHR>(
      vkGetDeviceProcAddr(device, "vkCmdDrawIndexedIndirectCountKHR"));
  ASSERT_NE(draw_count, nullptr);
  const Buffer indices = make_buffer(12, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  for (uint16_t i = 0; i < 6; i++) indices.put(i, i);
  const Buffer arguments = make_buffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  arguments.put(0, VkDrawIndexedIndirectCommand{6, 1, 0, 0, 0});
  arguments.put(1, VkDrawIndexedIndirectCommand{6, 1, 0, 0, 1});
  arguments.put<uint32_t>(10, 1);
  arguments.put<uint32_t>(11, 7);
  for (uint32_t where : {10u, 11u}) {
    const Buffer picture = draw(pipeline, [&](VkCommandBuffer commands) {
      push_red(commands);
      vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
      draw_count(commands, arguments.buffer, 0, arguments.buffer, where * 4, 2,
                 sizeof(VkDrawIndexedIndirectCommand));
    });
    EXPECT_EQ(pixel(picture, 0, 0), kRed);
    EXPECT_EQ(pixel(picture, 15, 0), where == 11 ? kRed : kNothing);
  }
}

// The count is that at the offset given, and never more than the most that the command allows.
TEST_F(Indirect, CountsOfDrawsWithoutIndicesToo) {
  const auto draw_count = reinterpret_cast<PFN_vkCmdDrawIndirectCountKHR>(
      vkGetDeviceProcAddr(device, "vkCmdDrawIndirectCountKHR"));
  ASSERT_NE(draw_count, nullptr);
  const Buffer arguments = make_buffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  arguments.put(1, VkDrawIndirectCommand{6, 1, 0, 0});
  arguments.put(2, VkDrawIndirectCommand{6, 1, 0, 1});
  const Buffer counts = make_buffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  for (const uint32_t most : {1u, 2u})
    for (const uint32_t count : {0u, 1u, 2u, 1000u})
      for (const uint32_t where : {0u, 4u, 5u}) {
        for (uint32_t i = 0; i < 16; i++)
          counts.put<uint32_t>(i, i == where ? count : 2 - std::min(count, 2u));
        const Buffer picture = draw(pipeline, [&](VkCommandBuffer commands) {
          push_red(commands);
          draw_count(commands, arguments.buffer, 16, counts.buffer, where * 4, most,
                     sizeof(VkDrawIndirectCommand));
        });
        EXPECT_EQ(pixel(picture, 0, 0), count > 0 ? kRed : kNothing) << count << " of " << most;
        EXPECT_EQ(pixel(picture, 15, 0), std::min(count, most) > 1 ? kRed : kNothing)
            << count << " of " << most;
      }
}

TEST_F(Core, DynamicOffsetsFollowTheirBindings) {
  const VkDescriptorType dynamic = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  // Given out of order: dynamic offsets count by binding number, then by element.
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

// 16 bindings of the largest stride that every implementation has.
TEST_F(Core, SixteenVertexBindings) {
  constexpr uint32_t kStride = 2048;
  shape.vertex = make_shader(sixteen_vert);
  shape.fragment = make_shader(passed_frag);
  shape.layout = make_layout();
  for (uint32_t i = 0; i < 16; i++) {
    shape.bindings.push_back({i, kStride, VK_VERTEX_INPUT_RATE_VERTEX});
    shape.attributes.push_back({i, i, VK_FORMAT_R32G32B32A32_SFLOAT, 2032});
  }
  const VkPipeline pipeline = make_pipeline(shape);
  const Buffer vertices = make_buffer(16 * 3 * kStride, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  std::memset(vertices.mapped, 0, 16 * 3 * kStride);
  for (uint32_t i = 0; i < 16; i++)
    for (uint32_t v = 0; v < 3; v++) {
      Vec4 value{};
      value[i % 4] = 0.25f;
      std::memcpy(vertices.mapped + (i * 3 + v) * kStride + 2032, value.data(), sizeof value);
    }
  const Buffer picture = draw(pipeline, [&](VkCommandBuffer commands) {
    const std::array<VkBuffer, 16> buffers = [&] {
      std::array<VkBuffer, 16> all;
      all.fill(vertices.buffer);
      return all;
    }();
    std::array<VkDeviceSize, 16> offsets;
    for (uint32_t i = 0; i < 16; i++) offsets[i] = i * 3 * kStride;
    vkCmdBindVertexBuffers(commands, 0, 16, buffers.data(), offsets.data());
    vkCmdDraw(commands, 3, 1, 0, 0);
  });
  EXPECT_EQ(pixel(picture, 5, 5), kWhite);
}

// An immutable sampler stays when a descriptor is written with another one.
TEST_F(Core, ImmutableSamplersStay) {
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

TEST_F(Core, ClearsReachTheirLevelsAndLayersAlone) {
  const Image image = make_image(
      kFormat, VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
      3, 3);
  const VkCommandBuffer commands = begin();
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                    VK_REMAINING_ARRAY_LAYERS};
  const VkImageMemoryBarrier ready{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                   nullptr,
                                   0,
                                   VK_ACCESS_TRANSFER_WRITE_BIT,
                                   VK_IMAGE_LAYOUT_UNDEFINED,
                                   VK_IMAGE_LAYOUT_GENERAL,
                                   0,
                                   0,
                                   image.image,
                                   all};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &ready);
  const VkMemoryBarrier next{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                             VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT};
  const auto wait = [&] {
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                         &next, 0, nullptr, 0, nullptr);
  };
  const VkClearColorValue blue{{0, 0, 1, 1}}, red{{1, 0, 0, 1}};
  vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &blue, 1, &all);
  wait();
  const VkImageSubresourceRange some[2] = {{VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 1, VK_REMAINING_ARRAY_LAYERS},
                                           {VK_IMAGE_ASPECT_COLOR_BIT, 2, VK_REMAINING_MIP_LEVELS, 0, 1}};
  vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, &red, 2, some);
  wait();
  const Buffer to = make_buffer(9 * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  for (uint32_t level = 0; level < 3; level++) {
    VkBufferImageCopy corner{};  // the last texel of each layer
    corner.bufferOffset = level * 12;
    corner.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 3};
    const auto last = static_cast<int32_t>((kSide >> level) - 1);
    corner.imageOffset = {last, last, 0};
    corner.imageExtent = {1, 1, 1};
    vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &corner);
  }
  submit(commands);
  for (uint32_t level = 0; level < 3; level++)
    for (uint32_t layer = 0; layer < 3; layer++)
      EXPECT_EQ(to.at<Color>(level * 3 + layer),
                (level == 1 && layer >= 1) || (level == 2 && layer == 0) ? kRed : kBlue)
          << level << " " << layer;
}

TEST_F(Core, BuffersAreFilledAndUpdated) {
  const Buffer buffer = make_buffer(30, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  std::memset(buffer.mapped, 0xee, 30);
  const VkCommandBuffer commands = begin();
  vkCmdFillBuffer(commands, buffer.buffer, 4, VK_WHOLE_SIZE, 0x01020304);  // 24 of 26 bytes
  const VkMemoryBarrier next{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                             VK_ACCESS_TRANSFER_WRITE_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &next,
                       0, nullptr, 0, nullptr);
  const std::array<uint32_t, 2> data{7, 8};
  vkCmdUpdateBuffer(commands, buffer.buffer, 8, sizeof data, data.data());
  submit(commands);
  EXPECT_EQ((buffer.at<std::array<uint32_t, 7>>(0)),
            (std::array<uint32_t, 7>{0xeeeeeeee, 0x01020304, 7, 8, 0x01020304, 0x01020304, 0x01020304}));
  EXPECT_EQ(buffer.at<uint8_t>(28), 0xee);
}

struct Imageless : Core {
  VkPhysicalDeviceImagelessFramebufferFeatures wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES, nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.insert(extensions.end(),
                      {VK_KHR_IMAGELESS_FRAMEBUFFER_EXTENSION_NAME, VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME});
    Core::SetUp();
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

// A framebuffer of several layers: what clears it at the pass's start clears all, a draw without a geometry
// shader goes to the first.
TEST_F(Core, DrawsGoToTheFirstLayer) {
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
