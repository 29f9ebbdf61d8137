#include "boxes/work_distributor/least_loaded.h"

namespace cutaway::boxes {

const FragmentDistributions::Member<LeastLoaded> kOfFragments("least-loaded");
const VertexDistributions::Member<LeastLoaded> kOfVertices("least-loaded");

}  // namespace cutaway::boxes
