#include "icd/testing/sparse_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/sampled_frag.h"

// Tests sparse buffers and images: what is bound to their blocks, when, and what the others read.
namespace cutaway::icd::testing {
namespace {

using Words = std::vector<uint32_t>;
constexpr VkClearColorValue kOnes{{1, 1, 1, 1}};

TEST_F(SparseBinding, UnboundBlocksOfABufferReadZerosAndDropWrites) {
  const VkBuffer buffer = make_sparse_buffer(4);
  const Memory memory = make_memory(2);
  EXPECT_EQ(words(buffer, 4), Words(4, 0));
  bind(buffer, {block(1, memory, 0), block(3, memory, 1)});
  fill(buffer, 7);
  EXPECT_EQ(words(buffer, 4), (Words{0, 7, 0, 7}));
  bind(buffer, {block(1, {}), block(0, memory, 0)});
  EXPECT_EQ(words(buffer, 4), (Words{7, 0, 0, 7}));
}

TEST_F(SparseBinding, TheHostSharesTheMemory) {
  const VkBuffer buffer = make_sparse_buffer(3);
  const Memory memory = make_memory(3);
  bind(buffer, {block(0, memory, 1, 2)});
  memory.mapped[kBlock / 4] = 5, memory.mapped[2 * kBlock / 4] = 6;
  EXPECT_EQ(words(buffer, 3), (Words{5, 6, 0}));
  fill(buffer, 9);
  EXPECT_EQ(memory.mapped[0], 0u);
  EXPECT_EQ(memory.mapped[kBlock / 4], 9u);
  EXPECT_EQ(memory.mapped[3 * kBlock / 4 - 1], 9u);
}

// A bind waits for its semaphores, and work behind it in the queue sees it.
TEST_F(SparseBinding, BindsAreInOrderWithSubmissions) {
  const VkBuffer buffer = make_sparse_buffer(2);
  const Memory memory = make_memory(1);
  bind(buffer, {block(0, memory)});
  const Buffer seen = make_buffer(4 * kBlock, kCopies);
  const VkSemaphoreCreateInfo plain{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore filled = VK_NULL_HANDLE, bound = VK_NULL_HANDLE;
  ok(vkCreateSemaphore(device, &plain, nullptr, &filled));
  ok(vkCreateSemaphore(device, &plain, nullptr, &bound));
  at_end(
      [=, this] { vkDestroySemaphore(device, filled, nullptr), vkDestroySemaphore(device, bound, nullptr); });
  const auto record = [&](uint32_t value, VkDeviceSize to) {
    const VkCommandBuffer commands = begin();
    vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, value);
    make_visible(commands);
    const VkBufferCopy whole{0, to, 2 * kBlock};
    vkCmdCopyBuffer(commands, buffer, seen.buffer, 1, &whole);
    make_visible(commands);
    ok(vkEndCommandBuffer(commands));
    return commands;
  };
  const VkCommandBuffer first = record(3, 0), second = record(4, 2 * kBlock);
  const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo submission{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submission.commandBufferCount = 1, submission.pCommandBuffers = &first;
  submission.signalSemaphoreCount = 1, submission.pSignalSemaphores = &filled;
  ok(vkQueueSubmit(queue, 1, &submission, VK_NULL_HANDLE));
  const VkSparseMemoryBind moves[] = {block(0, {}), block(1, memory)};
  const VkSparseBufferMemoryBindInfo of_buffer{buffer, 2, moves};
  VkBindSparseInfo info{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
  info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
  info.pWaitSemaphores = &filled, info.pSignalSemaphores = &bound;
  info.bufferBindCount = 1, info.pBufferBinds = &of_buffer;
  const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  ok(vkCreateFence(device, &fence_info, nullptr, &fence));
  at_end([=, this] { vkDestroyFence(device, fence, nullptr); });
  ok(vkQueueBindSparse(queue, 1, &info, fence));
  submission.pCommandBuffers = &second;
  submission.waitSemaphoreCount = 1, submission.pWaitSemaphores = &bound;
  submission.pWaitDstStageMask = &all, submission.signalSemaphoreCount = 0;
  ok(vkQueueSubmit(queue, 1, &submission, VK_NULL_HANDLE));
  ok(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  ok(vkQueueWaitIdle(queue));
  const auto word = [&](uint64_t at) { return seen.at<uint32_t>(at * kBlock / 4); };
  EXPECT_EQ((Words{word(0), word(1), word(2), word(3)}), (Words{3, 0, 0, 4}));
}

// The second queue, which has no graphics, binds too.
struct SparseQueues : SparseBinding {
  void SetUp() override {
    families = {0, 1};
    SparseBinding::SetUp();
  }
};

TEST_F(SparseQueues, ABindWaitsForAValueThatTheHostSignals) {
  const VkBuffer buffer = make_sparse_buffer(2);
  const Memory memory = make_memory(1);
  VkQueue compute = VK_NULL_HANDLE;
  vkGetDeviceQueue(device, 1, 0, &compute);
  const VkSemaphoreTypeCreateInfo typed{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                        VK_SEMAPHORE_TYPE_TIMELINE, 0};
  const VkSemaphoreCreateInfo semaphore_info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &typed};
  const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  ok(vkCreateSemaphore(device, &semaphore_info, nullptr, &semaphore));
  ok(vkCreateFence(device, &fence_info, nullptr, &fence));
  at_end(
      [=, this] { vkDestroySemaphore(device, semaphore, nullptr), vkDestroyFence(device, fence, nullptr); });
  bind(buffer, {block(0, memory)});
  fill(buffer, 3);
  const VkSparseMemoryBind moves[] = {block(0, {}), block(1, memory)};
  const VkSparseBufferMemoryBindInfo of_buffer{buffer, 2, moves};
  const uint64_t one = 1;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = 1, values.pWaitSemaphoreValues = &one;
  VkBindSparseInfo info{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, &values};
  info.waitSemaphoreCount = 1, info.pWaitSemaphores = &semaphore;
  info.bufferBindCount = 1, info.pBufferBinds = &of_buffer;
  ok(vkQueueBindSparse(compute, 1, &info, fence));
  EXPECT_EQ(vkWaitForFences(device, 1, &fence, VK_TRUE, 20'000'000), VK_TIMEOUT);
  EXPECT_EQ(words(buffer, 2), (Words{3, 0}));  // on the other queue
  PFN_vkSignalSemaphoreKHR signal = nullptr;
  load(signal, "vkSignalSemaphoreKHR");
  const VkSemaphoreSignalInfo now{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, 1};
  ok(signal(device, &now));
  ok(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  EXPECT_EQ(words(buffer, 2), (Words{0, 3}));
}

TEST_F(SparseBinding, FreedMemoryIsNoLongerBound) {
  const VkBuffer buffer = make_sparse_buffer(1);
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = kBlock;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ok(vkAllocateMemory(device, &info, nullptr, &memory));
  bind(buffer, {{0, kBlock, memory, 0, 0}});
  fill(buffer, 3);
  EXPECT_EQ(words(buffer, 1), Words{3});
  ok(vkQueueWaitIdle(queue));
  vkFreeMemory(device, memory, nullptr);
  messages.clear();
  EXPECT_EQ(words(buffer, 1), Words{0});
  messages.clear();  // the layer tells of the freed memory
}

TEST_F(SparseBinding, BindsBeyondAResourceOrMemoryAreRefused) {
  const VkBuffer buffer = make_sparse_buffer(2);
  const Memory memory = make_memory(1);
  EXPECT_EQ(try_bind(buffer, {block(1, memory, 0, 2)}), VK_ERROR_UNKNOWN);
  EXPECT_EQ(try_bind(buffer, {block(0, memory, 0, 2)}), VK_ERROR_UNKNOWN);
  EXPECT_EQ(try_bind(buffer, {block(0, memory, 1, 1)}), VK_ERROR_UNKNOWN);
  EXPECT_EQ(try_bind(buffer, {{64, kBlock, memory.memory, 0, 0}}), VK_ERROR_UNKNOWN);
  EXPECT_EQ(try_bind(buffer, {{0, kBlock, memory.memory, 64, 0}}), VK_ERROR_UNKNOWN);
  EXPECT_EQ(try_bind(make_buffer(kBlock, kCopies).buffer, {block(0, memory)}), VK_ERROR_UNKNOWN);
  messages.clear();
}

// Addresses below 4 GB are left to what programs reach by address.
TEST_F(SparseBinding, LargeImagesLeaveRoomForAddresses) {
  make_sparse_image({16384, 16384, 1}, 1, 4);
  const VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, nullptr,
                                        VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, kBlock, 0};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  EXPECT_EQ(vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
  vkFreeMemory(device, memory, nullptr);
  messages.clear();  // the feature of addresses is not enabled
}

TEST_F(SparseBinding, SaysHowLargeImagesMayBe) {
  const auto largest = [&](VkImageCreateFlags image_flags) {
    VkImageFormatProperties found{};
    ok(vkGetPhysicalDeviceImageFormatProperties(physical, kFormat, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                                                kUsage, image_flags, &found));
    return found.maxResourceSize;
  };
  EXPECT_EQ(largest(0), VkDeviceSize{1} << 31);
  EXPECT_EQ(largest(VK_IMAGE_CREATE_SPARSE_BINDING_BIT), VkDeviceSize{1} << 34);
}

TEST_F(SparseBinding, BlocksOfAnImageAreRowsOfTiles) {
  const VkImage image = make_sparse_image({300, 20, 1}, 3, 2);
  uint32_t count = 0;
  vkGetImageSparseMemoryRequirements(device, image, &count, nullptr);
  ASSERT_EQ(count, 1u);
  VkSparseImageMemoryRequirements needs{};
  vkGetImageSparseMemoryRequirements(device, image, &count, &needs);
  EXPECT_EQ(needs.formatProperties.imageGranularity.width, 128u);
  EXPECT_EQ(needs.formatProperties.imageGranularity.height, 8u);
  EXPECT_EQ(needs.formatProperties.imageGranularity.depth, 1u);
  EXPECT_EQ(needs.formatProperties.flags, VkFlags{VK_SPARSE_IMAGE_FORMAT_NONSTANDARD_BLOCK_SIZE_BIT});
  EXPECT_EQ(needs.imageMipTailFirstLod, 3u);
  EXPECT_EQ(needs.imageMipTailSize, 0u);
  VkMemoryRequirements memory{};
  vkGetImageMemoryRequirements(device, image, &memory);
  EXPECT_EQ(memory.alignment, kBlock);
  // 3x3, 2x2 and 1x1 blocks in each layer.
  EXPECT_EQ(memory.size, 2 * (9 + 4 + 1) * kBlock);
  const auto width_of = [&](VkFormat format) {
    VkSparseImageFormatProperties found{};
    uint32_t one = 1;
    vkGetPhysicalDeviceSparseImageFormatProperties(physical, format, VK_IMAGE_TYPE_2D, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_TILING_OPTIMAL, &one,
                                                   &found);
    return one ? found.imageGranularity.width : 0;
  };
  EXPECT_EQ(width_of(VK_FORMAT_R8_UNORM), 512u);
  EXPECT_EQ(width_of(VK_FORMAT_R32G32B32A32_SFLOAT), 32u);
  EXPECT_EQ(width_of(VK_FORMAT_BC1_RGB_UNORM_BLOCK), 256u);
  EXPECT_EQ(width_of(VK_FORMAT_D32_SFLOAT), 0u);
}

TEST_F(SparseBinding, UnboundTexelsReadZerosAndDropWrites) {
  constexpr VkExtent3D kSize{300, 20, 1};
  const VkImage image = make_sparse_image(kSize);
  const Memory memory = make_memory(4);
  // The second row's last two blocks, and the last row's first.
  bind(image, {texels({128, 8, 0}, {172, 8, 1}, memory, 1), texels({0, 16, 0}, {128, 4, 1}, memory, 3)});
  clear(image, kOnes);
  const Words found = pixels(image, kSize);
  for (uint32_t y = 0; y < kSize.height; y++)
    for (uint32_t x = 0; x < kSize.width; x++) {
      const bool bound = (y / 8 == 1 && x >= 128) || (y / 8 == 2 && x < 128);
      ASSERT_EQ(found[y * kSize.width + x], bound ? ~0u : 0u) << x << " " << y;
    }
  EXPECT_EQ(memory.mapped[0], 0u);
  EXPECT_EQ(memory.mapped[kBlock / 4], ~0u);
  EXPECT_EQ(memory.mapped[3 * kBlock / 4], ~0u);
}

TEST_F(SparseBinding, BlocksLieInMemoryInTheOrderOfTheirCoordinates) {
  constexpr VkExtent3D kSize{300, 20, 1};
  const VkImage image = make_sparse_image(kSize);
  const Memory memory = make_memory(10);
  bind(image, {texels({0, 0, 0}, kSize, memory, 1)});
  const Buffer numbers = make_buffer(kSize.width * kSize.height * 4, kCopies);
  for (uint32_t i = 0; i < kSize.width * kSize.height; i++) numbers.put(i, i);
  const VkCommandBuffer commands = begin();
  change_layout(commands, image, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkBufferImageCopy whole{0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, kSize};
  vkCmdCopyBufferToImage(commands, numbers.buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &whole);
  make_visible(commands);
  submit(commands);
  for (uint32_t row = 0; row < 3; row++)
    for (uint32_t column = 0; column < 3; column++)
      EXPECT_EQ(memory.mapped[(1 + 3 * row + column) * kBlock / 4], 8 * row * kSize.width + 128 * column)
          << row << " " << column;
}

TEST_F(SparseBinding, LevelsAndLayersAreBoundEachByItself) {
  const VkImage image = make_sparse_image({256, 64, 1}, 5, 3);
  const Memory memory = make_memory(8);
  bind(image,
       {texels({0, 0, 0}, {128, 32, 1}, memory, 0, 1, 2), texels({0, 0, 0}, {16, 4, 1}, memory, 4, 4, 0)});
  for (uint32_t layer = 0; layer < 3; layer++)
    for (uint32_t level = 0; level < 5; level++) {
      clear(image, kOnes, level, layer);
      const VkExtent3D size{256u >> level, 64u >> level, 1};
      const bool bound = (level == 1 && layer == 2) || (level == 4 && layer == 0);
      EXPECT_EQ(pixels(image, size, level, layer), Words(size.width * size.height, bound ? ~0u : 0u))
          << level << " " << layer;
    }
}

TEST_F(SparseBinding, AWholeImageIsBoundAtOnce) {
  constexpr VkExtent3D kSize{130, 20, 3};
  const VkImage image = make_sparse_image(kSize, 1, 1, kFormat, VK_IMAGE_TYPE_3D);
  VkMemoryRequirements needs{};
  vkGetImageMemoryRequirements(device, image, &needs);
  const uint64_t blocks = needs.size / kBlock;
  EXPECT_EQ(blocks, 2u * 3 * 3);
  const Memory memory = make_memory(blocks);
  bind(image, std::vector{block(0, memory, 0, blocks)});
  clear(image, kOnes);
  EXPECT_EQ(pixels(image, kSize), Words(130 * 20 * 3, ~0u));
  bind(image, {texels({0, 8, 1}, {130, 8, 1}, {})});  // of the middle slice
  const Words found = pixels(image, kSize);
  for (uint32_t i = 0; i < found.size(); i++) {
    const uint32_t y = i / 130 % 20, z = i / 130 / 20;
    ASSERT_EQ(found[i], z == 1 && y / 8 == 1 ? 0u : ~0u) << i;
  }
}

// Pixels 4 to 12 show the picture, of which the right half is not bound.
TEST_F(SparseBinding, ProgramsSampleZerosWhereNothingIsBound) {
  const VkImage image = make_sparse_image({256, 16, 1});
  const Memory memory = make_memory(2);
  bind(image, {texels({0, 0, 0}, {128, 16, 1}, memory)});
  clear(image, kOnes);
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSampler sampler = VK_NULL_HANDLE;
  ok(vkCreateSampler(device, &info, nullptr, &sampler));
  at_end([this, sampler] { vkDestroySampler(device, sampler, nullptr); });
  const auto [set_layout, set] =
      make_set({{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
  Image picture;
  picture.image = image;
  const VkDescriptorImageInfo described{sampler, make_view(picture, 0, 1), VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set, write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, write.pImageInfo = &described;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  shape.vertex = make_shader(half_vert);
  shape.fragment = make_shader(sampled_frag);
  shape.layout = make_layout({set_layout});
  const VkPipeline pipeline = make_pipeline(shape);
  const Buffer seen = draw(pipeline, [&, set_ = set](VkCommandBuffer commands) {
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &set_, 0, nullptr);
    vkCmdDraw(commands, 6, 2, 0, 0);
  });
  EXPECT_EQ(pixel(seen, 5, 8), kWhite);
  EXPECT_EQ(pixel(seen, 7, 11), kWhite);
  EXPECT_EQ(pixel(seen, 9, 8), (Color{0, 0, 0, 0}));
  EXPECT_EQ(pixel(seen, 11, 5), (Color{0, 0, 0, 0}));
}

struct SparseBinding13 : SparseBinding {
  void SetUp() override {
    version = VK_API_VERSION_1_3;
    SparseBinding::SetUp();
  }
};

TEST_F(SparseBinding13, ImagesThatAreRefusedHaveNoBlocks) {
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
  info.imageType = VK_IMAGE_TYPE_2D, info.format = VK_FORMAT_D16_UNORM, info.extent = {64, 64, 1};
  info.mipLevels = info.arrayLayers = 1, info.samples = VK_SAMPLE_COUNT_1_BIT, info.usage = kUsage;
  VkDeviceImageMemoryRequirements asked{VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, nullptr, &info,
                                        VK_IMAGE_ASPECT_COLOR_BIT};
  uint32_t count = 7;
  vkGetDeviceImageSparseMemoryRequirements(device, &asked, &count, nullptr);
  EXPECT_EQ(count, 0u);
  info.format = kFormat;
  vkGetDeviceImageSparseMemoryRequirements(device, &asked, &count, nullptr);
  EXPECT_EQ(count, 1u);
  messages.clear();  // the layer tells of the first
}

TEST_F(SparseBinding, WhatIsNotSupportedIsRefused) {
  const auto result = [&](VkFormat format, VkImageType type, VkImageTiling tiling, VkImageCreateFlags flags) {
    VkImageFormatProperties found{};
    return vkGetPhysicalDeviceImageFormatProperties(physical, format, type, tiling,
                                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT, flags, &found);
  };
  constexpr VkImageCreateFlags kBound = VK_IMAGE_CREATE_SPARSE_BINDING_BIT,
                               kResident = kBound | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT,
                               kAliased = kResident | VK_IMAGE_CREATE_SPARSE_ALIASED_BIT;
  constexpr auto kOptimal = VK_IMAGE_TILING_OPTIMAL;
  constexpr auto kNone = VK_ERROR_FORMAT_NOT_SUPPORTED;
  EXPECT_EQ(result(kFormat, VK_IMAGE_TYPE_2D, kOptimal, kResident), VK_SUCCESS);
  EXPECT_EQ(result(kFormat, VK_IMAGE_TYPE_1D, kOptimal, kBound), VK_SUCCESS);
  EXPECT_EQ(result(kFormat, VK_IMAGE_TYPE_1D, kOptimal, kResident), kNone);
  EXPECT_EQ(result(kFormat, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_LINEAR, kResident), kNone);
  EXPECT_EQ(result(kFormat, VK_IMAGE_TYPE_2D, kOptimal, kAliased), kNone);
  EXPECT_EQ(result(VK_FORMAT_D16_UNORM, VK_IMAGE_TYPE_2D, kOptimal, kResident), kNone);
  messages.clear();  // features that are not enabled
}

}  // namespace
}  // namespace cutaway::icd::testing
