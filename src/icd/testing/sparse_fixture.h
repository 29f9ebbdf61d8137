#pragma once

#include <cstring>

#include "icd/testing/one_pass_fixture.h"

namespace cutaway::icd::testing {

constexpr VkDeviceSize kBlock = 4096;
constexpr VkBufferUsageFlags kCopies = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
constexpr VkImageUsageFlags kUsage =
    VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;

// Sparse buffers and images, memory for them, and what the GPU finds in them.
struct SparseBinding : OnePass {
  void SetUp() override {
    features.sparseBinding = features.sparseResidencyBuffer = VK_TRUE;
    features.sparseResidencyImage2D = features.sparseResidencyImage3D = VK_TRUE;
    OnePass::SetUp();
  }

  struct Memory {
    VkDeviceMemory memory = VK_NULL_HANDLE;
    uint32_t* mapped = nullptr;
  };
  Memory make_memory(uint64_t blocks) {
    Memory made;
    made.memory = allocate({blocks * kBlock, kBlock, 1});
    void* mapped = nullptr;
    ok(vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    made.mapped = static_cast<uint32_t*>(mapped);
    return made;
  }
  VkBuffer make_sparse_buffer(uint64_t blocks) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT;
    info.size = blocks * kBlock, info.usage = kCopies;
    VkBuffer buffer = VK_NULL_HANDLE;
    ok(vkCreateBuffer(device, &info, nullptr, &buffer));
    at_end([this, buffer] { vkDestroyBuffer(device, buffer, nullptr); });
    return buffer;
  }
  VkImage make_sparse_image(VkExtent3D extent, uint32_t levels = 1, uint32_t layers = 1,
                            VkFormat format = kFormat, VkImageType type = VK_IMAGE_TYPE_2D) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    info.imageType = type, info.format = format, info.extent = extent;
    info.mipLevels = levels, info.arrayLayers = layers;
    info.samples = VK_SAMPLE_COUNT_1_BIT, info.usage = kUsage;
    VkImage image = VK_NULL_HANDLE;
    ok(vkCreateImage(device, &info, nullptr, &image));
    at_end([this, image] { vkDestroyImage(device, image, nullptr); });
    return image;
  }

  void bind(VkBindSparseInfo info) const { ok(vkQueueBindSparse(queue, 1, &info, VK_NULL_HANDLE)); }
  static VkSparseMemoryBind block(uint64_t to, const Memory& memory, uint64_t from = 0, uint64_t count = 1) {
    return {to * kBlock, count * kBlock, memory.memory, memory.memory ? from * kBlock : 0, 0};
  }
  VkResult try_bind(VkBuffer buffer, const std::vector<VkSparseMemoryBind>& binds) const {
    const VkSparseBufferMemoryBindInfo of_buffer{buffer, static_cast<uint32_t>(binds.size()), binds.data()};
    VkBindSparseInfo info{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
    info.bufferBindCount = 1, info.pBufferBinds = &of_buffer;
    return vkQueueBindSparse(queue, 1, &info, VK_NULL_HANDLE);
  }
  void bind(VkBuffer buffer, const std::vector<VkSparseMemoryBind>& binds) const {
    ok(try_bind(buffer, binds));
  }
  void bind(VkImage image, const std::vector<VkSparseMemoryBind>& binds) const {
    const VkSparseImageOpaqueMemoryBindInfo of_image{image, static_cast<uint32_t>(binds.size()),
                                                     binds.data()};
    VkBindSparseInfo info{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
    info.imageOpaqueBindCount = 1, info.pImageOpaqueBinds = &of_image;
    bind(info);
  }
  void bind(VkImage image, const std::vector<VkSparseImageMemoryBind>& binds) const {
    const VkSparseImageMemoryBindInfo of_image{image, static_cast<uint32_t>(binds.size()), binds.data()};
    VkBindSparseInfo info{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
    info.imageBindCount = 1, info.pImageBinds = &of_image;
    bind(info);
  }
  static VkSparseImageMemoryBind texels(VkOffset3D offset, VkExtent3D extent, const Memory& memory,
                                        uint64_t from = 0, uint32_t level = 0, uint32_t layer = 0) {
    return {{VK_IMAGE_ASPECT_COLOR_BIT, level, layer}, offset, extent, memory.memory,
            memory.memory ? from * kBlock : 0,         0};
  }

  // The first word of each block.
  std::vector<uint32_t> words(VkBuffer buffer, uint64_t blocks) {
    const Buffer seen = make_buffer(blocks * kBlock, kCopies);
    const VkCommandBuffer commands = begin();
    const VkBufferCopy whole{0, 0, blocks * kBlock};
    vkCmdCopyBuffer(commands, buffer, seen.buffer, 1, &whole);
    make_visible(commands);
    submit(commands);
    std::vector<uint32_t> found;
    for (uint64_t i = 0; i < blocks; i++) found.push_back(seen.at<uint32_t>(i * kBlock / 4));
    return found;
  }
  static void make_visible(VkCommandBuffer commands) {
    const VkMemoryBarrier host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                               VK_ACCESS_HOST_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &host, 0, nullptr,
                         0, nullptr);
  }
  static void change_layout(VkCommandBuffer commands, VkImage image, VkImageLayout from) {
    const VkImageMemoryBarrier ready{
        VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        nullptr,
        VK_ACCESS_TRANSFER_WRITE_BIT,
        VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_SHADER_READ_BIT,
        from,
        VK_IMAGE_LAYOUT_GENERAL,
        0,
        0,
        image,
        {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                         nullptr, 0, nullptr, 1, &ready);
  }
  void clear(VkImage image, const VkClearColorValue& value, uint32_t level = 0, uint32_t layer = 0) {
    const VkCommandBuffer commands = begin();
    change_layout(commands, image, VK_IMAGE_LAYOUT_UNDEFINED);
    const VkImageSubresourceRange part{VK_IMAGE_ASPECT_COLOR_BIT, level, 1, layer, 1};
    vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &part);
    change_layout(commands, image, VK_IMAGE_LAYOUT_GENERAL);
    submit(commands);
  }
  // A level's texels, in rows, slice after slice.
  std::vector<uint32_t> pixels(VkImage image, VkExtent3D extent, uint32_t level = 0, uint32_t layer = 0) {
    const uint64_t count = uint64_t{extent.width} * extent.height * extent.depth;
    const Buffer seen = make_buffer(count * 4, kCopies);
    const VkCommandBuffer commands = begin();
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1};
    region.imageExtent = extent;
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, seen.buffer, 1, &region);
    make_visible(commands);
    submit(commands);
    std::vector<uint32_t> found(count);
    std::memcpy(found.data(), seen.mapped, count * 4);
    return found;
  }
  void fill(VkBuffer buffer, uint32_t value) {
    const VkCommandBuffer commands = begin();
    vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, value);
    make_visible(commands);
    submit(commands);
  }
};

}  // namespace cutaway::icd::testing
