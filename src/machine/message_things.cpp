#include "machine/message_things.h"

#include <utility>

#include "messages/messages.h"

namespace cutaway::machine {
namespace {

using Thing = run_record::Timeline::Thing;

Thing made_for(Thing::Kind kind, const messages::Origin& origin) {
  return {.kind = kind, .submission = origin.submission, .draw = origin.draw, .primitive = origin.primitive};
}
Thing vertex(uint32_t submission, uint32_t draw, uint32_t index, uint32_t instance) {
  return {.kind = Thing::Kind::kVertex,
          .submission = submission,
          .draw = draw,
          .index = index,
          .instance = instance};
}
Thing quad(const messages::QuadMessage& message) {
  Thing thing = made_for(Thing::Kind::kQuad, message.origin);
  thing.x = message.x, thing.y = message.y, thing.sample = message.sample, thing.mask = message.mask;
  return thing;
}
Thing request(const messages::MemoryRequest& message) {
  Thing thing = made_for(Thing::Kind::kRequest, message.origin);
  thing.index = message.address, thing.write = message.write;
  return thing;
}

// Things carried by each type of message. Other types carry nothing that can be followed.

void list(const messages::VertexGroup& message, const engine::Port&, MessageThings& things) {
  const auto& [submission, draw, primitive, work] = message.origin;
  for (uint32_t i = 0; message.primitives && !message.vertices && i < message.lanes; i++) {
    messages::Origin origin = message.origin;
    origin.primitive = message.primitives->id[i];
    things.add(made_for(Thing::Kind::kPrimitive, origin));
  }
  if (message.stage != arch::Stage::kVertex) return;
  things.name_group(&*message.vertices, submission, draw);
  for (uint32_t i = 0; i < message.lanes; i++)
    things.add(vertex(submission, draw, message.vertices->index[i], message.vertices->instance[i]));
}
void list(const messages::ShadedVertices& message, const engine::Port&, MessageThings& things) {
  uint32_t submission, draw;
  if (message.vertices->index[0] == messages::kEmittedVertex) return;
  if (!things.group(&*message.vertices, submission, draw)) return;
  for (uint32_t i = 0; i < message.lanes; i++)
    things.add(vertex(submission, draw, message.vertices->index[i], message.vertices->instance[i]));
}
void list(const messages::VertexMessage& message, const engine::Port&, MessageThings& things) {
  if (!message.vertex) return;
  const messages::StoredVertex& stored = *message.vertex;
  things.add(vertex(message.origin.submission, message.origin.draw, stored.index, stored.instance));
}
void list(const messages::PrimitiveMessage& message, const engine::Port&, MessageThings& things) {
  if (message.draw_end) return;
  things.add(made_for(Thing::Kind::kPrimitive, message.origin));
  for (const messages::VertexRef& ref : message.vertex)
    if (ref && ref->index != messages::kEmittedVertex)
      things.add(vertex(message.origin.submission, message.origin.draw, ref->index, ref->instance));
}
void list(const messages::SetupMessage& message, const engine::Port&, MessageThings& things) {
  if (!message.draw_end) things.add(made_for(Thing::Kind::kPrimitive, message.origin));
}
void list(const messages::TileMessage& message, const engine::Port&, MessageThings& things) {
  if (message.draw_end) return;
  Thing tile = made_for(Thing::Kind::kTile, message.origin);
  tile.x = message.x, tile.y = message.y, tile.mask = message.coverage;
  things.add(tile);
}
void list(const messages::QuadMessage& message, const engine::Port&, MessageThings& things) {
  if (!message.draw_end) things.add(quad(message));
}
void list(const messages::InterpolatedQuad& message, const engine::Port& port, MessageThings& things) {
  list(message.quad, port, things);
}
void list(const messages::ShadedQuad& message, const engine::Port& port, MessageThings& things) {
  list(message.quad, port, things);
}
void list(const messages::FragmentGroup& message, const engine::Port&, MessageThings& things) {
  for (uint32_t i = 0; i < message.quads->count; i++) things.add(quad(message.quads->quad[i].quad));
}
void list(const messages::TextureMessage& message, const engine::Port&, MessageThings& things) {
  const messages::TextureJob& job = *message.job;
  if (job.stage != arch::Stage::kFragment) return;
  Thing thing = made_for(Thing::Kind::kQuad, job.origin);
  thing.primitive = job.primitive, thing.x = job.x, thing.y = job.y, thing.sample = job.sample;
  thing.mask = job.lane_mask;
  things.add(thing);
}
void list(const messages::PullMessage& message, const engine::Port&, MessageThings& things) {
  const messages::PullJob& job = *message.job;
  Thing thing = made_for(Thing::Kind::kQuad, job.origin);
  thing.x = job.x, thing.y = job.y, thing.sample = job.sample, thing.mask = job.lane_mask;
  things.add(thing);
}
void list(const messages::MemoryRequest& message, const engine::Port& port, MessageThings& things) {
  things.add_request(port, message.tag, request(message));
}
void list(const messages::MemoryReply& message, const engine::Port& port, MessageThings& things) {
  things.add_reply(port, message.tag);
}

template <class T>
bool list_if(const engine::Port& sender, uint64_t number, MessageThings& things) {
  const auto* wire = dynamic_cast<const engine::Wire<T>*>(sender.wire());
  if (wire) list(wire->message(number), sender, things);
  return wire;
}
template <class... T>
void list_one_of(const engine::Port& sender, uint64_t number, MessageThings& things) {
  (list_if<T>(sender, number, things) || ...);
}

// The client index in the name of a memory server's port: "[3]" of "requests[3]" and "replies[3]".
std::string client_of(const std::string& port) {
  const size_t bracket = port.find('[');
  return bracket == port.npos ? "" : port.substr(bracket);
}

}  // namespace

MessageThings::MessageThings(run_record::Timeline& timeline, std::function<bool(const Thing&)> keep)
    : timeline_(timeline), keep_(std::move(keep)) {}

void MessageThings::read(const engine::Port& sender, uint64_t number) {
  list_one_of<messages::QuadMessage, messages::MemoryRequest, messages::MemoryReply, messages::ShadedQuad,
              messages::InterpolatedQuad, messages::FragmentGroup, messages::TextureMessage,
              messages::PullMessage, messages::TileMessage, messages::VertexMessage, messages::VertexGroup,
              messages::ShadedVertices, messages::PrimitiveMessage, messages::SetupMessage>(sender, number,
                                                                                            *this);
}

MessageThings::Key MessageThings::key_of(const Thing& thing) {
  const bool is_vertex = thing.kind == Thing::Kind::kVertex;
  const uint64_t low = is_vertex ? thing.index : thing.primitive;
  const uint64_t high = is_vertex ? thing.instance : thing.sample;
  return {thing.kind, thing.submission, thing.draw, high << 32 | low, thing.x, thing.y};
}

void MessageThings::add(Thing thing) {
  if (keep_ && !keep_(thing)) return;
  const auto [place, is_new] =
      places_.try_emplace(key_of(thing), static_cast<uint32_t>(timeline_.things.size()));
  if (is_new) timeline_.things.push_back(thing);
  timeline_.carried.push_back(place->second);
}

// A unit between a client and the server of its requests passes a request on under the same number.
void MessageThings::add_request(const engine::Port& sender, uint32_t tag, Thing thing) {
  auto& at_server = requests_[{sender.neighbour(), client_of(sender.peer()->name()), tag}];
  const auto passed = requests_.find({sender.box(), client_of(sender.name()), tag});
  if (passed != requests_.end() && !passed->second.empty()) {
    const uint32_t known = passed->second.front();
    passed->second.pop_front();
    at_server.push_back(known);
    if (known != kLeftOut) timeline_.carried.push_back(known);
    return;
  }
  const bool kept = !keep_ || keep_(thing);
  const auto place = kept ? static_cast<uint32_t>(timeline_.things.size()) : kLeftOut;
  at_server.push_back(place);
  if (!kept) return;
  timeline_.things.push_back(thing);
  timeline_.carried.push_back(place);
}

void MessageThings::add_reply(const engine::Port& sender, uint32_t tag) {
  const auto found = requests_.find({sender.box(), client_of(sender.name()), tag});
  if (found == requests_.end() || found->second.empty()) return;  // requested before the window
  const uint32_t place = found->second.front();
  found->second.pop_front();
  if (place != kLeftOut) timeline_.carried.push_back(place);
}

void MessageThings::name_group(const void* group, uint32_t submission, uint32_t draw) {
  groups_[group] = {submission, draw};
}

bool MessageThings::group(const void* group, uint32_t& submission, uint32_t& draw) const {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return false;
  std::tie(submission, draw) = found->second;
  return true;
}

}  // namespace cutaway::machine
