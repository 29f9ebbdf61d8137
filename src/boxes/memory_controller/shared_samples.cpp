#include <bit>

#include "boxes/memory_controller/block_tags.h"

// Sectors of multisampled surfaces whose bytes equal those of the last sample of the same pixels are stored
// once. A sector's bit says that it shares the last sample's bytes; the last sample's own sector has no mark.
namespace cutaway::boxes {

using messages::kSectorBytes;
using messages::SampleStack;

arch::Address BlockTags::source_of(const Region& region, arch::Address sector) {
  return shares(region, sector) ? region.stack.last_of(sector, region.tile) : sector;
}

bool BlockTags::is_shared(const Region& region, arch::Address sector) {
  if (!region.shared) return false;
  if (shares(region, sector)) return true;
  if (region.stack.last_of(sector, region.tile) != sector) return false;
  for (uint32_t back = 1; back < region.stack.samples; back++)
    if (shares(region, region.stack.before(sector, back))) return true;
  return false;
}

// Reads a shared sector: the last sample's sector is transferred unless the channel keeps it.
BlockTags::Transfers BlockTags::read_shared(const Region& region, unsigned channel, arch::Address last) {
  const auto bit = static_cast<uint8_t>(1u << last % kBlockBytes / kSectorBytes);
  const arch::Address block = last / kBlockBytes * kBlockBytes;
  Expander& expander = expanders_[channel];
  Expanded* held = expander.find(block);
  const bool again = held && held->sectors & bit;
  if (!held) *(held = &expander.make_room()) = {block, 0, {}};
  held->sectors |= bit;
  counters.sectors_saved += again;
  return {.expands = true, .reads_last = !again, .stack = region.stack, .last = last};
}

// Separates a sector of the stack, which is about to be written for its sample alone; whole: all of its
// bytes.
void BlockTags::part(Region& region, arch::Address sector, Transfers& transfers, bool whole) {
  const arch::Address last = region.stack.last_of(sector, region.tile);
  transfers.stack = region.stack;
  transfers.last = last;
  if (is_shared(region, sector)) transfers.bytes = messages::kAllBytes;
  if (shares(region, sector)) {
    if (!whole) copy_sector(sector, last);
    transfers.reads_last = !whole;
    unshare(region, sector);
  } else if (sector == last) {
    for (uint32_t back = 1; back < region.stack.samples; back++) {
      const arch::Address other = region.stack.before(last, back);
      if (!shares(region, other)) continue;
      copy_sector(other, last);
      unshare(region, other);
      transfers.stack_writes |= static_cast<uint8_t>(1u << back);
      transfers.reads_last = true;
      counters.parted_sectors++;
    }
  }
}

// Ends all sharing of a block's sectors.
void BlockTags::part_block(Region& region, arch::Address block) {
  Transfers transfers;
  for (arch::Address sector = block; region.shared && sector < block + kBlockBytes; sector += kSectorBytes)
    part(region, sector, transfers, false);
}

void BlockTags::unshare(Region& region, arch::Address sector) {
  region.tag(sector) &= static_cast<Tag>(~shared_bit(sector));
  region.shared--;
}

void BlockTags::copy_sector(arch::Address to, arch::Address from) {
  messages::Sector bytes;
  memory_.read(from, bytes.data(), kSectorBytes);
  memory_.write(to, bytes.data(), kSectorBytes);
}

// True if tags can represent that the samples of a stack are equal.
bool BlockTags::takes_stack(Region& region, SampleStack stack, arch::Address last) {
  const arch::Address first = stack.before(last, stack.samples - 1u);
  const arch::Address tile = first - first % stack.stride;
  if (!region.holds(first)) return false;
  if (!may_share(region, stack) || (region.shared && (tile - region.tile) % stack.bytes())) return false;
  for (uint32_t back = 0; back < stack.samples; back++)
    if (packed(region.tag(stack.before(last, back)))) return false;
  if (!region.shared) region.stack = stack, region.tile = tile;
  return true;
}

BlockTags::Transfers BlockTags::write_stack(const messages::MemoryRequest& request) {
  const SampleStack stack = request.stack;
  const arch::Address last = request.address;
  Region* region = find(last);
  if (!region || !takes_stack(*region, stack, last)) {
    messages::MemoryRequest alone = request;
    alone.stack = {};
    Transfers transfers{.stack = stack, .last = last};
    for (uint32_t back = 0; back < stack.samples; back++) {
      alone.address = stack.before(last, back);
      write(alone);
      transfers.stack_writes |= static_cast<uint8_t>(1u << back);
    }
    return transfers;
  }
  for (uint32_t back = 0; back < stack.samples; back++) {
    const arch::Address sector = stack.before(last, back);
    Tag& tag = region->tag(sector);
    tag &= static_cast<Tag>(~cleared_bits(sector));
    if (!back || shares(*region, sector)) continue;
    tag |= shared_bit(sector);
    region->shared++;
  }
  forget_expanded(last / kBlockBytes * kBlockBytes);
  memory_.write(last, request.data.data(), kSectorBytes);
  counters.shared_sectors++;
  return {.writes = static_cast<uint8_t>(1u << last % kBlockBytes / kSectorBytes)};
}

// True if a run of a region contains all samples of each of its pixels.
bool BlockTags::whole_tiles(const Region& region, arch::Address first, arch::Address end) {
  const uint32_t bytes = region.stack.bytes();
  return (first - region.tile) % bytes == 0 && (end - region.tile) % bytes == 0;
}

}  // namespace cutaway::boxes
