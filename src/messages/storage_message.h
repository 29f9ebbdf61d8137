#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "isa/instruction.h"
#include "messages/memory_message.h"
#include "messages/pool.h"

// Messages between shader units and the slices of the storage cache: a group's instruction that loads, stores
// or performs atomics in buffers or images makes one transaction per line that it touches.
namespace cutaway::messages {

constexpr uint32_t kMaxStorageLine = 256;  // bytes
constexpr uint32_t kMaxStorageLanes = 64;  // of a group

// Bytes of a line, one bit each, by sector.
using LineBytes = std::array<ByteMask, kMaxStorageLine / kSectorBytes>;

// Calls run(offset, bytes) for each run of bytes; no run crosses a sector.
template <class Run>
void for_runs(const LineBytes& bytes, const Run& run) {
  for (uint32_t s = 0; s < bytes.size(); s++)
    for (ByteMask left = bytes[s]; left;) {
      const auto first = static_cast<uint32_t>(std::countr_zero(left));
      const auto count = static_cast<uint32_t>(std::countr_one(left >> first));
      run(s * kSectorBytes + first, count);
      left &= ~byte_mask(first, count);
    }
}

inline void copy_bytes(const LineBytes& bytes, const std::byte* from, std::byte* to) {
  for_runs(bytes, [&](uint32_t offset, uint32_t count) { std::memcpy(to + offset, from + offset, count); });
}

struct StorageJob {
  enum class Kind : uint8_t { kLoad, kStore, kAtomic };
  struct Atomic {
    uint32_t lane = 0, offset = 0;  // of its word in the line, a multiple of 4
    uint32_t a = 0, b = 0;          // operands
    bool stores = true;             // false for a helper lane, which only reads the word
    uint32_t old = 0;               // the word's previous value
  };

  Kind kind = Kind::kLoad;
  bool returns = false;  // the group waits for the result; otherwise it only counts the completion
  isa::AtomicOp operation{};
  arch::Address line = 0;  // a multiple of the bytes of a line
  Origin origin;
  uint32_t group = 0;                           // of the requesting shader unit
  LineBytes mask{};                             // kLoad, kStore: bytes accessed
  std::array<std::byte, kMaxStorageLine> data;  // those bytes
  uint32_t atomics = 0;                         // kAtomic: number of operations, in lane order
  std::array<Atomic, kMaxStorageLanes> atomic;
};

struct StorageMessage {
  PoolRef<StorageJob> job;
};

}  // namespace cutaway::messages
