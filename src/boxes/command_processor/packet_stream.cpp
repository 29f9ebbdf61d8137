#include "boxes/command_processor/packet_stream.h"

#include <cstring>

namespace cutaway::boxes {

using parts::kSectorBytes;

void PacketStream::start(const arch::Submission& submission) {
  depth_ = submission.words ? 1 : 0;
  frames_[0] = {submission.commands, submission.words};
  packet_.clear();
  packet_.reserve(1 + arch::kMaxPayload);
  redirect();
}

bool PacketStream::call(arch::Address address, uint32_t words) {
  if (depth_ == frames_.size()) return false;
  if (words == 0) return true;
  frames_[depth_++] = {address, words};
  redirect();
  return true;
}

// Forgets what was fetched ahead. Replies that are still on their way no longer find their tag.
void PacketStream::redirect() {
  while (!sectors_.empty()) sectors_.pop();
  if (depth_) fetch_ = frame().next / kSectorBytes * kSectorBytes;
}

bool PacketStream::wants(arch::Address& sector, uint32_t& tag) const {
  if (!depth_ || sectors_.full() || fetch_ >= frame().next + uint64_t{frame().words} * 4) return false;
  sector = fetch_;
  tag = next_tag_;
  return true;
}

void PacketStream::asked() {
  sectors_.push({.tag = next_tag_++});
  fetch_ += kSectorBytes;
}

void PacketStream::reply(const parts::MemoryReply& reply) {
  for (uint32_t i = 0; i < sectors_.size(); i++) {
    if (sectors_[i].tag != reply.tag) continue;
    sectors_[i].arrived = true;
    sectors_[i].data = reply.data;
  }
}

bool PacketStream::take_word() {
  if (!depth_ || frame().words == 0 || packet_complete()) return false;
  if (sectors_.empty() || !sectors_.front().arrived) return false;
  Frame& from = frame();
  uint32_t word;
  std::memcpy(&word, sectors_.front().data.data() + from.next % kSectorBytes, 4);
  if (packet_.empty()) packet_address_ = from.next;
  packet_.push_back(word);
  from.next += 4;
  from.words--;
  if (from.next % kSectorBytes == 0) sectors_.pop();
  return true;
}

void PacketStream::packet_done() {
  packet_.clear();
  bool returned = false;
  while (depth_ && frame().words == 0) depth_--, returned = true;
  if (returned) redirect();
}

}  // namespace cutaway::boxes
