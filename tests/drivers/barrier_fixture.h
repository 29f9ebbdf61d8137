#pragma once

#include <filesystem>
#include <set>

#include "barrier_judge.h"
#include "base/testing/temporary_folder.h"
#include "icd/testing/render_fixture.h"
#include "shaders/half_vert.h"
#include "shaders/pushed_frag.h"
#include "shaders/sampled_frag.h"

// A test records what it submits. When its device is gone, the clocked machine must leave what the emulator
// leaves, and must not without any one of the FLUSH and INVALIDATE packets that the driver made of barriers:
// the test depends on each of them.
namespace cutaway::icd::testing {

struct Barriers : Renderer {
  static constexpr VkPipelineStageFlags kColorStage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  static constexpr VkPipelineStageFlags kFragmentStage = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  static constexpr VkPipelineStageFlags kTransferStage = VK_PIPELINE_STAGE_TRANSFER_BIT;
  static constexpr VkPipelineStageFlags kTestStages =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  static constexpr VkAccessFlags kColorWrite = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  static constexpr VkAccessFlags kDepthWrite = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  static constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

  const std::filesystem::path path = cutaway::temporary_folder() / "barriers.cutaway";
  std::set<std::string> needed;  // packets without one of which the machine's memory is another
  machine::Config config;        // of the machine
  VkShaderModule half = VK_NULL_HANDLE;

  void SetUp() override {
    setenv("CUTAWAY_CAPTURE", path.c_str(), 1);
    Renderer::SetUp();
    unsetenv("CUTAWAY_CAPTURE");
    half = make_shader(half_vert);
  }
  void TearDown() override {
    Renderer::TearDown();
    if (!HasFatalFailure()) judge();
    std::filesystem::remove(path);
  }

  void judge() const {
    const capture::Reader capture(path);
    ASSERT_TRUE(equal_without(capture, {}, config)) << "machine and emulator differ";
    std::set<std::string> noticed;
    std::string all;
    for (const BarrierPacket& packet : barriers_between_work(capture)) {
      const bool equal = equal_without(capture, packet, config);
      if (!equal) noticed.insert(packet.text());
      all += ' ' + packet.text() + (equal ? "" : "!");
    }
    for (const std::string& packet : needed)
      EXPECT_TRUE(noticed.contains(packet)) << packet << " is not needed; noticed are those with !:" << all;
    if (getenv("BARRIERS_PRINT")) printf("%s\n", all.c_str());
  }

  // A pass of one subpass, with one dependency at most, everything in the general layout.
  VkRenderPass make_plain_pass(VkFormat format, VkAttachmentLoadOp load,
                               const VkSubpassDependency* dependency = nullptr) {
    const bool deep = aspect_of(format) != VK_IMAGE_ASPECT_COLOR_BIT;
    VkAttachmentDescription attachment{};
    attachment.format = format;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = load;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = deep ? 0 : 1;
    subpass.pColorAttachments = &reference;
    if (deep) subpass.pDepthStencilAttachment = &reference;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = info.subpassCount = 1;
    info.pAttachments = &attachment;
    info.pSubpasses = &subpass;
    info.dependencyCount = dependency ? 1 : 0;
    info.pDependencies = dependency;
    return make_pass(info);
  }

