#pragma once

#include <cstdint>
#include <vector>

#include "arch/memory.h"
#include "base/counter.h"
#include "func/copy/clear_surface.h"
#include "parts/memory_message.h"

namespace cutaway::boxes {

// What block tags saved, and what they cost.
struct BlockTagCounters {
  uint64_t blocks_cleared = 0, clears_refused = 0, cleared_sectors = 0, host_blocks_expanded = 0;

  template <class V>
  static void fields(V&& v) {
    using C = BlockTagCounters;
    v("blocks_cleared", &C::blocks_cleared, "blocks", "cleared by their tags");
    v("clears_refused", &C::clears_refused, "runs", "of memory that clears had to write");
    v("cleared_sectors", &C::cleared_sectors, "sectors", "read from the clear value, not from memory");
    v("host_blocks_expanded", &C::host_blocks_expanded, "blocks",
      "that the host wrote to between submissions, expanded outside of the clock");
  }
};

// The tags of a memory controller: what lies in memory of a block of 256 bytes, four sectors. They live in
// on-chip memory of a declared size and belong to regions, each a layer of a surface that was cleared, with
// one clear value. A tag has a bit for each sector: whether it is cleared, so that memory holds none of the
// value's bytes. All other memory is plain.
//
// Knows no clock: it does what a transaction does, and says whether memory transfers the sector for it.
class BlockTags {
 public:
  static constexpr uint32_t kBlockBytes = 256, kSectors = kBlockBytes / parts::kSectorBytes;

  // blocks: that have tags, in all regions; 0: there are none.
  BlockTags(unsigned regions, unsigned blocks, arch::Memory& memory);

  // The sector as its readers see it. False: memory transfers nothing for it.
  bool read(const parts::MemoryRequest& request, parts::MemoryReply& reply);
  void write(const parts::MemoryRequest& request);

  // Marks the whole blocks of a run of a layer as cleared, and returns them. None: nothing has changed, and
  // the value must be written: there is no room, or tags cannot say it.
  func::ClearRun clear(const func::ClearRun& layer, const func::ClearRun& run, const func::ClearValue& value);

  // Memory as every reader sees it.
  void expand_into(arch::Memory& view) const;
  bool any() const;  // block that is not plain
  // The host is going to write or unmap these bytes: they are plain from then on.
  void expand(arch::Address address, uint64_t bytes);

  BlockTagCounters counters;

  // Fault for tests of the verifier: the n-th block from now keeps its old tag when it is cleared. 0: none.
  uint64_t drop_tag = 0;

 private:
  using Tag = uint8_t;  // bit i: sector i is cleared
  static constexpr Tag kAllCleared = 15;
  struct Region {
    arch::Address first = 0, end = 0;
    func::ClearValue value;
    std::vector<Tag> tags;  // by block

    bool holds(arch::Address address) const { return address >= first && address < end; }
    Tag& tag(arch::Address address) { return tags[(address - first) / kBlockBytes]; }
  };

  Region* find(arch::Address address) {
    for (Region& region : regions_)
      if (region.holds(address)) return &region;
    return nullptr;
  }
  Region* region_of(arch::Address first, arch::Address end);
  bool take(Region& region, arch::Address first, arch::Address end, const func::ClearValue& value);
  void expand_block(const Region& region, arch::Address block, Tag tag, arch::Memory& view) const;
  void store(arch::Address sector, parts::ByteMask mask, const std::byte* data);

  unsigned most_regions_, free_blocks_;
  arch::Memory& memory_;
  std::vector<Region> regions_;
};

}  // namespace cutaway::boxes
