#include "icd/resource/image.h"

#include <algorithm>
#include <bit>

#include "arch/memory.h"
#include "base/round_up.h"
#include "icd/debug/labelled_objects.h"
#include "icd/device/device.h"
#include "icd/device/device_memory.h"
#include "icd/device/limits.h"
#include "icd/device/offer.h"
#include "icd/device/physical_device.h"
#include "icd/resource/format_support.h"
#include "icd/resource/sparse_binding.h"
#include "icd/wsi/swapchain.h"

namespace cutaway::icd {
namespace {

arch::SurfaceType surface_type(VkImageType type) {
  return type == VK_IMAGE_TYPE_1D   ? arch::SurfaceType::k1D
         : type == VK_IMAGE_TYPE_3D ? arch::SurfaceType::k3D
                                    : arch::SurfaceType::k2D;
}

void check_supported(const VkImageCreateInfo& info) {
  VkPhysicalDeviceImageFormatInfo2 query{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2, info.pNext};
  query.format = info.format, query.type = info.imageType, query.tiling = info.tiling;
  query.usage = info.usage, query.flags = info.flags;
  VkImageFormatProperties limits;
  if (!image_support(query, limits) || !(limits.sampleCounts & info.samples) ||
      info.extent.width > limits.maxExtent.width || info.extent.height > limits.maxExtent.height ||
      info.mipLevels > limits.maxMipLevels || info.arrayLayers > limits.maxArrayLayers)
    unsupported(
        "an image of type {}, format {}, tiling {}, usage {:#x}, flags {:#x}, {} levels, {} layers, {} "
        "samples",
        static_cast<int>(info.imageType), static_cast<int>(info.format), static_cast<int>(info.tiling),
        info.usage, info.flags, info.mipLevels, info.arrayLayers, static_cast<int>(info.samples));
}

}  // namespace

Image::Image(const VkImageCreateInfo& info)
    : type_(info.imageType),
      extent_(info.extent),
      levels_(info.mipLevels),
      layers_(info.arrayLayers),
      tiling_(info.tiling),
      flags_(info.flags),
      usage_(info.usage) {
  check_supported(info);
  surface_.format = static_cast<uint32_t>(arch_format(info.format));
  surface_.type = arch::Surface::make_type(
      surface_type(type_), tiling_ == VK_IMAGE_TILING_LINEAR ? arch::Tiling::kLinear : arch::Tiling::kTiled,
      static_cast<uint32_t>(std::countr_zero(static_cast<uint32_t>(info.samples))));
  surface_.width = extent_.width, surface_.height = extent_.height, surface_.depth = extent_.depth;
  surface_.levels = surface_.level_count = levels_;
  surface_.layers = surface_.layer_count = layers_;
  surface_.swizzle = arch::kSwizzleIdentity;
  if (flags_ & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT) surface_.type |= arch::Surface::kInPages;
}

Image::Image(Device& device, const VkImageCreateInfo& info) : Image(info) {
  if (!(flags_ & VK_IMAGE_CREATE_SPARSE_BINDING_BIT)) return;
  const VkDeviceSize bytes = requirements().size;
  if (bytes > kMaxSparseBytes) throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  device.note_sparse();
  // Addresses below are scarce: shaders reach memory there by address.
  sparse_ = device.memory().reserve(bytes, {.from = kDeviceAddresses});
  memory_ = sparse_;
  surface_.address = sparse_->address();
  announce(device);
}

VkExtent3D Image::level_extent(uint32_t level) const {
  return {std::max(1u, extent_.width >> level), std::max(1u, extent_.height >> level),
          std::max(1u, extent_.depth >> level)};
}

VkImageAspectFlags format_aspects(VkFormat format) {
  const arch::FormatInfo& info = arch::format_info(arch_format(format));
  VkImageAspectFlags aspects = 0;
  if (info.has_depth()) aspects |= VK_IMAGE_ASPECT_DEPTH_BIT;
  if (info.has_stencil()) aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
  return aspects ? aspects : VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT};
}

