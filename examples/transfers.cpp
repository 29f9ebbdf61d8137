// Moves bytes and texels without a shader: clears, fills, updates, copies and blits between buffers and
// images.
//
//   transfers OUTPUT.ppm

#include <array>

#include "headless.h"

namespace {

using headless::Buffer;
using headless::Context;
using headless::Image;

constexpr uint32_t kWidth = 44, kHeight = 28, kPatch = 12;
constexpr VkImageSubresourceLayers kLayers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

// A patch of one color with a line of others.
void fill_patch(VkCommandBuffer commands, const Buffer& patch) {
  vkCmdFillBuffer(commands, patch.buffer, 0, VK_WHOLE_SIZE, 0xff20c0f0);
  headless::full_barrier(commands);
  std::array<uint32_t, kPatch> line;
  for (uint32_t i = 0; i < kPatch; i++) line[i] = 0xff000000 | i * 0x150b13;
  vkCmdUpdateBuffer(commands, patch.buffer, 3 * sizeof line, sizeof line, line.data());
  headless::full_barrier(commands);
  const VkBufferCopy copy{3 * sizeof line, 7 * sizeof line, sizeof line - 8};
  vkCmdCopyBuffer(commands, patch.buffer, patch.buffer, 1, &copy);
  headless::full_barrier(commands);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const Context context;
  const VkImageUsageFlags usage =
      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  const Image first = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kWidth, kHeight, 1, usage);
  const Image second = context.make_image(VK_FORMAT_B8G8R8A8_UNORM, kWidth, kHeight, 1, usage);
  const Image last = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kWidth, kHeight, 1, usage);
  const Buffer patch = context.make_buffer(
      VkDeviceSize{kPatch} * kPatch * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const Buffer result =
      context.make_buffer(VkDeviceSize{kWidth} * kHeight * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);

  const VkCommandBuffer commands = context.begin();
  for (const Image& image : {first, second, last})
    headless::to_general(commands, image, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  const VkClearColorValue orange{{1, 0.5f, 0.25f, 1}}, grey{{0.25f, 0.25f, 0.25f, 1}};
  vkCmdClearColorImage(commands, first.image, VK_IMAGE_LAYOUT_GENERAL, &orange, 1, &all);
  vkCmdClearColorImage(commands, last.image, VK_IMAGE_LAYOUT_GENERAL, &grey, 1, &all);
  fill_patch(commands, patch);

  // Rows of the patch, once whole and once a part of each.
  const std::array<VkBufferImageCopy, 2> patches = {
      {{0, 0, 0, kLayers, {3, 5, 0}, {kPatch, kPatch, 1}}, {4, kPatch, 0, kLayers, {21, 2, 0}, {7, 9, 1}}}};
  vkCmdCopyBufferToImage(commands, patch.buffer, first.image, VK_IMAGE_LAYOUT_GENERAL, patches.size(),
                         patches.data());
  headless::full_barrier(commands);
  // The channels change places and the rows their order.
  const VkImageBlit upside_down{
      kLayers, {{0, kHeight, 0}, {kWidth, 0, 1}}, kLayers, {{0, 0, 0}, {kWidth, kHeight, 1}}};
  vkCmdBlitImage(commands, first.image, VK_IMAGE_LAYOUT_GENERAL, second.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                 &upside_down, VK_FILTER_NEAREST);
  headless::full_barrier(commands);
  // Part of it, left and right exchanged, and part of it with the channels' bytes as they are.
  const VkImageBlit mirrored{kLayers, {{2, 6, 0}, {26, 26, 1}}, kLayers, {{24, 1, 0}, {0, 21, 1}}};
  vkCmdBlitImage(commands, second.image, VK_IMAGE_LAYOUT_GENERAL, last.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                 &mirrored, VK_FILTER_NEAREST);
  const VkImageCopy copy{kLayers, {5, 9, 0}, kLayers, {27, 6, 0}, {15, 17, 1}};
  vkCmdCopyImage(commands, second.image, VK_IMAGE_LAYOUT_GENERAL, last.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                 &copy);
  headless::full_barrier(commands);
  const VkBufferImageCopy whole{0, 0, 0, kLayers, {0, 0, 0}, {kWidth, kHeight, 1}};
  vkCmdCopyImageToBuffer(commands, last.image, VK_IMAGE_LAYOUT_GENERAL, result.buffer, 1, &whole);
  headless::full_barrier(commands);
  context.submit_and_wait(commands);
  headless::write_ppm(arguments[1], kWidth, kHeight, static_cast<const uint8_t*>(result.mapped));

  for (const Image& image : {first, second, last}) context.destroy(image);
  for (const Buffer& buffer : {patch, result}) context.destroy(buffer);
}
