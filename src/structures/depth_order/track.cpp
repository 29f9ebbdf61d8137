#include <vector>

#include "structures/depth_order/depth_order.h"

namespace cutaway::structures {
namespace {

// A tracker of writes: a counter for each 8x8 tile, which several tiles may share, holds the quads that are
// still to be tested after shading. A quad that decides before shading waits until its tile has none.
class Track final : public DepthOrder {
 public:
  explicit Track(uint32_t counters) : under_way_(counters) {}

  bool pending(bool, int32_t x, int32_t y) const override { return under_way_[index(x, y)] != 0; }
  bool counts_quads() const override { return true; }
  void passed(int32_t x, int32_t y, uint32_t quads) override { under_way_[index(x, y)] += quads; }
  void returned(int32_t x, int32_t y, uint32_t quads) override {
    uint32_t& left = under_way_[index(x, y)];
    CUTAWAY_CHECK(left >= quads, "a quad at {}, {} came back that never passed", x, y);
    left -= quads;
  }

 private:
  // Spreads neighbours in both directions.
  size_t index(int32_t x, int32_t y) const {
    const uint32_t mixed =
        static_cast<uint32_t>(x >> 3) * 0x9e3779b1 + static_cast<uint32_t>(y >> 3) * 0x85ebca6b;
    return (mixed >> 12) % under_way_.size();
  }

  std::vector<uint32_t> under_way_;
};

const DepthOrders::Member<Track> kTrack("track");

}  // namespace
}  // namespace cutaway::structures
