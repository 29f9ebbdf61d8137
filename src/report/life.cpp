#include "report/life.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

#include "base/error.h"

namespace cutaway::report {
namespace {

using Thing = run_record::Timeline::Thing;
using Message = run_record::Timeline::Message;

class Search {
 public:
  explicit Search(const run_record::Timeline& timeline) : timeline_(timeline) {}

  Life fragment(const Subject::Fragment& wanted) {
    std::vector<uint32_t> primitives;  // that cover the pixel, in order
    for (const Thing& thing : timeline_.things)
      if (is(thing, Thing::Kind::kTile) && thing.covers(wanted.x, wanted.y))
        primitives.push_back(thing.primitive);
    std::sort(primitives.begin(), primitives.end());
    primitives.erase(std::unique(primitives.begin(), primitives.end()), primitives.end());
    if (primitives.empty()) user_error("pixel {},{}: {} does not cover it", wanted.x, wanted.y, draw_text());
    const uint32_t primitive = wanted.primitive.value_or(primitives.front());
    if (std::find(primitives.begin(), primitives.end(), primitive) == primitives.end())
      user_error("pixel {},{}: primitive {} of {} does not cover it; those that do: {}", wanted.x, wanted.y,
                 primitive, draw_text(), fmt::join(primitives, ", "));

    Life life{.title = fmt::format("fragment ({}, {}) of primitive {}, {}", wanted.x, wanted.y, primitive,
                                   draw_text()),
              .notes = {},
              .stops = {}};
    std::erase(primitives, primitive);
    if (!primitives.empty())
      life.notes.push_back(
          fmt::format("Other primitives of the draw cover the pixel too: {}.", fmt::join(primitives, ", ")));
    follow_quad(life, wanted, primitive);
    return life;
  }

  Life vertex(uint64_t index) {
    std::optional<uint32_t> found;
    for (uint32_t i = 0; i < timeline_.things.size() && !found; i++)
      if (is(timeline_.things[i], Thing::Kind::kVertex) && timeline_.things[i].index == index) found = i;
    if (!found) no_vertex(index);
    Life life{.title = fmt::format("vertex {}, {}", index, draw_text()), .notes = {}, .stops = {}};
    std::vector<const Message*> way = {first_with(*found)};
    while (const Message* next = after(*way.back(), {*found})) {
      way.push_back(next);
      // Follows it as a corner of the first primitive that it belongs to.
      if (const std::optional<uint32_t> primitive = primitive_in(*next)) found = primitive;
    }
    make_stops(life, way);
    return life;
  }

  Life request(uint64_t number) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < timeline_.things.size(); i++) {
      const Thing& thing = timeline_.things[i];
      if (!is(thing, Thing::Kind::kRequest)) continue;
      const Message* first = first_with(i);
      const uint32_t server = timeline_.wires[first->wire].receiver;
      if (timeline_.units[server].path != "gpu.memory_controller" || ++count < number) continue;
      Life life{.title = fmt::format("request {} of {} to memory: {} of 64 bytes at {:#x}", number,
                                     draw_text(), thing.write ? "write" : "read", thing.index),
                .notes = {},
                .stops = {}};
      std::vector<const Message*> way = {first};
      while (const Message* next = after(*way.back(), {i})) way.push_back(next);
      make_stops(life, way);
      return life;
    }
    user_error("request {}: {} makes {}", number, draw_text(), count);
  }

 private:
  [[noreturn]] void no_vertex(uint64_t index) const {
    uint64_t least = ~0ull, greatest = 0;
    for (const Thing& thing : timeline_.things)
      if (is(thing, Thing::Kind::kVertex))
        least = std::min(least, thing.index), greatest = std::max(greatest, thing.index);
    const std::string others =
        least > greatest ? "" : fmt::format("; those that it shades lie between {} and {}", least, greatest);
    user_error("vertex {}: {} shades no vertex of this index{}", index, draw_text(), others);
  }
  std::string draw_text() const {
    return fmt::format("draw {} (submission {}, draw {})", timeline_.draw.number, timeline_.draw.submission,
                       timeline_.draw.draw);
  }
  bool is(const Thing& thing, Thing::Kind kind) const {
    return thing.kind == kind && thing.submission == timeline_.draw.submission &&
           thing.draw == timeline_.draw.draw;
  }

  // Follows the primitive's last vertex, then the primitive, to the end of the quad.
  void follow_quad(Life& life, const Subject::Fragment& wanted, uint32_t primitive) {
    std::set<uint32_t> before;  // things that the quad is made from
    std::optional<uint32_t> quad, tile;
    for (uint32_t i = 0; i < timeline_.things.size(); i++) {
      const Thing& thing = timeline_.things[i];
      if (is(thing, Thing::Kind::kPrimitive) && thing.primitive == primitive) before.insert(i);
      if (thing.primitive != primitive || !covers_or_holds(thing, wanted)) continue;
      if (is(thing, Thing::Kind::kTile)) tile = i, before.insert(i);
      if (is(thing, Thing::Kind::kQuad) && !quad) quad = i;
    }
    const Message* first = quad ? first_with(*quad) : nullptr;
    std::vector<const Message*> way = {first ? first : first_with(tile.value())};
    while (const Message* earlier = way.front() ? before_it(*way.front(), before) : nullptr) {
      way.insert(way.begin(), earlier);
      add_corners(*earlier, before);
    }
    if (quad)
      while (const Message* next = after(*way.back(), {*quad})) way.push_back(next);
    make_stops(life, way);
    const std::string& last = timeline_.units[life.stops.back().unit].path;
    if (last.find("color_write") == last.npos)
      life.notes.push_back(fmt::format(
          "It ends in {}: that sends nothing of it on, since no pixel of it is left to be drawn.", last));
  }
  static bool covers_or_holds(const Thing& thing, const Subject::Fragment& wanted) {
    if (thing.kind == Thing::Kind::kTile) return thing.covers(wanted.x, wanted.y);
    return thing.x == (wanted.x & ~1) && thing.y == (wanted.y & ~1);
  }

