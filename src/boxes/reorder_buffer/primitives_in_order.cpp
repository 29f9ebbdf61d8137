#include "boxes/reorder_buffer/release_order.h"

namespace cutaway::boxes {
namespace {

// Releases every primitive in its turn, and the quads of one in any order: they do not overlap (DX-8).
class PrimitivesInOrder final : public ReleaseOrder {
 public:
  bool beside(const messages::ReorderEntry& oldest, const messages::ReorderEntry& entry) const override {
    return !oldest.draw_end && !entry.draw_end && entry.origin.draw == oldest.origin.draw &&
           entry.origin.primitive == oldest.origin.primitive;
  }
};

const ReleaseOrders::Member<PrimitivesInOrder> kPrimitivesInOrder("primitives");

}  // namespace
}  // namespace cutaway::boxes
