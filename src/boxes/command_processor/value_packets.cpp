// Values in memory: written, waited for, and those of queries.
#include <cstring>

#include "boxes/command_processor/command_processor.h"
#include "draw/query.h"

namespace cutaway::boxes {

using engine::Cycle;

CommandProcessor::Result CommandProcessor::write_value(Cycle now) {
  const auto packet = arch::packet_as<arch::WriteValuePacket>(stream_.payload());
  if (!drained()) return Result::kWait;
  const uint64_t value = packet.value;
  return write_bytes(now, packet.address, std::as_bytes(std::span(&value, 1)));
}

// The counters of the units have arrived with the draws when all of these have ended. A counter a cycle.
CommandProcessor::Result CommandProcessor::write_query(Cycle now) {
  const auto packet = arch::packet_as<arch::QueryPacket>(stream_.payload());
  if (query_index_ == 0 && !drained()) return Result::kWait;
  if (!memory_out.ready(now)) return Result::kBlocked;
  const arch::Address address = draw::query_address(packet, query_index_);
  const uint64_t words[] = {query_value(packet, address, now), 1};
  const bool end = packet.point == static_cast<uint32_t>(arch::QueryPoint::kEnd);
  if (const Result result = write_bytes(now, address, std::as_bytes(std::span(words).first(end ? 2 : 1)));
      result != Result::kDone)
    return result;
  if (++query_index_ < arch::query_values(packet.kind)) {
    worked_ = true;
    return Result::kWait;
  }
  query_index_ = 0;
  return Result::kDone;
}

uint64_t CommandProcessor::query_value(const arch::QueryPacket& packet, arch::Address address, Cycle now) {
  const auto kind = static_cast<arch::QueryKind>(packet.kind);
  if (!draw::is_architectural(packet.kind, query_index_)) {
    if (query_values.empty()) return kind == arch::QueryKind::kTimestamp ? now : 0;
    const parts::QueryValue next = query_values.front();
    if (next.submission == submission_.id && next.address == address) {
      query_values = query_values.subspan(1);
      return next.value;
    }
    stop(place(), fmt::format("no value was reported for the query at {:#x}", address));
    return 0;
  }
  return queries_.value(kind, query_index_);
}

// Up to a sector's end.
CommandProcessor::Result CommandProcessor::write_bytes(Cycle now, arch::Address address,
                                                       std::span<const std::byte> bytes) {
  if (!memory_out.ready(now)) return Result::kBlocked;
  const auto inside = static_cast<uint32_t>(address % parts::kSectorBytes);
  CUTAWAY_CHECK(inside + bytes.size() <= parts::kSectorBytes);
  parts::MemoryRequest request{.address = address - inside, .write = true, .origin = origin_};
  request.mask = parts::byte_mask(inside, static_cast<uint32_t>(bytes.size()));
  std::memcpy(request.data.data() + inside, bytes.data(), bytes.size());
  depth_watch_.written({address, address + bytes.size()});
  memory_out.send(now, request);
  writes_under_way_++;
  return Result::kDone;
}

CommandProcessor::Result CommandProcessor::wait_value(Cycle now) {
  const auto packet = arch::packet_as<arch::WaitValuePacket>(stream_.payload());
  const uint32_t inside = static_cast<uint32_t>(packet.address % parts::kSectorBytes);
  if (value_arrived_) {
    value_asked_ = value_arrived_ = false;
    if (waited_value_ >= packet.value) return Result::kDone;
    // Submissions run one after the other: nothing can change the value any more.
    if (drained()) return refuse(draw::wait_error(packet, waited_value_));
    return Result::kWait;
  }
  if (value_asked_ || !drained() || !memory_out.ready(now)) return Result::kWait;
  memory_out.send(now, {.address = packet.address - inside, .tag = kValueTag, .origin = origin_});
  value_asked_ = true;
  value_tag_ = inside;
  return Result::kWait;
}

}  // namespace cutaway::boxes
