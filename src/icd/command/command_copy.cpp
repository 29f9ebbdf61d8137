#include "icd/command/command_buffer.h"
#include "icd/command/copy_region.h"
#include "icd/resource/buffer.h"
#include "icd/resource/image.h"

// Copies and fills.
namespace cutaway::icd {
namespace {

void copy_bytes(CommandBuffer& buffer, arch::Address source, arch::Address destination, uint64_t bytes) {
  if (!bytes) return;
  buffer.stream().writer().packet(arch::Opcode::kCopyBuffer,
                                  arch::CopyBufferPacket{source, destination, bytes});
  buffer.stream().caches().copy();
}

}  // namespace

void CommandBuffer::copy(const arch::CopySurfacePacket& packet) {
  if (!packet.width || !packet.height || !packet.depth) return;
  stream_.writer().packet(arch::Opcode::kCopySurface, packet);
  stream_.caches().copy();
}

void CmdCopyBuffer(VkCommandBuffer commands, VkBuffer source, VkBuffer destination, uint32_t count,
                   const VkBufferCopy* regions) {
  for (uint32_t i = 0; i < count; i++)
    copy_bytes(*object(commands), object(source)->address() + regions[i].srcOffset,
               object(destination)->address() + regions[i].dstOffset, regions[i].size);
}

void CmdUpdateBuffer(VkCommandBuffer commands, VkBuffer destination, VkDeviceSize offset, VkDeviceSize bytes,
                     const void* data) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    copy_bytes(buffer, buffer.stream().uploads().put(data, bytes), object(destination)->address() + offset,
               bytes);
  });
}

void CmdFillBuffer(VkCommandBuffer commands, VkBuffer destination, VkDeviceSize offset, VkDeviceSize bytes,
                   uint32_t value) {
  CommandBuffer& buffer = *object(commands);
  // "If VK_WHOLE_SIZE is used and the remaining size of the buffer is not a multiple of 4, then the nearest
  // smaller multiple is used."
  const uint64_t length = object(destination)->range(offset, bytes) & ~uint64_t{3};
  if (!length) return;
  buffer.stream().writer().packet(
      arch::Opcode::kFillBuffer,
      arch::FillBufferPacket{object(destination)->address() + offset, length, value});
  buffer.stream().caches().copy();
}

void CmdCopyImage(VkCommandBuffer commands, VkImage source, VkImageLayout, VkImage destination, VkImageLayout,
                  uint32_t count, const VkImageCopy* regions) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    for (uint32_t i = 0; i < count; i++)
      buffer.copy(copy_image(object(source)->surface(), object(destination)->surface(), regions[i]));
  });
}

void CmdCopyBufferToImage(VkCommandBuffer commands, VkBuffer source, VkImage destination, VkImageLayout,
                          uint32_t count, const VkBufferImageCopy* regions) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    for (uint32_t i = 0; i < count; i++)
      buffer.copy(copy_buffer_image(object(destination)->surface(), object(source)->address(), regions[i],
                                    CopyDirection::kBufferToImage));
  });
}

void CmdCopyImageToBuffer(VkCommandBuffer commands, VkImage source, VkImageLayout, VkBuffer destination,
                          uint32_t count, const VkBufferImageCopy* regions) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    for (uint32_t i = 0; i < count; i++)
      buffer.copy(copy_buffer_image(object(source)->surface(), object(destination)->address(), regions[i],
                                    CopyDirection::kImageToBuffer));
  });
}

}  // namespace cutaway::icd
