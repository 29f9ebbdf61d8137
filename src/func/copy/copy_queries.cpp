#include <bit>
#include <cstddef>
#include <cstring>

#include "arch/memory.h"
#include "func/copy/copy_surface.h"

// Results of queries as chunks: one for each counter's slot, one for the availability.
namespace cutaway::func {
namespace {

constexpr uint32_t kSlotBytes = sizeof(arch::QuerySlot);
constexpr uint32_t kCounterBytes = offsetof(arch::QuerySlot, unused);  // bytes of a slot that a result is
                                                                       // computed from

uint32_t result_bytes(uint32_t flags) { return flags & arch::kQueries64Bit ? 8 : 4; }

// Bytes from a query's first result to the end of its last.
uint64_t entry_bytes(const arch::CopyQueriesPacket& packet) {
  const auto results = static_cast<uint64_t>(std::popcount(packet.values)) +
                       (packet.flags & arch::kQueriesAvailability ? 1 : 0);
  return results * result_bytes(packet.flags);
}

// Exclusive end of `count` pieces of `bytes`, `stride` apart; false: beyond 2^arch::kAddressBits.
bool range_end(uint64_t first, uint64_t count, uint64_t stride, uint64_t bytes, uint64_t& end) {
  constexpr uint64_t kEnd = uint64_t{1} << arch::kAddressBits;
  if (first >= kEnd || stride >= kEnd || (count > 1 && stride > kEnd / (count - 1))) return false;
  end = first + (count - 1) * stride + bytes;
  return end <= kEnd;
}

}  // namespace

const char* copy_error(const arch::CopyQueriesPacket& packet) {
  const uint64_t source = packet.source, destination = packet.destination, stride = packet.stride;
  if (!packet.values || packet.values >> 16) return "no such counters";
  if (packet.flags & ~uint32_t{7}) return "unknown flags";
  if (source % kSlotBytes || packet.source_stride % kSlotBytes)
    return "the address or the stride of the slots is no multiple of 32";
  if (destination % result_bytes(packet.flags) || stride % result_bytes(packet.flags))
    return "the address or the stride of the results is no multiple of their size";
  if (!packet.queries) return nullptr;
  const uint64_t slots = static_cast<uint64_t>(std::bit_width(packet.values)) * kSlotBytes;
  uint64_t source_end = 0, destination_end = 0;
  if (!range_end(source, packet.queries, packet.source_stride, slots, source_end) ||
      !range_end(destination, packet.queries, stride, entry_bytes(packet), destination_end))
    return "the range reaches beyond memory";
  if (packet.queries > 1 && stride < entry_bytes(packet)) return "the results of queries overlap";
  if (source < destination_end && destination < source_end) return "the ranges overlap";
  return nullptr;
}

CopyCursor::CopyCursor(const arch::CopyQueriesPacket& packet, uint32_t line_bytes)
    : kind_(packet.queries ? Kind::kQueries : Kind::kEnd),
      line_bytes_(line_bytes),
      source_(packet.source),
      destination_(packet.destination),
      left_(packet.queries),
      queries_(packet),
      values_left_(packet.values) {}

bool CopyCursor::next_query(CopyChunk& chunk) {
  const bool with_availability = queries_.flags & arch::kQueriesAvailability;
  const uint32_t bytes = result_bytes(queries_.flags);
  const auto written = static_cast<uint32_t>(std::popcount(queries_.values & ~values_left_));
  chunk.destination = destination_ + written * uint64_t{bytes};
  chunk.destination_bytes = bytes;
  if (values_left_) {
    const auto value = static_cast<uint32_t>(std::countr_zero(values_left_));
    chunk.source = source_ + uint64_t{value} * kSlotBytes;
    chunk.source_bytes = kCounterBytes;
    chunk.reads_destination = !(queries_.flags & arch::kQueriesPartial);
    values_left_ &= values_left_ - 1;
    if (values_left_ || with_availability) return true;
  } else {
    const auto first = static_cast<uint32_t>(std::countr_zero(queries_.values));
    chunk.source = source_ + uint64_t{first} * kSlotBytes + offsetof(arch::QuerySlot, available);
    chunk.source_bytes = sizeof(uint64_t);
    chunk.reads_destination = false;
  }
  source_ += queries_.source_stride;
  destination_ += queries_.stride;
  values_left_ = queries_.values;
  if (--left_ == 0) kind_ = Kind::kEnd;
  return true;
}

// Must not read the cursor's position, which may have advanced.
void CopyCursor::finish_query(const CopyChunk& chunk, const std::byte* source, std::byte* destination) const {
  uint64_t result = 0;
  if (chunk.source_bytes == kCounterBytes) {
    arch::QuerySlot slot{};
    std::memcpy(&slot, source, kCounterBytes);
    if (!slot.available && chunk.reads_destination) return;
    if (slot.available) result = slot.end - slot.begin;
  } else {
    std::memcpy(&result, source, sizeof result);
  }
  std::memcpy(destination, &result, chunk.destination_bytes);
}

}  // namespace cutaway::func
