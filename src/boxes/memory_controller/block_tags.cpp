#include "boxes/memory_controller/block_tags.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cutaway::boxes {

using parts::kSectorBytes;

namespace {

arch::Address block_of(arch::Address address) {
  return address / BlockTags::kBlockBytes * BlockTags::kBlockBytes;
}
uint32_t sector_of(arch::Address address) {
  return static_cast<uint32_t>(address % BlockTags::kBlockBytes) / kSectorBytes;
}

}  // namespace

BlockTags::BlockTags(unsigned regions, unsigned blocks, arch::Memory& memory)
    : most_regions_(regions), free_blocks_(blocks), memory_(memory) {}

bool BlockTags::read(const parts::MemoryRequest& request, parts::MemoryReply& reply) {
  const arch::Address address = request.address;
  const std::byte* from = memory_.readable(address);
  reply.mapped = from != nullptr;
  if (from) std::memcpy(reply.data.data(), from, kSectorBytes);
  Region* region = find(address);
  if (!region || !(region->tag(address) >> sector_of(address) & 1)) return true;
  region->value.apply(reply.data.data());
  if (!region->value.whole()) return true;
  counters.cleared_sectors++;
  return false;
}

void BlockTags::write(const parts::MemoryRequest& request) {
  const arch::Address address = request.address;
  const uint32_t sector = sector_of(address);
  Region* region = find(address);
  if (region && (region->tag(address) >> sector & 1)) {
    // The value's bytes that are not written go to memory together with those that are.
    store(address, region->value.mask & ~request.mask, region->value.bytes.data());
    region->tag(address) &= static_cast<Tag>(~(1u << sector));
  }
  store(address, request.mask, request.data.data());
}

void BlockTags::store(arch::Address sector, parts::ByteMask mask, const std::byte* data) {
  while (mask) {
    const auto first = static_cast<uint32_t>(std::countr_zero(mask));
    const auto count = static_cast<uint32_t>(std::countr_one(mask >> first));
    memory_.write(sector + first, data + first, count);
    mask &= ~parts::byte_mask(first, count);
  }
}

// ---- Clears ----

func::ClearRun BlockTags::clear(const func::ClearRun& layer, const func::ClearRun& run,
                                const func::ClearValue& value) {
  const auto up = [](arch::Address address) { return block_of(address + kBlockBytes - 1); };
  const arch::Address first = up(run.address), end = block_of(run.address + run.bytes);
  bool possible = first < end;
  // Writes to what is no memory are dropped: tags would keep them.
  for (arch::Address page = first; possible && page < end; page += arch::kPageBytes - page % arch::kPageBytes)
    possible = memory_.readable(page) != nullptr;
  if (possible) {
    Region* region = region_of(up(layer.address), block_of(layer.address + layer.bytes));
    possible = region && take(*region, first, end, value);
  }
  if (!possible) counters.clears_refused++;
  return possible ? func::ClearRun{first, end - first} : func::ClearRun{};
}

// That of the layer, a new one if there is room; else nullptr.
BlockTags::Region* BlockTags::region_of(arch::Address first, arch::Address end) {
  const auto idle = [](const Region& region) {
    return std::all_of(region.tags.begin(), region.tags.end(), [](Tag tag) { return tag == 0; });
  };
  const uint64_t blocks = (end - first) / kBlockBytes;
  for (size_t i = 0; i < regions_.size(); i++) {
    Region& region = regions_[i];
    if (region.first == first && region.end == end) return &region;
    const bool overlaps = region.first < end && first < region.end;
    const bool no_room = regions_.size() == most_regions_ || free_blocks_ < blocks;
    if (!overlaps && !no_room) continue;
    if (idle(region)) {
      free_blocks_ += static_cast<unsigned>(region.tags.size());
      regions_.erase(regions_.begin() + static_cast<std::ptrdiff_t>(i--));
    } else if (overlaps) {
      return nullptr;
    }
  }
  if (regions_.size() == most_regions_ || free_blocks_ < blocks) return nullptr;
  free_blocks_ -= static_cast<unsigned>(blocks);
  regions_.push_back({.first = first, .end = end, .value = {}, .tags = std::vector<Tag>(blocks)});
  return &regions_.back();
}

bool BlockTags::take(Region& region, arch::Address first, arch::Address end, const func::ClearValue& value) {
  // Of the blocks of the run, and of the others.
  uint64_t blocks = 0, cleared = 0, all_cleared = 0, others_cleared = 0;
  for (arch::Address block = region.first; block < region.end; block += kBlockBytes) {
    const Tag tag = region.tag(block);
    if (block < first || block >= end) {
      others_cleared += tag != 0;
      continue;
    }
    blocks++;
    cleared += tag != 0;
    all_cleared += tag == kAllCleared;
  }
  func::ClearValue next = value;
  if (!value.whole()) {
    // The other bytes stay as they are: in memory, or in the value that all of the blocks have.
    if (cleared && all_cleared != blocks) return false;
    if (cleared) {
      next = region.value;
      value.apply(next.bytes.data());
      next.mask |= value.mask;
    }
  }
  if (others_cleared && next != region.value) return false;
  region.value = next;
  for (arch::Address block = first; block < end; block += kBlockBytes)
    if (!drop_tag || --drop_tag) region.tag(block) = kAllCleared;
  counters.blocks_cleared += blocks;
  return true;
}

// ---- Plain again ----

// Writes what the readers of a block see.
void BlockTags::expand_block(const Region& region, arch::Address block, Tag tag, arch::Memory& view) const {
  std::byte bytes[kBlockBytes];
  memory_.read(block, bytes, kBlockBytes);
  for (uint32_t sector = 0; sector < kSectors; sector++)
    if (tag >> sector & 1) region.value.apply(bytes + sector * kSectorBytes);
  view.write(block, bytes, kBlockBytes);
}

void BlockTags::expand_into(arch::Memory& view) const {
  for (const Region& region : regions_)
    for (size_t i = 0; i < region.tags.size(); i++)
      if (region.tags[i]) expand_block(region, region.first + i * kBlockBytes, region.tags[i], view);
}

bool BlockTags::any() const {
  return std::any_of(regions_.begin(), regions_.end(), [](const Region& region) {
    return std::any_of(region.tags.begin(), region.tags.end(), [](Tag tag) { return tag != 0; });
  });
}

void BlockTags::expand(arch::Address address, uint64_t bytes) {
  for (Region& region : regions_) {
    const arch::Address end = std::min(region.end, address + bytes);
    for (arch::Address block = std::max(region.first, block_of(address)); block < end; block += kBlockBytes) {
      if (!region.tag(block)) continue;
      expand_block(region, block, region.tag(block), memory_);
      region.tag(block) = 0;
      counters.host_blocks_expanded++;
    }
  }
}

}  // namespace cutaway::boxes