bool Image::is_texture() const {
  return !(usage_ & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) &&
         (usage_ & VK_IMAGE_USAGE_SAMPLED_BIT || !(usage_ & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
}

void Image::place(Device& device, arch::Placement placement) {
  if (placement_.exchange(placement) == placement) return;
  device.memory().place(surface_.address, arch::surface_bytes(surface_), placement);
}

VkMemoryRequirements Image::requirements() const {
  const VkDeviceSize bytes = arch::surface_bytes(surface_);
  const bool is_sparse = flags_ & VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
  const VkDeviceSize alignment = is_sparse ? kSparseBlockBytes : arch::kLevelAlignment;
  // Memory that is bound to a sparse image stays where it is when the image becomes a target.
  const bool may_be_in_system =
      is_texture() && !(is_sparse && (usage_ & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT));
  return {round_up(bytes, alignment), alignment,
          may_be_in_system ? PhysicalDevice::memory_types()
                           : PhysicalDevice::memory_types(arch::Placement::kVideo)};
}

void Image::bind(Device& device, arch::Address address, std::weak_ptr<void> memory) {
  if (sparse_) invalid_usage("vkBindImageMemory of a sparse image");
  memory_ = std::move(memory);
  surface_.address = address;
  if (offer().textures_in_system) {
    placement_ = is_texture() ? arch::Placement::kSystem : arch::Placement::kVideo;
    device.memory().place(address, arch::surface_bytes(surface_), placement_);
  }
  announce(device);
}

void Image::announce(Device& device) {
  annotation_ = device.next_id();
  annotate(device);
  LabelledObjects::of_process().add(device, this);
}

Image::~Image() {
  if (annotation_) LabelledObjects::of_process().remove(this);
}

void Image::set_name(Device& device, std::string name) {
  name_ = std::move(name);
  if (annotation_) annotate(device);
}

// A later text with the same id replaces the earlier one. The name comes last, because it may contain
// anything.
void Image::annotate(Device& device) const {
  std::string use;
  const auto add = [&](VkImageUsageFlags bit, const char* word) {
    if (usage_ & bit) use += use.empty() ? word : std::string("+") + word;
  };
  add(VK_IMAGE_USAGE_SAMPLED_BIT, "texture");
  add(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, "color");
  add(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, "depth");
  if (use.empty()) use = "copy";
  device.annotate(
      "surface", annotation_,
      fmt::format("address={:#x} bytes={} size={}x{} format={} tiling={} levels={} layers={} use={}{}{}",
                  surface_.address, arch::surface_bytes(surface_), extent_.width, extent_.height,
                  arch::format_info(surface_.format).name,
                  tiling_ == VK_IMAGE_TILING_LINEAR ? "linear" : "tiled", levels_, layers_, use,
                  name_.empty() ? "" : " name=", name_));
}

VkSubresourceLayout Image::subresource_layout(const VkImageSubresource& subresource) const {
  const arch::LevelLayout level = arch::level_layout(surface_, subresource.mipLevel);
  VkSubresourceLayout layout{};
  layout.arrayPitch = arch::layer_pitch(surface_);
  layout.offset = subresource.arrayLayer * layout.arrayPitch + level.offset;
  layout.size = level.slice_pitch * level.depth;
  layout.rowPitch = level.row_pitch;
  layout.depthPitch = level.slice_pitch;
  return layout;
}

VkResult CreateImage(VkDevice device, const VkImageCreateInfo* info, const VkAllocationCallbacks*,
                     VkImage* image) {
  return create(image, *object(device), *info);
}

void DestroyImage(VkDevice, VkImage image, const VkAllocationCallbacks*) { destroy(image); }

void GetImageMemoryRequirements(VkDevice, VkImage image, VkMemoryRequirements* requirements) {
  *requirements = object(image)->requirements();
}

void GetImageMemoryRequirements2(VkDevice, const VkImageMemoryRequirementsInfo2* info,
                                 VkMemoryRequirements2* requirements) {
  tell_requirements(object(info->image)->requirements(), *requirements);
}

void GetDeviceImageMemoryRequirements(VkDevice, const VkDeviceImageMemoryRequirements* info,
                                      VkMemoryRequirements2* requirements) {
  guard([&] { tell_requirements(Image(*info->pCreateInfo).requirements(), *requirements); });
}

VkResult BindImageMemory(VkDevice device, VkImage image, VkDeviceMemory memory, VkDeviceSize offset) {
  return guard([&] {
    object(image)->bind(*object(device), object(memory)->address() + offset, object(memory)->owner());
  });
}

VkResult BindImageMemory2(VkDevice device, uint32_t count, const VkBindImageMemoryInfo* infos) {
  return guard([&] {
    for (uint32_t i = 0; i < count; i++) {
      // "VkBindImageMemorySwapchainInfoKHR": the image shares the memory of a swapchain's image.
      const auto* from = find_struct<VkBindImageMemorySwapchainInfoKHR>(
          infos[i].pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
      Image& image = *object(infos[i].image);
      if (from && from->swapchain) {
        const Image& shown = object(from->swapchain)->image(from->imageIndex);
        image.bind(*object(device), shown.surface().address, shown.memory());
      } else {
        const DeviceMemory& memory = *object(infos[i].memory);
        image.bind(*object(device), memory.address() + infos[i].memoryOffset, memory.owner());
      }
    }
  });
}

void GetImageSubresourceLayout(VkDevice, VkImage image, const VkImageSubresource* subresource,
                               VkSubresourceLayout* layout) {
  *layout = object(image)->subresource_layout(*subresource);
}

}  // namespace cutaway::icd
