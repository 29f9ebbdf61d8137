#include "boxes/work_distributor/work_distributor.h"

namespace cutaway::boxes {

using engine::Cycle;

WorkDistributor::WorkDistributor(std::string path, const WorkDistributorSpec& spec, unsigned vertex_units,
                                 unsigned clusters, unsigned group_lanes, parts::Pools& pools)
    : Box(std::move(path)),
      vertices_out(vertex_units),
      fragments_out(clusters),
      spec_(spec),
      group_lanes_(group_lanes),
      pools_(pools) {}

Cycle WorkDistributor::tick(Cycle now) {
  bool progress = give_vertices(now);
  if (!(progress && spec_.vertices_first)) progress |= give_fragments(now);
  progress |= gather(now);
  if (progress) return busy(now);
  // An open group goes when it has waited long enough, whatever else waits.
  const Cycle goes = group_.quads && !closed_ ? grown_ + spec_.gather_cycles : engine::kAsleep;
  if (vertices_in.peek(now)) return blocked(now, vertices_out[vertex_turn_], goes);
  if (closed_) return blocked(now, fragments_out[fragment_turn_]);
  if (waits_for_ == 1) return blocked(now, entries_out);
  if (group_.quads) return starved(now, quads_in, goes);
  return idle(now);
}

bool WorkDistributor::give_vertices(Cycle now) {
  if (!vertices_in.peek(now)) return false;
  const unsigned shaders = static_cast<unsigned>(vertices_out.size());
  for (unsigned i = 0; i < shaders; i++) {
    const unsigned shader = (vertex_turn_ + i) % shaders;
    if (!vertices_out[shader].ready(now)) continue;
    vertices_out[shader].send(now, vertices_in.take(now));
    vertex_turn_ = (shader + 1) % shaders;
    counters.vertex_groups++;
    return true;
  }
  return false;
}

// A group holds quads of one state; a draw end, the lack of further quads for a while or a full reorder
// buffer, which may wait for this group, closes it.
bool WorkDistributor::gather(Cycle now) {
  waits_for_ = 0;
  bool progress = false;
  for (unsigned i = 0; i < spec_.quads_per_cycle; i++) {
    const parts::InterpolatedQuad* next = quads_in.peek(now);
    if (!next) {
      if (group_.quads && !closed_ && now >= grown_ + spec_.gather_cycles) closed_ = progress = true;
      break;
    }
    if (!entries_out.ready(now)) {
      waits_for_ = 1;
      if (group_.quads && !closed_) closed_ = progress = true;
      break;
    }
    const parts::QuadMessage& quad = next->quad;
    if (quad.draw_end) {
      if (group_.quads && !closed_) closed_ = progress = true;
      entries_out.send(now, {next_order_++, 0, 0, quad.state, quad.origin, true});
      quads_in.take(now);
      progress = true;
      continue;
    }
    if (closed_ || (group_.quads && group_.state != quad.state)) {
      if (!closed_) closed_ = progress = true;
      break;
    }
    entries_out.send(now, {next_order_, quad.x, quad.y, quad.state, quad.origin, false});
    if (!group_.quads) group_.quads = pools_.group_quads.allocate();
    group_.state = quad.state;
    group_.origin = quad.origin;
    parts::GroupQuads& quads = *group_.quads;
    quads.order[quads.count] = next_order_++;
    quads.quad[quads.count++] = quads_in.take(now);
    grown_ = now;
    if (quads.count * 4 == group_lanes_) closed_ = true;
    progress = true;
    if (closed_) progress |= give_fragments(now);
  }
  return progress;
}

bool WorkDistributor::give_fragments(Cycle now) {
  if (!closed_) return false;
  const unsigned shaders = static_cast<unsigned>(fragments_out.size());
  for (unsigned i = 0; i < shaders; i++) {
    const unsigned shader = (fragment_turn_ + i) % shaders;
    if (!fragments_out[shader].ready(now)) continue;
    counters.fragment_groups++;
    counters.fragment_quads += group_.quads->count;
    fragments_out[shader].send(now, std::move(group_));
    group_ = {};
    closed_ = false;
    fragment_turn_ = (shader + 1) % shaders;
    return true;
  }
  return false;
}

std::string WorkDistributor::why_busy() const {
  return group_.quads ? fmt::format("a group of {} quads", group_.quads->count) : "";
}

}  // namespace cutaway::boxes
