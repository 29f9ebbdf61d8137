#include "icd/testing/render_fixture.h"

// VK_KHR_copy_commands2: every command, in a primary and in a secondary command buffer.
namespace {

using namespace cutaway::icd::testing;

constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkImageSubresourceLayers kWhole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
constexpr VkExtent3D kExtent{16, 16, 1};

struct CopyCommands2 : Renderer {
  PFN_vkCmdCopyBuffer2KHR copy_buffer = nullptr;
  PFN_vkCmdCopyImage2KHR copy_image = nullptr;
  PFN_vkCmdCopyBufferToImage2KHR copy_buffer_to_image = nullptr;
  PFN_vkCmdCopyImageToBuffer2KHR copy_image_to_buffer = nullptr;
  PFN_vkCmdBlitImage2KHR blit_image = nullptr;
  PFN_vkCmdResolveImage2KHR resolve_image = nullptr;

  void SetUp() override {
    extensions.push_back(VK_KHR_COPY_COMMANDS_2_EXTENSION_NAME);
    Renderer::SetUp();
    load(copy_buffer, "vkCmdCopyBuffer2KHR");
    load(copy_image, "vkCmdCopyImage2KHR");
    load(copy_buffer_to_image, "vkCmdCopyBufferToImage2KHR");
    load(copy_image_to_buffer, "vkCmdCopyImageToBuffer2KHR");
    load(blit_image, "vkCmdBlitImage2KHR");
    load(resolve_image, "vkCmdResolveImage2KHR");
  }

  static void make_ready(VkCommandBuffer commands, const Image& image) {
    VkImageMemoryBarrier ready{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    ready.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    ready.newLayout = kLayout;
    ready.image = image.image;
    ready.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                         nullptr, 0, nullptr, 1, &ready);
  }
  static void wait(VkCommandBuffer commands, VkAccessFlags access = VK_ACCESS_TRANSFER_READ_BIT,
                   VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT) {
    const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                  access};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, stage, 0, 1, &barrier, 0, nullptr, 0,
                         nullptr);
  }
  Image make_transfer_image(VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
    return make_image(kFormat,
                      VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                          VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                      1, 1, samples);
  }
  template <class Body>
  void run(bool secondary, Body&& body) {
    const VkCommandBuffer commands = begin();
    if (secondary) {
      const VkCommandBuffer second = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
      const VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
      const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0,
                                          &inherited};
      ok(vkBeginCommandBuffer(second, &info));
      body(second);
      ok(vkEndCommandBuffer(second));
      vkCmdExecuteCommands(commands, 1, &second);
    } else {
      body(commands);
    }
    wait(commands, VK_ACCESS_HOST_READ_BIT, VK_PIPELINE_STAGE_HOST_BIT);
    submit(commands);
  }
};

// A buffer goes to an image in two regions, from there to another, turned around by a blit, and back.
TEST_F(CopyCommands2, TexelsArriveWhereTheyAreSent) {
  const Buffer from = make_buffer(1024, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  for (uint32_t i = 0; i < 256; i++) from.put(i, i * 0x01020305u);
  for (const bool secondary : {false, true}) {
    const Image first = make_transfer_image(), second = make_transfer_image(), third = make_transfer_image();
    const Buffer texels =
        make_buffer(1024, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const Buffer to = make_buffer(1024, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    run(secondary, [&](VkCommandBuffer commands) {
      for (const Image& image : {first, second, third}) make_ready(commands, image);
      std::array<VkBufferImageCopy2, 2> halves;
      for (uint32_t i = 0; i < 2; i++) {
        halves[i] = {VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2};
        halves[i].bufferOffset = i * 512;
        halves[i].imageSubresource = kWhole;
        halves[i].imageOffset.y = static_cast<int32_t>(8 * i);
        halves[i].imageExtent = {16, 8, 1};
      }
      const VkCopyBufferToImageInfo2 load{VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                          nullptr,
                                          from.buffer,
                                          first.image,
                                          kLayout,
                                          2,
                                          halves.data()};
      copy_buffer_to_image(commands, &load);
      wait(commands);
      const VkImageCopy2 whole{VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, kWhole, {}, kWhole, {}, kExtent};
      const VkCopyImageInfo2 move{VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                  nullptr,
                                  first.image,
                                  kLayout,
                                  second.image,
                                  kLayout,
                                  1,
                                  &whole};
      copy_image(commands, &move);
      wait(commands);
      const VkImageBlit2 turn{VK_STRUCTURE_TYPE_IMAGE_BLIT_2, nullptr, kWhole,
                              {{16, 16, 0}, {0, 0, 1}},       kWhole,  {{0, 0, 0}, {16, 16, 1}}};
      const VkBlitImageInfo2 blit{VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                                  nullptr,
                                  second.image,
                                  kLayout,
                                  third.image,
                                  kLayout,
                                  1,
                                  &turn,
                                  VK_FILTER_NEAREST};
      blit_image(commands, &blit);
      wait(commands);
      VkBufferImageCopy2 back{VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2};
      back.imageSubresource = kWhole, back.imageExtent = kExtent;
      const VkCopyImageToBufferInfo2 store{VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                           nullptr,
                                           third.image,
                                           kLayout,
                                           texels.buffer,
                                           1,
                                           &back};
      copy_image_to_buffer(commands, &store);
      wait(commands);
      const std::array<VkBufferCopy2, 2> swap{{{VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, 0, 512, 512},
                                               {VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, 512, 0, 512}}};
      const VkCopyBufferInfo2 last{
          VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, nullptr, texels.buffer, to.buffer, 2, swap.data()};
      copy_buffer(commands, &last);
    });
    for (uint32_t i = 0; i < 256; i++)
      ASSERT_EQ(to.at<uint32_t>(i), from.at<uint32_t>(255 - (i + 128) % 256)) << i << " " << secondary;
  }
}

TEST_F(CopyCommands2, SamplesBecomeOne) {
  for (const bool secondary : {false, true}) {
    const Image samples = make_transfer_image(VK_SAMPLE_COUNT_4_BIT), one = make_transfer_image();
    const Buffer to = make_buffer(1024, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    run(secondary, [&](VkCommandBuffer commands) {
      make_ready(commands, samples), make_ready(commands, one);
      const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      const VkClearColorValue red{{1, 0, 0, 1}}, blue{{0, 0, 1, 1}};
      vkCmdClearColorImage(commands, samples.image, kLayout, &red, 1, &all);
      vkCmdClearColorImage(commands, one.image, kLayout, &blue, 1, &all);
      wait(commands, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
      const VkImageResolve2 left{
          VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, kWhole, {}, kWhole, {}, {8, 16, 1}};
      const VkResolveImageInfo2 info{VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                     nullptr,
                                     samples.image,
                                     kLayout,
                                     one.image,
                                     kLayout,
                                     1,
                                     &left};
      resolve_image(commands, &info);
      wait(commands);
      VkBufferImageCopy2 back{VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2};
      back.imageSubresource = kWhole, back.imageExtent = kExtent;
      const VkCopyImageToBufferInfo2 store{
          VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2, nullptr, one.image, kLayout, to.buffer, 1, &back};
      copy_image_to_buffer(commands, &store);
    });
    EXPECT_EQ(pixel(to, 7, 7), kRed) << secondary;
    EXPECT_EQ(pixel(to, 8, 7), kBlue) << secondary;
  }
}

}  // namespace
