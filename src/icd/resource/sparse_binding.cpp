#include "icd/resource/sparse_binding.h"

#include <algorithm>
#include <bit>

#include "base/round_up.h"
#include "icd/device/device_memory.h"
#include "icd/device/offer.h"
#include "icd/resource/buffer.h"
#include "icd/resource/format_support.h"
#include "icd/resource/image.h"

namespace cutaway::icd {
namespace {

constexpr VkDeviceSize blocks(VkDeviceSize bytes) { return round_up(bytes, kSparseBlockBytes); }

// Collects binds to one resource.
class Binder {
 public:
  Binder(const std::shared_ptr<host::SparseRange>& range, VkDeviceSize bytes,
         std::vector<arch::Memory::Binding>& binds)
      : bytes_(bytes), binds_(binds) {
    if (!range) invalid_usage("binding memory to a resource that is not sparse");
    start_ = range->address();
  }

  // Binds bytes of the resource to memory, or to none.
  void bind(VkDeviceSize offset, VkDeviceSize bytes, VkDeviceMemory memory, VkDeviceSize memory_offset) {
    if (offset % kSparseBlockBytes || offset > bytes_ || bytes > bytes_ - offset)
      invalid_usage("binding bytes {} to {} of a sparse resource of {}", offset, offset + bytes, bytes_);
    if (!bytes) return;
    std::optional<arch::Address> target;
    if (memory) {
      const DeviceMemory& bound = *object(memory);
      if (memory_offset % kSparseBlockBytes || memory_offset > bound.bytes() ||
          bytes > bound.bytes() - memory_offset)
        invalid_usage("binding {} bytes at {} of memory of {}", bytes, memory_offset, bound.bytes());
      target = bound.address() + memory_offset;
    }
    binds_.push_back({start_ + offset, blocks(bytes), target});
  }

 private:
  arch::Address start_ = 0;
  const VkDeviceSize bytes_;
  std::vector<arch::Memory::Binding>& binds_;
};

// "VkSparseImageMemoryBind": blocks lie in memory in the order of their coordinates.
void bind_texels(const Image& image, const VkSparseImageMemoryBind& bind, Binder& binder) {
  const arch::Surface surface = image.surface();
  const VkImageSubresource& part = bind.subresource;
  if (!surface.in_pages()) invalid_usage("binding memory to texels of an image that is not partly resident");
  if (part.mipLevel >= image.levels() || part.arrayLayer >= image.layers())
    invalid_usage("level {} of {}, layer {} of {}", part.mipLevel, image.levels(), part.arrayLayer,
                  image.layers());
  const VkExtent3D size = image.level_extent(part.mipLevel), block = sparse_block(surface);
  // The first block and the one behind the last; at the edge of a level blocks may be in part beyond it.
  const auto range = [](int32_t offset, uint32_t extent, uint32_t most, uint32_t each) {
    const auto first = static_cast<uint32_t>(offset);
    const uint64_t end = uint64_t{first} + extent;
    if (offset < 0 || end > most || first % each || (end % each && end != most))
      invalid_usage("texels {} to {} of {} in blocks of {}", offset, end, most, each);
    return std::pair(first / each, static_cast<uint32_t>((end + each - 1) / each));
  };
  const auto [left, right] = range(bind.offset.x, bind.extent.width, size.width, block.width);
  const auto [top, bottom] = range(bind.offset.y, bind.extent.height, size.height, block.height);
  const auto [front, back] = range(bind.offset.z, bind.extent.depth, size.depth, block.depth);
  const arch::LevelLayout level = arch::level_layout(surface, part.mipLevel);
  const VkDeviceSize start = part.arrayLayer * arch::layer_pitch(surface) + level.offset,
                     bytes = (right - left) * kSparseBlockBytes;
  VkDeviceSize memory = bind.memoryOffset;
  for (uint32_t z = front; z < back; z++)
    for (uint32_t y = top; y < bottom; y++, memory += bytes)
      binder.bind(start + z * level.slice_pitch + y * level.row_pitch + left * kSparseBlockBytes, bytes,
                  bind.memory, memory);
}

// Writes as many elements as there is room for: "vkGetImageSparseMemoryRequirements".
template <class T, class Fill>
void tell(uint32_t found, uint32_t* count, T* to, Fill&& fill) {
  if (to) {
    *count = std::min(*count, found);
    if (*count) fill(*to);
  } else {
    *count = found;
  }
}

VkSparseImageFormatProperties format_properties(const VkExtent3D& block) {
  return {VK_IMAGE_ASPECT_COLOR_BIT, block, VK_SPARSE_IMAGE_FORMAT_NONSTANDARD_BLOCK_SIZE_BIT};
}

uint32_t sparse_formats(const Image& image) { return image.surface().in_pages() ? 1 : 0; }

VkSparseImageMemoryRequirements requirements(const Image& image) {
  return {format_properties(sparse_block(image.surface())), image.levels(), 0, 0, 0};
}

// The same of a format: 0 or 1.
uint32_t sparse_formats(const VkPhysicalDeviceSparseImageFormatInfo2& asked, VkExtent3D& block) {
  VkPhysicalDeviceImageFormatInfo2 info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2};
  info.format = asked.format, info.type = asked.type, info.tiling = asked.tiling, info.usage = asked.usage;
  info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
  VkImageFormatProperties limits;
  if (!image_support(info, limits) || !(limits.sampleCounts & asked.samples)) return 0;
  arch::Surface surface{};
  surface.format = static_cast<uint32_t>(arch_format(asked.format));
  block = sparse_block(surface);
  return 1;
}

}  // namespace

