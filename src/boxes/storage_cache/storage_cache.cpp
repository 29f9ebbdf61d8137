#include "boxes/storage_cache/storage_cache.h"

#include <algorithm>
#include <cstring>

#include "func/shader/atomic.h"
#include "structures/cache_port.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::kSectorBytes;
using messages::StorageJob;
using structures::Cache;

StorageCache::StorageCache(std::string path, const StorageCacheSpec& spec, unsigned slice,
                           unsigned requesters)
    : Box(std::move(path)),
      requests_in(requesters),
      replies_out(requesters),
      spec_(spec),
      interleave_(spec.interleaved()),
      slice_(slice),
      cache_({.lines = spec.cache_lines,
              .ways = spec.cache_ways,
              .line_bytes = spec.line_bytes,
              .write_backs = spec.write_backs,
              .replacement = spec.cache_replacement}),
      pending_(spec.pending) {}

void StorageCache::list_ports(engine::PortList& list) {
  list("requests_in", requests_in, "from each shader unit: loads, stores or atomics on a line");
  list("replies_out", replies_out, "to each shader unit: the values, or that the stores are done");
  list("memory_out", memory_out, "reads and writes of the cache");
  list("memory_in", memory_in, "replies");
  list("control_in", control_in, "an order to flush or invalidate");
  list("control_out", control_out, "the order is carried out");
}

std::vector<std::string_view> StorageCache::costs_nothing() const {
  return {"Choosing between the shader units", "The arithmetic of an atomic",
          "Reading and writing the tags and lines of the cache, apart from the cycle of the look-up"};
}

Cycle StorageCache::tick(Cycle now) {
  bool progress = structures::take_reply(now, cache_, memory_in);
  progress |= structures::send_request(now, cache_, memory_out, interleave_, slice_);
  progress |= carry_out(now);
  progress |= take(now);
  progress |= control(now);
  if (progress) return busy(now);
  if (pending_.empty()) return cache_.idle() ? idle(now) : starved(now, memory_in);
  const Pending& first = pending_.front();
  if (first.ready > now) return busy(now, first.ready);
  if (!cache_.settled(first.line, first.fetched)) return starved(now, memory_in);
  return blocked(now, replies_out[first.requester]);
}

// ---- Requests ----

// Takes one request, from the shader units in turn. While an order waits no request is taken, because the
// order precedes it.
bool StorageCache::take(Cycle now) {
  if (pending_.full() || control_in.peek(now)) return false;
  const structures::PortInTurn found = structures::port_in_turn(now, requests_in, turn_);
  if (!found.any || !look_up(now, found.port)) return false;
  turn_ = (found.port + 1) % static_cast<unsigned>(requests_in.size());
  counters.contended += found.contended;
  return true;
}

// Sectors with bytes that the request needs and the line, if present, lacks.
uint32_t StorageCache::sectors_to_read(const StorageJob& job) const {
  const uint32_t line = cache_.line_of(interleave_.own(job.line));
  const auto lacks = [&](uint32_t offset, uint32_t bytes) {
    return line == Cache::kNone || !cache_.ready(line, offset, bytes);
  };
  uint32_t sectors = 0;
  if (job.kind == StorageJob::Kind::kLoad)
    messages::for_runs(job.mask, [&](uint32_t offset, uint32_t bytes) {
      sectors |= uint32_t{lacks(offset, bytes)} << offset / kSectorBytes;
    });
  if (job.kind == StorageJob::Kind::kAtomic)
    for (uint32_t i = 0; i < job.atomics; i++)
      sectors |= uint32_t{lacks(job.atomic[i].offset, 4)} << job.atomic[i].offset / kSectorBytes;
  return sectors;
}

bool StorageCache::look_up(Cycle now, unsigned requester) {
  const StorageJob& job = *requests_in[requester].peek(now)->job;
  CUTAWAY_CHECK(interleave_.unit_of(job.line) == slice_, "{}: not its address", path());
  Pending pending{.requester = requester, .fetched = sectors_to_read(job), .ready = now + spec_.latency};
  const Cache::Outcome outcome =
      cache_.access(interleave_.own(job.line), pending.fetched, job.origin, pending.line);
  if (outcome == Cache::Outcome::kStall) return false;
  const uint32_t work = job.origin.work;
  works_for(work);
  if (outcome == Cache::Outcome::kMiss) {
    count_for(work, counters.cache_misses, 1);
  } else {
    count_for(work, counters.cache_hits, 1);
    count_for(work, counters.merged, outcome == Cache::Outcome::kHitUnderWay);
  }
  pending.job = requests_in[requester].take(now).job;
  pending_.push(std::move(pending));
  return true;
}

