#pragma once

#include <span>
#include <string>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "arch/registers.h"
#include "draw/stage_state.h"
#include "draw/work.h"

namespace cutaway::draw {

// The one judgement of a submission's packets: which of them are legal, and in which words a GPU refuses one
// that is not (docs/hardware.md "Faults"). Packets come in their order. Empty text: legal. What can only be
// told when a packet is carried out (a value waited for, a program that was loaded) has its text here too.
class PacketCheck {
 public:
  PacketCheck() = default;
  PacketCheck(const arch::Submission& submission, const WorkLimits& limits)
      : presents_(submission.presents), work_(limits) {}

  // Before the first packet.
  static std::string submission_error(const arch::Submission& submission);
  // words_left: that follow the header in its commands. mapped: the header lies in mapped memory.
  std::string header_error(uint32_t header, uint64_t words_left, bool mapped);
  // All that a packet says by itself, with the registers as packets before it have set them. `depth`: of the
  // calls that it stands in. A payload of legal length.
  std::string packet_error(arch::Opcode opcode, std::span<const uint32_t> payload,
                           const arch::Registers& registers, uint32_t depth);
  // A draw, or one of those of an indirect packet, that takes place.
  std::string draw_error(const arch::Registers& registers, const LoadedPrograms& programs, uint32_t count,
                         uint32_t instances);
  std::string dispatch_error(const arch::Registers& registers, bool compute_program,
                             const uint32_t groups[3]);
  // After the last packet.
  std::string end_error() const;

  Work& work() { return work_; }

 private:
  std::string present_error(const arch::Surface& surface);
  template <class Packet>
  std::string copy_error(std::span<const uint32_t> payload);

  bool presents_ = false, presented_ = false;
  Work work_;
};

// WAIT_VALUE: nothing but an earlier packet could change what is there.
std::string wait_error(const arch::WaitValuePacket& packet, uint64_t there);

// A fault's text: the packet's name, or "packet" where the header is not legal, and what is wrong.
std::string fault_text(const char* packet, const std::string& error);

// SET_REGISTERS, judged.
void set_registers(std::span<const uint32_t> payload, arch::Registers& registers);

// Whether draws take place after a PREDICATE whose address names this value.
constexpr bool predicate_holds(const arch::PredicatePacket& packet, uint32_t value) {
  return (value == 0) == (packet.inverted != 0);
}

}  // namespace cutaway::draw
