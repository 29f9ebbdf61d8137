#pragma once

#include "boxes/work_distributor/distribution.h"

namespace cutaway::boxes {

// Serves the owner of the quad's tile of the screen: a group is gathered for each.
class OwnersOfTiles : public Distribution {
 public:
  int choose(const Group& group, const Room& room) const final {
    return room[group.gathered] ? static_cast<int>(group.gathered) : kNobody;
  }
  void given(const Group&, unsigned) final {}
  unsigned waits_for(const Group& group) const final { return group.gathered; }
};

}  // namespace cutaway::boxes
