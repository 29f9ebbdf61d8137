#include "icd/resource/image_view.h"

#include <algorithm>

namespace cutaway::icd {
namespace {

arch::SurfaceType surface_type(VkImageViewType type) {
  switch (type) {
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
      return arch::SurfaceType::k1D;
    case VK_IMAGE_VIEW_TYPE_3D:
      return arch::SurfaceType::k3D;
    case VK_IMAGE_VIEW_TYPE_CUBE:
    case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
      return arch::SurfaceType::kCube;
    default:
      return arch::SurfaceType::k2D;
  }
}

// Selectors of arch::Surface's swizzle besides the components, four bits each.
constexpr uint32_t kSwizzleZero = 4, kSwizzleOne = 5;

uint32_t swizzle_field(VkComponentSwizzle swizzle, uint32_t identity) {
  if (swizzle == VK_COMPONENT_SWIZZLE_ZERO) return kSwizzleZero;
  if (swizzle == VK_COMPONENT_SWIZZLE_ONE) return kSwizzleOne;
  return swizzle == VK_COMPONENT_SWIZZLE_IDENTITY ? identity : swizzle - VK_COMPONENT_SWIZZLE_R;
}

// Clamps a range of levels or layers, with VK_REMAINING_* resolved, to the existing ones.
void clamp(uint32_t& base, uint32_t& count, uint32_t there) {
  base = std::min(base, there - 1);
  count = std::clamp(count, 1u, there - base);
}

}  // namespace

ImageView::ImageView(const VkImageViewCreateInfo& info)
    : image_(*object(info.image)), range_(info.subresourceRange), memory_(image_.memory()) {
  const arch::Format format = arch_format(info.format);
  if (arch::format_info(format).bytes == 0)
    unsupported("an image view of format {}", static_cast<int>(info.format));
  // A level or layer that the image does not have is invalid, but Zink requests it (base level 1 of an image
  // with one level): it reads the last one, as a texture unit that clamps.
  clamp(range_.baseMipLevel, range_.levelCount, image_.levels());
  // "VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT": the layers of a 2D view of a 3D image are slices of its level.
  const bool slices = image_.type() == VK_IMAGE_TYPE_3D && info.viewType != VK_IMAGE_VIEW_TYPE_3D;
  clamp(range_.baseArrayLayer, range_.layerCount,
        slices ? image_.level_layers(range_.baseMipLevel) : image_.layers());

  surface_ = image_.surface();
  surface_.format = static_cast<uint32_t>(format);
  if (image_.type() != VK_IMAGE_TYPE_3D) set_surface_type(surface_type(info.viewType), surface_);
  surface_.base_level = range_.baseMipLevel;
  surface_.level_count = range_.levelCount;
  surface_.base_layer = range_.baseArrayLayer;
  surface_.layer_count = range_.layerCount;
  // "If aspectMask is VK_IMAGE_ASPECT_STENCIL_BIT, a texel is the stencil."
  if (range_.aspectMask == VK_IMAGE_ASPECT_STENCIL_BIT) surface_.type |= arch::Surface::kReadsStencil;
  // "VkComponentMapping"
  const VkComponentMapping& map = info.components;
  surface_.swizzle = swizzle_field(map.r, 0) | swizzle_field(map.g, 1) << 4 | swizzle_field(map.b, 2) << 8 |
                     swizzle_field(map.a, 3) << 12;
}

VkResult CreateImageView(VkDevice, const VkImageViewCreateInfo* info, const VkAllocationCallbacks*,
                         VkImageView* view) {
  return create(view, *info);
}

void DestroyImageView(VkDevice, VkImageView view, const VkAllocationCallbacks*) { destroy(view); }

}  // namespace cutaway::icd
