#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/memory.h"
#include "base/counter.h"
#include "func/copy/clear_surface.h"
#include "messages/memory_message.h"

namespace cutaway::boxes {

// Savings and costs of block tags.
struct BlockTagCounters {
  uint64_t blocks_cleared = 0, clears_refused = 0, cleared_sectors = 0, packed_sectors = 0, sectors_saved = 0,
           blocks_expanded = 0, host_blocks_expanded = 0, shared_sectors = 0, parted_sectors = 0;

  template <class V>
  static void fields(V&& v) {
    using C = BlockTagCounters;
    v("blocks_cleared", &C::blocks_cleared, "blocks", "blocks cleared by their tags");
    v("clears_refused", &C::clears_refused, "runs", "ranges of memory that clears had to write");
    v("cleared_sectors", &C::cleared_sectors, "sectors",
      "sectors read from the clear value, not from memory");
    v("packed_sectors", &C::packed_sectors, "sectors",
      "sectors read or written as parts of compressed blocks");
    v("sectors_saved", &C::sectors_saved, "sectors",
      "sectors read from a block that the channel had kept from an earlier read");
    v("blocks_expanded", &C::blocks_expanded, "blocks",
      "compressed blocks that a plain write had read and written back whole");
    v("host_blocks_expanded", &C::host_blocks_expanded, "blocks",
      "blocks that the host wrote to between submissions, expanded outside of the clock");
    v("shared_sectors", &C::shared_sectors, "sectors",
      "sectors written once for all samples of their pixels");
    v("parted_sectors", &C::parted_sectors, "sectors",
      "sectors of other samples, written because their shared sector was written alone");
  }
};

// The tags of a memory controller: the state in memory of each block of 256 bytes, four sectors. Tags are
// held in on-chip memory of a declared size and belong to regions. A region is a layer of a cleared surface,
// with one clear value, whose bytes are in two parts: depth and stencil, where a clear has left one of them
// alone. A tag has one bit per sector and part for "cleared": memory holds none of the value's bytes.
// It has the number of sectors of a compressed block, its first one or two; a clear of a part may come on
// top. And it has another bit per sector for "shared": the sector's bytes equal those of the last sample of
// its pixels and are stored only there (messages/sample_stack.h). All other memory is plain.
//
// Each channel has an expander, which keeps the last compressed blocks that it read, for subsequent reads of
// their sectors, and the last shared sectors.
//
// It has no clock: it performs transactions, and returns the sectors that memory transfers for them.
class BlockTags {
 public:
  static constexpr uint32_t kBlockBytes = 256, kSectors = kBlockBytes / messages::kSectorBytes;

  // blocks: number of tags over all regions; 0: none. channels: each has an expander with `expanded` blocks,
  // at least one.
  BlockTags(unsigned regions, unsigned blocks, unsigned channels, unsigned expanded, arch::Memory& memory);

  // Sectors of the transaction's block that memory transfers, one bit each; reads come first. The
  // transaction's own sector may be transferred in part if tags do not concern it; other sectors are
  // transferred completely. For a sector of a sample stack: whether the last sample's sector is read, and
  // which sectors are written: bit 0 for the last sample, bit 1 for the one before it.
  struct Transfers {
    uint8_t reads = 0, writes = 0;
    messages::ByteMask bytes = messages::kAllBytes;
    bool expands = false;  // the reply waits for the block's expansion
    bool reads_last = false;
    uint8_t stack_writes = 0;
    messages::SampleStack stack;
    arch::Address last = 0;

    // Bytes that memory moves for each sector of the block, in accesses of so many.
    uint32_t bytes_of_sector(uint32_t access_bytes) const {
      if (bytes == messages::kAllBytes) return messages::kSectorBytes;
      uint32_t moved = 0;
      for (uint32_t first = 0; first < messages::kSectorBytes; first += access_bytes)
        if (bytes & messages::byte_mask(first, access_bytes)) moved += access_bytes;
      return moved;
    }
  };
  // Address of a sector's bytes: its own, or the last sample's.
  arch::Address place_of(arch::Address address) {
    const Region* region = find(address);
    return region && region->shared ? source_of(*region, address) : address;
  }
  // Reads the sector as clients see it.
  Transfers read(const messages::MemoryRequest& request, unsigned channel, messages::MemoryReply& reply);
  Transfers write(const messages::MemoryRequest& request);

  // Marks the whole blocks of a run of a layer as cleared, and returns them. Returns an empty run, without
  // any change, if there is no room or tags cannot represent it: then the value must be written.
  func::ClearRun clear(const func::ClearRun& layer, const func::ClearRun& run, const func::ClearValue& value);
  // Notes that no cache holds a block that it may write back compressed.
  void forget_packers();

