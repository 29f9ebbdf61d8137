#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "arch/memory.h"
#include "base/divisor.h"
#include "base/error.h"
#include "messages/memory_message.h"
#include "structures/replacement/replacement.h"
#include "structures/ring.h"

namespace cutaway::structures {

struct CacheGeometry {
  uint32_t lines = 64, ways = 4;  // ATT-6; at most kMostWays
  uint32_t line_bytes = 256;      // a multiple of 64, at most 512: a tile of 8×8 pixels of 32 bits
  bool whole_lines = false;       // a fetch of any bytes is one of the whole line, a write too
  uint32_t write_backs = 16;      // sectors that evictions may leave waiting for the memory port
  uint32_t misses = ~0u;          // lines that may wait for sectors at a time
  bool stacks = false;            // stacks of equal samples are written at once
  uint32_t grain =
      messages::kSectorBytes;  // bytes that are asked for at least: 64, or 32 of lines that never pack
  ReplacementName replacement = "lru";
};

// How a line may be written back: compressed, as a block of 256 bytes or by the stacks of its sectors, or
// whole.
struct Packing {
  uint8_t depth_bits = 0;       // of its elements; 0: it is no such block
  messages::SampleStack stack;  // of its sectors
  arch::Address surface = 0;    // that it is of: all or none of its blocks have tags
  bool overwritten = false;     // all of the line is about to be written: what is cleared of it is of no use
  bool owned = false;           // no other cache writes bytes of the line: it may be written back whole

  explicit operator bool() const { return depth_bits != 0 || stack; }
};

// A set-associative cache of sectored lines that holds its bytes, knows dirty bytes one by one, and writes
// back. It knows no clock: a box asks, sends the requests that come of it, and hands the replies in.
//
// A line that is a block of 256 bytes may be written back compressed (func/rop/depth_block.h), if all of it
// can be read and memory says that it may. Then all of it is fetched at once, as far as this costs nothing:
// if the block is compressed or cleared.
//
// A sector of a multisampled surface is written back for all samples at once, if those of all its stack are
// here and equal. Then their other lines are clean.
//
// Life of an access: access() finds or makes room and pins the line; the box waits until ready(), reads or
// writes the bytes, then unpins. A pinned line is never evicted, nor one that waits for memory. Of the others
// the replacement policy chooses (structures/replacement/).
class Cache {
 public:
  static constexpr uint32_t kNone = ~0u;
  enum class Outcome : uint8_t { kHit, kHitUnderWay, kMiss, kStall };

  explicit Cache(const CacheGeometry& geometry);

  // The line that holds `address`, with the grains of `fetch` (bit per grain) on their way or there; pinned
  // once. The absent grains of a sector are one request, or join one for its other half that has not been
  // sent. needed: bytes of each sector that the access reads; others may stay absent, if memory need not be
  // read for these. kStall: every way of the set is pinned, or there is no room for write-backs or requests,
  // or too many lines wait for sectors, or a sector is on its way without bytes that are needed now; nothing
  // has changed. kMiss: the line had to be made, or a grain asked for. kHitUnderWay: neither, but a grain of
  // `fetch` has not arrived yet.
  Outcome access(arch::Address address, uint32_t fetch, const messages::Origin& origin, uint32_t& line,
                 const Packing& packing = {}, messages::ByteMask needed = messages::kAllBytes);
  void unpin(uint32_t line) {
    Line& of = lines_[line];
    CUTAWAY_CHECK(of.pins > 0);
    // The host would stall on a read of `pins` with what stands beside it.
    const uint32_t pins = of.pins - 1;
    of.pins = pins;
    if (!pins && !of.in_flight && !of.opportunistic) let_go(line);
  }

  // All these bytes of the line can be read: fetched, or written since.
  bool ready(uint32_t line, uint32_t offset, uint32_t bytes) const {
    const uint32_t sector = offset / messages::kSectorBytes, begin = offset % messages::kSectorBytes;
    if (begin + bytes > messages::kSectorBytes) [[unlikely]]
      return ready_in_several(line, offset, bytes);
    return !(messages::byte_mask(begin, bytes) & ~lines_[line].sector[sector].valid);
  }
  // All bytes of these sectors can be read.
  bool whole(uint32_t line, uint32_t sectors) const { return !(sectors & ~lines_[line].whole); }
  // No reply is missing for these grains.
  bool settled(uint32_t line, uint32_t grains) const { return (lines_[line].in_flight & grains) == 0; }
  // Those of a line that have some of these bytes of one of its sectors.
  uint32_t grains_of(uint32_t sector, messages::ByteMask bytes) const;
  // Fetches what access() and settled() read of a line into the host's cache.
  void prefetch(uint32_t line) const { __builtin_prefetch(&lines_[line]); }
  const std::byte* data(uint32_t line) const { return &bytes_[size_t{line} * geometry_.line_bytes]; }
  // Bytes of a sector that is not fetched may be written too: they become valid and dirty.
  void write(uint32_t line, uint32_t offset, const void* from, uint32_t bytes) {
    const uint32_t sector = offset / messages::kSectorBytes, begin = offset % messages::kSectorBytes;
    if (bytes != 4 || begin + bytes > messages::kSectorBytes || drop_write_) [[unlikely]]
      return write_any(line, offset, from, bytes);
    std::memcpy(&bytes_[size_t{line} * geometry_.line_bytes + offset], from, 4);  // mostly: without a call
    lines_[line].note_written(sector, messages::ByteMask{15} << begin);
  }

