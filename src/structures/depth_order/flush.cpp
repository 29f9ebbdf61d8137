#include "structures/depth_order/depth_order.h"

namespace cutaway::structures {
namespace {

// A draw that decides before shading waits until every earlier draw that is tested after it has come back.
class Flush final : public DepthOrder {};

const DepthOrders::Member<Flush> kFlush("flush");

}  // namespace
}  // namespace cutaway::structures
