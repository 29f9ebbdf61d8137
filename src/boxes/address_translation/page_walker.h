#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "boxes/address_translation/page_table.h"
#include "engine/wire.h"
#include "messages/memory_message.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Walks of the page table side by side: each reads the page's entry of the directory, then its entry of the
// table that this one names. It sends one read a cycle, in the order in which walks want them.
class PageWalker {
 public:
  using Cycle = engine::Cycle;

  // table: the address of the directory in memory.
  PageWalker(const PageFormat& format, arch::Address table, unsigned walks)
      : format_(format), table_(table), walks_(walks), wanted_(walks) {
    for (uint32_t walk = walks; walk-- > 0;) free_.push_back(walk);
  }

  bool full() const { return free_.empty(); }
  uint32_t under_way() const { return static_cast<uint32_t>(walks_.size() - free_.size()); }

  // Begins a walk for a page. Not while full().
  void begin(Cycle now, uint64_t page, const messages::Origin& origin) {
    const uint32_t walk = free_.back();
    free_.pop_back();
    walks_[walk] = {.page = page, .began = now, .place = format_.directory_entry(page), .origin = origin};
    wanted_.push(walk);
  }

  // Sends the read of the walk that has wanted one longest. Returns whether one was sent.
  bool send(Cycle now, engine::Out<messages::MemoryRequest>& out) {
    if (wanted_.empty() || !out.ready(now)) return false;
    const uint32_t walk = wanted_.pop();
    const uint64_t place = table_ + walks_[walk].place;
    out.send(now, {.address = place / messages::kSectorBytes * messages::kSectorBytes,
                   .tag = walk,
                   .mask = messages::byte_mask(place % messages::kSectorBytes, PageFormat::kEntryBytes),
                   .origin = walks_[walk].origin});
    return true;
  }

  // A walk's end.
  struct Ended {
    uint64_t page;
    std::optional<uint64_t> frame;  // nothing: an entry is not valid
    Cycle took;
    uint32_t work;
  };
  // Takes a reply. Returns the walk that it ends, or nothing: that goes on.
  std::optional<Ended> take(Cycle now, const messages::MemoryReply& reply) {
    Walk& walk = walks_[reply.tag];
    uint64_t entry;
    std::memcpy(&entry, &reply.data[walk.place % messages::kSectorBytes], sizeof entry);
    if (const auto table = PageFormat::place_in(entry); table && !walk.in_table) {
      walk.place = format_.table_entry(*table, walk.page);
      walk.in_table = true;
      wanted_.push(reply.tag);
      return {};
    }
    free_.push_back(reply.tag);
    return Ended{walk.page, walk.in_table ? format_.frame_in(entry) : std::nullopt, now - walk.began,
                 walk.origin.work};
  }

 private:
  struct Walk {
    uint64_t page = 0;
    Cycle began = 0;
    uint64_t place = 0;     // of the entry to read, counted from the directory
    bool in_table = false;  // that entry is of a table, not of the directory
    messages::Origin origin;
  };

  PageFormat format_;
  arch::Address table_;
  std::vector<Walk> walks_;
  std::vector<uint32_t> free_;         // indices of walks
  structures::Ring<uint32_t> wanted_;  // walks that want to send a read
};

}  // namespace cutaway::boxes
