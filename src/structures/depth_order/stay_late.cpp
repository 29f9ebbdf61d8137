#include "structures/depth_order/depth_order.h"

namespace cutaway::structures {
namespace {

// After a draw that is tested after shading, all draws are, until the pipeline is drained anyway. A draw
// whose result depends on the side waits as with "flush".
class StayLate final : public DepthOrder {
 public:
  arch::DepthMode mode(const messages::DrawState& draw) override {
    const arch::DepthMode stated = draw.stated_depth_mode();
    if (stated != arch::DepthMode::kEarly) {
      late_ |= draw.depth.active();
      return stated;
    }
    return late_ && draw.tests_on_either_side() ? arch::DepthMode::kLate : stated;
  }
  void drained() override { late_ = false; }

 private:
  bool late_ = false;
};

const DepthOrders::Member<StayLate> kStayLate("stay_late");

}  // namespace
}  // namespace cutaway::structures
