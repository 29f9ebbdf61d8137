#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "arch/memory.h"
#include "func/copy/clear_surface.h"
#include "messages/memory_message.h"

namespace cutaway::boxes {

// Records the last writer of each sector of watched pages: for reports of memory that differs from the
// emulator's. Takes no time, and costs nothing while no page is watched.
class LastWriters {
 public:
  struct Write {
    unsigned client = 0;
    messages::Origin origin;
  };

  // Records writers of the page's sectors from now on.
  void watch(arch::Address address) { watched_.insert(address / arch::kPageBytes); }

  // Notes the sectors that a request writes, if it writes to a watched page.
  void note_write(const messages::MemoryRequest& request, unsigned client) {
    if (request.write && !watched_.empty() && watched_.contains(request.address / arch::kPageBytes))
      note_sectors(request, client);
  }
  // Notes the watched sectors that a clear by tags has set.
  void note_clear(const func::ClearRun& cleared, const messages::Origin& origin, unsigned client);

  const std::unordered_map<arch::Address, Write>& writes() const { return writes_; }  // by sector address

 private:
  void note_sectors(const messages::MemoryRequest& request, unsigned client);

  std::unordered_set<uint64_t> watched_;  // page numbers
  std::unordered_map<arch::Address, Write> writes_;
};

}  // namespace cutaway::boxes
