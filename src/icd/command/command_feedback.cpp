#include "icd/command/command_buffer.h"
#include "icd/resource/buffer.h"

// Transform feedback.
namespace cutaway::icd {
namespace {

void counter_packet(VkCommandBuffer commands, arch::Opcode opcode, uint32_t index, arch::Address address) {
  object(commands)->stream().writer().packet(opcode, arch::FeedbackPacket{index, address});
}

// The address of counter buffer i of a list that may be absent, or 0.
arch::Address counter_address(uint32_t i, const VkBuffer* buffers, const VkDeviceSize* offsets) {
  if (!buffers || !buffers[i]) return 0;
  return object(buffers[i])->address() + (offsets ? offsets[i] : 0);
}

}  // namespace

void CmdBindTransformFeedbackBuffersEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                        const VkBuffer* buffers, const VkDeviceSize* offsets,
                                        const VkDeviceSize* sizes) {
  for (uint32_t i = 0; i < count; i++) {
    const Buffer& buffer = *object(buffers[i]);
    object(commands)->draws().bind_feedback_buffer(
        first + i, buffer.address() + offsets[i], buffer.range(offsets[i], sizes ? sizes[i] : VK_WHOLE_SIZE));
  }
}

void CmdBeginTransformFeedbackEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                  const VkBuffer* buffers, const VkDeviceSize* offsets) {
  for (uint32_t i = 0; i < arch::kFeedbackBuffers; i++) {
    const bool named = i >= first && i - first < count;
    counter_packet(commands, arch::Opcode::kLoadFeedback, i,
                   named ? counter_address(i - first, buffers, offsets) : 0);
  }
  object(commands)->draws().capture_vertices(true);
}

void CmdEndTransformFeedbackEXT(VkCommandBuffer commands, uint32_t first, uint32_t count,
                                const VkBuffer* buffers, const VkDeviceSize* offsets) {
  for (uint32_t i = 0; i < count; i++)
    if (const arch::Address address = counter_address(i, buffers, offsets))
      counter_packet(commands, arch::Opcode::kStoreFeedback, first + i, address);
  object(commands)->stream().caches().copy();
  object(commands)->draws().capture_vertices(false);
}

}  // namespace cutaway::icd