  // Requests to send, oldest first. The box pops what it has sent.
  bool has_request() const { return !requests_.empty(); }
  const messages::MemoryRequest& request() const { return requests_.front(); }
  void pop_request() { requests_.drop(); }
  // A read's reply fills the bytes that it brings, but for those written in the meantime. A write's reply
  // counts down.
  void reply(const messages::MemoryReply& reply);

  // Queues dirty lines for write-back; call until it returns true: all dirty bytes have been handed to memory
  // and every write has been answered. Lines stay valid.
  bool flush(const messages::Origin& origin);
  // Forgets every clean byte; dirty ones stay, to be read and written back. No line may be pinned or awaited.
  void invalidate();
  bool idle() const { return requests_.empty() && awaited_ == 0; }

  // The line that the last access() took over: its former address and, until it is written or filled, its
  // former bytes.
  struct Evicted {
    arch::Address address = ~0ull;
    uint32_t line = kNone;
    messages::ByteMask readable = 0;  // bytes that were so in each of its sectors
  };
  // Once per eviction.
  Evicted take_evicted() { return std::exchange(evicted_, Evicted{}); }

  uint32_t line_of(arch::Address address) const;  // kNone: not resident
  uint32_t set_of(arch::Address address) const {
    // Tiles of one column of a surface are a power of two apart: fold the upper bits in.
    const uint64_t number = line_.quotient(address), upper = set_.quotient(number);
    return static_cast<uint32_t>(set_.remainder(number ^ upper ^ set_.quotient(upper)));
  }
  arch::Address address_of(uint32_t line) const { return addresses_[line]; }
  bool dirty(uint32_t line) const { return lines_[line].dirty != 0; }
  messages::ByteMask readable(uint32_t line) const;  // bytes that can be read in each of its sectors
  uint32_t lines() const { return static_cast<uint32_t>(lines_.size()); }
  uint32_t line_bytes() const { return geometry_.line_bytes; }
  uint32_t outstanding() const { return awaited_; }

  // Blocks written back that might have been compressed: as they are, in one sector, in two. Stacks written
  // at once, the sectors that were dirty in them, and sectors that were written for their sample alone.
  struct Packed {
    uint64_t plain = 0, one = 0, two = 0;
    uint64_t stacks = 0, stacked = 0, apart = 0;
  };
  const Packed& packed() const { return packed_; }

  // Faults for tests of the verifier. The n-th write from now leaves its bytes clean; a bit of the n-th
  // sector that is written compressed is lost. 0: none.
  void drop_dirty_bit(uint64_t nth_write) { drop_write_ = nth_write; }
  void drop_packed_bit(uint64_t nth_sector) { drop_packed_ = nth_sector; }

 private:
  static constexpr uint32_t kMaxSectors = 8;
  // Members that most accesses read stand first: of a line with two sectors, all in one line of the host.
  struct alignas(64) Line {
    struct Sector {
      messages::ByteMask valid = 0, dirty = 0;  // readable bytes, written bytes
    };

    uint32_t pins = 0;
    uint32_t in_flight = 0;         // requested grains, one bit each
    messages::ByteMask needed = 0;  // bytes that the requests of all of these name
    uint8_t opportunistic = 0;      // sectors of opportunistic fetches; memory may decline them
    uint8_t declined = 0;           // sectors that memory declined
    uint8_t whole = 0;              // sectors of which all bytes are readable
    uint8_t dirty = 0;              // sectors that have dirty bytes
    bool may_pack = false;          // memory allows it
    uint8_t packed = 0;             // sectors that the block takes in memory, if it is compressed there
    Sector sector[kMaxSectors];
    Packing packing;

