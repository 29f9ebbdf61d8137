#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/memory.h"
#include "base/counter.h"
#include "func/copy/clear_surface.h"
#include "parts/memory_message.h"

namespace cutaway::boxes {

// What block tags saved, and what they cost.
struct BlockTagCounters {
  uint64_t blocks_cleared = 0, clears_refused = 0, cleared_sectors = 0, packed_sectors = 0, sectors_saved = 0,
           blocks_expanded = 0, host_blocks_expanded = 0, shared_sectors = 0, parted_sectors = 0;

  template <class V>
  static void fields(V&& v) {
    using C = BlockTagCounters;
    v("blocks_cleared", &C::blocks_cleared, "blocks", "cleared by their tags");
    v("clears_refused", &C::clears_refused, "runs", "of memory that clears had to write");
    v("cleared_sectors", &C::cleared_sectors, "sectors", "read from the clear value, not from memory");
    v("packed_sectors", &C::packed_sectors, "sectors", "read or written as parts of compressed blocks");
    v("sectors_saved", &C::sectors_saved, "sectors",
      "read from a block that the channel has read, and kept, for a read before");
    v("blocks_expanded", &C::blocks_expanded, "blocks",
      "compressed ones that a plain write had read and written back whole");
    v("host_blocks_expanded", &C::host_blocks_expanded, "blocks",
      "that the host wrote to between submissions, expanded outside of the clock");
    v("shared_sectors", &C::shared_sectors, "sectors", "written once for all samples of their pixels");
    v("parted_sectors", &C::parted_sectors, "sectors",
      "of other samples, written because the one that they share was written alone");
  }
};

// The tags of a memory controller: what lies in memory of a block of 256 bytes, four sectors. They live in
// on-chip memory of a declared size and belong to regions, each a layer of a surface that was cleared, with
// one clear value. A tag has a bit for each sector: whether it is cleared, so that memory holds none of the
// value's bytes; and in how many sectors the block is compressed, its first one or two, to which a clear of
// some bytes may come; and another bit for each sector: whether its bytes are those of the last sample of its
// pixels and lie there alone (parts/sample_stack.h). All other memory is plain.
//
// Each channel has an expander that keeps the last compressed blocks that it read, for the sectors of them
// that are read next, and the last sectors that samples share.
//
// Knows no clock: it does what a transaction does, and says which sectors memory transfers for it.
class BlockTags {
 public:
  static constexpr uint32_t kBlockBytes = 256, kSectors = kBlockBytes / parts::kSectorBytes;

  // blocks: that have tags, in all regions; 0: there are none.
  // channels: each with an expander of so many blocks, at least one.
  BlockTags(unsigned regions, unsigned blocks, unsigned channels, unsigned expanded, arch::Memory& memory);

  // Sectors of the transaction's block that memory transfers, a bit each; those that are read come first. Of
  // the transaction's own some bytes may do, where tags say nothing of it; others are transferred whole.
  // Besides, of the stack of a sector: whether that of the last sample is read, and which are written, bit 0
  // for the last sample, bit 1 for that before it.
  struct Transfers {
    uint8_t reads = 0, writes = 0;
    parts::ByteMask bytes = parts::kAllBytes;
    bool expands = false;  // the reply waits for the block to be expanded
    bool reads_last = false;
    uint8_t stack_writes = 0;
    parts::SampleStack stack;
    arch::Address last = 0;
  };
  // Where the bytes of a sector lie: in its own place, or in that of the last sample.
  arch::Address place_of(arch::Address address) {
    const Region* region = find(address);
    return region && region->shared ? source_of(*region, address) : address;
  }
  // The sector as its readers see it.
  Transfers read(const parts::MemoryRequest& request, unsigned channel, parts::MemoryReply& reply);
  Transfers write(const parts::MemoryRequest& request);

  // Marks the whole blocks of a run of a layer as cleared, and returns them. None: nothing has changed, and
  // the value must be written: there is no room, or tags cannot say it.
  func::ClearRun clear(const func::ClearRun& layer, const func::ClearRun& run, const func::ClearValue& value);
  // No cache holds a block that it may write compressed.
  void forget_packers();

  // Memory as every reader sees it.
  void expand_into(arch::Memory& view) const;
  bool any() const;  // block that is not plain
  // The host is going to write or unmap these bytes: they are plain from then on.
  void expand(arch::Address address, uint64_t bytes);

