#pragma once

#include "icd/resource/image.h"

namespace cutaway::icd {

class ImageView {
 public:
  explicit ImageView(const VkImageViewCreateInfo& info);

  const VkImageSubresourceRange& range() const { return range_; }  // VK_REMAINING_* resolved
  VkExtent3D extent() const { return image_.level_extent(range_.baseMipLevel); }

  // The descriptor for textures, attachments and copies: view format, levels, layers and swizzle.
  const arch::Surface& surface() const { return surface_; }
  const std::weak_ptr<void>& memory() const { return memory_; }
  // The image is an attachment from now on.
  void draw_to(Device& device) const { image_.place(device, arch::Placement::kVideo); }

 private:
  Image& image_;
  VkImageSubresourceRange range_;
  arch::Surface surface_{};
  const std::weak_ptr<void> memory_;
};

}  // namespace cutaway::icd
