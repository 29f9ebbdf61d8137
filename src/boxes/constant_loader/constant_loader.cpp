#include "boxes/constant_loader/constant_loader.h"

#include <algorithm>
#include <cstring>

namespace cutaway::boxes {

using engine::Cycle;

ConstantLoader::ConstantLoader(std::string path, const ConstantLoaderSpec& spec)
    : Box(std::move(path)), commands_(spec.commands), reads_(spec.sectors) {}

std::vector<std::string_view> ConstantLoader::costs_nothing() const {
  return {"Computing the addresses of sectors"};
}

Cycle ConstantLoader::tick(Cycle now) {
  bool progress = deliver(now);
  progress |= take_reply(now);
  progress |= ask(now);
  if (commands_in.peek(now) && !commands_.full()) {
    commands_.push(commands_in.take(now));
    counters.loads++;
    progress = true;
  }
  if (progress) return busy(now);
  if (!reads_.empty() && reads_.front().arrived) return blocked(now, blocks_out);
  if (!reads_.empty()) return starved(now, memory_in);
  if (!commands_.empty()) return blocked(now, memory_out);
  return idle(now);
}

bool ConstantLoader::ask(Cycle now) {
  if (commands_.empty() || reads_.full() || !memory_out.ready(now)) return false;
  const messages::LoadCommand& command = commands_.front();
  const arch::Address address = command.address + done_;
  const uint32_t skip = static_cast<uint32_t>(address % messages::kSectorBytes);
  const uint32_t bytes = std::min(command.bytes - done_, messages::kSectorBytes - skip);
  Read& read = reads_.push();
  read.skip = skip;
  read.tag = next_tag_++;
  read.block = {.kind = command.kind,
                .stage = command.stage,
                .offset = command.offset + done_,
                .bytes = bytes,
                .last = done_ + bytes == command.bytes,
                .queue = command.queue};
  memory_out.send(now, {.address = address - skip, .tag = read.tag, .origin = command.origin});
  counters.bytes += bytes;
  done_ += bytes;
  if (read.block.last) {
    commands_.drop();
    done_ = 0;
  }
  return true;
}

// Replies of different channels may arrive out of order.
bool ConstantLoader::take_reply(Cycle now) {
  const messages::MemoryReply* reply = memory_in.peek(now);
  if (!reply) return false;
  for (uint32_t i = 0; i < reads_.size(); i++) {
    Read& read = reads_[i];
    if (read.tag != reply->tag) continue;
    std::memcpy(read.block.data.data(), reply->data.data() + read.skip, read.block.bytes);
    read.arrived = true;
  }
  memory_in.take(now);
  return true;
}

bool ConstantLoader::deliver(Cycle now) {
  if (reads_.empty() || !reads_.front().arrived || !blocks_out.ready(now)) return false;
  blocks_out.send(now, reads_.pop().block);
  return true;
}

std::string ConstantLoader::why_busy() const {
  if (commands_.empty() && reads_.empty()) return "";
  return fmt::format("{} loads, {} reads under way", commands_.size(), reads_.size());
}

}  // namespace cutaway::boxes
