#include "boxes/command_processor/packet_steps.h"

#include <cstring>

#include "boxes/command_processor/command_processor.h"

namespace cutaway::boxes {

using engine::Cycle;
using messages::Work;

uint32_t PacketSteps::begin_work(Cycle now, Work work) {
  work.opcode = parts_.stream.opcode();
  const uint32_t number = parts_.book.begin(now, work);
  box_.works_for(parts_.book.current());
  return number;
}

PacketResult PacketSteps::refuse(const std::string& error) {
  parts_.fault.note(parts_.stream.place(), error);
  return PacketResult::kWait;
}

PacketResult PacketSteps::carry_out_barriers() {
  OwedBarriers& owed = parts_.owed;
  if (!owed.any()) return PacketResult::kDone;
  if (!parts_.settled()) return PacketResult::kWait;
  if (const uint32_t caches = owed.take_flush())
    if (order_caches(messages::Control::Kind::kFlush, caches)) return PacketResult::kWait;
  if (const uint32_t caches = owed.take_invalidate())
    if (order_caches(messages::Control::Kind::kInvalidate, caches)) return PacketResult::kWait;
  const OwedBarriers::Paid paid = owed.paid();
  box_.counters.owed_barriers++;
  parts_.watch.settled(paid.flushed, paid.invalidated);
  if (!parts_.copies.any(parts_.queue)) box_.queue(parts_.queue).ended_before(parts_.stream.submission());
  return PacketResult::kDone;
}

// True: units have to answer.
bool PacketSteps::order_caches(messages::Control::Kind kind, uint32_t caches) {
  if (kind == messages::Control::Kind::kFlush) box_.counters.flushes++;
  if (kind == messages::Control::Kind::kInvalidate)
    box_.counters.invalidates++, caches &= ~box_.skip_invalidate;
  const messages::Control order{.kind = kind, .origin = parts_.book.origin(), .clear = nullptr};
  if (!parts_.cache_orders.begin(order, parts_.caches(caches), CacheOrders::Then::kPacketGoesOn,
                                 parts_.queue))
    return false;
  progressed = true;
  return true;
}

// If something other than draws has written a depth surface, and no INVALIDATE has come since, hierarchical Z
// forgets its bounds before the next use of depth. Draws under way go by the old bounds until they have
// ended.
PacketResult PacketSteps::forget_lost_bounds() {
  if (!parts_.cache_orders.depth.lost()) return PacketResult::kDone;
  if (!parts_.settled()) return PacketResult::kWait;
  if (!parts_.cache_orders.begin_forgetting_bounds(parts_.book.origin())) return PacketResult::kDone;
  progressed = true;
  return PacketResult::kWait;
}

// Tells stream-out before the first capture or counter of a submission that no buffer is filled. False: there
// is no room for the order yet.
bool PacketSteps::empty_feedback(Cycle now) {
  if (!parts_.feedback.must_empty()) return true;
  if (!box_.feedback_out.ready(now)) return false;
  box_.feedback_out.send(now, {.kind = messages::FeedbackOrder::Kind::kEmptyAll});
  parts_.feedback.emptied();
  progressed = true;
  return true;
}

// Asks for the next of these bytes. True: a request has left.
bool PacketSteps::ask(Cycle now, arch::Address address, size_t bytes) {
  std::optional<messages::MemoryRequest> request = parts_.arguments.wants(address, bytes);
  if (!request || !box_.memory_out.ready(now)) return false;
  request->origin = parts_.book.origin();
  box_.memory_out.send(now, *request);
  parts_.arguments.asked();
  return true;
}

// Reads words that may lie in two sectors, behind all copies. False: not yet; call again with the same ones.
bool PacketSteps::read(Cycle now, arch::Address address, std::span<uint32_t> words) {
  if (parts_.arguments.idle() && parts_.copies.any(parts_.queue)) return false;
  progressed |= ask(now, address, words.size_bytes());
  return parts_.arguments.take(address, std::as_writable_bytes(words));
}

// Writes bytes of one sector. The port is ready.
void PacketSteps::write(Cycle now, arch::Address address, std::span<const std::byte> bytes) {
  const auto inside = static_cast<uint32_t>(address % messages::kSectorBytes);
  CUTAWAY_CHECK(inside + bytes.size() <= messages::kSectorBytes);
  messages::MemoryRequest request{.address = address - inside,
                                  .tag = static_cast<uint32_t>(parts_.queue),
                                  .write = true,
                                  .origin = parts_.book.origin()};
  request.mask = messages::byte_mask(inside, static_cast<uint32_t>(bytes.size()));
  std::memcpy(request.data.data() + inside, bytes.data(), bytes.size());
  const MemoryRange memory{address, address + bytes.size()};
  parts_.cache_orders.depth.written(memory);
  parts_.watch.overwritten(memory);
  box_.written_by(parts_.queue);
  parts_.stream.distrust();
  box_.memory_out.send(now, request);
  parts_.value_writes++;
}

}  // namespace cutaway::boxes
