#pragma once

#include <cstddef>

#include "arch/memory.h"
#include "arch/packet.h"

// Semantics of WRITE_QUERY: docs/hardware.md "Queries"; and the values of WRITE_VALUE and WAIT_VALUE.
namespace cutaway::command_stream {

// The error in the address of WRITE_VALUE or WAIT_VALUE, or nullptr.
inline const char* value_error(arch::Address address) {
  return address % sizeof(uint64_t) ? "the address is no multiple of 8" : nullptr;
}

// The error in the packet, or nullptr.
inline const char* query_error(const arch::QueryPacket& packet) {
  if (!arch::query_values(packet.kind)) return "unknown kind of query";
  if (packet.point > static_cast<uint32_t>(arch::QueryPoint::kEnd)) return "unknown point of a query";
  const bool slots = packet.point != static_cast<uint32_t>(arch::QueryPoint::kValues);
  const uint64_t alignment = slots ? sizeof(arch::QuerySlot) : sizeof(uint64_t);
  if (packet.address % alignment)
    return slots ? "the address is no multiple of 32" : "the address is no multiple of 8";
  constexpr uint64_t kReach = arch::kStatistics * sizeof(arch::QuerySlot);
  if (packet.address >= (uint64_t{1} << arch::kAddressBits) - kReach) return "the address is beyond memory";
  return nullptr;
}

// Address of counter i's value. At QueryPoint::kEnd the availability follows it.
inline arch::Address query_address(const arch::QueryPacket& packet, uint32_t i) {
  switch (static_cast<arch::QueryPoint>(packet.point)) {
    case arch::QueryPoint::kBegin:
      return packet.address + uint64_t{i} * sizeof(arch::QuerySlot) + offsetof(arch::QuerySlot, begin);
    case arch::QueryPoint::kEnd:
      return packet.address + uint64_t{i} * sizeof(arch::QuerySlot) + offsetof(arch::QuerySlot, end);
    default:
      return packet.address + uint64_t{i} * sizeof(uint64_t);
  }
}

// True if every GPU of this contract counts it alike.
inline bool is_architectural(uint32_t kind, uint32_t i) {
  switch (static_cast<arch::QueryKind>(kind)) {
    case arch::QueryKind::kTimestamp:
      return false;
    case arch::QueryKind::kStatistics:
      return arch::kArchitecturalStatistics >> i & 1;
    default:
      return true;
  }
}

}  // namespace cutaway::command_stream
