#include "icd/resource/buffer.h"

#include "arch/memory.h"
#include "icd/debug/labelled_objects.h"
#include "icd/device/device.h"
#include "icd/device/device_memory.h"
#include "icd/device/limits.h"
#include "icd/device/physical_device.h"

namespace cutaway::icd {

Buffer::Buffer(const VkBufferCreateInfo& info) : bytes_(info.size) {
  if (info.flags & ~VkBufferCreateFlags{VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT})
    unsupported("a sparse or protected buffer");
  if (const auto* wanted = find_struct<VkBufferOpaqueCaptureAddressCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO))
    wanted_address_ = wanted->opaqueCaptureAddress;
  if (bytes_ > VkDeviceSize{1} << arch::kAddressBits) throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
}

VkMemoryRequirements Buffer::requirements() const {
  return {(bytes_ + kMemoryAlignment - 1) / kMemoryAlignment * kMemoryAlignment, kMemoryAlignment,
          PhysicalDevice::memory_types()};
}

void Buffer::bind(Device& device, DeviceMemory& memory, VkDeviceSize offset) {
  // "vkBindBufferMemory": the address of a replayed buffer follows from that of its memory.
  if (wanted_address_ && wanted_address_ != memory.address() + offset)
    throw ApiError{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS,
                   fmt::format("a buffer was recorded at address {:#x} and is bound at {:#x}",
                               wanted_address_, memory.address() + offset)};
  address_ = memory.address() + offset;
  memory_ = memory.owner();
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

VkResult CreateBuffer(VkDevice, const VkBufferCreateInfo* info, const VkAllocationCallbacks*,
                      VkBuffer* buffer) {
  return create(buffer, *info);
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
