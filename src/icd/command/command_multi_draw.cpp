#include <cstring>
#include <vector>

#include "icd/command/command_buffer.h"

// VK_EXT_multi_draw: many draws of the same state by one command.
namespace cutaway::icd {
namespace {

// The draws of a list whose elements lie stride bytes apart.
template <class Info>
std::vector<Info> gather(uint32_t count, const Info* first, uint32_t stride) {
  std::vector<Info> draws(count);
  const auto* from = reinterpret_cast<const std::byte*>(first);
  for (Info& draw : draws) {
    std::memcpy(&draw, from, sizeof draw);
    from += stride;
  }
  return draws;
}

// Packets one after the other; where the program asks for gl_DrawID, one with their arguments in memory,
// which numbers them.
template <class Packet, class Arguments>
void draw_all(CommandBuffer& buffer, bool indexed, const std::vector<Packet>& packets,
              const std::vector<Arguments>& arguments) {
  if (packets.empty()) return;
  const auto one = indexed ? arch::Opcode::kDrawIndexed : arch::Opcode::kDraw;
  const auto list = indexed ? arch::Opcode::kDrawIndexedIndirect : arch::Opcode::kDrawIndirect;
  buffer.draw(indexed, [&](CommandStream& stream) {
    if (buffer.draws().reads_draw_number()) {
      const arch::Address at = stream.uploads().put(arguments.data(), arguments.size() * sizeof(Arguments));
      stream.writer().packet(
          list, arch::IndirectPacket{at, static_cast<uint32_t>(arguments.size()), sizeof(Arguments), 0});
      return;
    }
    for (size_t i = 0; i < packets.size(); i++) stream.writer().packet(one, packets[i]);
  });
}

}  // namespace

void CmdDrawMultiEXT(VkCommandBuffer commands, uint32_t count, const VkMultiDrawInfoEXT* infos,
                     uint32_t instances, uint32_t first_instance, uint32_t stride) {
  now_or_deferred(commands, [=, draws = gather(count, infos, stride)](VkCommandBuffer to) {
    std::vector<arch::DrawPacket> packets;
    std::vector<VkDrawIndirectCommand> arguments;
    for (const VkMultiDrawInfoEXT& draw : draws) {
      arguments.push_back({draw.vertexCount, instances, draw.firstVertex, first_instance});
      if (draw.vertexCount && instances)
        packets.push_back({draw.vertexCount, instances, draw.firstVertex, first_instance});
    }
    draw_all(*object(to), false, packets, arguments);
  });
}

void CmdDrawMultiIndexedEXT(VkCommandBuffer commands, uint32_t count, const VkMultiDrawIndexedInfoEXT* infos,
                            uint32_t instances, uint32_t first_instance, uint32_t stride,
                            const int32_t* vertex_offset) {
  std::vector<VkMultiDrawIndexedInfoEXT> list = gather(count, infos, stride);
  // "pVertexOffset [...] When specified, VkMultiDrawIndexedInfoEXT::vertexOffset is ignored."
  if (vertex_offset)
    for (VkMultiDrawIndexedInfoEXT& draw : list) draw.vertexOffset = *vertex_offset;
  now_or_deferred(commands, [=, draws = std::move(list)](VkCommandBuffer to) {
    std::vector<arch::DrawIndexedPacket> packets;
    std::vector<VkDrawIndexedIndirectCommand> arguments;
    for (const VkMultiDrawIndexedInfoEXT& draw : draws) {
      arguments.push_back({draw.indexCount, instances, draw.firstIndex, draw.vertexOffset, first_instance});
      if (draw.indexCount && instances)
        packets.push_back({draw.indexCount, instances, draw.firstIndex, draw.vertexOffset, first_instance});
    }
    draw_all(*object(to), true, packets, arguments);
  });
}

}  // namespace cutaway::icd
