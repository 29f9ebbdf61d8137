#include "command_stream/packet_reader.h"

namespace cutaway::command_stream {

using arch::Opcode;

PacketReader::PacketReader(const arch::Memory& memory, const arch::Submission& submission,
                           const WorkLimits& limits)
    : memory_(memory), check_(submission, limits), address_(submission.commands) {
  cursor_.start(submission);
  error_ = PacketCheck::submission_error(submission);
}

bool PacketReader::next(const arch::Registers& registers) {
  if (!error_.empty()) return false;
  cursor_.leave_ended();
  name_ = "packet";
  if (cursor_.ended()) return refuse(check_.end_error());
  address_ = cursor_.next();
  const bool mapped = memory_.mapped(address_);
  const auto header = mapped ? memory_.read_as<uint32_t>(address_) : 0;
  if (std::string error = check_.header_error(header, cursor_.words_left() - 1, mapped); !error.empty()) {
    // Errors beyond the header are attributed to the packet that the header names.
    if (mapped && arch::is_header(header)) name_ = arch::opcode_name(arch::packet_opcode(header));
    return refuse(std::move(error));
  }
  opcode_ = arch::packet_opcode(header);
  name_ = arch::opcode_name(opcode_);
  const uint32_t words = arch::packet_payload(header);
  payload_.resize(words);
  if (opcode_ != Opcode::kNop && words) memory_.read(address_ + 4, payload_.data(), words * 4ull);
  cursor_.take(1 + uint64_t{words});
  if (std::string error = check_.packet_error(opcode_, payload_, registers, cursor_.depth()); !error.empty())
    return refuse(std::move(error));
  if (opcode_ == Opcode::kCall) cursor_.call(arch::packet_as<arch::CallPacket>(payload_));
  return true;
}

bool PacketReader::refuse(std::string error) {
  error_ = std::move(error);
  return false;
}

}  // namespace cutaway::command_stream