  BlockTagCounters counters;

  // Fault for tests of the verifier: the n-th block from now keeps its old tag when it is cleared. 0: none.
  uint64_t drop_tag = 0;

 private:
  // Bits 0..3: the sector is cleared, after what is compressed. 4..5: sectors in which the block is
  // compressed; 0: it is not. 8..11: the sector shares the bytes of the last sample of its pixels.
  using Tag = uint16_t;
  static constexpr Tag kAllCleared = 15, kAllShared = 15 << 8;
  struct Region {
    arch::Address first = 0, end = 0;
    func::ClearValue value;
    bool packs = false;        // a cache may hold a block that it is going to compress
    std::vector<Tag> tags;     // by block
    parts::SampleStack stack;  // of its sectors, when a sample has been shared
    arch::Address tile = 0;    // where one of its tiles begins, with all its samples
    uint64_t shared = 0;       // sectors that share the bytes of another

    bool holds(arch::Address address) const { return address >= first && address < end; }
    Tag& tag(arch::Address address) { return tags[(address - first) / kBlockBytes]; }
    Tag tag(arch::Address address) const { return tags[(address - first) / kBlockBytes]; }
  };

  Region* find(arch::Address address) {
    for (Region& region : regions_)
      if (region.holds(address)) return &region;
    return nullptr;
  }
  Region* region_of(arch::Address first, arch::Address end);
  bool take(Region& region, arch::Address first, arch::Address end, const func::ClearValue& value);
  static constexpr uint32_t packed(Tag tag) { return tag >> 4 & 3; }
  static constexpr uint8_t packed_sectors(Tag tag) { return static_cast<uint8_t>((1u << packed(tag)) - 1); }
  using Block = std::array<std::byte, kBlockBytes>;
  Block expanded(const Region& region, arch::Address block, Tag tag) const;
  const Block& expand_for(unsigned channel, const Region& region, arch::Address block, Tag tag, bool& again);

  // Sectors of which the samples are equal (shared_samples.cpp).
  static constexpr Tag shared_bit(arch::Address sector) {
    return static_cast<Tag>(0x100u << sector % kBlockBytes / parts::kSectorBytes);
  }
  static constexpr Tag cleared_bit(arch::Address sector) { return static_cast<Tag>(shared_bit(sector) >> 8); }
  static bool shares(const Region& region, arch::Address sector) {
    return (region.tag(sector) & shared_bit(sector)) != 0;
  }
  static bool is_shared(const Region& region, arch::Address sector);
  static void unshare(Region& region, arch::Address sector);
  static arch::Address source_of(const Region& region, arch::Address sector);
  static bool may_share(const Region& region, parts::SampleStack stack) {
    return !region.shared || region.stack == stack;
  }
  Transfers read_shared(const Region& region, unsigned channel, arch::Address last);
  Transfers write_stack(const parts::MemoryRequest& request);
  bool takes_stack(Region& region, parts::SampleStack stack, arch::Address last);
  void part(Region& region, arch::Address sector, Transfers& transfers, bool whole);
  void part_block(Region& region, arch::Address block);
  void copy_sector(arch::Address to, arch::Address from);
  static bool whole_tiles(const Region& region, arch::Address first, arch::Address end);
  void forget_expanded(arch::Address block);
  void forget_expanded();
  void store(arch::Address sector, parts::ByteMask mask, const std::byte* data);

  unsigned most_regions_, free_blocks_;
  arch::Memory& memory_;
  std::vector<Region> regions_;
  static constexpr arch::Address kNowhere = ~0ull;
  struct Expanded {
    arch::Address block = kNowhere;
    uint8_t sectors = 0;  // of it; all of a compressed one
    Block bytes{};
  };
  struct Expander {
    std::vector<Expanded> blocks;
    uint32_t next = 0;  // whose place is taken

    Expanded* find(arch::Address block) {
      for (Expanded& held : blocks)
        if (held.block == block) return &held;
      return nullptr;
    }
    Expanded& make_room() {
      Expanded& room = blocks[next++];
      if (next == blocks.size()) next = 0;
      return room;
    }
  };
  std::vector<Expander> expanders_;  // by channel
};

}  // namespace cutaway::boxes
