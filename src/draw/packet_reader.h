#pragma once

#include <string>
#include <vector>

#include "arch/memory.h"
#include "draw/command_cursor.h"
#include "draw/packet_check.h"

namespace cutaway::draw {

// The packets of a submission as they are in memory when they are read, in order, calls followed.
class PacketReader {
 public:
  PacketReader(const arch::Memory& memory, const arch::Submission& submission, const WorkLimits& limits);

  // Reads the next packet. False: all have been read, or this one is not legal. The commands of a CALL
  // follow it. registers: as the packets before have set them.
  bool next(const arch::Registers& registers);

  // Of the packet that was read last, or of the one that is not legal.
  arch::Address address() const { return address_; }
  const char* name() const { return name_; }  // "packet" while its header is not known to be legal
  arch::Opcode opcode() const { return opcode_; }
  std::span<const uint32_t> payload() const { return payload_; }
  const std::string& error() const { return error_; }  // empty: all packets so far are legal

  PacketCheck& check() { return check_; }

 private:
  bool refuse(std::string error);

  const arch::Memory& memory_;
  CommandCursor cursor_;
  PacketCheck check_;
  arch::Address address_ = 0;
  const char* name_ = "packet";
  arch::Opcode opcode_{};
  std::vector<uint32_t> payload_;
  std::string error_;
};

}  // namespace cutaway::draw
