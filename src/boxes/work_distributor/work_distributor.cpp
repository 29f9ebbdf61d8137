#include "boxes/work_distributor/work_distributor.h"

#include <algorithm>

#include "messages/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

// More groups than can be between a distributor and the ends of their programs.
constexpr unsigned kGroupsUnderWay = 1u << 20;

// The cycle in which the policy, which gives the group to nobody now, is asked again for its age.
Cycle decided(Cycle now, const Distribution& policy, const Distribution::Group& group) {
  const Cycle age = policy.decides_at(group);
  return age == engine::kAsleep || age <= group.age ? engine::kAsleep : now - group.age + age;
}

}  // namespace

WorkDistributor::WorkDistributor(std::string path, const WorkDistributorSpec& spec, unsigned front_ends,
                                 unsigned vertex_units, unsigned clusters, unsigned group_lanes,
                                 unsigned rops, messages::Pools& pools, unsigned cluster_units)
    : Box(std::move(path)),
      vertices_in(front_ends),
      vertices_out(vertex_units),
      fragments_out(clusters),
      entries_out(rops),
      spec_(spec),
      group_lanes_(group_lanes),
      cluster_units_(cluster_units),
      pools_(pools),
      vertices_(VertexDistributions::make(spec.vertices, vertex_units, 1, structures::TileMap())),
      fragments_(FragmentDistributions::make(spec.fragments, clusters, spec.batch,
                                             structures::TileMap(clusters, spec.tile, spec.map))),
      gathered_(fragments_->gathered()),
      next_order_(rops),
      primitives_(rops),
      last_primitive_(rops) {
  if (spec.closing == GroupClosing::kRest || fragments_->counts_under_way())
    for (unsigned i = 0; i < clusters; i++) fragments_under_way.emplace_back(kGroupsUnderWay);
  if (vertices_->counts_under_way())
    for (unsigned i = 0; i < vertex_units; i++) vertices_under_way.emplace_back(kGroupsUnderWay);
}

std::vector<std::string_view> WorkDistributor::costs_nothing() const {
  return {"Carrying input registers: a group is one message, however many registers its program reads"};
}

Cycle WorkDistributor::tick(Cycle now) {
  bool progress = false;
  for (unsigned i = 0; i < spec_.vertex_groups_per_cycle && give_vertices(now); i++) progress = true;
  if (!(progress && spec_.vertices_first)) progress |= give_fragments(now);
  progress |= gather(now);
  return progress ? busy(now) : account(now);
}

Cycle WorkDistributor::account(Cycle now) {
  // An open group goes when it has waited long enough, whatever else waits.
  Cycle goes = engine::kAsleep;
  const Gathered* closed = nullptr;
  bool gathers = false;
  for (const Gathered& gathered : gathered_) {
    if (gathered.open() && may_close(now, gathered))
      goes = std::min(goes, gathered.grown + spec_.gather_cycles);
    if (gathered.closed && !closed) closed = &gathered;
    if (gathered.closed) goes = std::min(goes, decided(now, *fragments_, told(now, gathered)));
    gathers |= static_cast<bool>(gathered.group.quads);
  }
  if (auto* port = next_vertices(now)) {
    const Distribution::Group group = told(now, *port->peek(now));
    goes = std::min(goes, decided(now, *vertices_, group));
    return blocked(now, vertices_out[vertices_->waits_for(group)], goes);
  }
  if (closed) return blocked(now, fragments_out[fragments_->waits_for(told(now, *closed))], goes);
  if (lacks_entries_ != kNone) return blocked(now, entries_out[static_cast<size_t>(lacks_entries_)]);
  if (gathers) return starved(now, quads_in, goes);
  return idle(now);
}

template <class Message>
struct WorkDistributor::RoomOfTakers {
  Cycle now;
  bool counts_under_way;  // as the policy says
  const std::vector<engine::Out<Message>>& takers;
  const std::deque<engine::Storage>& under_way;

  uint32_t operator[](size_t taker) const {
    const uint32_t room = takers[taker].room(now);
    return room && counts_under_way ? under_way[taker].free(now) : room;
  }
};

// Front ends take turns; those without a group are passed over.
engine::In<messages::VertexGroup>* WorkDistributor::next_vertices(Cycle now) {
  for (size_t i = 0; i < vertices_in.size(); i++) {
    auto& port = vertices_in[(front_end_ + i) % vertices_in.size()];
    if (port.peek(now)) return &port;
  }
  return nullptr;
}

bool WorkDistributor::give_vertices(Cycle now) {
  auto* port = next_vertices(now);
  if (std::exchange(next_in_line_, port) != port) next_since_ = now;
  if (!port) return false;
  const Distribution::Group group = told(now, *port->peek(now));
  const int unit =
      vertices_->choose(group, RoomOfTakers<messages::VertexGroup>{now, vertices_->counts_under_way(),
                                                                   vertices_out, vertices_under_way});
  if (unit == Distribution::kNobody) return false;
  next_in_line_ = nullptr;
  const auto taker = static_cast<unsigned>(unit);
  messages::VertexGroup given = port->take(now);
  if (!vertices_under_way.empty()) messages::place_of(given) = vertices_under_way[taker].take(now);
  vertices_out[taker].send(now, std::move(given));
  front_end_ = (static_cast<size_t>(port - vertices_in.data()) + 1) % vertices_in.size();
  vertices_->given(group, taker);
  counters.vertex_groups++;
  return true;
}

