#include "boxes/work_distributor/distribution.h"

namespace cutaway::boxes {
namespace {

// Serves the owner of the quad's tile of the screen (G80-1): a group is gathered for each.
class ByTile final : public Distribution {
 public:
  ByTile(unsigned /*takers*/, unsigned /*batch*/, const structures::TileMap& map) : map_(map) {}

  unsigned gathered() const override { return map_.units(); }
  unsigned group_of(int32_t x, int32_t y) const override { return map_.owner(x, y); }
  int choose(const Group& group, std::span<const uint32_t> room) const override {
    return room[group.gathered] ? static_cast<int>(group.gathered) : kNobody;
  }
  void given(const Group&, unsigned) override {}
  unsigned waits_for(const Group& group) const override { return group.gathered; }

 private:
  structures::TileMap map_;
};

const FragmentDistributions::Member<ByTile> kByTile("tile-map");

}  // namespace
}  // namespace cutaway::boxes