// ---- Carried out, in the order in which they came ----

bool StorageCache::carry_out(Cycle now) {
  if (pending_.empty()) return false;
  Pending& first = pending_.front();
  if (first.ready > now || !cache_.settled(first.line, first.fetched)) return false;
  const uint32_t work = first.job->origin.work;
  if (first.job->kind == StorageJob::Kind::kAtomic && !first.begun) {
    works_for(work);
    first.begun = true;
    const AtomicWork atomics = atomic_work(*first.job);
    const Cycle cycles = atomic_cycles(atomics);
    count_for(work, counters.atomics_combined, atomics.combined);
    count_for(work, counters.atomic_conflicts, cycles - 1);
    first.ready = now + cycles - 1;
    if (cycles > 1) return true;
  }
  if (!replies_out[first.requester].ready(now)) return false;
  works_for(work);
  switch (first.job->kind) {
    case StorageJob::Kind::kLoad:
      count_for(work, counters.loads, 1);
      load(first);
      break;
    case StorageJob::Kind::kStore:
      count_for(work, counters.stores, 1);
      store(first);
      break;
    case StorageJob::Kind::kAtomic:
      count_for(work, counters.atomics, 1);
      count_for(work, counters.atomic_lanes, first.job->atomics);
      do_atomics(first);
      break;
  }
  cache_.unpin(first.line);
  replies_out[first.requester].send(now, {std::move(first.job)});
  pending_.drop();
  return true;
}

void StorageCache::load(const Pending& pending) const {
  StorageJob& job = *pending.job;
  const std::byte* const line = cache_.data(pending.line);
  messages::copy_bytes(job.mask, line, job.data.data());
}

void StorageCache::store(const Pending& pending) {
  const StorageJob& job = *pending.job;
  messages::for_runs(job.mask, [&](uint32_t offset, uint32_t bytes) {
    cache_.write(pending.line, offset, &job.data[offset], bytes);
  });
}

// Executes atomics lane by lane.
void StorageCache::do_atomics(const Pending& pending) {
  StorageJob& job = *pending.job;
  for (uint32_t i = 0; i < job.atomics; i++) {
    StorageJob::Atomic& atomic = job.atomic[i];
    std::memcpy(&atomic.old, cache_.data(pending.line) + atomic.offset, sizeof atomic.old);
    if (!atomic.stores) continue;
    const uint32_t word = func::atomic_result(job.operation, atomic.old, atomic.a, atomic.b);
    cache_.write(pending.line, atomic.offset, &word, sizeof word);
  }
}

StorageCache::AtomicWork StorageCache::atomic_work(const StorageJob& job) const {
  const bool ordered =
      job.operation == isa::AtomicOp::kExchange || job.operation == isa::AtomicOp::kCompareExchange;
  const bool combines = spec_.same_word == SameWord::kCombined && !ordered;
  std::array<uint8_t, messages::kMaxStorageLine / 4> at{};
  AtomicWork work;
  for (uint32_t i = 0; i < job.atomics; i++) {
    uint8_t& on_word = at[job.atomic[i].offset / 4];
    if (combines && on_word) {
      work.combined++;
      continue;
    }
    work.operations++;
    work.most_on_word = std::max<uint32_t>(work.most_on_word, ++on_word);
  }
  return work;
}

// Cycles for a request's atomics. A cycle has one operation per word, on a limited number of words: the
// maximum of the operations on the busiest word and of all operations divided by that number.
Cycle StorageCache::atomic_cycles(const AtomicWork& work) const {
  const uint32_t units = std::max(1u, spec_.atomics_per_cycle);
  return std::max(work.most_on_word, (work.operations + units - 1) / units);
}

// Performs a flush or an invalidate, once all earlier requests have been executed.
bool StorageCache::control(Cycle now) {
  return pending_.empty() && structures::obey_control(now, cache_, control_in, control_out);
}

std::string StorageCache::why_busy() const {
  if (pending_.empty() && cache_.idle()) return "";
  return fmt::format("{} requests, {} memory accesses", pending_.size(), cache_.outstanding());
}

}  // namespace cutaway::boxes
