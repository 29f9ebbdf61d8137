#include <cstring>
#include <functional>

#include "icd/testing/loader_fixture.h"

// Copies, clears and blits of 3D images, of depth and stencil, and of BC formats, through the loader.
namespace {

using cutaway::icd::testing::Loader;

struct ImageCommands : Loader {
  VkCommandPool pool = VK_NULL_HANDLE;
  std::vector<std::function<void()>> cleanup;

  void SetUp() override {
    Loader::SetUp();
    use(families[0]);
  }
  void TearDown() override {
    for (auto undo = cleanup.rbegin(); undo != cleanup.rend(); ++undo) (*undo)();
    Loader::TearDown();
  }

  // From here on, commands are of this family.
  void use(uint32_t family) {
    vkGetDeviceQueue(device, family, 0, &queue);
    VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    info.queueFamilyIndex = family;
    ASSERT_EQ(vkCreateCommandPool(device, &info, nullptr, &pool), VK_SUCCESS);
    cleanup.push_back([this, made = pool] { vkDestroyCommandPool(device, made, nullptr); });
  }

  VkDeviceMemory allocate(const VkMemoryRequirements& needs) {
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = needs.size;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    EXPECT_EQ(vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
    cleanup.push_back([this, memory] { vkFreeMemory(device, memory, nullptr); });
    return memory;
  }

  struct Buffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    void* bytes = nullptr;
  };
  Buffer buffer(VkDeviceSize size) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = size;
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    Buffer result;
    EXPECT_EQ(vkCreateBuffer(device, &info, nullptr, &result.buffer), VK_SUCCESS);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, result.buffer, &needs);
    const VkDeviceMemory memory = allocate(needs);
    EXPECT_EQ(vkBindBufferMemory(device, result.buffer, memory, 0), VK_SUCCESS);
    EXPECT_EQ(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &result.bytes), VK_SUCCESS);
    cleanup.push_back([this, b = result.buffer] { vkDestroyBuffer(device, b, nullptr); });
    return result;
  }

  VkImage image(VkFormat format, VkImageType type, VkExtent3D extent,
                VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.tiling = tiling;
    info.format = format, info.imageType = type, info.extent = extent;
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    VkImage result = VK_NULL_HANDLE;
    EXPECT_EQ(vkCreateImage(device, &info, nullptr, &result), VK_SUCCESS);
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device, result, &needs);
    EXPECT_EQ(vkBindImageMemory(device, result, allocate(needs), 0), VK_SUCCESS);
    cleanup.push_back([this, result] { vkDestroyImage(device, result, nullptr); });
    return result;
  }

  VkCommandBuffer commands = VK_NULL_HANDLE;
  void begin(std::initializer_list<std::pair<VkImage, VkImageAspectFlags>> images) {
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = pool;
    info.commandBufferCount = 1;
    ASSERT_EQ(vkAllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    ASSERT_EQ(vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    for (const auto& [image, aspects] : images) {
      VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
      barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
      barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
      barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
      barrier.image = image;
      barrier.subresourceRange = {aspects, 0, 1, 0, 1};
      vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                           nullptr, 0, nullptr, 1, &barrier);
    }
  }
  void wait_for_transfers() {
    VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
  }
  void run() {
    ASSERT_EQ(vkEndCommandBuffer(commands), VK_SUCCESS);
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    ASSERT_EQ(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    ASSERT_EQ(vkQueueWaitIdle(queue), VK_SUCCESS);
  }

  static VkBufferImageCopy region(VkImageAspectFlags aspect, VkExtent3D extent, VkOffset3D offset = {}) {
    VkBufferImageCopy copy{};
    copy.imageSubresource = {aspect, 0, 0, 1};
    copy.imageOffset = offset, copy.imageExtent = extent;
    return copy;
  }
  void upload(const Buffer& from, VkImage to, VkImageAspectFlags aspect, VkExtent3D extent) {
    const VkBufferImageCopy copy = region(aspect, extent);
    vkCmdCopyBufferToImage(commands, from.buffer, to, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  }
  void download(VkImage from, const Buffer& to, VkImageAspectFlags aspect, VkExtent3D extent,
                VkOffset3D offset = {}) {
    const VkBufferImageCopy copy = region(aspect, extent, offset);
    vkCmdCopyImageToBuffer(commands, from, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &copy);
  }
  void blit(VkImage from, VkImage to, VkImageAspectFlags aspects, VkOffset3D from_end, VkOffset3D to_end,
            VkFilter filter) {
    VkImageBlit blit{};
    blit.srcSubresource = blit.dstSubresource = {aspects, 0, 0, 1};
    blit.srcOffsets[1] = from_end, blit.dstOffsets[1] = to_end;
    vkCmdBlitImage(commands, from, VK_IMAGE_LAYOUT_GENERAL, to, VK_IMAGE_LAYOUT_GENERAL, 1, &blit, filter);
  }
};

constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;

TEST_F(ImageCommands, SlicesOfA3DImageAreClearedCopiedAndScaled) {
  const VkImage volume = image(VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_3D, {4, 4, 4});
  const VkImage half = image(VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_3D, {2, 2, 2});
  const VkImage flat = image(VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_2D, {4, 4, 1});
  const Buffer slice = buffer(64), small = buffer(8), last = buffer(16);
  std::memset(slice.bytes, 80, 16);
  begin({{volume, kColor}, {half, kColor}, {flat, kColor}});
  const VkClearColorValue value{{40 / 255.0f, 0, 0, 0}};
  const VkImageSubresourceRange all{kColor, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, volume, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &all);
  wait_for_transfers();
  // Slice 1 becomes 80; the mean of slices 0 and 1 is 60.
  VkBufferImageCopy one = region(kColor, {4, 4, 1}, {0, 0, 1});
  vkCmdCopyBufferToImage(commands, slice.buffer, volume, VK_IMAGE_LAYOUT_GENERAL, 1, &one);
  wait_for_transfers();
  blit(volume, half, kColor, {4, 4, 4}, {2, 2, 2}, VK_FILTER_LINEAR);
  VkImageCopy copy{};
  copy.srcSubresource = copy.dstSubresource = {kColor, 0, 0, 1};
  copy.srcOffset = {0, 0, 1};
  copy.extent = {4, 4, 1};
  vkCmdCopyImage(commands, volume, VK_IMAGE_LAYOUT_GENERAL, flat, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  wait_for_transfers();
  download(half, small, kColor, {2, 2, 2});
  download(flat, last, kColor, {4, 4, 1});
  run();
  const auto* means = static_cast<const uint8_t*>(small.bytes);
  for (int i = 0; i < 4; i++) EXPECT_EQ(means[i], 60);
  for (int i = 4; i < 8; i++) EXPECT_EQ(means[i], 40);
  EXPECT_EQ(static_cast<const uint8_t*>(last.bytes)[15], 80);
}

TEST_F(ImageCommands, DepthAndStencilAreScaledEachByItself) {
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  for (const VkFormat format : {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT}) {
    const VkImage from = image(format, VK_IMAGE_TYPE_2D, {2, 2, 1});
    const VkImage to = image(format, VK_IMAGE_TYPE_2D, {4, 4, 1});
    const Buffer depths = buffer(16), stencils = buffer(4), depth_result = buffer(64),
                 stencil_result = buffer(16);
    const bool floats = format == VK_FORMAT_D32_SFLOAT_S8_UINT;
    for (int i = 0; i < 4; i++) {
      const float depth = 0.25f * static_cast<float>(i);
      const uint32_t fixed = 1000u * static_cast<uint32_t>(i);
      std::memcpy(static_cast<char*>(depths.bytes) + 4 * i,
                  floats ? static_cast<const void*>(&depth) : &fixed, 4);
      static_cast<uint8_t*>(stencils.bytes)[i] = static_cast<uint8_t>(10 + i);
    }
    begin({{from, kBoth}, {to, kBoth}});
    upload(depths, from, VK_IMAGE_ASPECT_DEPTH_BIT, {2, 2, 1});
    upload(stencils, from, VK_IMAGE_ASPECT_STENCIL_BIT, {2, 2, 1});
    wait_for_transfers();
    blit(from, to, kBoth, {2, 2, 1}, {4, 4, 1}, VK_FILTER_NEAREST);
    wait_for_transfers();
    download(to, depth_result, VK_IMAGE_ASPECT_DEPTH_BIT, {4, 4, 1});
    download(to, stencil_result, VK_IMAGE_ASPECT_STENCIL_BIT, {4, 4, 1});
    run();
    for (uint32_t y = 0; y < 4; y++)
      for (uint32_t x = 0; x < 4; x++) {
        const uint32_t texel = y / 2 * 2 + x / 2;
        EXPECT_EQ(static_cast<const uint8_t*>(stencil_result.bytes)[4 * y + x], 10 + texel);
        EXPECT_EQ(std::memcmp(static_cast<const char*>(depth_result.bytes) + 4 * (4 * y + x),
                              static_cast<const char*>(depths.bytes) + 4 * texel, 4),
                  0)
            << format << " " << x << " " << y;
      }
  }
}

TEST_F(ImageCommands, BlocksAreCopiedWholeAndDecodedByBlits) {
  // Two blocks of BC1, the second at the edge of a level of 6x4 texels: red, blue.
  const VkImage blocks = image(VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_TYPE_2D, {6, 4, 1});
  const VkImage colors = image(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, {6, 4, 1});
  const Buffer data = buffer(16), back = buffer(16), result = buffer(6 * 4 * 4);
  const uint16_t encoded[8] = {0xf800, 0, 0, 0, 0x001f, 0, 0, 0};
  std::memcpy(data.bytes, encoded, 16);
  begin({{blocks, kColor}, {colors, kColor}});
  upload(data, blocks, kColor, {6, 4, 1});
  wait_for_transfers();
  download(blocks, back, kColor, {6, 4, 1});
  blit(blocks, colors, kColor, {6, 4, 1}, {6, 4, 1}, VK_FILTER_NEAREST);
  wait_for_transfers();
  download(colors, result, kColor, {6, 4, 1});
  run();
  EXPECT_EQ(std::memcmp(back.bytes, encoded, 16), 0);
  const auto* texels = static_cast<const uint32_t*>(result.bytes);
  EXPECT_EQ(texels[3], 0xff0000ffu);
  EXPECT_EQ(texels[4], 0xffff0000u);
  EXPECT_EQ(texels[23], 0xffff0000u);
}

// "vkCmdClearColorImage" asks no more of an image than that it is the destination of transfers.
TEST_F(ImageCommands, ASharedExponentImageIsCleared) {
  const VkImage target = image(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, VK_IMAGE_TYPE_2D, {12, 9, 1});
  const Buffer result = buffer(12 * 9 * 4);
  begin({{target, kColor}});
  const VkClearColorValue value{{1, 0.5f, 0.25f, 7}};
  const VkImageSubresourceRange all{kColor, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, target, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &all);
  wait_for_transfers();
  download(target, result, kColor, {12, 9, 1});
  run();
  for (uint32_t i = 0; i < 12 * 9; i++)
    ASSERT_EQ(static_cast<const uint32_t*>(result.bytes)[i], 256u | 128u << 9 | 64u << 18 | 16u << 27) << i;
}

// Every color format that can be the destination of transfers, tiled and in rows.
TEST_F(ImageCommands, EveryColorImageIsClearedToZeros) {
  const VkClearColorValue nothing{};
  for (uint32_t number = 1; number <= VK_FORMAT_E5B9G9R9_UFLOAT_PACK32; number++)
    for (const VkImageTiling tiling : {VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_TILING_LINEAR}) {
      const auto format = static_cast<VkFormat>(number);
      VkFormatProperties properties;
      vkGetPhysicalDeviceFormatProperties(physical, format, &properties);
      const VkFormatFeatureFlags can = tiling == VK_IMAGE_TILING_LINEAR ? properties.linearTilingFeatures
                                                                        : properties.optimalTilingFeatures;
      if (!(can & VK_FORMAT_FEATURE_TRANSFER_DST_BIT)) continue;
      const VkImage target = image(format, VK_IMAGE_TYPE_2D, {5, 3, 1}, tiling);
      const Buffer result = buffer(5 * 3 * 16);
      std::memset(result.bytes, 0x55, 5 * 3 * 16);
      begin({{target, kColor}});
      const VkImageSubresourceRange all{kColor, 0, 1, 0, 1};
      vkCmdClearColorImage(commands, target, VK_IMAGE_LAYOUT_GENERAL, &nothing, 1, &all);
      wait_for_transfers();
      download(target, result, kColor, {5, 3, 1});
      run();
      EXPECT_EQ(static_cast<const uint8_t*>(result.bytes)[5 * 3 - 1], 0) << format << " " << tiling;
    }
}

// A compute queue draws nothing: it clears by other packets than a queue that draws.
struct ClearsOfTwoQueues : ImageCommands {
  ClearsOfTwoQueues() { families = {0, 1}; }

  // The texels that a clear leaves.
  std::vector<uint8_t> cleared(uint32_t family, VkFormat format, VkImageTiling tiling, VkExtent3D extent,
                               const VkClearColorValue& value) {
    use(family);
    const VkDeviceSize bytes = VkDeviceSize{16} * extent.width * extent.height;
    const VkImage target = image(format, VK_IMAGE_TYPE_2D, extent, tiling);
    const Buffer result = buffer(bytes);
    std::memset(result.bytes, 0x55, bytes);
    begin({{target, kColor}});
    const VkImageSubresourceRange all{kColor, 0, 1, 0, 1};
    vkCmdClearColorImage(commands, target, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &all);
    wait_for_transfers();
    download(target, result, kColor, extent);
    run();
    const auto* texels = static_cast<const uint8_t*>(result.bytes);
    return {texels, texels + bytes};
  }
};

TEST_F(ClearsOfTwoQueues, EveryColorImageIsClearedAlike) {
  const VkClearColorValue value{{0.75f, 0.25f, 1, 0.5f}};
  uint32_t formats = 0;
  for (uint32_t number = 1; number <= VK_FORMAT_E5B9G9R9_UFLOAT_PACK32; number++)
    for (const VkImageTiling tiling : {VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_TILING_LINEAR}) {
      const auto format = static_cast<VkFormat>(number);
      VkFormatProperties properties;
      vkGetPhysicalDeviceFormatProperties(physical, format, &properties);
      const VkFormatFeatureFlags can = tiling == VK_IMAGE_TILING_LINEAR ? properties.linearTilingFeatures
                                                                        : properties.optimalTilingFeatures;
      if (!(can & VK_FORMAT_FEATURE_TRANSFER_DST_BIT) || can & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)
        continue;
      const std::vector<uint8_t> drawn = cleared(0, format, tiling, {5, 3, 1}, value);
      EXPECT_NE(drawn[0], 0x55) << format << " " << tiling;
      EXPECT_EQ(cleared(1, format, tiling, {5, 3, 1}, value), drawn) << format << " " << tiling;
      formats++;
    }
  EXPECT_GT(formats, 60u);
}

// In rows it is cleared by several copies.
TEST_F(ClearsOfTwoQueues, AHighImageInRowsIsClearedAsAWhole) {
  constexpr VkExtent3D kHigh{9, 150, 1};
  const VkClearColorValue value{{0.75f, 0.25f, 1, 0.5f}};
  const auto clear = [&](uint32_t family) {
    return cleared(family, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TILING_LINEAR, kHigh, value);
  };
  const std::vector<uint8_t> texels = clear(1);
  EXPECT_EQ(texels, clear(0));
  EXPECT_EQ(texels[4 * 9 * 150 - 1], 0x80);
  EXPECT_EQ(texels[4 * 9 * 150], 0x55);
}

// VK_EXT_4444_formats, beside the two orders of version 1.0.
struct PackedFormats : ImageCommands {
  VkPhysicalDevice4444FormatsFeaturesEXT wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_4444_FORMATS_FEATURES_EXT,
                                                nullptr, VK_TRUE, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_EXT_4444_FORMATS_EXTENSION_NAME);
    ImageCommands::SetUp();
  }
  // A texel of (1, 0, 1/3, 1/5) as a clear writes it, and as a blit from RGBA8 does.
  std::array<uint16_t, 2> texels(VkFormat format) {
    const VkImage wide = image(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, {4, 4, 1});
    const VkImage narrow[] = {image(format, VK_IMAGE_TYPE_2D, {4, 4, 1}),
                              image(format, VK_IMAGE_TYPE_2D, {4, 4, 1})};
    const Buffer result[] = {buffer(4 * 4 * 2), buffer(4 * 4 * 2)};
    const VkClearColorValue color{{1, 0, 1 / 3.0f, 0.2f}};
    const VkImageSubresourceRange all{kColor, 0, 1, 0, 1};
    begin({{wide, kColor}, {narrow[0], kColor}, {narrow[1], kColor}});
    vkCmdClearColorImage(commands, wide, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
    vkCmdClearColorImage(commands, narrow[0], VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
    wait_for_transfers();
    const VkImageSubresourceLayers layer{kColor, 0, 0, 1};
    const VkImageBlit whole{layer, {{}, {4, 4, 1}}, layer, {{}, {4, 4, 1}}};
    vkCmdBlitImage(commands, wide, VK_IMAGE_LAYOUT_GENERAL, narrow[1], VK_IMAGE_LAYOUT_GENERAL, 1, &whole,
                   VK_FILTER_NEAREST);
    wait_for_transfers();
    for (int i = 0; i < 2; i++) download(narrow[i], result[i], kColor, {4, 4, 1});
    run();
    const auto last = [](const Buffer& b) { return static_cast<const uint16_t*>(b.bytes)[15]; };
    return {last(result[0]), last(result[1])};
  }
};

TEST_F(PackedFormats, ChannelsLieWhereTheNameSays) {
  using Texels = std::array<uint16_t, 2>;
  EXPECT_EQ(texels(VK_FORMAT_A4R4G4B4_UNORM_PACK16), (Texels{0x3f05, 0x3f05}));
  EXPECT_EQ(texels(VK_FORMAT_A4B4G4R4_UNORM_PACK16), (Texels{0x350f, 0x350f}));
  EXPECT_EQ(texels(VK_FORMAT_B4G4R4A4_UNORM_PACK16), (Texels{0x50f3, 0x50f3}));
  EXPECT_EQ(texels(VK_FORMAT_R4G4B4A4_UNORM_PACK16), (Texels{0xf053, 0xf053}));
}

}  // namespace
