#pragma once

#include "icd/resource/image.h"

namespace cutaway::icd {

class ImageView {
 public:
  explicit ImageView(const VkImageViewCreateInfo& info);

  const VkImageSubresourceRange& range() const { return range_; }  // VK_REMAINING_* resolved
  VkExtent3D extent() const { return image_.level_extent(range_.baseMipLevel); }

  // What a texture, an attachment or a copy is told: view format, levels, layers and swizzle.
  const arch::Surface& surface() const { return surface_; }
  const std::weak_ptr<host::Allocation>& memory() const { return memory_; }

 private:
  Image& image_;
  VkImageSubresourceRange range_;
  arch::Surface surface_{};
  const std::weak_ptr<host::Allocation> memory_;
};

}  // namespace cutaway::icd
