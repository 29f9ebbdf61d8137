#include "replay/packet_walk.h"

#include <algorithm>
#include <memory>

#include "base/interrupt.h"
#include "command_stream/packet_reader.h"

namespace cutaway::replay {
namespace {

uint32_t draws_of(const arch::Memory& memory, arch::Opcode opcode, std::span<const uint32_t> payload) {
  if (opcode != arch::Opcode::kDrawIndirect && opcode != arch::Opcode::kDrawIndexedIndirect)
    return is_draw(opcode);
  const auto indirect = arch::packet_as<arch::IndirectPacket>(payload);
  const arch::Address count = indirect.count_address;
  if (!count || !memory.mapped(count)) return indirect.draws;
  return std::min(uint32_t{indirect.draws}, memory.read_as<uint32_t>(count));
}

}  // namespace

void walk_packets(const arch::Memory& memory, const arch::Submission& submission,
                  const std::function<void(const Packet&)>& visit) {
  const auto registers = std::make_unique<arch::Registers>();
  command_stream::PacketReader packets(memory, submission, {});
  Packet packet{.submission = submission.id, .registers = registers.get(), .memory = &memory};
  while (packets.next(*registers)) {
    end_if_interrupted();
    packet.address = packets.address(), packet.opcode = packets.opcode(), packet.payload = packets.payload();
    if (packet.opcode == arch::Opcode::kSetRegisters)
      command_stream::set_registers(packet.payload, *registers);
    packet.draws = draws_of(memory, packet.opcode, packet.payload);
    packet.draw += packet.draws;
    packet.dispatch += is_dispatch(packet.opcode);
    visit(packet);
  }
}

}  // namespace cutaway::replay
