#include "boxes/bus/bus.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::MemoryReply;
using messages::MemoryRequest;

namespace {

constexpr uint32_t kDoorbellBytes = 4;  // of a doorbell's data
constexpr uint32_t kFenceBytes = 8;     // of the value that a fence writes
constexpr uint32_t kGranuleBytes = 4;   // of a request's data

// Data that a packet carries for these bytes of a sector.
uint32_t data_bytes(messages::ByteMask mask) {
  return static_cast<uint32_t>(std::popcount(messages::moved_for(mask, kGranuleBytes)));
}

}  // namespace

Bus::Bus(std::string path, const BusSpec& spec, arch::Memory& memory)
    : Box(std::move(path)), spec_(spec), memory_(memory) {
  CUTAWAY_CHECK(spec.present());
  for (auto* ring : {&data_, &to_gpu_, &written_}) ring->reset(spec.requests);
  to_host_.reset(spec.requests);
}

void Bus::list_ports(engine::PortList& list) {
  list("requests_in", requests_in, "reads and writes of system memory");
  list("replies_out", replies_out, "the sector, or that it is written");
  list("doorbells_out", doorbells_out, "a submission is there, with all that the host wrote before it");
  if (!carries_fences) return;
  list("fences_in", fences_in, "all work up to a submission has ended");
  list("fences_out", fences_out, "the same, when it is in the host's memory");
}

std::vector<std::string_view> Bus::costs_nothing() const {
  return {"Rows, banks and other users of the host's memory, behind `bus.memory_latency`",
          "The host's own work: it writes as fast as the bus takes it", "Reads of video memory by the host"};
}

void Bus::host_writes(uint64_t bytes) {
  if (!bytes) return;
  if (host_.empty() || host_.back().doorbell.submission) host_.emplace_back();
  host_.back().bytes += bytes;
  wake();
}

void Bus::ring(const messages::Doorbell& doorbell) {
  host_.push_back({.doorbell = doorbell});
  wake();
}

Cycle Bus::tick(Cycle now) {
  bool progress = deliver(now);
  progress |= perform(now);
  progress |= send(now);
  if (progress) return busy(now);
  const Cycle next = next_event(now);
  if (next != engine::kAsleep) return busy(now, next);
  if (!to_gpu_.empty() || !written_.empty()) return blocked(now, replies_out);
  if (!doorbells_.empty()) return blocked(now, doorbells_out);
  return fences_.empty() ? idle(now) : blocked(now, fences_out);
}

// Hands on what has arrived: to the GPU one reply and one doorbell, to the host one fence.
bool Bus::deliver(Cycle now) {
  bool progress = false;
  const auto ready = [&](const structures::Ring<Reply>& ring) {
    return !ring.empty() && ring.front().ready <= now;
  };
  if (const bool data = ready(to_gpu_), written = ready(written_);
      (data || written) && replies_out.ready(now)) {
    auto& ring = data && (!written || to_gpu_.front().ready <= written_.front().ready) ? to_gpu_ : written_;
    const Reply& reply = ring.front();
    count_for(reply.work, counters.latency, now - reply.taken);
    replies_out.send(now, reply.reply);
    ring.drop();
    under_way_--;
    progress = true;
  }
  progress |= deliver(now, doorbells_, doorbells_out);
  return deliver(now, fences_, fences_out) || progress;
}

// Performs requests that have reached the host, in order.
bool Bus::perform(Cycle now) {
  bool progress = false;
  for (; !to_host_.empty() && to_host_.front().there <= now; to_host_.drop()) {
    const Request& request = to_host_.front();
    // A write is posted: only its acknowledgement comes back, beside the packets.
    Reply& reply = (request.request.write ? written_ : data_).push();
    reply.taken = request.taken, reply.work = request.request.origin.work;
    reply.reply = perform(request.request);
    reply.ready = now + (request.request.write ? spec_.latency : spec_.memory_latency);
    progress = true;
  }
  return progress;
}

MemoryReply Bus::perform(const MemoryRequest& request) {
  MemoryReply reply{.tag = request.tag, .write = request.write};
  if (!request.write) {
    reply.mapped = memory_.mapped(request.address);
    if (reply.mapped) memory_.read(request.address, reply.data.data(), messages::kSectorBytes);
    reply.bring(messages::moved_for(request.mask, kGranuleBytes));
    return reply;
  }
  if (std::byte* sector = memory_.writable(request.address))
    for (uint32_t i = 0; i < messages::kSectorBytes; i++)
      if (request.mask >> i & 1) sector[i] = request.data[i];
  return reply;
}

