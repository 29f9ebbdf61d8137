#include "boxes/texture_cache/texture_cache.h"

#include <cstring>

#include "base/in_round.h"
#include "structures/cache_port.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::kSectorBytes;
using structures::Cache;

TextureCache::TextureCache(std::string path, const TextureCacheSpec& spec, unsigned slice,
                           unsigned requesters, uint32_t grain)
    : Box(std::move(path)),
      requests_in(requesters),
      replies_out(requesters),
      spec_(spec),
      interleave_(spec.interleaved()),
      slice_(slice),
      cache_({.lines = spec.cache_lines,
              .ways = spec.cache_ways,
              .line_bytes = spec.line_bytes,
              .write_backs = 8,
              .grain = grain,
              .replacement = spec.cache_replacement}),
      pipeline_(spec.pending),
      replies_(requesters),
      answered_(requesters) {
  waiting_.reserve(spec.pending);
  for (auto& replies : replies_) replies.reset(spec.pending);
}

void TextureCache::list_ports(engine::PortList& list) {
  list("requests_in", requests_in, "from each texture unit: reads of sectors");
  list("replies_out", replies_out, "to each texture unit: the sector");
  list("memory_out", memory_out, "reads of the cache");
  list("memory_in", memory_in, "replies");
  list("control_in", control_in, "an order to flush or invalidate");
  list("control_out", control_out, "the order is carried out");
}

std::vector<std::string_view> TextureCache::costs_nothing() const {
  return {"Choosing between the texture units",
          "Reading and writing the tags and lines of the cache, apart from the cycle of the look-up"};
}

Cycle TextureCache::tick(Cycle now) {
  bool progress = fill(now);
  progress |= read(now);
  progress |= reply(now);
  progress |= structures::send_request(now, cache_, memory_out, interleave_, slice_);
  progress |= take(now);
  progress |= control(now);
  if (progress) return busy(now);
  if (!pending_) return idle(now);
  const Cycle next = pipeline_.empty() ? engine::kAsleep : pipeline_.front().ready;
  if (!answered_.empty()) return blocked(now, replies_out[answered_.next(reply_turn_)], next);
  return pipeline_.empty() ? starved(now, memory_in) : busy(now, next);
}

// ---- Requests ----

// Takes one request, from the texture units in turn. While an order waits no request is taken, because the
// order precedes it.
bool TextureCache::take(Cycle now) {
  if (pending_ == spec_.pending || control_in.peek(now)) return false;
  const structures::PortInTurn found = structures::port_in_turn(now, requests_in, request_turn_);
  if (!found.any || !look_up(now, found.port)) return false;
  request_turn_ = (found.port + 1) % static_cast<unsigned>(requests_in.size());
  counters.contended += found.contended;
  return true;
}

bool TextureCache::look_up(Cycle now, unsigned requester) {
  const messages::MemoryRequest& request = *requests_in[requester].peek(now);
  CUTAWAY_CHECK(!request.write && interleave_.unit_of(request.address) == slice_, "{}: not its address",
                path());
  const arch::Address own = interleave_.own(request.address);
  Pending pending{.requester = requester,
                  .tag = request.tag,
                  .sector = static_cast<uint32_t>(own % spec_.line_bytes) / kSectorBytes,
                  .bytes = request.mask,
                  .ready = now + spec_.latency};
  const Cache::Outcome outcome = cache_.access(own, grains(pending), request.origin, pending.line);
  if (outcome == Cache::Outcome::kStall) return false;
  const uint32_t work = request.origin.work;
  works_for(work);
  if (outcome == Cache::Outcome::kMiss) {
    count_for(work, counters.cache_misses, 1);
  } else {
    count_for(work, counters.cache_hits, 1);
    count_for(work, counters.merged, !there(pending));
  }
  pipeline_.push(pending);
  pending_++;
  requests_in[requester].drop(now);
  return true;
}

// ---- Replies ----

// Takes one reply from memory: all requests that wait for it are queued for their wires.
bool TextureCache::fill(Cycle now) {
  if (!structures::take_reply(now, cache_, memory_in)) return false;
  size_t left = 0;
  for (const Pending& pending : waiting_) {
    if (there(pending)) queue_reply(pending);
    else waiting_[left++] = pending;
  }
  waiting_.resize(left);
  return true;
}

// The end of the pipeline: reads the sector if it is present.
bool TextureCache::read(Cycle now) {
  if (pipeline_.empty() || pipeline_.front().ready > now) return false;
  const Pending pending = pipeline_.pop();
  if (there(pending)) queue_reply(pending);
  else waiting_.push_back(pending);
  return true;
}

void TextureCache::queue_reply(const Pending& pending) {
  replies_[pending.requester].push(pending);
  answered_.insert(pending.requester);
}

// Sends one reply, to the texture units in turn.
bool TextureCache::reply(Cycle now) {
  const unsigned unit =
      answered_.find_round(reply_turn_, [&](uint32_t index) { return replies_out[index].ready(now); });
  if (unit == structures::IndexSet::kNone) return false;
  const Pending pending = replies_[unit].pop();
  if (replies_[unit].empty()) answered_.erase(unit);
  messages::MemoryReply& message = replies_out[unit].put(now);
  message.tag = pending.tag;
  std::memcpy(message.data.data(), cache_.data(pending.line) + pending.sector * kSectorBytes, kSectorBytes);
  message.bring(pending.bytes);
  cache_.unpin(pending.line);
  pending_--;
  reply_turn_ = in_round(unit, 1u, static_cast<unsigned>(replies_.size()));
  return true;
}

// Performs an invalidate, once all earlier requests have been answered.
bool TextureCache::control(Cycle now) {
  return !pending_ && structures::obey_control(now, cache_, control_in, control_out);
}

std::string TextureCache::why_busy() const {
  return pending_ ? fmt::format("{} requests, {} memory accesses", pending_, cache_.outstanding()) : "";
}

}  // namespace cutaway::boxes
