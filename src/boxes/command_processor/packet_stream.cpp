#include "boxes/command_processor/packet_stream.h"

#include <cstring>

namespace cutaway::boxes {

using arch::Address;
using messages::kSectorBytes;

PacketStream::PacketStream(unsigned prefetch_sectors, bool follows_calls, uint32_t& tags)
    : follows_calls_(follows_calls), tags_(&tags), levels_(follows_calls ? 1 + arch::kCallDepth : 1) {
  for (Level& level : levels_) level.sectors.reset(prefetch_sectors);
}

void PacketStream::Level::open(Address address, uint64_t words) {
  while (!sectors.empty()) sectors.drop();
  first = fetch = address / kSectorBytes * kSectorBytes;
  begin = scan = address;
  end = address + words * 4;
}

void PacketStream::Level::drop() {
  sectors.drop();
  first += kSectorBytes;
}

bool PacketStream::Level::word(Address address, uint32_t& value) const {
  if (address < first || address >= end) return false;
  const uint64_t slot = (address - first) / kSectorBytes;
  if (slot >= sectors.size() || !sectors[static_cast<uint32_t>(slot)].arrived) return false;
  std::memcpy(&value, sectors[static_cast<uint32_t>(slot)].data.data() + address % kSectorBytes, 4);
  return true;
}

void PacketStream::start(const arch::Submission& submission) {
  submission_ = submission.id;
  cursor_.start(submission);
  packet_.clear();
  packet_.reserve(1 + arch::kMaxPayload);
  packets_ = 0;
  packet_address_ = submission.commands;
  ahead_ = 0;
  distrusted_ = false;
  redirect();
}

void PacketStream::call(const arch::CallPacket& packet) {
  packet_.clear();
  level().scan = cursor_.next();
  cursor_.call(packet);
  const Address called = cursor_.next();
  const bool fetched = ahead_ == cursor_.depth() && !distrusted_ && levels_[ahead_].begin == called &&
                       levels_[ahead_].end == called + cursor_.words_left() * 4;
  ahead_ = 0;
  if (cursor_.leave_ended() ? !follows_calls_ : !fetched) redirect();
  look_for_call();
}

// Drops the sectors that were fetched ahead. Replies that are still on their way no longer find their tag.
void PacketStream::redirect() { level().open(cursor_.next(), cursor_.words_left()); }

// Begins to fetch the commands of the next CALL among the words that have arrived.
void PacketStream::look_for_call() {
  const uint32_t depth = cursor_.depth();
  if (!follows_calls_ || ahead_ || depth == arch::kCallDepth) return;
  constexpr uint32_t kWords = sizeof(arch::CallPacket) / 4;
  Level& level = levels_[depth];
  uint32_t header, words[kWords];
  while (level.word(level.scan, header)) {
    if (!arch::is_header(header)) return;  // a fault, once it is executed
    const Address payload = level.scan + 4;
    if (arch::packet_opcode(header) == arch::Opcode::kCall && arch::packet_payload(header) == kWords) {
      for (uint32_t i = 0; i < kWords; i++)
        if (!level.word(payload + i * 4, words[i])) return;
      const auto packet = arch::packet_as<arch::CallPacket>(words);
      level.scan = payload + kWords * 4;
      if (packet.address % 4 || packet.address >> arch::kAddressBits || !packet.words) continue;
      ahead_ = depth + 1;
      levels_[ahead_].open(packet.address, packet.words);
      return;
    }
    level.scan = payload + arch::packet_payload(header) * uint64_t{4};
  }
}

bool PacketStream::wants(Address& sector, uint32_t& tag) {
  asking_ = follows_calls_ ? cursor_.depth() : 0;
  if (!levels_[asking_].wants()) {
    if (!ahead_ || !levels_[ahead_].wants()) return false;
    asking_ = ahead_;
  }
  sector = levels_[asking_].fetch;
  tag = *tags_;
  return true;
}

void PacketStream::asked() {
  levels_[asking_].sectors.push({.tag = (*tags_)++});
  levels_[asking_].fetch += kSectorBytes;
}

void PacketStream::reply(const messages::MemoryReply& reply) {
  for (Level& level : levels_)
    for (uint32_t i = 0; i < level.sectors.size(); i++) {
      Slot& slot = level.sectors[i];
      if (slot.tag != reply.tag || slot.arrived) continue;
      slot.arrived = true;
      slot.mapped = reply.mapped;
      slot.data = reply.data;
      look_for_call();
      return;
    }
}

bool PacketStream::asks() const {
  for (const Level& level : levels_)
    for (uint32_t i = 0; i < level.sectors.size(); i++)
      if (!level.sectors[i].arrived) return true;
  return false;
}

bool PacketStream::take_word() {
  if (cursor_.words_left() == 0 || packet_complete()) return false;
  Level& now = level();
  if (now.sectors.empty() || !now.sectors.front().arrived) return false;
  uint32_t word;
  std::memcpy(&word, now.sectors.front().data.data() + cursor_.next() % kSectorBytes, 4);
  if (packet_.empty()) {
    packets_++;
    packet_address_ = cursor_.next();
    header_mapped_ = now.sectors.front().mapped;
  }
  packet_.push_back(word);
  cursor_.take(1);
  if (cursor_.next() % kSectorBytes == 0) now.drop();
  return true;
}

PacketPlace PacketStream::place() const {
  const bool named = in_packet() && header_mapped_ && arch::is_header(header());
  return {packets_, packet_address_, named ? arch::opcode_name(opcode()) : "packet", submission_};
}

void PacketStream::packet_done() {
  packet_.clear();
  if (!cursor_.leave_ended()) return;
  ahead_ = 0;
  if (follows_calls_) look_for_call();
  else redirect();
}

}  // namespace cutaway::boxes
