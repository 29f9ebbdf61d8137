#include "barrier_fixture.h"
#include "icd/testing/depth_feedback.h"
#include "shaders/depth_stencil_input_frag.h"
#include "shaders/subpass_input_frag.h"

// Barriers that render passes and events make.
namespace pass_barriers_test {
namespace {

using namespace cutaway::icd::testing;

constexpr std::array<float, 4> kRedTint{1, 0, 0, 1}, kGreenTint{0, 1, 0, 1};
constexpr VkAttachmentLoadOp kKeeps = VK_ATTACHMENT_LOAD_OP_LOAD;

// An order within a subpass, for depth and stencil that are read and written by one draw.
TEST_F(Barriers, DepthAndStencilAreReadWithinTheirSubpass) {
  expect_depth_feedback(draw_depth_feedback(*this, half, make_shader(depth_stencil_input_frag)));
  needed = {"FLUSH(2)", "INVALIDATE(4)"};
}

// Two pictures: what a pass draws, and what the next subpass, or the next pass, reads of it.
struct PassBarriers : Barriers {
  Target first, second;
  VkCommandBuffer commands = nullptr;

  void SetUp() override {
    Barriers::SetUp();
    first = make_target(kFormat), second = make_target(kFormat);
    commands = begin();
    begin_use(commands, {&first.image, &second.image});
  }
  void depend(Target& target, const VkSubpassDependency& dependency) {
    target.keep = make_plain_pass(kFormat, kKeeps, &dependency);
    target.framebuffer = make_framebuffer(target.keep, {target.image.view});
  }
  // A set whose binding 0 is an input attachment, and what shows it as .gbra.
  Texture make_input(const Image& image) {
    const VkDescriptorType type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    const auto [set_layout, set] = make_set({{0, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
    const VkDescriptorImageInfo info{VK_NULL_HANDLE, image.view, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, 0, 0, 1, type};
    write.pImageInfo = &info;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
    return {make_layout({set_layout}), set};
  }
  PipelineShape reading(VkRenderPass pass, const Texture& input) {
    PipelineShape shape = colored(pass);
    shape.fragment = make_shader(subpass_input_frag);
    shape.layout = input.layout;
    return shape;
  }
  static VkSubpassDependency color_to_sampled(uint32_t from, uint32_t to) {
    return {from, to, kColorStage, kFragmentStage, kColorWrite, VK_ACCESS_SHADER_READ_BIT, 0};
  }
  // Draws to the first and samples it into a half of the second, twice.
  template <class Between>
  void draw_and_sample(Between&& between) {
    const Texture texture = make_texture(first.image);
    const PipelineShape color = colored(first.keep);
    const VkPipeline paint_it = make_pipeline(color), show_it = make_pipeline(textured(second.keep, texture));
    for (uint32_t i = 0; i < 2; i++) {
      draw(commands, first.keep, first, paint_it, 0, 2,
           [&] { push(commands, color.layout, i ? kGreenTint : kRedTint); });
      between();
      draw(commands, second.keep, second, show_it, i, 1, [&] { bind(commands, texture); });
      barrier(commands, first.image, kFragmentStage, 0, kColorStage, kColorWrite);
    }
    const Buffer result = show(commands, second.image);
    submit(commands);
    EXPECT_EQ(pixel(result, 3, 3), kRed);
    EXPECT_EQ(pixel(result, 12, 12), kGreen);
    needed = {"FLUSH(1)", "INVALIDATE(4)"};
  }
};

TEST_F(PassBarriers, TheDependencyAtTheEndOfAPass) {
  depend(first, color_to_sampled(0, VK_SUBPASS_EXTERNAL));
  draw_and_sample([] {});
}

TEST_F(PassBarriers, TheDependencyAtTheBeginningOfAPass) {
  depend(second, color_to_sampled(VK_SUBPASS_EXTERNAL, 0));
  draw_and_sample([] {});
}

// With a copy as the reader: no pass begins in between, whose own dependency would do the same.
TEST_F(PassBarriers, AnEventThatIsWaitedFor) {
  const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event = VK_NULL_HANDLE;
  ok(vkCreateEvent(device, &info, nullptr, &event));
  at_end([this, event] { vkDestroyEvent(device, event, nullptr); });
  const PipelineShape color = colored(first.keep);
  const VkPipeline paint_it = make_pipeline(color);
  const Buffer result = make_buffer(kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  draw(commands, first.keep, first, paint_it, 0, 2, [&] { push(commands, color.layout, kRedTint); });
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, kColorWrite,
                               VK_ACCESS_TRANSFER_READ_BIT};
  vkCmdSetEvent(commands, event, kColorStage);
  vkCmdWaitEvents(commands, 1, &event, kColorStage, kTransferStage, 1, &memory, 0, nullptr, 0, nullptr);
  download(commands, first.image, result);
  submit(commands);
  EXPECT_EQ(pixel(result, 3, 3), kRed);
  needed = {"FLUSH(1)"};
}

TEST_F(PassBarriers, MemoryAccessesOfAllKinds) {
  draw_and_sample([&] {
    const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                                 VK_ACCESS_MEMORY_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                         1, &memory, 0, nullptr, 0, nullptr);
  });
}

// VK_KHR_synchronization2: stages and accesses that version 1.0 has no bits for.
struct PassBarriers2 : PassBarriers {
  VkPhysicalDeviceSynchronization2Features wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME);
    PassBarriers::SetUp();
  }
};

TEST_F(PassBarriers2, StagesAndAccessesOf64Bits) {
  PFN_vkCmdPipelineBarrier2KHR barrier2 = nullptr;
  load(barrier2, "vkCmdPipelineBarrier2KHR");
  draw_and_sample([&] {
    VkImageMemoryBarrier2 image{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    image.srcStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    image.srcAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
    image.dstStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    image.dstAccessMask = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
    image.oldLayout = image.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    image.srcQueueFamilyIndex = image.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    image.image = first.image.image;
    image.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.imageMemoryBarrierCount = 1;
    dependency.pImageMemoryBarriers = &image;
    barrier2(commands, &dependency);
  });
}

// Available by one barrier, visible by another.
TEST_F(PassBarriers, TwoBarriersThatFollowEachOther) {
  draw_and_sample([&] {
    barrier(commands, first.image, kColorStage, kColorWrite, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0);
    barrier(commands, first.image, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, kFragmentStage,
            VK_ACCESS_SHADER_READ_BIT);
  });
}

// The second subpass reads the first's color as its input.
TEST_F(PassBarriers, TheDependencyBetweenSubpasses) {
  VkAttachmentDescription attachment{};
  attachment.format = kFormat;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = kKeeps;
  attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentDescription attachments[2] = {attachment, attachment};
  const VkAttachmentReference references[2] = {{0, VK_IMAGE_LAYOUT_GENERAL}, {1, VK_IMAGE_LAYOUT_GENERAL}};
  VkSubpassDescription subpasses[2] = {};
  subpasses[0].colorAttachmentCount = subpasses[1].colorAttachmentCount = 1;
  subpasses[0].pColorAttachments = &references[0];
  subpasses[1].pColorAttachments = &references[1];
  subpasses[1].inputAttachmentCount = 1;
  subpasses[1].pInputAttachments = &references[0];
  const VkSubpassDependency dependency{0,
                                       1,
                                       kColorStage,
                                       kFragmentStage,
                                       kColorWrite,
                                       VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                       VK_DEPENDENCY_BY_REGION_BIT};
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = info.subpassCount = 2;
  info.pAttachments = attachments;
  info.pSubpasses = subpasses;
  info.dependencyCount = 1;
  info.pDependencies = &dependency;
  const VkRenderPass pass = make_pass(info);
  const VkFramebuffer framebuffer = make_framebuffer(pass, {first.image.view, second.image.view});
  const PipelineShape color = colored(pass);
  const Texture input = make_input(first.image);
  PipelineShape reads = reading(pass, input);
  reads.subpass = 1;
  const VkPipeline paint_it = make_pipeline(color), show_it = make_pipeline(reads);
  for (uint32_t i = 0; i < 2; i++) {
    begin_pass(commands, pass, framebuffer);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, paint_it);
    push(commands, color.layout, i ? kGreenTint : kRedTint);
    vkCmdDraw(commands, 6, 2, 0, 0);
    vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, show_it);
    bind(commands, input);
    vkCmdDraw(commands, 6, 1 + i, 0, 0);
    vkCmdEndRenderPass(commands);
    barrier(commands, first.image, kFragmentStage, 0, kColorStage, kColorWrite);
  }
  const Buffer result = show(commands, second.image);
  submit(commands);
  EXPECT_EQ(pixel(result, 3, 3), kRed);  // .gbra of green
  EXPECT_EQ(pixel(result, 12, 12), kRed);
  needed = {"FLUSH(1)", "INVALIDATE(4)"};
}

// A subpass reads an attachment that a load operation has cleared.
TEST_F(PassBarriers, AClearedInputIsRead) {
  VkAttachmentDescription attachments[2] = {};
  for (VkAttachmentDescription& attachment : attachments) {
    attachment.format = kFormat;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = kKeeps;
    attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  }
  attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  const VkAttachmentReference input{0, VK_IMAGE_LAYOUT_GENERAL}, color{1, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = subpass.inputAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  subpass.pInputAttachments = &input;
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 2;
  info.pAttachments = attachments;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  const VkRenderPass pass = make_pass(info);
  const VkFramebuffer framebuffer = make_framebuffer(pass, {first.image.view, second.image.view});
  const Texture read = make_input(first.image);
  const VkPipeline show_it = make_pipeline(reading(pass, read));
  begin_pass(commands, pass, framebuffer, VK_SUBPASS_CONTENTS_INLINE, {clear_color(0, 1, 0), {}});
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, show_it);
  bind(commands, read);
  vkCmdDraw(commands, 6, 2, 0, 0);
  vkCmdEndRenderPass(commands);
  const Buffer result = show(commands, second.image);
  submit(commands);
  EXPECT_EQ(pixel(result, 3, 3), kRed);  // .gbra of green
  needed = {"FLUSH(1)"};
  messages.clear();  // valid only where the subpass writes the attachment, too
}

// Several samples are resolved at the end of a subpass, and resolved again.
TEST_F(PassBarriers, ResolvesReadWhatWasDrawn) {
  const Image samples = make_image(kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 1, 1, VK_SAMPLE_COUNT_4_BIT);
  VkAttachmentDescription attachments[2] = {};
  for (VkAttachmentDescription& attachment : attachments) {
    attachment.format = kFormat;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = kKeeps;
    attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  }
  attachments[0].samples = VK_SAMPLE_COUNT_4_BIT;
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_GENERAL}, resolve{1, VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  subpass.pResolveAttachments = &resolve;
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 2;
  info.pAttachments = attachments;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  const VkRenderPass pass = make_pass(info);
  const VkFramebuffer framebuffer = make_framebuffer(pass, {samples.view, first.image.view});
  PipelineShape shape = colored(pass);
  shape.samples = VK_SAMPLE_COUNT_4_BIT;
  const VkPipeline pipeline = make_pipeline(shape);
  begin_use(commands, {&samples});
  for (uint32_t i = 0; i < 2; i++) {
    begin_pass(commands, pass, framebuffer);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    push(commands, shape.layout, i ? kGreenTint : kRedTint);
    vkCmdDraw(commands, 6, i ? 1 : 2, 0, 0);
    vkCmdEndRenderPass(commands);
    barrier(commands, first.image, kColorStage, kColorWrite, kColorStage, kColorWrite);
  }
  const Buffer result = show(commands, first.image);
  submit(commands);
  EXPECT_EQ(pixel(result, 3, 3), kGreen);
  EXPECT_EQ(pixel(result, 12, 12), kRed);
  needed = {"FLUSH(1)", "INVALIDATE(4)"};
}

}  // namespace
}  // namespace pass_barriers_test
