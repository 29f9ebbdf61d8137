#include "icd/command/command_buffer.h"
#include "icd/resource/buffer.h"

// Dispatches.
namespace cutaway::icd {
namespace {

template <class Packet>
void dispatch(VkCommandBuffer commands, arch::Opcode opcode, const Packet& packet) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    if (buffer.dispatches().resolve(buffer.stream(), buffer.draws().counts_statistics()))
      buffer.stream().writer().packet(opcode, packet);
    buffer.name_programs(buffer.dispatches().pipeline());
  });
}

}  // namespace

void CmdDispatchBase(VkCommandBuffer commands, uint32_t base_x, uint32_t base_y, uint32_t base_z, uint32_t x,
                     uint32_t y, uint32_t z) {
  if (!x || !y || !z) return;
  dispatch(commands, arch::Opcode::kDispatch, arch::DispatchPacket{{x, y, z}, {base_x, base_y, base_z}});
}

void CmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
  CmdDispatchBase(commands, 0, 0, 0, x, y, z);
}

void CmdDispatchIndirect(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset) {
  dispatch(commands, arch::Opcode::kDispatchIndirect,
           arch::DispatchIndirectPacket{object(buffer)->address() + offset});
}

}  // namespace cutaway::icd