  // A render target, and the passes that clear and keep it.
  struct Target {
    Image image;
    VkRenderPass clear, keep;
    VkFramebuffer framebuffer;
  };
  Target make_target(VkFormat format) {
    const bool deep = aspect_of(format) != VK_IMAGE_ASPECT_COLOR_BIT;
    Target made;
    made.image = make_image(
        format,
        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
            VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
            (deep ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
    made.clear = make_plain_pass(format, VK_ATTACHMENT_LOAD_OP_CLEAR);
    made.keep = make_plain_pass(format, VK_ATTACHMENT_LOAD_OP_LOAD);
    made.framebuffer = make_framebuffer(made.clear, {made.image.view});
    return made;
  }

  // Sets whose binding 0 is an image to sample.
  struct Texture {
    VkPipelineLayout layout;
    VkDescriptorSet set;
  };
  Texture make_texture(const Image& image) {
    VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler sampler = VK_NULL_HANDLE;
    ok(vkCreateSampler(device, &info, nullptr, &sampler));
    at_end([this, sampler] { vkDestroySampler(device, sampler, nullptr); });
    const VkDescriptorType type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const auto [set_layout, set] = make_set({{0, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
    const VkDescriptorImageInfo written{sampler, image.view, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 0, 0, 1, type};
    write.pImageInfo = &written;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
    return {make_layout({set_layout}), set};
  }

  PipelineShape colored(VkRenderPass pass) {
    PipelineShape shape;
    shape.vertex = half;
    shape.fragment = make_shader(pushed_frag);
    shape.layout = make_layout({}, 16);
    shape.pass = pass;
    return shape;
  }
  PipelineShape textured(VkRenderPass pass, const Texture& texture) {
    PipelineShape shape;
    shape.vertex = half;
    shape.fragment = make_shader(sampled_frag);
    shape.layout = texture.layout;
    shape.pass = pass;
    return shape;
  }
  // Writes its depth of 0.5 where the test passes.
  PipelineShape deep(VkRenderPass pass, VkCompareOp compare) {
    PipelineShape shape;
    shape.vertex = half;
    shape.layout = make_layout();
    shape.pass = pass;
    shape.colors = 0;
    shape.depth.depthTestEnable = shape.depth.depthWriteEnable = VK_TRUE;
    shape.depth.depthCompareOp = compare;
    return shape;
  }

  static void bind(VkCommandBuffer commands, const Texture& texture) {
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, texture.layout, 0, 1, &texture.set, 0,
                            nullptr);
  }
  static void push(VkCommandBuffer commands, VkPipelineLayout layout, const std::array<float, 4>& color) {
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof color, color.data());
  }
  // A pass with one draw of some instances of half.vert: the left, the right or both halves.
  template <class State>
  static void draw(VkCommandBuffer commands, VkRenderPass pass, const Target& target, VkPipeline pipeline,
                   uint32_t first, uint32_t count, State&& state) {
    begin_pass(commands, pass, target.framebuffer);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    state();
    vkCmdDraw(commands, 6, count, 0, first);
    vkCmdEndRenderPass(commands);
  }

  static void barrier(VkCommandBuffer commands, const Image& image, VkPipelineStageFlags from,
                      VkAccessFlags source, VkPipelineStageFlags to, VkAccessFlags destination,
                      VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL) {
    const VkImageMemoryBarrier memory{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                      nullptr,
                                      source,
                                      destination,
                                      layout,
                                      VK_IMAGE_LAYOUT_GENERAL,
                                      VK_QUEUE_FAMILY_IGNORED,
                                      VK_QUEUE_FAMILY_IGNORED,
                                      image.image,
                                      {aspect_of(image.format), 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, from, to, 0, 0, nullptr, 0, nullptr, 1, &memory);
  }
  static void barrier(VkCommandBuffer commands, const Buffer& buffer, VkPipelineStageFlags from,
                      VkAccessFlags source, VkPipelineStageFlags to, VkAccessFlags destination) {
    const VkBufferMemoryBarrier memory{VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                       nullptr,
                                       source,
                                       destination,
                                       VK_QUEUE_FAMILY_IGNORED,
                                       VK_QUEUE_FAMILY_IGNORED,
                                       buffer.buffer,
                                       0,
                                       VK_WHOLE_SIZE};
    vkCmdPipelineBarrier(commands, from, to, 0, 0, nullptr, 1, &memory, 0, nullptr);
  }
  static void begin_use(VkCommandBuffer commands, std::initializer_list<const Image*> images) {
    for (const Image* image : images)
      barrier(commands, *image, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
              VK_ACCESS_MEMORY_WRITE_BIT, VK_IMAGE_LAYOUT_UNDEFINED);
  }

  static void upload(VkCommandBuffer commands, const Buffer& from, const Image& to) {
    const VkBufferImageCopy region = whole(to);
    vkCmdCopyBufferToImage(commands, from.buffer, to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  }
  static void download(VkCommandBuffer commands, const Image& from, const Buffer& to) {
    const VkBufferImageCopy region = whole(from);
    vkCmdCopyImageToBuffer(commands, from.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &region);
    barrier(commands, to, kTransferStage, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT);
  }
  static VkBufferImageCopy whole(const Image& image) {
    VkBufferImageCopy region{};
    region.imageSubresource = {aspect_of(image.format), 0, 0, 1};
    region.imageExtent = {kSide, kSide, 1};
    return region;
  }
  // A color image after draws, into a buffer.
  Buffer show(VkCommandBuffer commands, const Image& image) {
    const Buffer picture = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    barrier(commands, image, kColorStage, kColorWrite, kTransferStage, VK_ACCESS_TRANSFER_READ_BIT);
    download(commands, image, picture);
    return picture;
  }
  // All pixels, or texels of depth, of one value.
  template <class Texel>
  Buffer filled(const Texel& texel) {
    const Buffer made = make_buffer(kSide * kSide * sizeof texel,
                                    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (uint32_t i = 0; i < kSide * kSide; i++) made.put(i, texel);
    return made;
  }
};

}  // namespace cutaway::icd::testing
