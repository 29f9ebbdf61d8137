#pragma once

#include <cstdint>
#include <string>

#include "boxes/command_processor/draw_packets.h"
#include "boxes/command_processor/packet_steps.h"
#include "command_stream/packet_check.h"

namespace cutaway::boxes {

// Executes packets: decides what each waits for, and sends its orders through the ports of the box. Holds how
// far the packet in progress has come. Work that it has begun is under way in the parts.
class PacketSwitch {
 public:
  PacketSwitch(CommandProcessor& box, CommandParts& parts, const CommandProcessorSpec& spec,
               const structures::FrontEnds& front_ends)
      : box_(box),
        parts_(parts),
        instruction_memory_(spec.instruction_memory),
        steps_(box, parts),
        draws_(box, parts, steps_, check_, front_ends) {}

  void begin_submission(const arch::Submission& submission, const command_stream::WorkLimits& limits);
  // Between two packets: a suspended submission keeps it.
  struct Standing {
    command_stream::PacketCheck check;
    bool predicate = true;
  };
  Standing standing() const { return {check_, predicate_}; }
  void resume(const Standing& standing);
  // Tries the whole packet that the stream has at hand.
  PacketResult execute(engine::Cycle now);
  // The packets of the submission have been taken. kDone: no barrier is owed any more.
  PacketResult carry_out_barriers() {
    steps_.progressed = false;
    return steps_.carry_out_barriers();
  }
  bool progressed() const { return steps_.progressed; }  // the last execute() took a step of the packet
  bool clears() const { return clear_ != ClearStep::kCaches; }  // a CLEAR has begun and not ended

  // Faults of a header that has come, and of a submission whose packets have ended, or "".
  std::string header_error();
  std::string end_error() const { return check_.end_error(); }

 private:
  using Cycle = engine::Cycle;
  using Result = PacketResult;

  bool judge();
  bool may_owe_barriers() const;
  Result switch_packet(Cycle now);
  Result mark();
  Result set_registers(Cycle now);
  Result load(Cycle now);
  Result wait_for_barriers(const MemoryRange& read);
  Result call();
  Result set_predicate(Cycle now);
  Result copy(Cycle now);
  void send_copy(Cycle now);
  Result clear(Cycle now);
  Result clear_caches(Cycle now);
  Result flush_or_invalidate(Cycle now, messages::Control::Kind kind);
  Result wait_idle();
  Result present(Cycle now);
  Result write_value(Cycle now);
  Result write_query(Cycle now);
  Result wait_value(Cycle now);
  Result feedback_counter(Cycle now);

  CommandProcessor& box_;
  CommandParts& parts_;
  uint32_t instruction_memory_;        // instructions of a shader unit
  command_stream::PacketCheck check_;  // judges the packets of the submission
  PacketSteps steps_;
  DrawPackets draws_;
  bool predicate_ = true;  // draws take place

  // The packet in progress.
  enum class Judgement : uint8_t { kNone, kLegal } judgement_ = Judgement::kNone;
  enum class ClearStep : uint8_t { kCaches, kMemory, kCopy } clear_ = ClearStep::kCaches;
  MemoryUse use_;  // by a copy
};

}  // namespace cutaway::boxes
