#pragma once

#include <span>
#include <string>

#include "boxes/command_processor/command_parts.h"
#include "boxes/command_processor/packet_result.h"

namespace cutaway::boxes {

class CommandProcessor;

// Steps that several packets take.
class PacketSteps {
 public:
  PacketSteps(CommandProcessor& box, CommandParts& parts) : box_(box), parts_(parts) {}

  bool progressed = false;  // the packet in progress has taken a step in this cycle

  // The packet is at fault.
  PacketResult refuse(const std::string& error);
  // The packet begins a piece of work. Returns its number.
  uint32_t begin_work(engine::Cycle now, messages::Work work);
  // kDone: no barrier is owed any more. Called again until then.
  PacketResult carry_out_barriers();
  // kDone: hierarchical Z holds no wrong bounds.
  PacketResult forget_lost_bounds();
  // True: stream-out knows that no buffer was filled before this submission. False: not yet.
  bool empty_feedback(engine::Cycle now);

  // Asks for the next of these bytes. True: a request has left.
  bool ask(engine::Cycle now, arch::Address address, size_t bytes);
  // Reads words that may lie in two sectors, behind all copies. False: not yet; call again with the same
  // ones.
  bool read(engine::Cycle now, arch::Address address, std::span<uint32_t> words);
  // Writes bytes of one sector. The port is ready.
  void write(engine::Cycle now, arch::Address address, std::span<const std::byte> bytes);

 private:
  bool order_caches(messages::Control::Kind kind, uint32_t caches);

  CommandProcessor& box_;
  CommandParts& parts_;
};

}  // namespace cutaway::boxes