  bool carries(const Message& message, const std::set<uint32_t>& things) const {
    const auto begin = timeline_.carried.begin() + message.first_thing;
    return std::any_of(begin, begin + message.things, [&](uint32_t thing) { return things.contains(thing); });
  }
  const Message* first_with(uint32_t thing) const {
    for (const Message& message : timeline_.messages)
      if (carries(message, {thing})) return &message;
    return nullptr;
  }
  // The first message with one of these things that the receiver of `last` sends.
  const Message* after(const Message& last, const std::set<uint32_t>& things) const {
    if (last.taken == run_record::Timeline::kNever) return nullptr;
    const Message* next = nullptr;
    for (const Message& message : timeline_.messages)
      if (message.sent != run_record::Timeline::kNever && message.sent >= last.taken &&
          (!next || message.sent < next->sent) &&
          timeline_.wires[message.wire].sender == timeline_.wires[last.wire].receiver &&
          carries(message, things))
        next = &message;
    return next;
  }
  // The last message with one of these things that the unit took before it sent this one.
  const Message* before_it(const Message& first, const std::set<uint32_t>& things) const {
    const Message* found = nullptr;
    for (const Message& message : timeline_.messages)
      if (message.taken != run_record::Timeline::kNever && message.taken <= first.sent &&
          message.sent != run_record::Timeline::kNever && (!found || message.taken > found->taken) &&
          timeline_.wires[message.wire].receiver == timeline_.wires[first.wire].sender &&
          carries(message, things))
        found = &message;
    return found;
  }
  std::optional<uint32_t> primitive_in(const Message& message) const {
    for (uint32_t i = 0; i < message.things; i++) {
      const uint32_t thing = timeline_.carried[message.first_thing + i];
      if (timeline_.things[thing].kind == Thing::Kind::kPrimitive) return thing;
    }
    return std::nullopt;
  }
  // A primitive is made from its vertices; before that, the path is that of the vertex that came last.
  void add_corners(const Message& message, std::set<uint32_t>& things) const {
    std::set<uint32_t> corners;
    for (uint32_t i = 0; i < message.things; i++) {
      const uint32_t thing = timeline_.carried[message.first_thing + i];
      if (timeline_.things[thing].kind == Thing::Kind::kVertex) corners.insert(thing);
    }
    if (corners.empty()) return;
    const bool is_primitive = primitive_in(message).has_value();
    if (is_primitive) {
      things.insert(corners.begin(), corners.end());
      return;
    }
    // Keep only the corner in this group.
    std::set<uint32_t> own;
    for (const uint32_t corner : corners)
      if (things.contains(corner)) own.insert(corner);
    std::erase_if(things, [&](uint32_t thing) {
      return timeline_.things[thing].kind == Thing::Kind::kVertex && !own.contains(thing);
    });
  }

  void make_stops(Life& life, const std::vector<const Message*>& way) const {
    CUTAWAY_CHECK(!way.empty() && way.front());
    const run_record::Timeline::Wire& first = timeline_.wires[way.front()->wire];
    life.stops.push_back(
        {.unit = first.sender, .wire = {}, .message = first.message, .leaves = way.front()->sent});
    for (size_t i = 0; i < way.size(); i++) {
      const Message& message = *way[i];
      const run_record::Timeline::Wire& wire = timeline_.wires[message.wire];
      Stop& stop = life.stops.emplace_back();
      stop.unit = wire.receiver, stop.wire = message.wire, stop.message = wire.message;
      stop.sent = message.sent, stop.arrives = message.arrives;
      stop.taken = message.taken == run_record::Timeline::kNever ? timeline_.end : message.taken;
      if (i + 1 < way.size()) stop.leaves = way[i + 1]->sent;
    }
  }

  const run_record::Timeline& timeline_;
};

}  // namespace

bool Subject::may_need(const Thing& thing) const {
  switch (thing.kind) {
    case Thing::Kind::kVertex:
    case Thing::Kind::kPrimitive:
      return !request;
    case Thing::Kind::kTile:
      return fragment && thing.covers(fragment->x, fragment->y);
    case Thing::Kind::kQuad:
      return fragment && thing.x == (fragment->x & ~1) && thing.y == (fragment->y & ~1);
    case Thing::Kind::kRequest:
      return request.has_value();
  }
  return false;
}

Life life_of(const run_record::Timeline& timeline, const Subject& subject) {
  Search search(timeline);
  if (subject.fragment) return search.fragment(*subject.fragment);
  return subject.vertex ? search.vertex(*subject.vertex) : search.request(subject.request.value());
}

std::vector<Share> shares(const run_record::Timeline& timeline, uint32_t unit, uint64_t begin, uint64_t end) {
  std::vector<Share> found;
  for (const run_record::Timeline::Slice& slice : timeline.slices[unit])
    if (slice.begin < end && slice.end > begin)
      found.push_back({slice.reason, std::max(slice.begin, begin), std::min(slice.end, end)});
  return found;
}

}  // namespace cutaway::report
