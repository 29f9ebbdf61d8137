#pragma once

#include <cstdint>
#include <vector>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "boxes/command_processor/packet_place.h"
#include "command_stream/command_cursor.h"
#include "messages/memory_message.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Fetches commands: reads packets from memory in order, ahead of their use, through calls and returns. Knows
// no clock: the box sends its requests and hands replies in.
class PacketStream {
 public:
  explicit PacketStream(unsigned prefetch_sectors) : sectors_(prefetch_sectors) {}

  void start(const arch::Submission& submission);
  // The packet under way is a CALL: enters its commands.
  void call(const arch::CallPacket& packet);
  uint32_t depth() const { return cursor_.depth(); }  // calls that it stands in

  // All words have been taken.
  bool ended() const { return cursor_.ended(); }

  // The next sector to ask for, if there is room for it.
  bool wants(arch::Address& sector, uint32_t& tag) const;
  void asked();
  void reply(const messages::MemoryReply& reply);

  // Takes the next word into the packet under way; false if it has not arrived.
  bool take_word();
  // The packet under way is whole.
  bool packet_complete() const {
    return !packet_.empty() && packet_.size() == 1 + arch::packet_payload(packet_[0]);
  }
  arch::Opcode opcode() const { return arch::packet_opcode(packet_[0]); }
  std::span<const uint32_t> payload() const { return std::span(packet_).subspan(1); }
  PacketPlace place() const;
  // The packet under way has been carried out. Returns from calls whose words are used up.
  void packet_done();
  // The word taken last is a packet's header.
  bool at_header() const { return packet_.size() == 1; }
  uint32_t header() const { return packet_[0]; }
  bool header_mapped() const { return header_mapped_; }         // it lies in mapped memory
  uint64_t words_left() const { return cursor_.words_left(); }  // behind the words taken, of these commands
  bool in_packet() const { return !packet_.empty(); }

 private:
  struct Slot {
    uint32_t tag = 0;
    bool arrived = false, mapped = false;
    messages::Sector data{};
  };
  void redirect();

  structures::Ring<Slot> sectors_;  // asked for, in order from the sector of the next word
  arch::Address fetch_ = 0;         // next sector to ask for
  uint32_t next_tag_ = 0;
  command_stream::CommandCursor cursor_;
  std::vector<uint32_t> packet_;
  uint64_t packets_ = 0;              // that have begun in the submission
  arch::Address packet_address_ = 0;  // the last packet's
  bool header_mapped_ = false;
};

}  // namespace cutaway::boxes
