#include "boxes/reorder_buffer/release_order.h"

namespace cutaway::boxes {
namespace {

// Releases every quad in its turn.
class QuadsInOrder final : public ReleaseOrder {
 public:
  bool beside(const parts::ReorderEntry&, const parts::ReorderEntry&) const override { return false; }
};

const ReleaseOrders::Member<QuadsInOrder> kQuadsInOrder("quads");

}  // namespace
}  // namespace cutaway::boxes
