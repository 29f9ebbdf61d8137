#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "arch/surface.h"
#include "func/copy/clear_surface.h"
#include "parts/sample_stack.h"

namespace cutaway::parts {

// What a message or a memory access was done for.
struct Origin {
  uint32_t submission = 0;
  uint32_t draw = 0;       // counts from 1 in its submission; 0: no draw
  uint32_t primitive = 0;  // counts from 0 in its draw
  uint32_t work = 0;       // number in the list of work, if one is kept (parts/work_list.h)
  bool operator==(const Origin&) const = default;
};

constexpr uint32_t kSectorBytes =
    64;  // that a memory transaction is about (ATT-1); it may move a part of them
using Sector = std::array<std::byte, kSectorBytes>;

// Bytes of a sector, bit i for byte i.
using ByteMask = uint64_t;
constexpr ByteMask kAllBytes = ~0ull;
constexpr ByteMask byte_mask(uint32_t first, uint32_t count) {
  return count >= kSectorBytes ? kAllBytes : ((ByteMask{1} << count) - 1) << first;
}
// What memory moves for some bytes, if it moves `least` at once: a divisor of kSectorBytes.
constexpr ByteMask moved_for(ByteMask bytes, uint32_t least) {
  ByteMask moved = 0;
  for (uint32_t first = 0; first < kSectorBytes; first += least)
    if (const ByteMask access = byte_mask(first, least); bytes & access) moved |= access;
  return moved;
}

// Reads of sectors that nobody waits for, of blocks that a cache wants whole. They are declined where they
// would cost memory something.
enum class Beside : uint8_t {
  kNo,
  kOfCleared,  // wanted if the sector is cleared
  kOfPacked,   // or its block is compressed
};

// One transaction of a client with the memory controller. Transactions of one client to one sector are done
// in the order in which they are sent.
struct MemoryRequest {
  arch::Address address = 0;  // a multiple of kSectorBytes
  uint32_t tag = 0;           // comes back in the reply
  bool write = false;
  ByteMask mask = kAllBytes;  // bytes that are written, or wanted
  Beside beside = Beside::kNo;
  bool packs = false;  // read: by a cache that may write the block of the sector back compressed
  // Write: in how many sectors the block of the sector is written, one after the other, this one among them:
  // 1 or 2 compressed, 4 as it is; 0: these bytes alone.
  uint8_t packed = 0;
  // Read: by a cache that may write the stack of the sector at once. Write: these bytes are those of all
  // samples of the stack, and the sector that of the last.
  SampleStack stack;
  Origin origin;
  Sector data{};
};

// The piece of work of a message, which its receiver works for from then on (engine/ledger.h). What serves
// memory requests does so for many pieces side by side, and counts for each by itself (Box::count_for).
template <class M>
requires(!std::same_as<M, MemoryRequest>) && requires(const M& message) { message.origin.work; }
uint32_t work_of(const M& message) { return message.origin.work; }

// Answers every read and every write (when it is in memory).
struct MemoryReply {
  uint32_t tag = 0;
  bool write = false;
  bool mapped = true;     // read: the sector lies in mapped memory; else data are zeros
  bool declined = false;  // read of a sector beside others: its block is plain there, and there are no data
  ByteMask mask = kAllBytes;  // read: bytes that it brings, those that were wanted among them; others are 0
  // Read by such a cache: whether the block may be written compressed, or a stack at once, and in how many
  // sectors the block is compressed; 0: it is not.
  bool may_pack = false;
  uint8_t packed = 0;
  Sector data{};

  // Of its data these bytes alone.
  void bring(ByteMask bytes) {
    mask = bytes;
    if (bytes == kAllBytes) return;
    for (uint32_t i = 0; i < kSectorBytes; i++)
      if (!(bytes >> i & 1)) data[i] = {};
  }
};

// From the copy engine: blocks of memory that a clear of a surface gives its value. Answered when they have
// it, or at once if they must be written.
struct ClearBlocks {
  func::ClearRun layer, run;  // the layer of the surface that the run is of
  func::ClearValue value;
  Origin origin;
  bool depth = false;  // of depth or stencil: no cache holds a block that it may write compressed
};
struct BlocksCleared {
  func::ClearRun cleared;  // of the run: all blocks that are whole; no bytes: nothing has changed
};

}  // namespace cutaway::parts
