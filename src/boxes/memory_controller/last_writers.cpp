#include "boxes/memory_controller/last_writers.h"

#include "boxes/memory_controller/block_tags.h"

namespace cutaway::boxes {

// One write may set a whole block, because a compressed block describes all its pixels, or all samples.
void LastWriters::note_sectors(const messages::MemoryRequest& request, unsigned client) {
  const arch::Address block = request.address / BlockTags::kBlockBytes * BlockTags::kBlockBytes;
  const bool whole = request.packed != 0;
  for (arch::Address sector = whole ? block : request.address;
       sector < (whole ? block + BlockTags::kBlockBytes : request.address + 1);
       sector += messages::kSectorBytes)
    writes_[sector] = {client, request.origin};
  for (uint32_t back = 1; back < request.stack.samples; back++)
    writes_[request.stack.before(request.address, back)] = {client, request.origin};
}

void LastWriters::note_clear(const func::ClearRun& cleared, const messages::Origin& origin, unsigned client) {
  for (const uint64_t page : watched_)
    for (arch::Address sector = page * arch::kPageBytes; sector < (page + 1) * arch::kPageBytes;
         sector += messages::kSectorBytes)
      if (sector >= cleared.address && sector - cleared.address < cleared.bytes)
        writes_[sector] = {client, origin};
}

}  // namespace cutaway::boxes
