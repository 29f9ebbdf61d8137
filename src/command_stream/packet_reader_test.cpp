#include "command_stream/packet_reader.h"

#include <gtest/gtest.h>

namespace cutaway::command_stream {
namespace {

using arch::Opcode;

constexpr arch::Address kBase = 0x10000;

struct Commands {
  arch::Memory memory;
  Commands() { memory.map(kBase, 1 << 16); }
  void put(arch::Address at, const arch::CommandWriter& writer) {
    memory.write(at, writer.commands().data(), writer.commands().size() * 4);
  }
  // Opcodes in order, and the reason for the end.
  std::string read(uint32_t words) const {
    const arch::Registers registers{};
    PacketReader packets(memory, {.commands = kBase, .words = words}, {});
    std::string all;
    while (packets.next(registers)) all += std::string(packets.name()) + " ";
    return all + (packets.error().empty() ? "" : std::string(packets.name()) + ": " + packets.error());
  }
};

arch::CommandWriter marker(uint32_t id) {
  arch::CommandWriter writer;
  writer.words(Opcode::kMarker, std::vector<uint32_t>{id});
  return writer;
}

TEST(PacketReader, FollowsCallsAndReturns) {
  Commands commands;
  arch::CommandWriter main, list;
  list.packet(Opcode::kNop);
  list.packet(Opcode::kCall, arch::CallPacket{kBase + 0x2000, 2});  // the last of its commands
  main.packet(Opcode::kCall, arch::CallPacket{kBase + 0x1000, static_cast<uint32_t>(list.commands().size())});
  main.packet(Opcode::kCall, arch::CallPacket{kBase + 0x1000, 0});
  main.packet(Opcode::kWaitIdle);
  commands.put(kBase, main);
  commands.put(kBase + 0x1000, list);
  commands.put(kBase + 0x2000, marker(7));
  EXPECT_EQ(commands.read(static_cast<uint32_t>(main.commands().size())),
            "CALL NOP CALL MARKER CALL WAIT_IDLE ");
}

TEST(PacketReader, EndsAtAnIllegalPacket) {
  Commands commands;
  arch::CommandWriter main;
  main.packet(Opcode::kNop);
  main.words(Opcode::kFlush, std::vector<uint32_t>{64});
  commands.put(kBase, main);
  EXPECT_EQ(commands.read(3), "NOP FLUSH: unknown cache");
  EXPECT_EQ(commands.read(2), "NOP FLUSH: the packet reaches beyond the end of the commands");
  EXPECT_EQ(commands.read(0), "");
  const uint32_t reserved = 1 << 20;
  commands.memory.write_as(kBase + 4, reserved);
  EXPECT_EQ(commands.read(3), "NOP packet: unknown header 00100000");
  commands.memory.unmap(kBase, 4096);
  EXPECT_EQ(commands.read(3), "packet: the commands lie in memory that is not mapped");
}

TEST(PacketReader, NamesTheAddressOfThePacket) {
  Commands commands;
  commands.put(kBase, marker(1));
  const arch::Registers registers{};
  PacketReader packets(commands.memory, {.commands = kBase, .words = 4}, {});
  EXPECT_TRUE(packets.next(registers));
  EXPECT_EQ(packets.address(), kBase);
  EXPECT_EQ(packets.payload()[0], 1u);
  EXPECT_TRUE(packets.next(registers));
  EXPECT_EQ(packets.address(), kBase + 8);
}

}  // namespace
}  // namespace cutaway::command_stream
