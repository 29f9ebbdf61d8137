#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/tessellation/memory_slots.h"
#include "engine/box.h"
#include "engine/storage.h"
#include "engine/wire.h"
#include "func/geometry/tessellator.h"
#include "parts/commit_queue.h"
#include "parts/gathered_group.h"
#include "parts/group_order.h"
#include "parts/messages.h"
#include "parts/post_shading_cache.h"

namespace cutaway::boxes {

struct TessellationSpec {
  unsigned groups = 8;
  unsigned patch_memory = 64;
  unsigned gather_cycles = 32;
  unsigned patch_cycles = 8;
  unsigned points_per_cycle = 3;
  unsigned post_cache = 128;
  unsigned slots = 255;
  unsigned memory_slots = 0;
  unsigned read_back = 16;
  unsigned queue = 256;
  unsigned vertices = 1024;

  template <class V>
  static void fields(V&& v) {
    using S = TessellationSpec;
    v("groups", &S::groups, "groups", 1u, 256u,
      "of patches whose control programs are under way or waited for, in order");
    v("patch_memory", &S::patch_memory, "KB", arch::kPatchBytes / 1024, 4096u,
      "memory of patches, from their control program until their last point is shaded, 1 KB or more each");
    v("gather_cycles", &S::gather_cycles, "cycles", 1u, 1024u,
      "that a group of patches which is not full waits for another patch");
    v("patch_cycles", &S::patch_cycles, "cycles", 1u, 256u,
      "from the factors of a patch to the first point of its domain");
    v("points_per_cycle", &S::points_per_cycle, "points", 1u, 16u,
      "of the primitives into which a patch is divided, looked up in the post-shading cache");
    v("post_cache", &S::post_cache, "points", 1u, 254u,
      "post-shading cache: points of a domain that a primitive can find again; the oldest goes first");
    v("slots", &S::slots, "points", 8u, 255u, "post-shading memory: points in the cache or under way");
    v("memory_slots", &S::memory_slots, "points", 0u, 4096u,
      "that lie in memory instead when none of these slots is free, of 640 bytes each; 0: a walk waits for a "
      "slot");
    v("read_back", &S::read_back, "points", 1u, 64u,
      "places on the chip for points that lie in memory, each until another point is read into it");
    v("queue", &S::queue, "points", 1u, 4096u, "in order between the tessellator and their primitives");
    v("vertices", &S::vertices, "vertices", 3u, 65536u,
      "storage of shaded points that are sent on, each until the last of its primitives is done");
  }
};

struct TessellationCounters {
  uint64_t patches = 0, passed = 0, patches_culled = 0, control_groups = 0, points = 0, post_cache_hits = 0,
           points_shaded = 0, points_spilled = 0, points_read_back = 0, evaluation_groups = 0, primitives = 0,
           memory_stalls = 0;

  template <class V>
  static void fields(V&& v) {
    using C = TessellationCounters;
    v("patches", &C::patches, "patches", "taken");
    v("passed", &C::passed, "primitives", "of draws without tessellation, sent on as they came");
    v("patches_culled", &C::patches_culled, "patches", "of those: culled by their factors");
    v("control_groups", &C::control_groups, "groups", "of control programs sent to be shaded");
    v("points", &C::points, "points", "of primitives that the tessellator has made");
    v("post_cache_hits", &C::post_cache_hits, "points", "of those: found shaded or under way");
    v("points_shaded", &C::points_shaded, "points", "of those: sent to be shaded");
    v("points_spilled", &C::points_spilled, "points", "of those: for which there was a slot in memory only");
    v("points_read_back", &C::points_read_back, "points", "from there, each time that one was");
    v("evaluation_groups", &C::evaluation_groups, "groups", "in which they were sent");
    v("primitives", &C::primitives, "primitives", "sent on");
    v("memory_stalls", &C::memory_stalls, "patches", "that had to wait for memory");
  }
};

// Patches to primitives (DX-11), between primitive assembly and what follows, of three parts, each in the
// order of the API: groups of patches go to their control programs (hull shading); the tessellator takes the
// factors that these leave and walks the primitives of the domain, whose points go in groups to the
// evaluation programs (domain shading) unless the post-shading cache has them; and a commit queue puts the
// shaded points together to primitives, a point a cycle. What is sent to be shaded has memory or a slot for
// its results. A machine may have slots in memory beside those of the box, for points that find none of
// these. Draws without tessellation pass.
class Tessellation final : public engine::Box {
 public:
  // front_end: which it belongs to; shaders: units that run its programs, in groups of group_lanes;
  // own_memory: where its slots in memory begin.
  Tessellation(std::string path, const TessellationSpec& spec, unsigned front_end, unsigned shaders,
               unsigned group_lanes, parts::Pools& pools, arch::Address own_memory = 0);

