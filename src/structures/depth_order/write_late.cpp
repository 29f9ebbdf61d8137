#include "structures/depth_order/depth_order.h"

namespace cutaway::structures {
namespace {

// Nothing is written before shading: what is tested there is tested again. A draw whose result depends on the
// side waits as with "flush".
class WriteLate final : public DepthOrder {
 public:
  arch::DepthMode mode(const messages::DrawState& draw) override {
    const arch::DepthMode stated = draw.stated_depth_mode();
    const bool moves = stated == arch::DepthMode::kEarly && draw.tests_on_either_side();
    return moves ? arch::DepthMode::kEarlyTestLateWrite : stated;
  }
};

const DepthOrders::Member<WriteLate> kWriteLate("write_late");

}  // namespace
}  // namespace cutaway::structures
