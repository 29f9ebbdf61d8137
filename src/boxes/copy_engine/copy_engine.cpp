#include "boxes/copy_engine/copy_engine.h"

#include <cstring>

namespace cutaway::boxes {

using engine::Cycle;
using messages::kSectorBytes;

namespace {

arch::Address sector_start(arch::Address address) { return address / kSectorBytes * kSectorBytes; }

}  // namespace

CopyEngine::CopyEngine(std::string path, const CopyEngineSpec& spec, const FastClears& fast)
    : Box(std::move(path)),
      combined_(spec.combined),
      fast_(fast),
      commands_(spec.commands),
      copies_(spec.copies),
      chunks_(spec.chunks) {}

void CopyEngine::list_ports(engine::PortList& list) {
  list("commands_in", commands_in, "copies, fills and clears");
  list("done_out", done_out, "a copy is in memory");
  list("memory_out", memory_out, "reads and writes of sectors");
  list("memory_in", memory_in, "replies");
  list("clears_out", clears_out, "ranges of memory to clear by tags");
  list("cleared_in", cleared_in, "their cleared blocks");
}

std::vector<std::string_view> CopyEngine::costs_nothing() const {
  return {"Computing addresses", "Converting one aspect of depth and stencil"};
}

Cycle CopyEngine::tick(Cycle now) {
  bool progress = take_reply(now);
  progress |= finish(now);
  progress |= clears_ ? clear(now) : copy(now);
  progress |= begin(now);
  if (progress) return busy(now);
  if (nothing()) return idle(now);
  if (tagging_ == Tagging::kAsk) return blocked(now, clears_out);
  if (tagging_ == Tagging::kAsked) return starved(now, cleared_in);
  if (clear_run_.bytes) return blocked(now, memory_out);
  if (clears_) return clear_writes_ ? starved(now, memory_in) : blocked(now, done_out);
  if (front_ready() || (!memory_out.ready(now) && next_read_ != next_chunk_)) return blocked(now, memory_out);
  return copies_.front().unfinished ? starved(now, memory_in) : blocked(now, done_out);
}

bool CopyEngine::begin(Cycle now) {
  bool progress = false;
  if (!commands_.full() && commands_in.peek(now)) {
    commands_.push(commands_in.take(now));
    progress = true;
  }
  // The next copy may begin once all chunks of the previous one are made; a clear runs alone.
  if (commands_.empty() || clears_ || copies_.full() || (!copies_.empty() && !copies_.back().made))
    return progress;
  if (commands_.front().kind == arch::Opcode::kClear) return (nothing() && begin_clear()) || progress;
  const messages::CopyCommand command = commands_.pop();
  Copy& copy = copies_.push();
  copy = {.origin = command.origin, .id = next_copy_++};
  const auto start = [&](const auto& packet) { copy.cursor = func::CopyCursor(packet, kSectorBytes); };
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
    default:
      start(arch::packet_as<arch::FillBufferPacket>(*command.payload));
      break;
  }
  counters.copies++;
  return true;
}

// Tags contain the chunk number and the end of a read, or the copy of a write, so that replies may arrive in
// any order.
bool CopyEngine::take_reply(Cycle now) {
  const messages::MemoryReply* reply = memory_in.peek(now);
  if (!reply) return false;
  if (reply->write) {
    clears_ ? clear_writes_-- : copy_of(reply->tag).unfinished--;
  } else {
    Chunk& chunk = chunks_[((reply->tag >> 1) - chunks_.front().id) & 0x7fffffff];
    if (reply->tag & 1) chunk.data[1] = reply->data, chunk.reads_missing &= 1;
    else take_source(chunk, reply->data);
  }
  memory_in.drop(now);
  return true;
}

// Gives the source's bytes to the chunk, and to those that share its read.
void CopyEngine::take_source(Chunk& chunk, const messages::Sector& data) {
  for (Chunk* sharer = &chunk;; sharer = &chunks_[sharer->next_sharer - chunks_.front().id]) {
    sharer->data[0] = data;
    sharer->reads_missing &= 2;
    if (!sharer->next_sharer) break;
  }
}

bool CopyEngine::finish(Cycle now) {
  const bool ended = clears_ ? clear_ended_ && !clear_writes_
                             : !copies_.empty() && copies_.front().made && !copies_.front().unfinished;
  if (!ended || !done_out.ready(now)) return false;
  done_out.send(now, {});
  if (clears_) clears_ = false;
  else copies_.drop();
  return true;
}

// ---- Copies ----