VkExtent3D sparse_block(const arch::Surface& surface) {
  const arch::FormatInfo& format = arch::format_info(surface.format);
  const uint32_t tile = arch::kTileSize * arch::kTileSize * format.bytes;
  return {static_cast<uint32_t>(kSparseBlockBytes) / tile * arch::kTileSize * format.block_width,
          arch::kTileSize * format.block_height, 1};
}

bool can_be_sparse(const VkPhysicalDeviceImageFormatInfo2& info) {
  constexpr VkImageCreateFlags kSparse =
      VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
  if (!(info.flags & kSparse)) return true;
  const arch::FormatInfo& format = arch::format_info(arch_format(info.format));
  const bool in_pages = info.flags & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
  return offer().sparse && info.tiling == VK_IMAGE_TILING_OPTIMAL && format.is_color() &&
         std::has_single_bit(format.bytes) && (!in_pages || info.type != VK_IMAGE_TYPE_1D);
}

std::vector<arch::Memory::Binding> sparse_binds(const VkBindSparseInfo& info) {
  std::vector<arch::Memory::Binding> binds;
  const auto bind_bytes = [&](const auto& resource, const auto& given) {
    Binder binder(resource.sparse(), resource.requirements().size, binds);
    for (uint32_t j = 0; j < given.bindCount; j++) {
      const VkSparseMemoryBind& bind = given.pBinds[j];
      binder.bind(bind.resourceOffset, bind.size, bind.memory, bind.memoryOffset);
    }
  };
  for (uint32_t i = 0; i < info.bufferBindCount; i++)
    bind_bytes(*object(info.pBufferBinds[i].buffer), info.pBufferBinds[i]);
  for (uint32_t i = 0; i < info.imageOpaqueBindCount; i++)
    bind_bytes(*object(info.pImageOpaqueBinds[i].image), info.pImageOpaqueBinds[i]);
  for (uint32_t i = 0; i < info.imageBindCount; i++) {
    const VkSparseImageMemoryBindInfo& given = info.pImageBinds[i];
    const Image& image = *object(given.image);
    Binder binder(image.sparse(), image.requirements().size, binds);
    for (uint32_t j = 0; j < given.bindCount; j++) bind_texels(image, given.pBinds[j], binder);
  }
  return binds;
}

void GetImageSparseMemoryRequirements(VkDevice, VkImage image, uint32_t* count,
                                      VkSparseImageMemoryRequirements* to) {
  tell(sparse_formats(*object(image)), count, to, [&](auto& one) { one = requirements(*object(image)); });
}

void GetImageSparseMemoryRequirements2(VkDevice, const VkImageSparseMemoryRequirementsInfo2* info,
                                       uint32_t* count, VkSparseImageMemoryRequirements2* to) {
  const Image& image = *object(info->image);
  tell(sparse_formats(image), count, to, [&](auto& one) { one.memoryRequirements = requirements(image); });
}

void GetDeviceImageSparseMemoryRequirements(VkDevice, const VkDeviceImageMemoryRequirements* info,
                                            uint32_t* count, VkSparseImageMemoryRequirements2* to) {
  const VkResult result = guard([&] {
    const Image image(*info->pCreateInfo);
    tell(sparse_formats(image), count, to, [&](auto& one) { one.memoryRequirements = requirements(image); });
  });
  if (result != VK_SUCCESS) *count = 0;
}

void GetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice, VkFormat format, VkImageType type,
                                                  VkSampleCountFlagBits samples, VkImageUsageFlags usage,
                                                  VkImageTiling tiling, uint32_t* count,
                                                  VkSparseImageFormatProperties* to) {
  VkExtent3D block{};
  const uint32_t found = sparse_formats({VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SPARSE_IMAGE_FORMAT_INFO_2,
                                         nullptr, format, type, samples, usage, tiling},
                                        block);
  tell(found, count, to, [&](auto& one) { one = format_properties(block); });
}

void GetPhysicalDeviceSparseImageFormatProperties2(VkPhysicalDevice,
                                                   const VkPhysicalDeviceSparseImageFormatInfo2* info,
                                                   uint32_t* count, VkSparseImageFormatProperties2* to) {
  VkExtent3D block{};
  tell(sparse_formats(*info, block), count, to,
       [&](auto& one) { one.properties = format_properties(block); });
}

}  // namespace cutaway::icd
