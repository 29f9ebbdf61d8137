#pragma once

#include <string>
#include <vector>

#include "boxes/tessellation/domain_walk.h"
#include "boxes/tessellation/memory_slots.h"
#include "boxes/tessellation/patch_groups.h"
#include "boxes/tessellation/point_assembly.h"
#include "boxes/tessellation/point_group.h"
#include "boxes/tessellation/tessellation_spec.h"
#include "engine/box.h"
#include "engine/storage.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/commit_queue.h"
#include "structures/post_shading_cache.h"

namespace cutaway::boxes {

// Turns patches into primitives (DX-11), between primitive assembly and the next stage, in the order of the
// API:
//
//   PatchGroups    gathers patches for their control programs (hull shading)
//   DomainWalk     divides a patch by its factors and walks the points of its primitives
//   PointGroup     gathers the points that the post-shading cache lacks for their evaluation programs
//   CommitQueue    keeps points in order until they are shaded; MemorySlots keeps those without a slot on
//   chip PointAssembly  puts shaded points together to primitives, one point a cycle
//
// Work goes to a shader unit only once its results have memory or a slot, so that shading never waits for
// what waits for it. Draws without tessellation pass through.
class Tessellation final : public engine::Box {
 public:
  // front_end: which it belongs to; shaders: units that run its programs, in groups of group_lanes;
  // own_memory: address of its slots in memory.
  Tessellation(std::string path, const TessellationSpec& spec, unsigned front_end, unsigned shaders,
               unsigned group_lanes, messages::Pools& pools, arch::Address own_memory = 0);

  engine::In<messages::PrimitiveMessage> primitives_in;
  engine::Out<messages::VertexGroup> patch_groups_out, point_groups_out;  // to the work distributor
  std::vector<engine::In<messages::EmittedPrimitives>> patches_in;        // by shader unit
  std::vector<engine::In<messages::ShadedVertices>> points_in;            // by shader unit
  engine::Out<messages::PrimitiveMessage> primitives_out;
  engine::Out<messages::DrawAssembled> assembled_out;
  engine::Out<messages::MemoryRequest> memory_out;  // only with slots in memory, as the next
  engine::In<messages::MemoryReply> memory_in;
  engine::Storage memory;   // KB of patches
  engine::Storage storage;  // vertices that are sent on

  TessellationCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  bool gather(engine::Cycle now);
  bool take(engine::Cycle now, const messages::PrimitiveMessage& message);
  bool take_end(engine::Cycle now, const messages::PrimitiveMessage& end);
  bool take_patch(engine::Cycle now, const messages::PrimitiveMessage& message);
  bool send_patches(engine::Cycle now);
  bool take_patches(engine::Cycle now);

  bool walk(engine::Cycle now);
  void pass_end();
  void begin_patch(engine::Cycle now);
  bool enter_points(engine::Cycle now);
  bool enter_point();
  bool send_points(engine::Cycle now);

  bool ready() const;
  bool read_back(engine::Cycle now);
  bool send(engine::Cycle now);
  void send_end(engine::Cycle now, const messages::DrawState* state, const messages::Origin& origin,
                bool draw_end);
  void send_primitive(engine::Cycle now);
  // Nothing is under way behind the group that is being gathered.
  bool empty() const { return patches_.empty() && !walk_.active() && commit_.empty(); }
  engine::Cycle account(engine::Cycle now, bool progress);

  TessellationSpec spec_;
  PatchGroups patches_;
  bool lacks_memory_ = false;  // for the next patch, when it was last looked at
  DomainWalk walk_;
  structures::PostShadingCache post_cache_;  // holds its slots in commit_
  PointGroup points_;
  structures::CommitQueue commit_;
  MemorySlots memory_slots_;
  PointAssembly assembly_;
  engine::Cycle next_vertex_ = 0;  // from when the wire to the next stage is free
  bool sends_ = false;             // in this cycle, from the order of groups
  messages::DrawAssembled assembled_;
};

}  // namespace cutaway::boxes
