#include "boxes/copy_engine/copy_engine.h"

#include <cstring>

namespace cutaway::boxes {

using engine::Cycle;
using parts::kSectorBytes;

CopyEngine::CopyEngine(std::string path, const CopyEngineSpec& spec, const FastClears& fast)
    : Box(std::move(path)), fast_(fast), commands_(spec.commands), chunks_(spec.chunks) {}

void CopyEngine::list_ports(engine::PortList& list) {
  list("commands_in", commands_in);
  list("done_out", done_out);
  list("memory_out", memory_out);
  list("memory_in", memory_in);
  list("clears_out", clears_out);
  list("cleared_in", cleared_in);
}

Cycle CopyEngine::tick(Cycle now) {
  bool progress = take_reply(now);
  progress |= finish(now);
  // One transaction per cycle: a write, if the oldest chunk is there, else a read ahead.
  progress |= clear(now) || write(now) || read(now);
  progress |= begin(now);
  if (progress) return busy(now);
  if (!active_) return idle(now);
  if (tagging_ == Tagging::kAsk) return blocked(now, clears_out);
  if (tagging_ == Tagging::kAsked) return starved(now, cleared_in);
  if (clear_run_.bytes) return blocked(now, memory_out);
  if (!chunks_.empty() && (chunks_.front().reads_to_send || !chunks_.front().reads_missing))
    return blocked(now, memory_out);
  if (!chunks_.empty() || writes_missing_) return starved(now, memory_in);
  return blocked(now, done_out);
}

bool CopyEngine::begin(Cycle now) {
  bool progress = false;
  if (!commands_.full() && commands_in.peek(now)) {
    commands_.push(commands_in.take(now));
    progress = true;
  }
  if (active_ || commands_.empty()) return progress;
  const parts::CopyCommand command = commands_.pop();
  const auto start = [&](const auto& packet) { cursor_ = func::CopyCursor(packet, kSectorBytes); };
  clears_ = command.kind == arch::Opcode::kClear;
  switch (command.kind) {
    case arch::Opcode::kCopySurface:
      start(arch::packet_as<arch::CopySurfacePacket>(*command.payload));
      break;
    case arch::Opcode::kCopyQueries:
      start(arch::packet_as<arch::CopyQueriesPacket>(*command.payload));
      break;
    case arch::Opcode::kCopyBuffer:
      start(arch::packet_as<arch::CopyBufferPacket>(*command.payload));
      break;
    case arch::Opcode::kClear: {
      const auto packet = arch::packet_as<arch::ClearPacket>(*command.payload);
      clear_cursor_ = func::ClearCursor(packet);
      clears_fast_ = arch::format_info(packet.surface.format).is_color() ? fast_.color : fast_.depth;
      break;
    }
    default:
      start(arch::packet_as<arch::FillBufferPacket>(*command.payload));
      break;
  }
  origin_ = command.origin;
  active_ = true;
  cursor_ended_ = false;
  clears_ ? counters.clears++ : counters.copies++;
  return true;
}

// ---- Clears ----

bool CopyEngine::clear(Cycle now) {
  if (!active_ || !clears_ || cursor_ended_) return false;
  if (!clear_run_.bytes) begin_run();
  if (cursor_ended_) return true;
  if (tagging_ != Tagging::kNone) return tag_run(now);
  if (!memory_out.ready(now)) return false;
  const func::ClearValue& value = clear_cursor_.value();
  memory_out.send(now, {.address = clear_run_.address,
                        .write = true,
                        .mask = value.mask,
                        .origin = origin_,
                        .data = value.bytes});
  counters.sectors_cleared++;
  writes_missing_++;
  take_cleared(kSectorBytes);
  return true;
}

void CopyEngine::begin_run() {
  cursor_ended_ = !clear_cursor_.next(clear_run_);
  if (!cursor_ended_ && clears_fast_) tagging_ = Tagging::kAsk;
}

// Asks for the tags of the run's blocks. Without them all of it is written.
bool CopyEngine::tag_run(Cycle now) {
  if (tagging_ == Tagging::kAsk) {
    if (!clears_out.ready(now)) return false;
    clears_out.send(now, {clear_cursor_.layer(), clear_run_, clear_cursor_.value(), origin_});
    tagging_ = Tagging::kAsked;
    return true;
  }
  const parts::BlocksCleared* answer = cleared_in.peek(now);
  if (!answer) return false;
  tagged_ = answer->cleared;
  cleared_in.drop(now);
  tagging_ = Tagging::kNone;
  take_cleared(0);
  return true;
}

// So many bytes of the run are done, and the tagged blocks that follow them.
void CopyEngine::take_cleared(uint64_t bytes) {
  clear_run_.address += bytes, clear_run_.bytes -= bytes;
  if (clear_run_.address != tagged_.address) return;
  clear_run_.address += tagged_.bytes, clear_run_.bytes -= tagged_.bytes;
  tagged_ = {};
}

// Tags: chunk number and end, so that replies find their chunk in whatever order they come.
bool CopyEngine::take_reply(Cycle now) {
  const parts::MemoryReply* reply = memory_in.peek(now);
  if (!reply) return false;
  if (reply->write) {
    writes_missing_--;
  } else {
    for (uint32_t i = 0; i < chunks_.size(); i++) {
      Chunk& chunk = chunks_[i];
      if (chunk.id != reply->tag >> 1) continue;
      chunk.data[reply->tag & 1] = reply->data;
      chunk.reads_missing &= static_cast<uint8_t>(~(1u << (reply->tag & 1)));
    }
  }
  memory_in.drop(now);
  return true;
}

bool CopyEngine::read(Cycle now) {
  if (!active_ || clears_ || !memory_out.ready(now)) return false;
  if (chunks_.empty() || !chunks_.back().reads_to_send) {
    if (cursor_ended_ || chunks_.full()) return false;
    Chunk chunk;
    if (!cursor_.next(chunk.chunk)) {
      cursor_ended_ = true;
      return true;
    }
    chunk.id = next_id_++ & 0x7fffffff;
    chunk.reads_to_send =
        static_cast<uint8_t>((chunk.chunk.source_bytes ? 1 : 0) | (chunk.chunk.reads_destination ? 2 : 0));
    chunk.reads_missing = chunk.reads_to_send;
    chunks_.push(chunk);
    counters.chunks++;
    if (!chunk.reads_to_send) return true;
  }
  Chunk& newest = chunks_.back();
  const uint32_t end = newest.reads_to_send & 1 ? 0 : 1;
  const arch::Address address = end ? newest.chunk.destination : newest.chunk.source;
  memory_out.send(
      now,
      {.address = address / kSectorBytes * kSectorBytes, .tag = newest.id << 1 | end, .origin = origin_});
  newest.reads_to_send &= static_cast<uint8_t>(~(1u << end));
  return true;
}

bool CopyEngine::write(Cycle now) {
  if (chunks_.empty() || chunks_.front().reads_missing || !memory_out.ready(now)) return false;
  const Chunk chunk = chunks_.pop();
  const uint32_t from = static_cast<uint32_t>(chunk.chunk.source % kSectorBytes);
  const uint32_t to = static_cast<uint32_t>(chunk.chunk.destination % kSectorBytes);
  parts::MemoryRequest request{.address = chunk.chunk.destination - to,
                               .write = true,
                               .mask = parts::byte_mask(to, chunk.chunk.destination_bytes),
                               .origin = origin_};
  request.data = chunk.data[1];
  cursor_.finish(chunk.chunk, chunk.data[0].data() + from, request.data.data() + to);
  memory_out.send(now, request);
  counters.bytes += chunk.chunk.destination_bytes;
  writes_missing_++;
  return true;
}

bool CopyEngine::finish(Cycle now) {
  if (!active_ || !cursor_ended_ || !chunks_.empty() || writes_missing_ || !done_out.ready(now)) return false;
  done_out.send(now, {});
  active_ = false;
  return true;
}

std::string CopyEngine::why_busy() const {
  return active_
             ? fmt::format("a copy with {} chunks and {} writes under way", chunks_.size(), writes_missing_)
             : "";
}

}  // namespace cutaway::boxes
