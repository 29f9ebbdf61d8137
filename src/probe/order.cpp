#include "probe/order.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "probe/cases.h"

namespace cutaway::probe {
namespace {

using Thing = run_record::Timeline::Thing;

// Shader units send shaded quads and receive none.
std::vector<uint32_t> shader_units(const run_record::Timeline& timeline) {
  std::vector<uint32_t> senders, receivers;
  for (const run_record::Timeline::Wire& wire : timeline.wires)
    if (wire.message == "ShadedQuad") senders.push_back(wire.sender), receivers.push_back(wire.receiver);
  std::ranges::sort(senders);
  senders.erase(std::unique(senders.begin(), senders.end()), senders.end());
  std::erase_if(senders, [&](uint32_t unit) { return std::ranges::count(receivers, unit) > 0; });
  return senders;
}

bool before(const Thing& a, const Thing& b) {
  return std::pair(a.submission, a.draw) < std::pair(b.submission, b.draw);
}

// Number of fragments in the things before each one. A thing's position is its first appearance, when the
// rasteriser sends it.
std::vector<uint32_t> drawn_before(const std::vector<Thing>& things) {
  std::vector<uint32_t> before;
  uint32_t fragments = 0;
  for (const Thing& quad : things) {
    before.push_back(fragments);
    fragments += static_cast<uint32_t>(std::popcount(quad.mask));
  }
  return before;
}

void add(Order& order, const Thing& quad, uint32_t drawn, uint64_t time, uint32_t unit) {
  for (uint32_t lane = 0; lane < 4; lane++) {
    const uint32_t x = static_cast<uint32_t>(quad.x) + lane % 2, y = static_cast<uint32_t>(quad.y) + lane / 2;
    if (quad.mask >> lane & 1 && x < kWindow && y < kWindow)
      order.pixels[y * kWindow + x] = {++order.fragments, ++drawn, time, unit};
  }
}

}  // namespace

Order order_of(const run_record::Timeline& timeline) {
  Order order{std::vector<Order::Pixel>(size_t{kWindow} * kWindow), 0, {}};
  const std::vector<uint32_t> units = shader_units(timeline);
  for (const uint32_t unit : units) order.units.push_back(timeline.units[unit].path);
  const std::vector<uint32_t> drawn = drawn_before(timeline.things);
  const auto last = std::ranges::max_element(timeline.things, before);
  for (const run_record::Timeline::Message& message : timeline.messages) {
    const run_record::Timeline::Wire& wire = timeline.wires[message.wire];
    const auto unit = std::ranges::lower_bound(units, wire.sender);
    if (wire.message != "ShadedQuad" || unit == units.end() || *unit != wire.sender) continue;
    for (uint32_t i = 0; i < message.things; i++) {
      const uint32_t thing = timeline.carried[message.first_thing + i];
      const Thing& quad = timeline.things[thing];
      if (!before(quad, *last))
        add(order, quad, drawn[thing], message.sent / timeline.core_period,
            static_cast<uint32_t>(unit - units.begin()));
    }
  }
  return order;
}

Order order_of(std::span<const uint32_t> ranks) {
  CUTAWAY_CHECK(ranks.size() == size_t{kWindow} * kWindow, "{} ranks", ranks.size());
  Order order;
  for (const uint32_t rank : ranks) {
    order.pixels.push_back({.rank = rank});
    order.fragments = std::max(order.fragments, rank);
  }
  return order;
}

uint32_t ended_past(const Order& order, std::pair<uint32_t, uint32_t> slow) {
  const Order::Pixel& at = order.pixels[size_t{slow.second} * kWindow + slow.first];
  return static_cast<uint32_t>(std::ranges::count_if(order.pixels, [&](const Order::Pixel& pixel) {
    return pixel.rank && pixel.rank < at.rank && pixel.drawn > at.drawn;
  }));
}

}  // namespace cutaway::probe
