#include "boxes/command_processor/memory_range.h"

namespace cutaway::boxes {
namespace {

constexpr arch::Address kLongestLine = 512;  // bytes, of any cache (line_bytes of their units)

}  // namespace

MemoryRange MemoryRange::in_lines() const {
  return {begin / kLongestLine * kLongestLine, (end + kLongestLine - 1) / kLongestLine * kLongestLine};
}

MemoryRange range_of(const arch::Surface& surface) {
  return {surface.address, surface.address + arch::surface_span(surface)};
}

CopyRanges ranges_of_copy(arch::Opcode opcode, std::span<const uint32_t> payload) {
  const auto range = [](arch::Address begin, uint64_t bytes) { return MemoryRange{begin, begin + bytes}; };
  switch (opcode) {
    case arch::Opcode::kCopySurface: {
      const auto packet = arch::packet_as<arch::CopySurfacePacket>(payload);
      return {range_of(packet.source), range_of(packet.destination)};
    }
    case arch::Opcode::kCopyBuffer: {
      const auto packet = arch::packet_as<arch::CopyBufferPacket>(payload);
      return {range(packet.source, packet.bytes), range(packet.destination, packet.bytes)};
    }
    case arch::Opcode::kFillBuffer: {
      const auto packet = arch::packet_as<arch::FillBufferPacket>(payload);
      return {{}, range(packet.destination, packet.bytes)};
    }
    default: {
      // Of each query up to 32 slots, and as many results and whether they are available, of 64 bits.
      const auto packet = arch::packet_as<arch::CopyQueriesPacket>(payload);
      const uint64_t queries = packet.queries;
      return {range(packet.source, queries * packet.source_stride + 32 * sizeof(arch::QuerySlot)),
              range(packet.destination, queries * packet.stride + 33 * 8)};
    }
  }
}

}  // namespace cutaway::boxes