// Makes the chunks of a sector and one transaction per cycle. Reads until nothing can be read or there is no
// room, then writes until half the chunks are new.
bool CopyEngine::copy(Cycle now) {
  const bool progress = make();
  const uint32_t unread = next_chunk_ - next_read_;
  const bool was_writing = writing_;
  if (!unread || is_still_written(chunks_[next_read_ - chunks_.front().id])) writing_ = true;
  else if (unread >= chunks_.capacity() / 2 || !front_ready()) writing_ = false;
  return (writing_ ? write(now) : read(now)) || progress || writing_ != was_writing;
}

// Makes a chunk, and those behind it that are in the same sector of the source, or of the destination.
bool CopyEngine::make() {
  if (copies_.empty() || copies_.back().made || chunks_.full()) return false;
  Copy& copy = copies_.back();
  if (!copy.has_ahead && !copy.cursor.next(copy.ahead)) {
    copy.made = true;
    return true;
  }
  for (unsigned made = 1;; made++) {
    const func::CopyChunk chunk = copy.ahead;
    add(copy, chunk);
    copy.has_ahead = made < combined_ && copy.cursor.next(copy.ahead);
    if (!copy.has_ahead || chunks_.full()) return true;
    const bool together =
        sector_start(copy.ahead.destination) == sector_start(chunk.destination) ||
        (chunk.source_bytes && sector_start(copy.ahead.source) == sector_start(chunk.source));
    if (!together) return true;
  }
}

void CopyEngine::add(Copy& copy, const func::CopyChunk& next) {
  Chunk chunk;
  chunk.chunk = next;
  chunk.id = next_chunk_++;
  chunk.copy = copy.id;
  chunk.reads_to_send = static_cast<uint8_t>((next.source_bytes ? 1 : 0) | (next.reads_destination ? 2 : 0));
  chunk.reads_missing = chunk.reads_to_send;
  if (next.source_bytes) share_read(chunk);
  if (!chunk.reads_to_send && next_read_ == chunk.id) next_read_++;
  chunks_.push(chunk);
  copy.unfinished++;
  counters.chunks++;
}

// Looks for a chunk shortly before this new one that reads the same sector of the source.
void CopyEngine::share_read(Chunk& chunk) {
  for (uint32_t i = 1; i < combined_ && i <= chunks_.size(); i++) {
    Chunk& before = chunks_[chunks_.size() - i];
    if (before.copy != chunk.copy) return;
    if (sector_start(before.chunk.source) != sector_start(chunk.chunk.source)) continue;
    chunk.reads_to_send &= 2;
    if (before.reads_missing & 1) before.next_sharer = chunk.id;
    else chunk.data[0] = before.data[0], chunk.reads_missing &= 2;
    counters.combined_reads++;
    return;
  }
}

bool CopyEngine::front_ready() const {
  return !chunks_.empty() && !chunks_.front().reads_to_send && !chunks_.front().reads_missing;
}

// True if an earlier copy has yet to write the sector that the chunk reads next.
bool CopyEngine::is_still_written(const Chunk& chunk) const {
  const arch::Address sector = sector_to_read(chunk);
  for (uint32_t i = 0; chunks_[i].copy != chunk.copy; i++)
    if (!chunks_[i].written && sector_start(chunks_[i].chunk.destination) == sector) return true;
  return false;
}

arch::Address CopyEngine::sector_to_read(const Chunk& chunk) {
  return sector_start(chunk.reads_to_send & 1 ? chunk.chunk.source : chunk.chunk.destination);
}

bool CopyEngine::read(Cycle now) {
  if (!memory_out.ready(now)) return false;
  Chunk& chunk = chunks_[next_read_ - chunks_.front().id];
  const uint32_t end = chunk.reads_to_send & 1 ? 0 : 1;
  const messages::Origin& origin = copy_of(chunk.copy).origin;
  works_for(origin.work);
  memory_out.send(now, {.address = sector_to_read(chunk), .tag = chunk.id << 1 | end, .origin = origin});
  chunk.reads_to_send &= static_cast<uint8_t>(~(1u << end));
  while (next_read_ != next_chunk_ && !chunks_[next_read_ - chunks_.front().id].reads_to_send) next_read_++;
  return true;
}

