#pragma once

#include "icd/testing/pipeline_fixture.h"

namespace cutaway::icd::testing {

using Color = std::array<uint8_t, 4>;
constexpr Color kBlack{0, 0, 0, 255}, kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlue{0, 0, 255, 255},
    kWhite{255, 255, 255, 255};

// Pictures of 16x16 pixels of R8G8B8A8_UNORM and everything needed to draw them.
struct Renderer : Pipelines {
  VkCommandPool pool = VK_NULL_HANDLE;

  void SetUp() override {
    Pipelines::SetUp();
    VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    info.queueFamilyIndex = families[0];
    ok(vkCreateCommandPool(device, &info, nullptr, &pool));
    at_end([this] { vkDestroyCommandPool(device, pool, nullptr); });
  }

  VkCommandBuffer allocate_commands(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) const {
    const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                           level, 1};
    VkCommandBuffer commands = nullptr;
    ok(vkAllocateCommandBuffers(device, &info, &commands));
    return commands;
  }
  VkCommandBuffer begin(VkCommandBufferUsageFlags flags = 0) const {
    const VkCommandBuffer commands = allocate_commands();
    const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, flags};
    ok(vkBeginCommandBuffer(commands, &info));
    return commands;
  }
  static void begin_pass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
                         VkSubpassContents contents = VK_SUBPASS_CONTENTS_INLINE,
                         std::vector<VkClearValue> values = std::vector<VkClearValue>(8)) {
    VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    info.renderPass = pass;
    info.framebuffer = framebuffer;
    info.renderArea = {{0, 0}, {kSide, kSide}};
    info.clearValueCount = static_cast<uint32_t>(values.size());
    info.pClearValues = values.data();
    vkCmdBeginRenderPass(commands, &info, contents);
  }
  // A secondary command buffer for draws in a pass.
  template <class Body>
  VkCommandBuffer record_secondary(VkRenderPass pass, Body&& body) const {
    const VkCommandBuffer commands = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    inherited.renderPass = pass;
    const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                        VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, &inherited};
    ok(vkBeginCommandBuffer(commands, &info));
    body(commands);
    ok(vkEndCommandBuffer(commands));
    return commands;
  }
  // Same as a pass of the primary: executes the secondary if there is one, otherwise the body.
  template <class Body>
  static void run_pass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer, Body&& body,
                       VkCommandBuffer secondary = VK_NULL_HANDLE,
                       std::vector<VkClearValue> values = std::vector<VkClearValue>(8)) {
    begin_pass(commands, pass, framebuffer,
               secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE,
               std::move(values));
    if (secondary) vkCmdExecuteCommands(commands, 1, &secondary);
    else body(commands);
    vkCmdEndRenderPass(commands);
  }
  static VkClearValue clear_color(float r, float g, float b, float a = 1) {
    VkClearValue value;
    value.color = {{r, g, b, a}};
    return value;
  }

  // Copies all layers of an image, which must be available for copies, into a buffer, one after the other.
  Buffer read_back(VkCommandBuffer commands, const Image& image) {
    const Buffer to =
        make_buffer(uint64_t{image.layers} * kSide * kSide * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    read_back(commands, image, to);
    return to;
  }
  static void read_back(VkCommandBuffer commands, const Image& image, const Buffer& to) {
    VkBufferImageCopy region{};
    region.imageSubresource = {aspect_of(image.format), 0, 0, image.layers};
    region.imageExtent = {kSide, kSide, 1};
    vkCmdCopyImageToBuffer(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to.buffer, 1,
                           &region);
    const VkMemoryBarrier host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                               VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &host, 0,
                         nullptr, 0, nullptr);
  }
  static Color pixel(const Buffer& picture, uint32_t x, uint32_t y, uint32_t layer = 0) {
    return picture.at<Color>((layer * kSide + y) * kSide + x);
  }

  void submit(VkCommandBuffer commands) {
    ok(vkEndCommandBuffer(commands));
    submit_again(commands);
  }
  void submit_again(VkCommandBuffer commands) const {
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    ok(vkQueueWaitIdle(queue));
  }
};

}  // namespace cutaway::icd::testing
