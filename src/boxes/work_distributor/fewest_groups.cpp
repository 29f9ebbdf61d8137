#include "boxes/work_distributor/least_loaded.h"

namespace cutaway::boxes {
namespace {

// Serves the taker in which fewest groups are under way; of several the next in turn.
class FewestGroups final : public LeastLoaded {
 public:
  using LeastLoaded::LeastLoaded;

  bool counts_under_way() const override { return true; }
};

const FragmentDistributions::Member<FewestGroups> kFewestOfFragments("fewest-groups");
const VertexDistributions::Member<FewestGroups> kFewestOfVertices("fewest-groups");

}  // namespace
}  // namespace cutaway::boxes
