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
//
// A stream that follows calls keeps the sectors of each depth of calls, and fetches the commands of the next
// CALL before it is executed. Another one drops what it has fetched at each CALL and return.
class PacketStream {
 public:
  // tags: the next tag of a request, which all streams of a box share.
  PacketStream(unsigned prefetch_sectors, bool follows_calls, uint32_t& tags);

  void start(const arch::Submission& submission);
  uint64_t submission() const { return submission_; }  // its id
  // The packet under way is a CALL: enters its commands.
  void call(const arch::CallPacket& packet);
  uint32_t depth() const { return cursor_.depth(); }  // calls that it stands in
  // The GPU itself has written memory: commands that were fetched before their CALL may be old.
  void distrust() { distrusted_ = true; }
  bool distrusted() const { return distrusted_; }

  // A sector has been asked for and has not arrived.
  bool asks() const;
  // The stream goes on in another box, or in this one.
  void share_tags(uint32_t& tags) { tags_ = &tags; }

  // All words have been taken.
  bool ended() const { return cursor_.ended(); }

  // The next sector to ask for, if there is room for it.
  bool wants(arch::Address& sector, uint32_t& tag);
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
  // Commands of one depth of calls.
  struct Level {
    structures::Ring<Slot> sectors;  // asked for, in order from `first`
    arch::Address first = 0;         // sector of the oldest slot
    arch::Address fetch = 0;         // next sector to ask for
    arch::Address begin = 0, end = 0;
    arch::Address scan = 0;  // next header in which to look for a CALL
    void open(arch::Address address, uint64_t words);
    void drop();
    bool wants() const { return !sectors.full() && fetch < end; }
    // False: the word has not arrived.
    bool word(arch::Address address, uint32_t& value) const;
  };
  Level& level() { return levels_[follows_calls_ ? cursor_.depth() : 0]; }
  void redirect();
  void look_for_call();

  bool follows_calls_;
  uint32_t* tags_;
  std::vector<Level> levels_;  // by depth; one if calls are not followed
  uint32_t ahead_ = 0;         // depth of the commands that were fetched before their CALL; 0: none
  uint32_t asking_ = 0;        // depth of the sector that wants() named
  bool distrusted_ = false;
  uint64_t submission_ = 0;
  command_stream::CommandCursor cursor_;
  std::vector<uint32_t> packet_;
  uint64_t packets_ = 0;              // that have begun in the submission
  arch::Address packet_address_ = 0;  // the last packet's
  bool header_mapped_ = false;
};

}  // namespace cutaway::boxes