// Puts a packet of each source on the wires that are free, the one whose turn it is first.
bool Bus::send(Cycle now) {
  bool progress = false;
  for (uint8_t i = 0, first = turn_; i < kSources; i++) {
    const auto source = static_cast<Source>((first + i) % kSources);
    const bool sent = source == kRequests ? send_request(now)
                      : source == kData   ? send_data(now)
                      : source == kHost   ? send_host(now)
                                          : send_fence(now);
    if (sent) turn_ = static_cast<uint8_t>((source + 1) % kSources);
    progress |= sent;
  }
  return progress;
}

bool Bus::send_request(Cycle now) {
  if (up().free > now || under_way_ == spec_.requests) return false;
  const MemoryRequest* request = requests_in.peek(now);
  if (!request) return false;
  const uint32_t work = request->origin.work, bytes = data_bytes(request->mask);
  works_for(work);
  count_for(work, request->write ? counters.writes : counters.reads, 1);
  count_for(work, request->write ? counters.write_bytes : counters.read_bytes, bytes);
  Request& sent = to_host_.push();
  sent.taken = now;
  sent.request = *request;
  sent.there = carry(now, up(), request->write ? bytes : 0, counters.up_cycles);
  under_way_++;
  requests_in.drop(now);
  return true;
}

bool Bus::send_data(Cycle now) {
  if (down_.free > now || data_.empty() || data_.front().ready > now) return false;
  works_for(data_.front().work);
  Reply& reply = to_gpu_.push();
  reply = data_.front();
  data_.drop();
  reply.ready = carry(now, down_, data_bytes(reply.reply.mask), counters.down_cycles);
  return true;
}

bool Bus::send_host(Cycle now) {
  if (down_.free > now || host_.empty()) return false;
  HostWrite& next = host_.front();
  if (next.doorbell.submission) {
    doorbells_.push_back(
        {.ready = carry(now, down_, kDoorbellBytes, counters.down_cycles), .message = next.doorbell});
    counters.doorbells++;
  } else {
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(next.bytes, spec_.payload));
    carry(now, down_, bytes, counters.down_cycles);
    counters.host_bytes += bytes;
    next.bytes -= bytes;
  }
  if (!next.bytes) host_.pop_front();
  return true;
}

bool Bus::send_fence(Cycle now) {
  if (!carries_fences || up().free > now) return false;
  const messages::Fence* fence = fences_in.peek(now);
  if (!fence) return false;
  fences_.push_back({.ready = carry(now, up(), kFenceBytes, counters.up_cycles), .message = *fence});
  counters.fences++;
  fences_in.drop(now);
  return true;
}

Cycle Bus::carry(Cycle now, Direction& direction, uint32_t data, uint64_t& cycles) {
  const Cycle takes = (spec_.header + data + spec_.bytes_per_cycle - 1) / spec_.bytes_per_cycle;
  direction.free = now + takes;
  cycles += takes;
  return direction.free + spec_.latency;
}

// The next cycle in which something arrives, is read, or finds the wires free; kAsleep: only others can wake
// it.
Cycle Bus::next_event(Cycle now) const {
  Cycle next = engine::kAsleep;
  const auto at = [&](Cycle cycle) {
    if (cycle > now) next = std::min(next, cycle);
  };
  if (!to_host_.empty()) at(to_host_.front().there);
  if (!data_.empty()) at(std::max(data_.front().ready, down_.free));
  if (!host_.empty()) at(down_.free);
  if (!to_gpu_.empty()) at(to_gpu_.front().ready);
  if (!written_.empty()) at(written_.front().ready);
  if (!doorbells_.empty()) at(doorbells_.front().ready);
  if (!fences_.empty()) at(fences_.front().ready);
  at(up().free);
  at(down_.free);
  return next;
}

std::string Bus::why_busy() const {
  if (!under_way_ && host_.empty() && doorbells_.empty() && fences_.empty()) return "";
  return fmt::format("{} requests under way, {} writes of the host, {} doorbells and {} fences", under_way_,
                     host_.size(), doorbells_.size(), fences_.size());
}

}  // namespace cutaway::boxes
