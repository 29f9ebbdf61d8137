#pragma once

#include <cstring>
#include <functional>
#include <utility>

#include "icd/testing/loader_fixture.h"

namespace cutaway::icd::testing {

// Buffers, and images of 16x16 pixels. Everything lives until the test ends.
struct Resources : Loader {
  static constexpr uint32_t kSide = 16;
  static constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

  struct Buffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    std::byte* mapped = nullptr;
    template <class T>
    T at(size_t index) const {
      T value;
      std::memcpy(&value, mapped + index * sizeof value, sizeof value);
      return value;
    }
    template <class T>
    void put(size_t index, const T& value) const {
      std::memcpy(mapped + index * sizeof value, &value, sizeof value);
    }
  };
  struct Image {
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;  // all of it
    VkFormat format = kFormat;
    uint32_t layers = 1;
  };

  void TearDown() override {
    vkDeviceWaitIdle(device);
    for (; !cleanup_.empty(); cleanup_.pop_back()) cleanup_.back()();
    Loader::TearDown();
  }

  static void ok(VkResult result) { ASSERT_EQ(result, VK_SUCCESS); }
  void at_end(std::function<void()> what) { cleanup_.push_back(std::move(what)); }

  VkDeviceMemory allocate(const VkMemoryRequirements& needs) {
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    info.allocationSize = needs.size;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ok(vkAllocateMemory(device, &info, nullptr, &memory));
    at_end([this, memory] { vkFreeMemory(device, memory, nullptr); });
    return memory;
  }

  Buffer make_buffer(VkDeviceSize bytes, VkBufferUsageFlags usage) {
    Buffer made;
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes;
    info.usage = usage;
    ok(vkCreateBuffer(device, &info, nullptr, &made.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, made.buffer, &needs);
    const VkDeviceMemory memory = allocate(needs);
    ok(vkBindBufferMemory(device, made.buffer, memory, 0));
    void* mapped = nullptr;
    ok(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    made.mapped = static_cast<std::byte*>(mapped);
    at_end([this, made] { vkDestroyBuffer(device, made.buffer, nullptr); });
    return made;
  }

  Image make_image(VkFormat format, VkImageUsageFlags usage, uint32_t layers = 1, uint32_t levels = 1,
                   VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
    Image made;
    made.format = format, made.layers = layers;
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {kSide, kSide, 1};
    info.mipLevels = levels;
    info.arrayLayers = layers;
    info.samples = samples;
    info.usage = usage;
    ok(vkCreateImage(device, &info, nullptr, &made.image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device, made.image, &needs);
    ok(vkBindImageMemory(device, made.image, allocate(needs), 0));
    made.view = make_view(made, 0, layers, levels);
    at_end([this, made] { vkDestroyImage(device, made.image, nullptr); });
    return made;
  }
  Image make_target(uint32_t layers = 1) {
    return make_image(kFormat,
                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                          VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
                      layers);
  }

  VkImageView make_view(const Image& image, uint32_t first_layer, uint32_t layers, uint32_t levels = 1) {
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image.image;
    info.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    info.format = image.format;
    info.subresourceRange = {aspect_of(image.format), 0, levels, first_layer, layers};
    return make_view(info);
  }
  VkImageView make_view(const Image& image, const VkImageSubresourceRange& range) {
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image.image;
    info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    info.format = image.format;
    info.subresourceRange = range;
    return make_view(info);
  }
  VkImageView make_view(const VkImageViewCreateInfo& info) {
    VkImageView view = VK_NULL_HANDLE;
    ok(vkCreateImageView(device, &info, nullptr, &view));
    at_end([this, view] { vkDestroyImageView(device, view, nullptr); });
    return view;
  }
  static VkImageAspectFlags aspect_of(VkFormat format) {
    switch (format) {
      case VK_FORMAT_D16_UNORM:
      case VK_FORMAT_X8_D24_UNORM_PACK32:
      case VK_FORMAT_D32_SFLOAT:
        return VK_IMAGE_ASPECT_DEPTH_BIT;
      case VK_FORMAT_S8_UINT:
        return VK_IMAGE_ASPECT_STENCIL_BIT;
      case VK_FORMAT_D16_UNORM_S8_UINT:
      case VK_FORMAT_D24_UNORM_S8_UINT:
      case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
      default:
        return VK_IMAGE_ASPECT_COLOR_BIT;
    }
  }

 private:
  std::vector<std::function<void()>> cleanup_;
};

}  // namespace cutaway::icd::testing
