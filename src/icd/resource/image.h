#pragma once

#include <atomic>
#include <memory>

#include "arch/surface.h"
#include "host/address_space.h"
#include "icd/object.h"

namespace cutaway::icd {

// The contract's numbers of the core formats are Vulkan's. UNDEFINED: the GPU does not have the format.
inline arch::Format arch_format(VkFormat format) {
  if (format == VK_FORMAT_A4R4G4B4_UNORM_PACK16) return arch::Format::A4R4G4B4_UNORM_PACK16;
  if (format == VK_FORMAT_A4B4G4R4_UNORM_PACK16) return arch::Format::A4B4G4R4_UNORM_PACK16;
  return format <= VK_FORMAT_BC7_SRGB_BLOCK ? static_cast<arch::Format>(format) : arch::Format::UNDEFINED;
}

// The inverse; `number` is less than arch::kFormats.
inline VkFormat vulkan_format(uint32_t number) {
  const auto format = static_cast<arch::Format>(number);
  if (format == arch::Format::A4R4G4B4_UNORM_PACK16) return VK_FORMAT_A4R4G4B4_UNORM_PACK16;
  if (format == arch::Format::A4B4G4R4_UNORM_PACK16) return VK_FORMAT_A4B4G4R4_UNORM_PACK16;
  return static_cast<VkFormat>(number);
}

// Changes a surface's type; tiling, samples and the aspect that textures read stay.
inline void set_surface_type(arch::SurfaceType type, arch::Surface& surface) {
  constexpr uint32_t kTypeBits = 0xff;
  surface.type = (surface.type & ~kTypeBits) | static_cast<uint32_t>(type);
}

class Image {
 public:
  explicit Image(const VkImageCreateInfo& info);         // to ask for its requirements, or to bind it later
  Image(Device& device, const VkImageCreateInfo& info);  // a sparse one has its addresses at once
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  VkImageType type() const { return type_; }
  VkExtent3D level_extent(uint32_t level) const;
  // The number of layers in a 2D view of the level: the layers, or the slices of a 3D image.
  uint32_t level_layers(uint32_t level) const {
    return type_ == VK_IMAGE_TYPE_3D ? level_extent(level).depth : layers_;
  }
  uint32_t levels() const { return levels_; }
  uint32_t layers() const { return layers_; }

  // Resolves VK_REMAINING_*.
  uint32_t level_count(const VkImageSubresourceRange& range) const {
    return range.levelCount == VK_REMAINING_MIP_LEVELS ? levels_ - range.baseMipLevel : range.levelCount;
  }
  uint32_t layer_count(const VkImageSubresourceRange& range) const {
    return range.layerCount == VK_REMAINING_ARRAY_LAYERS ? layers_ - range.baseArrayLayer : range.layerCount;
  }
  uint32_t layer_count(const VkImageSubresourceLayers& range) const {
    return range.layerCount == VK_REMAINING_ARRAY_LAYERS ? layers_ - range.baseArrayLayer : range.layerCount;
  }

  // The whole image: every level and layer in view, its own format. Memory must be bound.
  arch::Surface surface() const { return surface_; }
  VkMemoryRequirements requirements() const;
  // Binds memory, and describes the surface in the capture ("surface": address, bytes, shape, use, name).
  void bind(Device& device, arch::Address address, std::weak_ptr<void> memory);
  const std::weak_ptr<void>& memory() const { return memory_; }
  const std::shared_ptr<host::SparseRange>& sparse() const { return sparse_; }  // null: it is not
  // Moves it to another memory: textures that are drawn to lie in video memory.
  void place(Device& device, arch::Placement placement);
  // Sets the program's name for it.
  void set_name(Device& device, std::string name);
  VkSubresourceLayout subresource_layout(const VkImageSubresource& subresource) const;

 private:
  void announce(Device& device);  // it has its address
  void annotate(Device& device) const;
  // By its usage it may be sampled alone: any memory will do.
  bool is_texture() const;

  const VkImageType type_;
  const VkExtent3D extent_;
  const uint32_t levels_, layers_;
  const VkImageTiling tiling_;
  const VkImageCreateFlags flags_;
  const VkImageUsageFlags usage_;
  arch::Surface surface_{};
  std::weak_ptr<void> memory_;
  std::shared_ptr<host::SparseRange> sparse_;
  std::atomic<arch::Placement> placement_ = arch::Placement::kVideo;  // that place() gave it
  uint64_t annotation_ = 0;                                           // 0: not bound yet
  std::string name_;
};

VkImageAspectFlags format_aspects(VkFormat format);

}  // namespace cutaway::icd
