// Scales texels: a chain of mipmaps made by blits, and parts of it enlarged, reduced and mirrored, with both
// filters and through other formats.
//
//   blits OUTPUT.ppm

#include <array>

#include "headless.h"

namespace {

using headless::Buffer;
using headless::Context;
using headless::Image;

constexpr int32_t kWidth = 192, kHeight = 160, kSource = 64;
constexpr uint32_t kLevels = 5;

VkImageSubresourceLayers level(uint32_t number) { return {VK_IMAGE_ASPECT_COLOR_BIT, number, 0, 1}; }

void blit(VkCommandBuffer commands, const Image& source, const Image& destination, const VkImageBlit& region,
          VkFilter filter) {
  vkCmdBlitImage(commands, source.image, VK_IMAGE_LAYOUT_GENERAL, destination.image, VK_IMAGE_LAYOUT_GENERAL,
                 1, &region, filter);
  headless::full_barrier(commands);
}

// Ramps in red and green, squares in blue.
void fill(const Buffer& texels) {
  auto* out = static_cast<uint8_t*>(texels.mapped);
  for (int32_t y = 0; y < kSource; y++)
    for (int32_t x = 0; x < kSource; x++, out += 4) {
      out[0] = static_cast<uint8_t>(x * 4);
      out[1] = static_cast<uint8_t>(y * 4);
      out[2] = (x / 8 + y / 8) % 2 ? 230 : 40;
      out[3] = 255;
    }
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
  const Image chain = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kSource, kSource, kLevels, usage);
  const Image wide = context.make_image(VK_FORMAT_R16G16B16A16_SFLOAT, 50, 70, 1, usage);
  const Image swapped = context.make_image(VK_FORMAT_B8G8R8A8_SRGB, 40, 40, 1, usage);
  const Image result = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kWidth, kHeight, 1, usage);
  const Buffer texels = context.make_buffer(kSource * kSource * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  const Buffer read = context.make_buffer(kWidth * kHeight * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  fill(texels);

  const VkCommandBuffer commands = context.begin();
  for (const Image& image : {chain, wide, swapped, result})
    headless::to_general(commands, image, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  const VkClearColorValue grey{{0.25f, 0.25f, 0.25f, 1}};
  vkCmdClearColorImage(commands, result.image, VK_IMAGE_LAYOUT_GENERAL, &grey, 1, &all);
  const VkBufferImageCopy upload{0, 0, 0, level(0), {0, 0, 0}, {kSource, kSource, 1}};
  vkCmdCopyBufferToImage(commands, texels.buffer, chain.image, VK_IMAGE_LAYOUT_GENERAL, 1, &upload);
  headless::full_barrier(commands);

  // Each level from the one above it.
  for (uint32_t i = 1; i < kLevels; i++) {
    const int32_t from = kSource >> (i - 1), to = kSource >> i;
    blit(commands, chain, chain,
         {level(i - 1), {{0, 0, 0}, {from, from, 1}}, level(i), {{0, 0, 0}, {to, to, 1}}}, VK_FILTER_LINEAR);
  }
  // No pixel with the nearest texel has its center between two: rounding would choose.
  // The levels, each as large as the first: blocks in the upper row, smooth ones in the middle.
  for (int32_t i = 0; i < 3; i++) {
    const int32_t from = kSource >> (i + 1);
    const VkImageBlit blocks{level(static_cast<uint32_t>(i) + 1),
                             {{0, 0, 0}, {from, from - 1, 1}},
                             level(0),
                             {{i * 64, 0, 0}, {i * 64 + 64, 52, 1}}};
    blit(commands, chain, result, blocks, VK_FILTER_NEAREST);
    const VkImageBlit smooth{level(static_cast<uint32_t>(i) + 2),
                             {{kSource >> (i + 2), 1, 0}, {0, kSource >> (i + 2), 1}},
                             level(0),
                             {{i * 64, 54, 0}, {i * 64 + 60, 104, 1}}};
    blit(commands, chain, result, smooth, VK_FILTER_LINEAR);
  }
  // Through formats with other codes, upside down on the way.
  blit(commands, chain, wide, {level(0), {{3, 60, 0}, {61, 5, 1}}, level(0), {{0, 0, 0}, {50, 70, 1}}},
       VK_FILTER_LINEAR);
  blit(commands, wide, result, {level(0), {{0, 0, 0}, {50, 70, 1}}, level(0), {{4, 108, 0}, {84, 156, 1}}},
       VK_FILTER_LINEAR);
  blit(commands, chain, swapped, {level(0), {{0, 0, 0}, {63, 63, 1}}, level(0), {{40, 0, 0}, {0, 40, 1}}},
       VK_FILTER_NEAREST);
  blit(commands, swapped, result,
       {level(0), {{0, 0, 0}, {39, 39, 1}}, level(0), {{96, 108, 0}, {188, 158, 1}}}, VK_FILTER_NEAREST);

  const VkBufferImageCopy whole{0, 0, 0, level(0), {0, 0, 0}, {kWidth, kHeight, 1}};
  vkCmdCopyImageToBuffer(commands, result.image, VK_IMAGE_LAYOUT_GENERAL, read.buffer, 1, &whole);
  headless::full_barrier(commands);
  context.submit_and_wait(commands);
  headless::write_ppm(arguments[1], kWidth, kHeight, static_cast<const uint8_t*>(read.mapped));

  for (const Image& image : {chain, wide, swapped, result}) context.destroy(image);
  for (const Buffer& buffer : {texels, read}) context.destroy(buffer);
}
