#include <deque>

#include "boxes/command_processor/state_blocks.h"
#include "boxes/command_processor/state_way/state_way.h"

namespace cutaway::boxes {
namespace {

// A pool of blocks that holds all state once, and spare blocks beside it. A changed block takes a spare one;
// the block that it replaces becomes spare when the draws before the change have ended.
class Renaming final : public StateWay {
 public:
  Renaming(unsigned, unsigned spare_blocks) : spares_(spare_blocks), free_(spare_blocks) {}

  bool room(unsigned changed) const override { return draws_.empty() || changed <= free_; }
  uint32_t take(unsigned changed) override {
    // With no draw under way all blocks are changed in place.
    const unsigned taken = draws_.empty() ? 0 : changed;
    free_ -= taken;
    draws_.push_back({taken, false});
    return first_ + static_cast<uint32_t>(draws_.size()) - 1;
  }
  void release(uint32_t held) override {
    draws_[held - first_].ended = true;
    while (!draws_.empty() && draws_.front().ended) {
      free_ += draws_.front().taken;
      draws_.pop_front(), first_++;
    }
    if (draws_.empty()) return;
    free_ += draws_.front().taken;  // no draw before this one is under way
    draws_.front().taken = 0;
  }
  uint64_t storage(uint64_t bytes) const override { return bytes + spares_ * uint64_t{StateBlocks::kBytes}; }

 private:
  struct Draw {
    unsigned taken = 0;  // spare blocks, as long as draws before it are under way
    bool ended = false;
  };
  unsigned spares_, free_;
  std::deque<Draw> draws_;  // in order, from the oldest under way
  uint32_t first_ = 0;      // what the first of them holds
};

const StateWays::Member<Renaming> kRenaming("renaming");

}  // namespace
}  // namespace cutaway::boxes