// A group holds quads of one state, and of a few primitives where that is a limit; a draw end, the lack of
// further quads for a while or a full reorder buffer, which may wait for this group, closes it.
bool WorkDistributor::gather(Cycle now) {
  lacks_entries_ = kNone;
  bool progress = false, lacks_quads = false;
  for (unsigned i = 0; i < spec_.quads_per_cycle; i++) {
    const messages::InterpolatedQuad* next = quads_in.peek(now);
    lacks_quads = !next;
    if (!next) break;
    lacks_entries_ = full_rop(now, next->quad);
    if (lacks_entries_ != kNone) {
      progress |= close_all();
      break;
    }
    const messages::QuadMessage& quad = next->quad;
    if (quad.draw_end) {
      close_all();
      for (size_t rop = 0; rop < entries_out.size(); rop++)
        entries_out[rop].send(now, {next_order_[rop]++, quad.state, quad.origin, true});
      quads_in.take(now);
      progress = true;
      continue;
    }
    Gathered& gathered = gathered_[fragments_->group_of(quad.x, quad.y)];
    if (gathered.open() && !fits(gathered, quad)) {
      if (is_full(gathered) && goes_on(gathered, quad)) leave_sub_tile(gathered);
      gathered.closed = progress = true;
    }
    if (gathered.closed) break;
    join(now, gathered);
    progress = true;
    if (gathered.closed) give_fragments(now);
  }
  return close_old(now, lacks_quads) | progress;
}

// A ROP whose reorder buffer has no room for what comes next; a draw end goes to all.
int WorkDistributor::full_rop(Cycle now, const messages::QuadMessage& quad) const {
  if (!quad.draw_end) { return entries_out[quad.rop].ready(now) ? kNone : quad.rop; }
  for (size_t rop = 0; rop < entries_out.size(); rop++)
    if (!entries_out[rop].ready(now)) return static_cast<int>(rop);
  return kNone;
}

const messages::SetUpPrimitive* WorkDistributor::primitive_of(const messages::QuadMessage& quad) {
  return quad.primitive ? &*quad.primitive : nullptr;
}

// True if a group that is not full may take this quad, too.
bool WorkDistributor::fits(const Gathered& gathered, const messages::QuadMessage& quad) const {
  if (gathered.group.state != quad.state || is_full(gathered)) return false;
  return !spec_.group_primitives || gathered.primitives < spec_.group_primitives ||
         gathered.last == primitive_of(quad);
}

// True if the quad and the last one of the group belong to one sub-tile of a primitive.
bool WorkDistributor::goes_on(const Gathered& gathered, const messages::QuadMessage& quad) {
  const messages::GroupQuads& quads = *gathered.group.quads;
  const messages::QuadMessage& last = quads.quad[quads.count - 1].quad;
  return last.y >> 2 == quad.y >> 2 && last.x >> 3 == quad.x >> 3 && primitive_of(last) == primitive_of(quad);
}

// True if the last sub-tile of the group began behind others, is to be kept whole, and lacks quads.
bool WorkDistributor::may_go_on(const Gathered& gathered) const {
  const messages::GroupQuads& quads = *gathered.group.quads;
  return spec_.whole_sub_tiles && gathered.sub_tile && quads.quad[quads.count - 1].quad.full_sub_tile &&
         quads.count - gathered.sub_tile < func::kTileQuads / 2;
}

// Takes the last sub-tile out of the group, for the next one.
void WorkDistributor::leave_sub_tile(Gathered& gathered) {
  messages::GroupQuads& from = *gathered.group.quads;
  gathered.rest = pools_.group_quads.allocate();
  messages::GroupQuads& to = *gathered.rest;
  for (uint32_t i = gathered.sub_tile; i < from.count; i++) {
    to.order[to.count] = from.order[i];
    to.quad[to.count++] = std::move(from.quad[i]);
  }
  from.count = gathered.sub_tile;
}

// Begins the group behind one that has left with what that has left.
void WorkDistributor::begin_next(Cycle now, Gathered& gathered) {
  auto rest = std::move(gathered.rest);
  gathered = {};
  if (!rest) return;
  const messages::QuadMessage& first = rest->quad[0].quad;
  gathered.group.state = first.state;
  gathered.group.origin = first.origin;
  gathered.begun = gathered.grown = now;
  gathered.primitives = 1;
  gathered.last = primitive_of(first);
  gathered.group.quads = std::move(rest);
}