  engine::In<parts::PrimitiveMessage> primitives_in;
  engine::Out<parts::VertexGroup> patch_groups_out, point_groups_out;  // to the work distributor
  std::vector<engine::In<parts::EmittedPrimitives>> patches_in;        // by shader unit
  std::vector<engine::In<parts::ShadedVertices>> points_in;            // by shader unit
  engine::Out<parts::PrimitiveMessage> primitives_out;
  engine::Out<parts::DrawAssembled> assembled_out;
  engine::Out<parts::MemoryRequest> memory_out;  // of a machine with slots in memory, as the next
  engine::In<parts::MemoryReply> memory_in;
  engine::Storage memory;   // of patches, by KB
  engine::Storage storage;  // of vertices that are sent on

  TessellationCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  using Entry = parts::GroupOrder::Entry;  // counts patches

  // control.cpp
  bool gather(engine::Cycle now);
  bool take(engine::Cycle now, const parts::PrimitiveMessage& message);
  bool add_patch(engine::Cycle now, const parts::PrimitiveMessage& message);
  uint32_t most_patches(const parts::DrawState& state) const;
  bool send_control(engine::Cycle now);
  bool take_patches(engine::Cycle now);
  // tessellator.cpp
  bool walk(engine::Cycle now);
  bool begin_patch(engine::Cycle now, Entry& entry);
  bool step(engine::Cycle now);
  bool enter(uint32_t point);
  void spill(parts::SlotIndex slot);
  void add_point(parts::SlotIndex slot, uint32_t point);
  bool points_close() const;
  bool send_points(engine::Cycle now);
  // tessellation.cpp
  bool ready() const;
  bool read_back(engine::Cycle now);
  bool send(engine::Cycle now);
  void send_end(engine::Cycle now, const parts::DrawState* state, const parts::Origin& origin, bool draw_end);
  // Nothing is on its way through its parts.
  bool empty() const { return order_.empty() && !patch_ && commit_.empty(); }
  void send_primitive(engine::Cycle now, const parts::VertexMessage& last);
  engine::Cycle account(engine::Cycle now, bool progress);

  TessellationSpec spec_;
  unsigned front_end_, group_lanes_;
  uint32_t width_;  // of a group's registers
  parts::Pools& pools_;

  // Control programs.
  parts::GatheredGroup control_;
  uint32_t patches_ = 0;  // in it
  bool lacked_ = false;   // memory, in the last cycle
  parts::GroupOrder order_;

  // The tessellator: the patch whose domain is walked, of the group at the front.
  parts::PoolRef<parts::Patch> patch_;
  uint32_t next_patch_ = 0;  // of the group
  uint32_t number_ = 0;      // of the patch, among all of the box
  uint32_t next_point_ = 0;  // of the primitives
  engine::Cycle walks_ = 0;  // from then on
  func::Tessellation domain_;
  bool triangles_ = false;
  const parts::DrawState* state_ = nullptr;  // of the patch
  parts::Origin origin_;
  parts::PostShadingCache post_cache_;  // holds its slots in commit_
  parts::VertexGroup points_;           // that is being filled

  // Primitives.
  parts::CommitQueue commit_;
  MemorySlots memory_slots_;
  std::array<parts::VertexRef, 3> corner_;
  uint32_t corners_ = 0;  // that are there
  uint32_t strip_ = 0;
  engine::Cycle next_vertex_ = 0;  // the wire is free for another
  parts::DrawAssembled assembled_;
};

}  // namespace cutaway::boxes
