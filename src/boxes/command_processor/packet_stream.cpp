#include "boxes/command_processor/packet_stream.h"

#include <cstring>

namespace cutaway::boxes {

using messages::kSectorBytes;

void PacketStream::start(const arch::Submission& submission) {
  cursor_.start(submission);
  packet_.clear();
  packet_.reserve(1 + arch::kMaxPayload);
  packets_ = 0;
  packet_address_ = submission.commands;
  redirect();
}

void PacketStream::call(const arch::CallPacket& packet) {
  packet_.clear();
  cursor_.call(packet);
  cursor_.leave_ended();
  redirect();
}

// Drops the sectors that were fetched ahead. Replies that are still on their way no longer find their tag.
void PacketStream::redirect() {
  while (!sectors_.empty()) sectors_.drop();
  fetch_ = cursor_.next() / kSectorBytes * kSectorBytes;
}

bool PacketStream::wants(arch::Address& sector, uint32_t& tag) const {
  if (sectors_.full() || fetch_ >= cursor_.next() + cursor_.words_left() * 4) return false;
  sector = fetch_;
  tag = next_tag_;
  return true;
}

void PacketStream::asked() {
  sectors_.push({.tag = next_tag_++});
  fetch_ += kSectorBytes;
}

void PacketStream::reply(const messages::MemoryReply& reply) {
  for (uint32_t i = 0; i < sectors_.size(); i++) {
    if (sectors_[i].tag != reply.tag) continue;
    sectors_[i].arrived = true;
    sectors_[i].mapped = reply.mapped;
    sectors_[i].data = reply.data;
  }
}

bool PacketStream::take_word() {
  if (cursor_.words_left() == 0 || packet_complete()) return false;
  if (sectors_.empty() || !sectors_.front().arrived) return false;
  uint32_t word;
  std::memcpy(&word, sectors_.front().data.data() + cursor_.next() % kSectorBytes, 4);
  if (packet_.empty()) {
    packets_++;
    packet_address_ = cursor_.next();
    header_mapped_ = sectors_.front().mapped;
  }
  packet_.push_back(word);
  cursor_.take(1);
  if (cursor_.next() % kSectorBytes == 0) sectors_.drop();
  return true;
}

PacketPlace PacketStream::place() const {
  const bool named = in_packet() && header_mapped_ && arch::is_header(header());
  return {packets_, packet_address_, named ? arch::opcode_name(opcode()) : "packet"};
}

void PacketStream::packet_done() {
  packet_.clear();
  if (cursor_.leave_ended()) redirect();
}

}  // namespace cutaway::boxes