  // Writes memory to `view` as clients see it.
  void expand_into(arch::Memory& view) const;
  bool any() const;  // true if some block is not plain
  // Makes these bytes plain, before the host writes or unmaps them.
  void expand(arch::Address address, uint64_t bytes);

  BlockTagCounters counters;

  // Fault for tests of the verifier: the n-th block from now keeps its old tag when it is cleared. 0: no
  // fault.
  uint64_t drop_tag = 0;

 private:
  // Bits 0..3: the first part of the sector is cleared, on top of compressed data. 4..5: number of sectors of
  // a compressed block; 0: not compressed. 8..11: the sector shares the bytes of the last sample of its
  // pixels. 12..15: the other part of the sector is cleared.
  using Tag = uint16_t;
  static constexpr Tag kFirstCleared = 15, kOtherCleared = 15 << 12, kAllShared = 15 << 8,
                       kAllCleared = kFirstCleared | kOtherCleared;
  struct Region {
    arch::Address first = 0, end = 0;
    messages::Sector value{};
    messages::ByteMask part = messages::kAllBytes;  // bytes of the first part
    bool packs = false;           // a cache may hold a block that it will write back compressed
    std::vector<Tag> tags;        // by block
    messages::SampleStack stack;  // of its sectors, once a sample is shared
    arch::Address tile = 0;       // start of one of its tiles, including all samples
    uint64_t shared = 0;          // number of shared sectors

    bool holds(arch::Address address) const { return address >= first && address < end; }
    Tag& tag(arch::Address address) { return tags[(address - first) / kBlockBytes]; }
    Tag tag(arch::Address address) const { return tags[(address - first) / kBlockBytes]; }
  };

  Region* find(arch::Address address) {
    for (Region& region : regions_)
      if (region.holds(address)) return &region;
    return nullptr;
  }
  static messages::ByteMask cleared_bytes(const Region& region, Tag tag, uint32_t sector);
  static bool can_split(Region& region, messages::ByteMask part);
  static bool holds_value(const Region& region, Tag tag, const func::ClearValue& value);
  Region* region_of(arch::Address first, arch::Address end);
  bool take(Region& region, arch::Address first, arch::Address end, const func::ClearValue& value);
  static constexpr uint32_t packed(Tag tag) { return tag >> 4 & 3; }
  static constexpr uint8_t packed_sectors(Tag tag) { return static_cast<uint8_t>((1u << packed(tag)) - 1); }
  using Block = std::array<std::byte, kBlockBytes>;
  Block expanded(const Region& region, arch::Address block, Tag tag) const;
  const Block& expand_for(unsigned channel, const Region& region, arch::Address block, Tag tag, bool& again);

  // Sectors with equal samples (shared_samples.cpp).
  static constexpr Tag shared_bit(arch::Address sector) {
    return static_cast<Tag>(0x100u << sector % kBlockBytes / messages::kSectorBytes);
  }
  static constexpr Tag cleared_bits(arch::Address sector) {
    return static_cast<Tag>(0x1001u << sector % kBlockBytes / messages::kSectorBytes);
  }
  static bool shares(const Region& region, arch::Address sector) {
    return (region.tag(sector) & shared_bit(sector)) != 0;
  }
  static bool is_shared(const Region& region, arch::Address sector);
  static void unshare(Region& region, arch::Address sector);
  static arch::Address source_of(const Region& region, arch::Address sector);
  static bool may_share(const Region& region, messages::SampleStack stack) {
    return !region.shared || region.stack == stack;
  }
  Transfers read_shared(const Region& region, unsigned channel, arch::Address last);
  Transfers write_stack(const messages::MemoryRequest& request);
  Transfers write_sector(const messages::MemoryRequest& request);
  bool takes_stack(Region& region, messages::SampleStack stack, arch::Address last);
  void part(Region& region, arch::Address sector, Transfers& transfers, bool whole);
  void part_block(Region& region, arch::Address block);
  void copy_sector(arch::Address to, arch::Address from);
  static bool whole_tiles(const Region& region, arch::Address first, arch::Address end);
  void forget_expanded(arch::Address block);
  void forget_expanded();
  void store(arch::Address sector, messages::ByteMask mask, const std::byte* data);

  unsigned most_regions_, free_blocks_;
  arch::Memory& memory_;
  std::vector<Region> regions_;
  static constexpr arch::Address kNowhere = ~0ull;
  struct Expanded {
    arch::Address block = kNowhere;
    uint8_t sectors = 0;  // sectors held; all of a compressed block
    Block bytes{};
  };
  struct Expander {
    std::vector<Expanded> blocks;
    uint32_t next = 0;  // next entry to replace

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
