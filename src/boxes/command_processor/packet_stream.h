#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "parts/memory_message.h"
#include "parts/ring.h"

namespace cutaway::boxes {

// The command processor's instruction fetch: reads packets from memory in order, ahead of their use, through
// calls and returns. Knows no clock: the box sends its requests and hands replies in.
class PacketStream {
 public:
  explicit PacketStream(unsigned prefetch_sectors) : sectors_(prefetch_sectors) {}

  void start(const arch::Submission& submission);
  // Enters other commands. False: nested deeper than arch::kCallDepth.
  bool call(arch::Address address, uint32_t words);

  // All words have been taken.
  bool ended() const { return depth_ == 0; }

  // The next sector to ask for, if there is room for it.
  bool wants(arch::Address& sector, uint32_t& tag) const;
  void asked();
  void reply(const parts::MemoryReply& reply);

  // Takes the next word into the packet under way; false if it has not arrived.
  bool take_word();
  // The packet under way is whole.
  bool packet_complete() const {
    return !packet_.empty() && packet_.size() == 1 + arch::packet_payload(packet_[0]);
  }
  arch::Opcode opcode() const { return arch::packet_opcode(packet_[0]); }
  std::span<const uint32_t> payload() const { return std::span(packet_).subspan(1); }
  arch::Address packet_address() const { return packet_address_; }
  // Call when a packet has been carried out. Returns from calls whose words are used up.
  void packet_done();
  // The header that was just taken claims more words than its stream has left.
  bool overruns() const {
    return !packet_.empty() && packet_.size() <= arch::packet_payload(packet_[0]) && frame().words == 0;
  }
  bool in_packet() const { return !packet_.empty(); }

 private:
  struct Frame {
    arch::Address next = 0;  // of the next word to take
    uint32_t words = 0;      // left to take
  };
  struct Slot {
    uint32_t tag = 0;
    bool arrived = false;
    parts::Sector data{};
  };
  Frame& frame() { return frames_[depth_ - 1]; }
  const Frame& frame() const { return frames_[depth_ - 1]; }
  void redirect();

  parts::Ring<Slot> sectors_;  // asked for, in order from the sector of the next word
  arch::Address fetch_ = 0;    // next sector to ask for
  uint32_t next_tag_ = 0;
  std::array<Frame, 1 + arch::kCallDepth> frames_{};
  uint32_t depth_ = 0;
  std::vector<uint32_t> packet_;
  arch::Address packet_address_ = 0;
};

}  // namespace cutaway::boxes
