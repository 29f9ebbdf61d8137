#include "boxes/reorder_buffer/release_order.h"

namespace cutaway::boxes {
namespace {

// Releases every quad in its turn.
class QuadsInOrder final : public ReleaseOrder {
 public:
  bool beside(const messages::ReorderEntry&, const messages::ReorderEntry&) const override { return false; }
};

const ReleaseOrders::Member<QuadsInOrder> kQuadsInOrder("quads");

}  // namespace
}  // namespace cutaway::boxes