bool CopyEngine::write(Cycle now) {
  if (!front_ready() || !memory_out.ready(now)) return false;
  const Chunk chunk = chunks_.pop();
  Copy& copy = copy_of(chunk.copy);
  messages::MemoryRequest request{.address = sector_start(chunk.chunk.destination),
                                  .tag = copy.id,
                                  .write = true,
                                  .mask = 0,
                                  .origin = copy.origin};
  request.data = chunk.data[1];
  put(copy, chunk, request);
  if (!chunk.chunk.reads_destination) take_along(copy, request);
  drop_written();
  works_for(copy.origin.work);
  memory_out.send(now, request);
  return true;
}

// Puts the bytes that a chunk writes into the write of its sector.
void CopyEngine::put(const Copy& copy, const Chunk& chunk, messages::MemoryRequest& request) {
  const auto from = static_cast<uint32_t>(chunk.chunk.source % kSectorBytes);
  const auto to = static_cast<uint32_t>(chunk.chunk.destination % kSectorBytes);
  copy.cursor.finish(chunk.chunk, chunk.data[0].data() + from, request.data.data() + to);
  request.mask |= messages::byte_mask(to, chunk.chunk.destination_bytes);
  counters.bytes += chunk.chunk.destination_bytes;
}

// Adds the chunks shortly behind the one that is written which write to the same sector, if they are read.
void CopyEngine::take_along(Copy& copy, messages::MemoryRequest& request) {
  for (uint32_t i = 0; i + 1 < combined_ && i < chunks_.size() && chunks_[i].copy == copy.id; i++) {
    Chunk& chunk = chunks_[i];
    if (chunk.written || chunk.reads_missing || chunk.chunk.reads_destination ||
        sector_start(chunk.chunk.destination) != request.address)
      continue;
    put(copy, chunk, request);
    chunk.written = true;
    copy.unfinished--;
    counters.combined_writes++;
  }
}

void CopyEngine::drop_written() {
  while (!chunks_.empty() && chunks_.front().written) chunks_.drop();
}

// ---- Clears ----

bool CopyEngine::begin_clear() {
  const messages::CopyCommand command = commands_.pop();
  const auto packet = arch::packet_as<arch::ClearPacket>(*command.payload);
  clear_cursor_ = func::ClearCursor(packet);
  clears_depth_ = !arch::format_info(packet.surface.format).is_color();
  clears_fast_ = clears_depth_ ? fast_.depth : fast_.color;
  clear_origin_ = command.origin;
  clears_ = true;
  clear_ended_ = false;
  counters.clears++;
  return true;
}

bool CopyEngine::clear(Cycle now) {
  if (clear_ended_) return false;
  if (!clear_run_.bytes) begin_run();
  if (clear_ended_) return true;
  if (tagging_ != Tagging::kNone) return tag_run(now);
  if (!memory_out.ready(now)) return false;
  const func::ClearValue& value = clear_cursor_.value();
  memory_out.send(now, {.address = clear_run_.address,
                        .write = true,
                        .mask = value.mask,
                        .origin = clear_origin_,
                        .data = value.bytes});
  counters.sectors_cleared++;
  clear_writes_++;
  take_cleared(kSectorBytes);
  return true;
}

void CopyEngine::begin_run() {
  clear_ended_ = !clear_cursor_.next(clear_run_);
  if (!clear_ended_ && clears_fast_) tagging_ = Tagging::kAsk;
}

// Requests tags for the run's blocks. Without tags all of it is written.
bool CopyEngine::tag_run(Cycle now) {
  if (tagging_ == Tagging::kAsk) {
    if (!clears_out.ready(now)) return false;
    clears_out.send(now,
                    {clear_cursor_.layer(), clear_run_, clear_cursor_.value(), clear_origin_, clears_depth_});
    tagging_ = Tagging::kAsked;
    return true;
  }
  const messages::BlocksCleared* answer = cleared_in.peek(now);
  if (!answer) return false;
  tagged_ = answer->cleared;
  cleared_in.drop(now);
  tagging_ = Tagging::kNone;
  take_cleared(0);
  return true;
}

// Removes `bytes` from the run, and the tagged blocks that follow them.
void CopyEngine::take_cleared(uint64_t bytes) {
  clear_run_.address += bytes, clear_run_.bytes -= bytes;
  if (clear_run_.address != tagged_.address) return;
  clear_run_.address += tagged_.bytes, clear_run_.bytes -= tagged_.bytes;
  tagged_ = {};
}

std::string CopyEngine::why_busy() const {
  if (nothing()) return "";
  return clears_ ? fmt::format("a clear with {} writes under way", clear_writes_)
                 : fmt::format("{} copies with {} chunks under way", copies_.size(), chunks_.size());
}

}  // namespace cutaway::boxes
