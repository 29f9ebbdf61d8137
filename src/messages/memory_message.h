#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/surface.h"
#include "func/copy/clear_surface.h"
#include "messages/sample_stack.h"

namespace cutaway::messages {

// The work that a message or a memory access belongs to.
struct Origin {
  uint32_t submission = 0;
  uint32_t draw = 0;       // counts from 1 in its submission; 0: no draw
  uint32_t primitive = 0;  // counts from 0 in its draw
  uint32_t work = 0;       // number in the list of work, if one is kept (messages/work_list.h)
  bool operator==(const Origin&) const = default;
};

constexpr uint32_t kSectorBytes = 64;  // bytes of a memory transaction (ATT-1); it may move a part of them
using Sector = std::array<std::byte, kSectorBytes>;

// Bytes of a sector, one bit each.
using ByteMask = uint64_t;
constexpr ByteMask kAllBytes = ~0ull;
constexpr ByteMask byte_mask(uint32_t first, uint32_t count) {
  return count >= kSectorBytes ? kAllBytes : ((ByteMask{1} << count) - 1) << first;
}
// Bytes that memory moves for `bytes`, if it moves `least` at once: a divisor of kSectorBytes.
constexpr ByteMask moved_for(ByteMask bytes, uint32_t least) {
  ByteMask moved = 0;
  for (uint32_t first = 0; first < kSectorBytes; first += least)
    if (const ByteMask access = byte_mask(first, least); bytes & access) moved |= access;
  return moved;
}

// Returns a byte of ones for each bit of eight that is set.
constexpr uint64_t bytes_of_bits(uint32_t bits) {
  const uint64_t one_bit_each = bits * 0x0101010101010101u & 0x8040201008040201u;
  const uint64_t highest_bits = (one_bit_each + 0x7f7f7f7f7f7f7f7fu) & 0x8080808080808080u;
  return (highest_bits >> 7) * 0xff;
}

// Copies the bits of a word that the mask names.
inline void copy_word(uint64_t mask, const std::byte* from, std::byte* to) {
  uint64_t word, old;
  std::memcpy(&word, from, sizeof word);
  std::memcpy(&old, to, sizeof old);
  word = (word & mask) | (old & ~mask);
  std::memcpy(to, &word, sizeof word);
}

// Copies the bytes of a sector that the mask names.
inline void copy_bytes(ByteMask mask, const std::byte* from, std::byte* to) {
  constexpr uint32_t kWord = 8;
  if (mask == kAllBytes) {
    std::memcpy(to, from, kSectorBytes);
    return;
  }
  for (uint32_t first = 0; mask; first += kWord, mask >>= kWord) {
    const uint32_t word = mask & 0xff;
    if (word == 0xff) std::memcpy(to + first, from + first, kWord);
    else if (word) copy_word(bytes_of_bits(word), from + first, to + first);
  }
}

// Opportunistic fetches: reads of sectors that no access waits for, by a cache that wants whole blocks. They
// are declined if they would cost memory bandwidth.
enum class Opportunistic : uint8_t {
  kNo,
  kOfCleared,  // only if the sector is cleared
  kOfPacked,   // or its block is compressed
};

// One transaction of a client with the memory controller. Transactions of one client on one sector are
// performed in send order.
struct MemoryRequest {
  arch::Address address = 0;  // a multiple of kSectorBytes
  uint32_t tag = 0;           // returned in the reply
  bool write = false;
  ByteMask mask = kAllBytes;  // bytes written or requested
  Opportunistic opportunistic = Opportunistic::kNo;
  bool packs = false;  // read: the cache may write the sector's block back compressed
  // Write: number of sectors in which the sector's block is written, consecutively, including this one: 1 or
  // 2 compressed, 4 uncompressed; 0: only these bytes.
  uint8_t packed = 0;
  // Read: the cache may write the sector's whole stack at once. Write: these bytes are those of all samples
  // of the stack, and the sector is the last sample's.
  SampleStack stack;
  Origin origin;
  Sector data{};
};

// The piece of work of a message, which its receiver then works for (engine/ledger.h). Servers of memory
// requests work for many pieces at once, and attribute counts to each themselves (Box::count_for).
template <class M>
requires(!std::same_as<M, MemoryRequest>) && requires(const M& message) { message.origin.work; }
uint32_t work_of(const M& message) { return message.origin.work; }

// Answer to every read, and to every write once it is in memory.
struct MemoryReply {
  uint32_t tag = 0;
  bool write = false;
  bool mapped = true;         // read: the sector is in mapped memory; otherwise data are zeros
  bool declined = false;      // opportunistic fetch: its block is plain, and no data are returned
  ByteMask mask = kAllBytes;  // read: bytes returned, including those requested; others are 0
  // Read by a cache that compresses: whether the block may be written compressed, or a stack at once, and the
  // number of sectors of a compressed block; 0: not compressed.
  bool may_pack = false;
  uint8_t packed = 0;
  Sector data{};

  // Restricts the data to these bytes.
  void bring(ByteMask bytes) {
    mask = bytes;
    if (bytes == kAllBytes) return;
    constexpr Sector kZeros{};
    copy_bytes(~bytes, kZeros.data(), data.data());
  }
};

// From the copy engine: blocks of memory to which a surface clear gives its value. Answered when they have
// it, or at once if they must be written.
struct ClearBlocks {
  func::ClearRun layer, run;  // the surface's layer, and the run within it
  func::ClearValue value;
  Origin origin;
  bool depth = false;  // depth or stencil: no cache holds a block that it may write compressed
};
struct BlocksCleared {
  func::ClearRun cleared;  // all whole blocks of the run; empty: nothing has changed
};

}  // namespace cutaway::messages
