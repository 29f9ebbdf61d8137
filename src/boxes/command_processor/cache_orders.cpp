#include "boxes/command_processor/cache_orders.h"

#include <algorithm>

#include "arch/packet.h"

namespace cutaway::boxes {

using messages::Control;

bool CacheOrders::begin(Control order, uint32_t caches, Then then, arch::QueueKind queue) {
  const bool invalidate = order.kind == Control::Kind::kInvalidate;
  for (Unit& unit : units_) {
    const bool keeps = invalidate && unit.bounds && !depth.lost();
    unit.step = (unit.caches & caches) != 0 && !keeps ? Step::kSend : Step::kNone;
  }
  if (invalidate && caches & arch::kCacheDepth && depth.lost()) depth.forgotten();
  return start(std::move(order), then, queue);
}

bool CacheOrders::must_send(size_t unit) const {
  if (units_[unit].step != Step::kSend) return false;
  return !units_[unit].level || std::none_of(units_.begin(), units_.end(), [&](const Unit& other) {
    return other.level < units_[unit].level && other.caches & units_[unit].caches &&
           other.step != Step::kNone;
  });
}

bool CacheOrders::begin_forgetting_bounds(const messages::Origin& origin) {
  depth.forgotten();
  for (Unit& unit : units_) unit.step = unit.bounds ? Step::kSend : Step::kNone;
  return start({.kind = Control::Kind::kInvalidate, .origin = origin, .clear = nullptr}, Then::kPacketGoesOn,
               arch::QueueKind::kGraphics);
}

bool CacheOrders::start(Control order, Then then, arch::QueueKind queue) {
  under_way_ = waits_for().has_value();
  if (!under_way_) return false;
  order_ = std::move(order);
  then_ = then;
  queue_ = queue;
  return true;
}

std::optional<size_t> CacheOrders::waits_for() const {
  const auto unit =
      std::find_if(units_.begin(), units_.end(), [](const Unit& u) { return u.step != Step::kNone; });
  if (unit == units_.end()) return std::nullopt;
  return static_cast<size_t>(unit - units_.begin());
}

std::optional<CacheOrders::Then> CacheOrders::end() {
  if (!under_way_ || waits_for()) return std::nullopt;
  under_way_ = false;
  return then_;
}

}  // namespace cutaway::boxes
