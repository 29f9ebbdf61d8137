#pragma once

#include <cstring>
#include <vector>

#include "messages/memory_message.h"

namespace cutaway::boxes {

// Combines words into sectors, oldest first. A word goes to the open sector of its address, so that the later
// of two words for one address wins.
class WriteCombiner {
 public:
  struct Sector {
    arch::Address address = 0;
    messages::ByteMask mask = 0;
    messages::Sector data{};
  };

  explicit WriteCombiner(uint32_t sectors) : most_(sectors) { open_.reserve(sectors); }

  bool empty() const { return open_.empty(); }

  // address: a multiple of 4. Returns false if no sector has the address and the oldest must leave first.
  bool add(arch::Address address, uint32_t word) {
    const auto inside = static_cast<uint32_t>(address % messages::kSectorBytes);
    Sector* sector = find(address - inside);
    if (!sector) {
      if (open_.size() == most_) return false;
      sector = &open_.emplace_back();
      sector->address = address - inside;
    }
    sector->mask |= messages::byte_mask(inside, sizeof word);
    std::memcpy(sector->data.data() + inside, &word, sizeof word);
    return true;
  }

  Sector take_oldest() {
    const Sector oldest = open_.front();
    open_.erase(open_.begin());
    return oldest;
  }

 private:
  Sector* find(arch::Address address) {
    for (Sector& sector : open_)
      if (sector.address == address) return &sector;
    return nullptr;
  }

  size_t most_;
  std::vector<Sector> open_;
};

}  // namespace cutaway::boxes
