#pragma once

#include <span>
#include <string>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "arch/registers.h"
#include "command_stream/stage_state.h"
#include "command_stream/work.h"

namespace cutaway::command_stream {

// Checks a submission's packets, the only place that does: decides which are legal, and gives the text with
// which a GPU rejects an illegal one (docs/hardware.md "Faults"). Packets must come in order. An empty text
// means legal. Errors that only appear on execution (an awaited value, a loaded program) have their texts
// here too.
class PacketCheck {
 public:
  PacketCheck() = default;
  PacketCheck(const arch::Submission& submission, const WorkLimits& limits)
      : presents_(submission.presents), queue_(submission.queue), work_(limits) {}

  // Call before the first packet.
  static std::string submission_error(const arch::Submission& submission);
  // words_left: words after the header in its commands. mapped: the header is in mapped memory.
  std::string header_error(uint32_t header, uint64_t words_left, bool mapped);
  // Checks everything that depends on the packet itself and the registers set by earlier packets. `depth`:
  // its call depth. The payload must have a legal length.
  std::string packet_error(arch::Opcode opcode, std::span<const uint32_t> payload,
                           const arch::Registers& registers, uint32_t depth);
  // Checks a draw that is executed, or one draw of an indirect packet.
  std::string draw_error(const arch::Registers& registers, const LoadedPrograms& programs, uint32_t count,
                         uint32_t instances);
  std::string dispatch_error(const arch::Registers& registers, bool compute_program,
                             const uint32_t groups[3]);
  // Call after the last packet.
  std::string end_error() const;

  Work& work() { return work_; }

 private:
  std::string present_error(const arch::Surface& surface);
  template <class Packet>
  std::string copy_error(std::span<const uint32_t> payload);

  std::string queue_error(arch::Opcode opcode, std::span<const uint32_t> payload) const;

  bool presents_ = false, presented_ = false;
  arch::QueueKind queue_ = arch::QueueKind::kGraphics;
  Work work_;
};

// WAIT_VALUE: only an earlier packet can change the value.
std::string wait_error(const arch::WaitValuePacket& packet, uint64_t there);

// A fault's text: the packet's name, or "packet" if the header is illegal, and the error.
std::string fault_text(const char* packet, const std::string& error);

// Executes a checked SET_REGISTERS.
void set_registers(std::span<const uint32_t> payload, arch::Registers& registers);

// True if draws are executed after a PREDICATE whose address holds this value.
constexpr bool predicate_holds(const arch::PredicatePacket& packet, uint32_t value) {
  return (value == 0) == (packet.inverted != 0);
}

}  // namespace cutaway::command_stream