    // Makes it hold nothing.
    void reset(uint32_t sectors) {
      pins = in_flight = 0, needed = 0;
      opportunistic = declined = whole = dirty = packed = 0, may_pack = false;
      for (uint32_t s = 0; s < sectors; s++) sector[s] = {};
      packing = {};
    }
    // True if no other line may take its place.
    bool held() const { return pins || in_flight || opportunistic; }
    void note_valid(uint32_t s, messages::ByteMask bytes) {
      sector[s].valid |= bytes;
      if (sector[s].valid == messages::kAllBytes) whole |= static_cast<uint8_t>(1u << s);
    }
    void note_written(uint32_t s, messages::ByteMask bytes) {
      note_valid(s, bytes);
      sector[s].dirty |= bytes;
      dirty |= static_cast<uint8_t>(1u << s);
    }
    messages::ByteMask take_dirty(uint32_t s) {
      dirty &= static_cast<uint8_t>(~(1u << s));
      return std::exchange(sector[s].dirty, 0);
    }
  };

  // Set and clear the bit that repeats Line::held().
  void hold(uint32_t line) { held_[line / 64] |= uint64_t{1} << line % 64; }
  void let_go(uint32_t line) { held_[line / 64] &= ~(uint64_t{1} << line % 64); }
  bool ready_in_several(uint32_t line, uint32_t offset, uint32_t bytes) const;
  void write_any(uint32_t line, uint32_t offset, const void* from, uint32_t bytes);
  Outcome ask_memory(uint32_t set, arch::Address start, uint32_t fetch, const messages::Origin& origin,
                     uint32_t& line, Packing packing, messages::ByteMask needed);
  void use(uint32_t set, uint32_t line) {
    lines_[line].pins++;
    hold(line);
    replacement_->used(set, line - set * geometry_.ways);
  }
  uint32_t line_in(uint32_t set, arch::Address start) const;
  uint32_t victim(uint32_t set) const;
  messages::ByteMask bytes_of(uint32_t grains, uint32_t sector) const;
  uint32_t absent_grains(const Line& line, uint32_t grains, messages::ByteMask needed) const;
  uint32_t absent_halves(const Line& line, uint32_t grains, messages::ByteMask needed) const;
  messages::MemoryRequest* unsent(uint32_t line, uint32_t sector);
  uint32_t requests_for(uint32_t line, uint32_t grains);
  void ask(uint32_t line, uint32_t grains, messages::ByteMask needed, messages::Opportunistic opportunistic,
           const messages::Origin& origin);
  void write_back(uint32_t line, const messages::Origin& origin);
  void write_sector(uint32_t line, uint32_t sector, const std::byte* from, messages::ByteMask mask,
                    uint32_t packed, const messages::Origin& origin);
  bool write_packed(uint32_t line, const messages::Origin& origin);
  bool moves_whole(uint32_t line) const;
  uint32_t sectors_to_write(uint32_t line) const;

  // Stacks (cache_stacks.cpp).
  bool write_stack(uint32_t line, uint32_t sector, const messages::Origin& origin);
  arch::Address last_of_stack(uint32_t line, uint32_t sector) const;
  uint32_t stack_tag(uint32_t line, uint32_t sector, bool at_once);
  bool stacks_wait(const Packing& packing, arch::Address line, uint32_t sectors) const;
  bool stacks_wait(uint32_t line) const;
  void stack_written(uint32_t tag);

  CacheGeometry geometry_;
  uint32_t sectors_, sector_grains_;  // of a line, of a sector
  uint32_t all_grains_;               // of a line, a bit each
  Divisor line_, set_;                // bytes of a line, sets
  static constexpr arch::Address kNowhere = ~0ull;
  std::vector<arch::Address> addresses_;  // by line: all of a set are looked at together
  std::vector<Line> lines_;
  std::vector<uint64_t> held_;  // Line::held() of each, a bit each, and a word more
  uint32_t empty_;              // lines that hold nothing
  std::vector<std::byte> bytes_;
  std::unique_ptr<Replacement> replacement_;
  Ring<messages::MemoryRequest> requests_;
  uint32_t awaited_ = 0;               // replies missing
  uint32_t waiting_ = 0;               // lines with sectors that have not arrived
  uint32_t flush_line_ = 0;            // where a flush goes on
  arch::Address untagged_ = kNowhere;  // a surface whose blocks have no tags, until the next invalidate
  uint64_t drop_write_ = 0, drop_packed_ = 0;
  Packed packed_;
  // Writes that memory has not acknowledged, by a hash of their stack.
  struct StackWrites {
    uint32_t any = 0, at_once = 0;
  };
  static constexpr uint32_t kStackHashes = 1024;
  std::vector<StackWrites> stack_writes_;
  Evicted evicted_;
};

}  // namespace cutaway::structures
