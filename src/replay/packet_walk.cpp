#include "replay/packet_walk.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "base/interrupt.h"

namespace cutaway::replay {
namespace {

struct Walk {
  const arch::Memory& memory;
  const std::function<void(const Packet&)>& visit;
  std::unique_ptr<arch::Registers> registers = std::make_unique<arch::Registers>();
  Packet packet{};
  func::Work work{func::WorkLimits()};

  void set_registers(std::span<const uint32_t> payload) {
    const uint64_t first = payload[0], count = payload.size() - 1;
    if (first + count <= arch::kRegisterWords)
      std::memcpy(reinterpret_cast<std::byte*>(registers.get()) + first * 4, payload.data() + 1, count * 4);
  }

  uint32_t draws(arch::Opcode opcode, std::span<const uint32_t> payload) const {
    if (opcode != arch::Opcode::kDrawIndirect && opcode != arch::Opcode::kDrawIndexedIndirect)
      return is_draw(opcode);
    const auto indirect = arch::packet_as<arch::IndirectPacket>(payload);
    const arch::Address count = indirect.count_address;
    if (!count || count % 4 || !memory.mapped(count)) return indirect.draws;
    return std::min(uint32_t{indirect.draws}, memory.read_as<uint32_t>(count));
  }

  bool commands(arch::Address address, uint64_t words, uint32_t depth) {
    std::vector<uint32_t> payload;
    for (const arch::Address end = address + words * 4; address < end;) {
      end_if_interrupted();
      if (!memory.mapped(address)) return false;
      const auto header = memory.read_as<uint32_t>(address);
      const arch::Opcode opcode = arch::packet_opcode(header);
      const uint32_t size = arch::packet_payload(header);
      const arch::PayloadRange range = arch::payload_range(opcode);
      if (size < range.least || size > range.most || (end - address) / 4 <= size ||
          work.words(1 + uint64_t{size}))
        return false;
      payload.resize(size);
      if (size) memory.read(address + 4, payload.data(), size * 4ull);
      if (opcode == arch::Opcode::kSetRegisters) set_registers(payload);
      packet.draws = draws(opcode, payload);
      packet.draw += packet.draws;
      packet.dispatch += is_dispatch(opcode);
      packet.address = address, packet.opcode = opcode, packet.payload = payload;
      visit(packet);
      if (opcode == arch::Opcode::kCall) {
        const auto call = arch::packet_as<arch::CallPacket>(payload);
        const arch::Address to = call.address;
        if (depth == arch::kCallDepth || to % 4 || to >> arch::kAddressBits) return false;
        if (!commands(to, call.words, depth + 1)) return false;
      }
      address += 4 + size * 4ull;
    }
    return true;
  }
};

}  // namespace

void walk_packets(const arch::Memory& memory, const arch::Submission& submission,
                  const std::function<void(const Packet&)>& visit) {
  Walk walk{memory, visit};
  walk.packet.submission = submission.id;
  walk.packet.registers = walk.registers.get();
  if (submission.commands % 4 == 0) walk.commands(submission.commands, submission.words, 0);
}

}  // namespace cutaway::replay
