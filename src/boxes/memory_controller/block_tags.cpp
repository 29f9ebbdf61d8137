#include "boxes/memory_controller/block_tags.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "func/rop/depth_block.h"

namespace cutaway::boxes {

using messages::copy_bytes;
using messages::kSectorBytes;

namespace {

arch::Address block_of(arch::Address address) {
  return address / BlockTags::kBlockBytes * BlockTags::kBlockBytes;
}
messages::ByteMask equal_bytes(const std::byte* a, const std::byte* b) {
  messages::ByteMask equal = 0;
  for (uint32_t i = 0; i < kSectorBytes; i++) equal |= messages::ByteMask{a[i] == b[i]} << i;
  return equal;
}
uint32_t sector_of(arch::Address address) {
  return static_cast<uint32_t>(address % BlockTags::kBlockBytes) / kSectorBytes;
}

}  // namespace

BlockTags::BlockTags(unsigned regions, unsigned blocks, unsigned channels, unsigned expanded,
                     arch::Memory& memory)
    : most_regions_(regions), free_blocks_(blocks), memory_(memory), expanders_(channels) {
  for (Expander& expander : expanders_) expander.blocks.resize(expanded);
}

BlockTags::Transfers BlockTags::read(const messages::MemoryRequest& request, unsigned channel,
                                     messages::MemoryReply& reply) {
  const arch::Address address = request.address;
  const uint32_t sector = sector_of(address);
  Region* region = find(address);
  const Tag tag = region ? region->tag(address) : Tag{0};
  if (region && request.stack) reply.may_pack = may_share(*region, request.stack);
  if (region && request.packs) {
    reply.packed = static_cast<uint8_t>(packed(tag));
    reply.may_pack = region->packs = true;
  }
  const messages::ByteMask cleared = region ? cleared_bytes(*region, tag, sector) : 0;
  // A part of the value is enough for clients that ask for no other bytes.
  const bool in_value = cleared == messages::kAllBytes ||
                        (cleared && !packed(tag) && !region->shared && !(request.mask & ~cleared));
  using messages::Opportunistic;
  reply.declined = request.opportunistic != Opportunistic::kNo && !in_value &&
                   (!packed(tag) || request.opportunistic == Opportunistic::kOfCleared);
  if (reply.declined) return {};
  if (packed(tag)) {
    bool again;
    const Block& block = expand_for(channel, *region, block_of(address), tag, again);
    std::memcpy(reply.data.data(), &block[sector * kSectorBytes], kSectorBytes);
    again ? counters.sectors_saved++ : counters.packed_sectors += packed(tag);
    return {.reads = again ? uint8_t{0} : packed_sectors(tag), .expands = true};
  }
  const bool shared = region && is_shared(*region, address);
  const arch::Address place = shared ? source_of(*region, address) : address;
  const std::byte* from = memory_.readable(place);
  reply.mapped = from != nullptr;
  if (from) std::memcpy(reply.data.data(), from, kSectorBytes);
  if (cleared) copy_bytes(cleared, region->value.data(), reply.data.data());
  if (shared) return read_shared(*region, channel, place);
  counters.cleared_sectors += in_value;
  if (in_value) reply.mask = cleared;
  return {.reads = in_value ? uint8_t{0} : static_cast<uint8_t>(1u << sector),
          .bytes = cleared ? messages::kAllBytes : request.mask};
}

BlockTags::Transfers BlockTags::write(const messages::MemoryRequest& request) {
  return request.stack ? write_stack(request) : write_sector(request);
}

BlockTags::Transfers BlockTags::write_sector(const messages::MemoryRequest& request) {
  const arch::Address address = request.address, block = block_of(address);
  const uint32_t sector = sector_of(address);
  Transfers transfers{.writes = static_cast<uint8_t>(1u << sector), .bytes = request.mask};
  if (Region* region = find(address)) {
    Tag& tag = region->tag(address);
    if (packed(tag) || region->shared) forget_expanded(block);
    if (region->shared && request.packed) part_block(*region, block);
    else if (region->shared) part(*region, address, transfers, request.mask == messages::kAllBytes);
    if (request.packed == 1 || request.packed == 2) {
      tag = static_cast<Tag>(request.packed << 4);
      counters.packed_sectors++;
    } else if (request.packed) {  // writes all four sectors
      tag = packed(tag) ? Tag{0} : static_cast<Tag>(tag & ~cleared_bits(address));
    } else if (packed(tag)) {
      transfers = {.reads = packed_sectors(tag), .writes = 15, .expands = true};
      counters.packed_sectors += packed(tag);
      counters.blocks_expanded++;
      const Block bytes = expanded(*region, block, tag);
      memory_.write(block, bytes.data(), kBlockBytes);
      tag = 0;
    } else if (const messages::ByteMask cleared = cleared_bytes(*region, tag, sector)) {
      // The value's bytes that are not overwritten go to memory together with the written ones.
      store(address, cleared & ~request.mask, region->value.data());
      tag &= static_cast<Tag>(~cleared_bits(address));
      transfers.bytes = messages::kAllBytes;
    }
  }
  store(address, request.mask, request.data.data());
  return transfers;
}

// again: the channel already holds it.
const BlockTags::Block& BlockTags::expand_for(unsigned channel, const Region& region, arch::Address block,
                                              Tag tag, bool& again) {
  Expander& expander = expanders_[channel];
  const Expanded* held = expander.find(block);
  again = held != nullptr;
  if (again) return held->bytes;
  Expanded& next = expander.make_room();
  next = {block, (1u << kSectors) - 1, expanded(region, block, tag)};
  return next.bytes;
}

void BlockTags::forget_expanded(arch::Address block) {
  for (Expander& expander : expanders_)
    for (Expanded& held : expander.blocks)
      if (held.block == block) held.block = kNowhere;
}

void BlockTags::forget_expanded() {
  for (Expander& expander : expanders_)
    for (Expanded& held : expander.blocks) held.block = kNowhere;
}

void BlockTags::forget_packers() {
  for (Region& region : regions_) region.packs = false;
}

void BlockTags::store(arch::Address sector, messages::ByteMask mask, const std::byte* data) {
  if (std::byte* to = memory_.writable(sector)) return copy_bytes(mask, data, to);
  while (mask) {  // counts faults
    const auto first = static_cast<uint32_t>(std::countr_zero(mask));
    const auto count = static_cast<uint32_t>(std::countr_one(mask >> first));
    memory_.write(sector + first, data + first, count);
    mask &= ~messages::byte_mask(first, count);
  }
}

// ---- Clears ----

func::ClearRun BlockTags::clear(const func::ClearRun& layer, const func::ClearRun& run,
                                const func::ClearValue& value) {
  const auto up = [](arch::Address address) { return block_of(address + kBlockBytes - 1); };
  const arch::Address first = up(run.address), end = block_of(run.address + run.bytes);
  bool possible = first < end;
  // Writes to unmapped memory are dropped, but tags would keep them.
  for (arch::Address page = first; possible && page < end; page += arch::kPageBytes - page % arch::kPageBytes)
    possible = memory_.readable(page) != nullptr;
  if (possible) {
    Region* region = region_of(up(layer.address), block_of(layer.address + layer.bytes));
    possible = region && take(*region, first, end, value);
  }
  if (!possible) counters.clears_refused++;
  return possible ? func::ClearRun{first, end - first} : func::ClearRun{};
}

// Returns the layer's region, or a new one if there is room; otherwise nullptr.
BlockTags::Region* BlockTags::region_of(arch::Address first, arch::Address end) {
  const auto idle = [](const Region& region) {
    return !region.packs &&
           std::all_of(region.tags.begin(), region.tags.end(), [](Tag tag) { return tag == 0; });
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

// Bytes of a sector that the region's value gives.
messages::ByteMask BlockTags::cleared_bytes(const Region& region, Tag tag, uint32_t sector) {
  return (tag >> sector & 1 ? region.part : 0) | (tag >> (12 + sector) & 1 ? ~region.part : 0);
}

// Makes `part` one of the region's two parts. Fails if some sector is cleared in one part of others.
bool BlockTags::can_split(Region& region, messages::ByteMask part) {
  if (part == messages::kAllBytes || part == region.part || part == ~region.part) return true;
  for (const Tag tag : region.tags)
    if ((tag & kFirstCleared) != (tag & kOtherCleared) >> 12) return false;
  region.part = part;
  return true;
}

// True if the cleared sectors of a block hold the new value already, so far as it names their bytes.
bool BlockTags::holds_value(const Region& region, Tag tag, const func::ClearValue& value) {
  messages::ByteMask cleared = 0;
  for (uint32_t sector = 0; sector < kSectors; sector++) cleared |= cleared_bytes(region, tag, sector);
  for (uint32_t i = 0; cleared & value.mask && i < kSectorBytes; i++)
    if ((cleared & value.mask) >> i & 1 && region.value[i] != value.bytes[i]) return false;
  return true;
}

bool BlockTags::take(Region& region, arch::Address first, arch::Address end, const func::ClearValue& value) {
  if (region.shared && !whole_tiles(region, first, end)) return false;
  if (!can_split(region, value.mask)) return false;
  // Blocks outside the run keep their value.
  const bool changes = (value.mask & ~equal_bytes(region.value.data(), value.bytes.data())) != 0;
  for (arch::Address block = region.first; changes && block < region.end; block += kBlockBytes)
    if ((block < first || block >= end) && !holds_value(region, region.tag(block), value)) return false;
  copy_bytes(value.mask, value.bytes.data(), region.value.data());
  const Tag now = value.whole() ? kAllCleared : value.mask == region.part ? kFirstCleared : kOtherCleared;
  for (arch::Address block = first; block < end; block += kBlockBytes) {
    counters.blocks_cleared++;
    if (drop_tag && --drop_tag == 0) continue;
    // Compressed or shared data stays so under a clear of one part.
    Tag& tag = region.tag(block);
    tag |= now;
    if ((tag & kAllCleared) != kAllCleared) continue;
    region.shared -= static_cast<uint64_t>(std::popcount(static_cast<Tag>(tag & kAllShared)));
    tag = kAllCleared;
  }
  forget_expanded();
  return true;
}

// ---- Plain again ----

// Returns a block as clients see it.
BlockTags::Block BlockTags::expanded(const Region& region, arch::Address block, Tag tag) const {
  Block bytes;
  memory_.read(block, bytes.data(), kBlockBytes);
  if (packed(tag)) {
    const Block stored = bytes;
    func::unpack_depth_block(stored.data(), bytes.data());
  }
  for (arch::Address sector = block; tag & kAllShared && sector < block + kBlockBytes; sector += kSectorBytes)
    memory_.read(source_of(region, sector), &bytes[sector - block], kSectorBytes);
  for (uint32_t sector = 0; sector < kSectors; sector++)
    copy_bytes(cleared_bytes(region, tag, sector), region.value.data(), &bytes[sector * kSectorBytes]);
  return bytes;
}

void BlockTags::expand_into(arch::Memory& view) const {
  for (const Region& region : regions_)
    for (size_t i = 0; i < region.tags.size(); i++) {
      if (!region.tags[i]) continue;
      const arch::Address block = region.first + i * kBlockBytes;
      view.write(block, expanded(region, block, region.tags[i]).data(), kBlockBytes);
    }
}

bool BlockTags::any() const {
  return std::any_of(regions_.begin(), regions_.end(), [](const Region& region) {
    return std::any_of(region.tags.begin(), region.tags.end(), [](Tag tag) { return tag != 0; });
  });
}

void BlockTags::expand(arch::Address address, uint64_t bytes) {
  forget_expanded();
  for (Region& region : regions_) {
    const arch::Address end = std::min(region.end, address + bytes);
    for (arch::Address block = std::max(region.first, block_of(address)); block < end; block += kBlockBytes) {
      part_block(region, block);
      if (!region.tag(block)) continue;
      memory_.write(block, expanded(region, block, region.tag(block)).data(), kBlockBytes);
      region.tag(block) = 0;
      counters.host_blocks_expanded++;
    }
  }
}

}  // namespace cutaway::boxes
