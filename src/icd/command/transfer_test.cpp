#include "icd/testing/render_fixture.h"

// Clears of images, fills and updates of buffers.
namespace {

using namespace cutaway::icd::testing;

struct Transfers : Renderer {};

TEST_F(Transfers, ClearsReachTheirLevelsAndLayersAlone) {
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

TEST_F(Transfers, BuffersAreFilledAndUpdated) {
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

}  // namespace
