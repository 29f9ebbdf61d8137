#include <bit>

#include "boxes/work_distributor/distribution.h"
#include "boxes/work_distributor/least_loaded.h"

namespace cutaway::boxes {
namespace {

// Keeps consecutive groups of a tile of the screen together: up to a batch of them goes to one taker, and
// waits for it. The next batch goes to the taker with most room; of several to the next in turn. Neighbours
// thus share a texture cache, and no taker is short of work while others have too much.
class TileBatches final : public Distribution {
 public:
  // batch: groups. map: its tiles have a power of 2 pixels a side.
  TileBatches(unsigned takers, unsigned batch, const structures::TileMap& map)
      : fresh_(takers), shift_(std::countr_zero(static_cast<unsigned>(map.tile()))), batch_(batch) {}

  int choose(const Group& group, const Room& room) const override {
    if (!goes_on(group)) return fresh_.choose(group, room);
    return room[taker_] ? static_cast<int>(taker_) : kNobody;
  }
  void given(const Group& group, unsigned taker) override {
    given_ = goes_on(group) ? given_ + 1 : 1;
    column_ = group.x >> shift_;
    row_ = group.y >> shift_;
    taker_ = taker;
    fresh_.given(group, taker);
  }
  unsigned waits_for(const Group& group) const override {
    return goes_on(group) ? taker_ : fresh_.waits_for(group);
  }

 private:
  bool goes_on(const Group& group) const {
    return given_ && given_ < batch_ && group.x >> shift_ == column_ && group.y >> shift_ == row_;
  }

  LeastLoaded fresh_;  // who gets a new batch
  int shift_;
  unsigned batch_;
  unsigned given_ = 0;  // groups of the batch; 0: there is none
  int32_t column_ = 0, row_ = 0;
  unsigned taker_ = 0;
};

const FragmentDistributions::Member<TileBatches> kTileBatches("tile-batches");

}  // namespace
}  // namespace cutaway::boxes
