#include <algorithm>

#include "icd/command/command_buffer.h"
#include "icd/resource/buffer.h"

// Binding and draws.
namespace cutaway::icd {
namespace {

DrawState& draws(VkCommandBuffer commands) { return object(commands)->draws(); }

template <class Packet>
void draw(VkCommandBuffer commands, arch::Opcode opcode, bool indexed, const Packet& packet) {
  object(commands)->draw(indexed, [&](CommandStream& stream) { stream.writer().packet(opcode, packet); });
}

}  // namespace

void CmdBindPipeline(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline) {
  // "pipelineBindPoint": it is the pipeline's kind.
  const Pipeline& bound = *object(pipeline);
  if (point == VK_PIPELINE_BIND_POINT_GRAPHICS)
    draws(commands).bind_pipeline(static_cast<const GraphicsPipeline&>(bound));
  else object(commands)->dispatches().bind_pipeline(static_cast<const ComputePipeline&>(bound));
}

void CmdBindDescriptorSets(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout,
                           uint32_t first, uint32_t count, const VkDescriptorSet* sets, uint32_t,
                           const uint32_t* dynamic_offsets) {
  Bindings& bindings = object(commands)->bindings(point);
  for (uint32_t i = 0; i < count; i++) {
    const DescriptorSet* set = object(sets[i]);
    bindings.bind_set(first + i, set, dynamic_offsets);
    if (set) dynamic_offsets += set->shape().dynamic_offsets;
  }
}

void CmdBindIndexBuffer(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, VkIndexType type) {
  const Buffer& b = *object(buffer);
  draws(commands).bind_index_buffer(b.address() + offset, b.range(offset, VK_WHOLE_SIZE), type);
}

void CmdBindVertexBuffers2(VkCommandBuffer commands, uint32_t first, uint32_t count, const VkBuffer* buffers,
                           const VkDeviceSize* offsets, const VkDeviceSize* sizes,
                           const VkDeviceSize* strides) {
  for (uint32_t i = 0; i < count; i++) {
    if (const Buffer* buffer = object(buffers[i]))
      draws(commands).bind_vertex_buffer(first + i, buffer->address() + offsets[i],
                                         buffer->range(offsets[i], sizes ? sizes[i] : VK_WHOLE_SIZE));
    else draws(commands).bind_vertex_buffer(first + i, 0, 0);
    if (strides) draws(commands).set_vertex_stride(first + i, static_cast<uint32_t>(strides[i]));
  }
}

void CmdBindVertexBuffers(VkCommandBuffer commands, uint32_t first, uint32_t count, const VkBuffer* buffers,
                          const VkDeviceSize* offsets) {
  CmdBindVertexBuffers2(commands, first, count, buffers, offsets, nullptr, nullptr);
}

void CmdDraw(VkCommandBuffer commands, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
             uint32_t first_instance) {
  if (!vertices || !instances) return;
  draw(commands, arch::Opcode::kDraw, false,
       arch::DrawPacket{vertices, instances, first_vertex, first_instance});
}

void CmdDrawIndexed(VkCommandBuffer commands, uint32_t indices, uint32_t instances, uint32_t first_index,
                    int32_t vertex_offset, uint32_t first_instance) {
  if (!indices || !instances) return;
  draw(commands, arch::Opcode::kDrawIndexed, true,
       arch::DrawIndexedPacket{indices, instances, first_index, vertex_offset, first_instance});
}

// There is one device in every group.
void CmdSetDeviceMask(VkCommandBuffer, uint32_t) {}

void CmdDrawIndirect(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
                     uint32_t stride) {
  draw(commands, arch::Opcode::kDrawIndirect, false,
       arch::IndirectPacket{object(buffer)->address() + offset, count, stride, 0});
}

void CmdDrawIndexedIndirect(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
                            uint32_t stride) {
  draw(commands, arch::Opcode::kDrawIndexedIndirect, true,
       arch::IndirectPacket{object(buffer)->address() + offset, count, stride, 0});
}

void CmdDrawIndirectCount(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, VkBuffer count,
                          VkDeviceSize count_offset, uint32_t most, uint32_t stride) {
  draw(commands, arch::Opcode::kDrawIndirect, false,
       arch::IndirectPacket{object(buffer)->address() + offset, most, stride,
                            object(count)->address() + count_offset});
}

void CmdDrawIndexedIndirectCount(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
                                 VkBuffer count, VkDeviceSize count_offset, uint32_t most, uint32_t stride) {
  draw(commands, arch::Opcode::kDrawIndexedIndirect, true,
       arch::IndirectPacket{object(buffer)->address() + offset, most, stride,
                            object(count)->address() + count_offset});
}

void CmdDrawIndirectByteCountEXT(VkCommandBuffer commands, uint32_t instances, uint32_t first_instance,
                                 VkBuffer counter, VkDeviceSize counter_at, uint32_t offset,
                                 uint32_t stride) {
  draw(commands, arch::Opcode::kDrawByteCount, false,
       arch::DrawByteCountPacket{object(counter)->address() + counter_at, offset, stride, instances,
                                 first_instance});
}

}  // namespace cutaway::icd
