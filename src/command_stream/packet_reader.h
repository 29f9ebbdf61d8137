#pragma once

#include <string>
#include <vector>

#include "arch/memory.h"
#include "command_stream/command_cursor.h"
#include "command_stream/packet_check.h"

namespace cutaway::command_stream {

// Reads the packets of a submission from memory, in order, following calls.
class PacketReader {
 public:
  PacketReader(const arch::Memory& memory, const arch::Submission& submission, const WorkLimits& limits);

  // Reads the next packet. Returns false after the last, or if this one is illegal. A CALL is followed by its
  // commands. registers: as set by earlier packets.
  bool next(const arch::Registers& registers);

  // Properties of the packet that was read last, or of the illegal one.
  arch::Address address() const { return address_; }
  const char* name() const { return name_; }  // "packet" until its header is known to be legal
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

}  // namespace cutaway::command_stream
