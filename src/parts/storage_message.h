#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "isa/instruction.h"
#include "parts/memory_message.h"
#include "parts/pool.h"

// What shader units ask of the slices of the storage cache, and what comes back: an instruction of a group
// that loads, stores or does atomics in buffers or images is one transaction for each line that it touches.
namespace cutaway::parts {

constexpr uint32_t kMaxStorageLine = 256;  // bytes
constexpr uint32_t kMaxStorageLanes = 64;  // of a group

// Bytes of a line, bit each, by sector.
using LineBytes = std::array<ByteMask, kMaxStorageLine / kSectorBytes>;

// Calls run(offset, bytes) for them, run by run, none of which crosses a sector.
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
    bool stores = true;             // else of a helper lane, which only learns what the word is
    uint32_t old = 0;               // what the word was
  };

  Kind kind = Kind::kLoad;
  bool returns = false;  // the group waits for what it gives; else it counts that it is done
  isa::AtomicOp operation{};
  arch::Address line = 0;  // a multiple of the bytes of a line
  Origin origin;
  uint32_t group = 0;                           // of the asking shader unit
  LineBytes mask{};                             // kLoad, kStore: bytes
  std::array<std::byte, kMaxStorageLine> data;  // those bytes
  uint32_t atomics = 0;                         // kAtomic: in the order of lanes
  std::array<Atomic, kMaxStorageLanes> atomic;
};

struct StorageMessage {
  PoolRef<StorageJob> job;
};

}  // namespace cutaway::parts