// The quad at the input joins a group and gets its place in the order of its ROP.
void WorkDistributor::join(Cycle now, Gathered& gathered) {
  const messages::QuadMessage& quad = quads_in.peek(now)->quad;
  const unsigned rop = quad.rop;
  const messages::SetUpPrimitive* primitive = primitive_of(quad);
  if (std::exchange(last_primitive_[rop], primitive) != primitive) primitives_[rop]++;
  messages::Origin origin = quad.origin;
  origin.primitive = primitives_[rop];
  entries_out[rop].send(now, {next_order_[rop], quad.state, origin, false});
  messages::FragmentGroup& group = gathered.group;
  if (!group.quads) {
    group.quads = pools_.group_quads.allocate();
    gathered.begun = now;
  }
  group.state = quad.state;
  group.origin = quad.origin;
  messages::GroupQuads& quads = *group.quads;
  if (spec_.whole_sub_tiles && quads.count && !goes_on(gathered, quad)) gathered.sub_tile = quads.count;
  gathered.primitives += !quads.count || gathered.last != primitive;
  gathered.last = primitive;
  quads.order[quads.count] = next_order_[rop]++;
  quads.quad[quads.count++] = quads_in.take(now);
  gathered.grown = now;
  gathered.closed = is_full(gathered) && !may_go_on(gathered);
}

bool WorkDistributor::close_all() {
  bool progress = false;
  for (Gathered& gathered : gathered_)
    if (gathered.open()) gathered.closed = progress = true;
  return progress;
}

// Closes groups to which no quad has come for as long as one waits, but not the one that the next quad joins.
bool WorkDistributor::close_old(Cycle now, bool lacks_quads) {
  const messages::InterpolatedQuad* next = quads_in.peek(now);
  // The cycle's quads are taken: whether more come is seen in the next, and a draw end closes all groups.
  if (next ? next->quad.draw_end : !lacks_quads) return false;
  const Gathered* grows = next ? &gathered_[fragments_->group_of(next->quad.x, next->quad.y)] : nullptr;
  bool progress = false;
  for (Gathered& gathered : gathered_)
    if (&gathered != grows && gathered.open() && now >= gathered.grown + spec_.gather_cycles &&
        may_close(now, gathered))
      gathered.closed = progress = true;
  return progress;
}

// True if a group need not wait for a unit of its cluster to run short of work.
bool WorkDistributor::may_close(Cycle now, const Gathered& gathered) const {
  if (spec_.closing == GroupClosing::kTime || is_full(gathered)) return true;
  const auto resting = [&](const engine::Storage& cluster) {
    return cluster.places() - cluster.free(now) < cluster_units_;
  };
  const std::deque<engine::Storage>& clusters = fragments_under_way;
  if (gathered_.size() == clusters.size())
    return resting(clusters[static_cast<size_t>(&gathered - gathered_.data())]);
  return std::any_of(clusters.begin(), clusters.end(), resting);
}

Distribution::Group WorkDistributor::told(Cycle now, const Gathered& gathered) const {
  const messages::QuadMessage& first = gathered.group.quads->quad[0].quad;
  return {.gathered = static_cast<unsigned>(&gathered - gathered_.data()),
          .x = first.x,
          .y = first.y,
          .draw = gathered.group.origin.draw,
          .program = gathered.group.state->fragment().program.get(),
          .age = now - gathered.begun};
}

Distribution::Group WorkDistributor::told(Cycle now, const messages::VertexGroup& group) const {
  return {.draw = group.origin.draw,
          .program = group.state->stage[group.stage].program.get(),
          .age = now - next_since_};
}

bool WorkDistributor::give_fragments(Cycle now) {
  bool progress = false;
  const RoomOfTakers<messages::FragmentGroup> room{now, fragments_->counts_under_way(), fragments_out,
                                                   fragments_under_way};
  for (Gathered& gathered : gathered_) {
    if (!gathered.closed) continue;
    const Distribution::Group group = told(now, gathered);
    const int cluster = fragments_->choose(group, room);
    if (cluster == Distribution::kNobody) continue;
    const auto taker = static_cast<unsigned>(cluster);
    counters.fragment_groups++;
    counters.fragment_quads += gathered.group.quads->count;
    if (!fragments_under_way.empty()) gathered.group.quads->place = fragments_under_way[taker].take(now);
    fragments_out[taker].send(now, std::move(gathered.group));
    fragments_->given(group, taker);
    begin_next(now, gathered);
    progress = true;
  }
  return progress;
}

std::string WorkDistributor::why_busy() const {
  uint32_t quads = 0;
  for (const Gathered& gathered : gathered_) {
    if (gathered.group.quads) quads += gathered.group.quads->count;
    if (gathered.rest) quads += gathered.rest->count;
  }
  return quads ? fmt::format("{} quads in groups", quads) : "";
}

const engine::Port* WorkDistributor::source_of(const engine::Port& out) const {
  const auto is_out = [&](const auto& port) { return &port == &out; };
  if (std::any_of(vertices_out.begin(), vertices_out.end(), is_out)) return nullptr;
  const bool gathers = std::any_of(gathered_.begin(), gathered_.end(),
                                   [](const Gathered& gathered) { return gathered.group.quads; });
  return gathers ? nullptr : &quads_in;
}

}  // namespace cutaway::boxes
