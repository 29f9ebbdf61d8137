#include "boxes/reorder_buffer/release_order.h"

#include "boxes/reorder_buffer/primitives_in_order.h"
#include "boxes/reorder_buffer/quads_in_order.h"

namespace cutaway::boxes {

std::unique_ptr<ReleaseOrder> make_release_order(ReleaseOrderPolicy policy) {
  switch (policy) {
    case ReleaseOrderPolicy::kQuads:
      break;
    case ReleaseOrderPolicy::kPrimitives:
      return std::make_unique<PrimitivesInOrder>();
  }
  return std::make_unique<QuadsInOrder>();
}

}  // namespace cutaway::boxes
