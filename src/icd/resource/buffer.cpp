#include "icd/resource/buffer.h"

#include <new>

#include "arch/memory.h"
#include "base/round_up.h"
#include "icd/debug/labelled_objects.h"
#include "icd/device/device.h"
#include "icd/device/device_memory.h"
#include "icd/device/limits.h"
#include "icd/device/offer.h"
#include "icd/device/physical_device.h"
#include "icd/resource/sparse_binding.h"

namespace cutaway::icd {

Buffer::Buffer(const VkBufferCreateInfo& info)
    : bytes_(info.size), is_sparse_(info.flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) {
  constexpr VkBufferCreateFlags kReplayed = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
  constexpr VkBufferCreateFlags kSparse =
      VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT;
  if (info.flags & ~(is_sparse_ && offer().sparse ? kSparse | kReplayed : kReplayed))
    unsupported("a buffer with the flags {:#x}", info.flags);
  if (const auto* wanted = find_struct<VkBufferOpaqueCaptureAddressCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO))
    wanted_address_ = wanted->opaqueCaptureAddress;
  if (bytes_ > VkDeviceSize{1} << arch::kAddressBits) throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
}

Buffer::Buffer(Device& device, const VkBufferCreateInfo& info) : Buffer(info) {
  if (!is_sparse_) return;
  if (bytes_ > kMaxSparseBytes) throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  device.note_sparse();
  sparse_ = reserve(device, info);
  memory_ = sparse_;
  address_ = sparse_->address();
  if ((info.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) && address_ + bytes_ > kDeviceAddresses)
    throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  announce(device);
}

// Addresses below kDeviceAddresses are scarce. An address that is asked for again in another process lies far
// from all others, as that of replayed memory does.
std::unique_ptr<host::SparseRange> Buffer::reserve(Device& device, const VkBufferCreateInfo& info) const {
  host::Place place{.at = wanted_address_};
  if (info.flags & VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT) place.end = kDeviceAddresses;
  else if (!(info.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)) place.from = kDeviceAddresses;
  try {
    return device.memory().reserve(bytes_, place);
  } catch (const std::bad_alloc&) {
    if (!wanted_address_) throw;
    throw ApiError{
        VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS,
        fmt::format("a sparse buffer was recorded at address {:#x}, which cannot be had", wanted_address_)};
  }
}

VkMemoryRequirements Buffer::requirements() const {
  const VkDeviceSize alignment = is_sparse_ ? kSparseBlockBytes : kMemoryAlignment;
  return {round_up(bytes_, alignment), alignment, PhysicalDevice::memory_types()};
}

void Buffer::bind(Device& device, DeviceMemory& memory, VkDeviceSize offset) {
  // "vkBindBufferMemory": the address of a replayed buffer follows from that of its memory.
  if (wanted_address_ && wanted_address_ != memory.address() + offset)
    throw ApiError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS,
                   fmt::format("a buffer was recorded at address {:#x} and is bound at {:#x}",
                               wanted_address_, memory.address() + offset)};
  if (is_sparse_) invalid_usage("vkBindBufferMemory of a sparse buffer");
  address_ = memory.address() + offset;
  memory_ = memory.owner();
  announce(device);
}

void Buffer::announce(Device& device) {
  LabelledObjects::of_process().add(device, this);
  if (device.names_buffers()) annotate(device);
}

Buffer::~Buffer() {
  if (address_) LabelledObjects::of_process().remove(this);
}

void Buffer::set_name(Device& device, std::string name) {
  name_ = std::move(name);
  device.begin_naming_buffers();
  if (address_) annotate(device);
}

// A later text with the same id replaces the earlier one. The name comes last, because it may contain
// anything.
void Buffer::annotate(Device& device) {
  if (!annotation_) annotation_ = device.next_id();
  device.annotate(
      "buffer", annotation_,
      fmt::format("address={:#x} bytes={}{}{}", address_, bytes_, name_.empty() ? "" : " name=", name_));
}

arch::Surface raw_surface(const BufferRange& range) {
  arch::Surface surface{};
  surface.address = range.address;
  surface.type = arch::Surface::make_type(arch::SurfaceType::kRawBuffer, arch::Tiling::kLinear);
  surface.width = word_of(range.bytes);
  surface.height = surface.depth = 1;
  surface.levels = surface.layers = surface.level_count = surface.layer_count = 1;
  surface.swizzle = arch::kSwizzleIdentity;
  return surface;
}

VkResult CreateBuffer(VkDevice device, const VkBufferCreateInfo* info, const VkAllocationCallbacks*,
                      VkBuffer* buffer) {
  return create(buffer, *object(device), *info);
}

void DestroyBuffer(VkDevice, VkBuffer buffer, const VkAllocationCallbacks*) { destroy(buffer); }

void GetBufferMemoryRequirements(VkDevice, VkBuffer buffer, VkMemoryRequirements* requirements) {
  *requirements = object(buffer)->requirements();
}

void GetBufferMemoryRequirements2(VkDevice, const VkBufferMemoryRequirementsInfo2* info,
                                  VkMemoryRequirements2* requirements) {
  tell_requirements(object(info->buffer)->requirements(), *requirements);
}

void GetDeviceBufferMemoryRequirements(VkDevice, const VkDeviceBufferMemoryRequirements* info,
                                       VkMemoryRequirements2* requirements) {
  guard([&] { tell_requirements(Buffer(*info->pCreateInfo).requirements(), *requirements); });
}

VkDeviceAddress GetBufferDeviceAddress(VkDevice, const VkBufferDeviceAddressInfo* info) {
  return object(info->buffer)->address();
}

uint64_t GetBufferOpaqueCaptureAddress(VkDevice, const VkBufferDeviceAddressInfo* info) {
  return object(info->buffer)->address();
}

VkResult BindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
  return guard([&] { object(buffer)->bind(*object(device), *object(memory), offset); });
}

VkResult BindBufferMemory2(VkDevice device, uint32_t count, const VkBindBufferMemoryInfo* infos) {
  return guard([&] {
    for (uint32_t i = 0; i < count; i++)
      object(infos[i].buffer)->bind(*object(device), *object(infos[i].memory), infos[i].memoryOffset);
  });
}

}  // namespace cutaway::icd
