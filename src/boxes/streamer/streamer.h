#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "boxes/streamer/attribute_fetch.h"
#include "boxes/streamer/index_stage.h"
#include "engine/box.h"
#include "engine/storage.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/commit_queue.h"
#include "structures/post_shading_cache.h"

namespace cutaway::boxes {

enum class VertexReuse : uint8_t { kFifo, kBatches };
inline constexpr EnumName<VertexReuse> kVertexReuseNames[] = {{VertexReuse::kFifo, "fifo"},
                                                              {VertexReuse::kBatches, "batches"}};

struct StreamerSpec {
  unsigned queue = 512;
  unsigned post_cache = 16;
  VertexReuse reuse = VertexReuse::kFifo;
  unsigned slots = 252;
  unsigned vertices = 4096;
  bool overlaps_draws = true;
  unsigned vertices_per_cycle = 1;
  unsigned index_sectors = 16;
  unsigned attributes_per_cycle = 4;
  unsigned attribute_queue = 256;
  unsigned cache_lines = 64;
  unsigned line_bytes = 64;
  unsigned fill_bytes = 64;
  unsigned cache_mshrs = 64;
  unsigned cache_banks = 0;
  structures::ReplacementName cache_replacement = "lru";

  template <class V>
  static void fields(V&& v) {
    using S = StreamerSpec;
    v("queue", &S::queue, "vertices", 1u, 1024u,
      "vertices in order between their index and primitive assembly: numbers of slots, not their contents");
    v("post_cache", &S::post_cache, "vertices", 1u, 1024u,
      "post-shading cache (post-transform cache): vertices that an index can find again; `reuse` sets the "
      "replacement");
    v("reuse", &S::reuse, kVertexReuseNames,
      "replacement in the post-shading cache: fifo, a new vertex replaces the oldest; batches, everything "
      "is forgotten before a primitive of a list that may lack room, and the vertices since then are a "
      "batch that is shaded together");
    v("slots", &S::slots, "vertices", 8u, 4096u, "post-shading memory: vertices in the cache or under way");
    v("vertices", &S::vertices, "vertices", 3u, 65536u,
      "storage of shaded vertices that are sent on; each stays until the last of its primitives is done");
    v("overlaps_draws", &S::overlaps_draws, "",
      "vertices of a draw enter while some of the one before are still in order; false: once all of these "
      "have been sent on");
    v("vertices_per_cycle", &S::vertices_per_cycle, "vertices", 1u, 4u,
      "vertices, or marks between them, at each step per cycle: index, dispatch of groups, commit, assembly");
    v("index_sectors", &S::index_sectors, "sectors", 2u, 64u,
      "64-byte sectors of the index buffer read ahead");
    v("attributes_per_cycle", &S::attributes_per_cycle, "attributes", 1u, 16u,
      "attributes looked up and delivered per cycle");
    v("attribute_queue", &S::attribute_queue, "attributes", 1u, 1024u, "attributes waiting for memory");
    v("cache_lines", &S::cache_lines, "lines", 4u, 1024u, "vertex fetch cache: lines, 4-way");
    v("line_bytes", &S::line_bytes, "bytes", 64u, 512u,
      "bytes of a line, which is read whole; a multiple of 64");
    v("fill_bytes", &S::fill_bytes, "bytes", 4u, 64u,
      "bytes that the vertex fetch cache takes from memory per cycle; a divisor of 64");
    v("cache_mshrs", &S::cache_mshrs, "lines", 1u, 1024u, "MSHRs: lines that may wait for memory at a time");
    v("cache_banks", &S::cache_banks, "banks", 0u, structures::CacheBanks::kMost,
      "banks of sets; a bank looks up one line per cycle; 0: no conflicts between lines");
    v("cache_replacement", &S::cache_replacement, structures::kReplacementMeaning);
  }
};

struct StreamerCounters {
  uint64_t draws = 0, indices = 0, post_cache_hits = 0, vertices_shaded = 0;
  uint64_t driver_vertices_shaded = 0, cache_hits = 0, cache_merged = 0, cache_misses = 0, bank_conflicts = 0;

  template <class V>
  static void fields(V&& v) {
    using C = StreamerCounters;
    v("draws", &C::draws, "draws", "draws taken");
    v("indices", &C::indices, "indices", "vertices requested by draws");
    v("post_cache_hits", &C::post_cache_hits, "vertices",
      "vertices requested that were found shaded or under way", CounterRole::kVerticesReused);
    v("vertices_shaded", &C::vertices_shaded, "vertices", "vertices sent to be shaded",
      CounterRole::kVerticesShaded);
    v("driver_vertices_shaded", &C::driver_vertices_shaded, "vertices",
      "vertices sent to be shaded for the driver's own draws", CounterRole::kVerticesShaded,
      CountOf::kDriver);
    v("cache_hits", &C::cache_hits, "lines", "vertex fetch cache: lines found", CounterRole::kCacheHits);
    v("cache_merged", &C::cache_merged, "lines", "lines found that wait for a sector requested before");
    v("cache_misses", &C::cache_misses, "lines", "vertex fetch cache: lines requested",
      CounterRole::kCacheMisses);
    v("bank_conflicts", &C::bank_conflicts, "lines",
      "look-ups delayed by a cycle because their bank had been used in it");
  }
};

// Turns draws into shaded vertices in order. It consists of three parts: an index stage with the post-shading
// cache (ATT-7, DX-3), the fetch of attributes into groups for the shader units, and a commit queue, which
// sends one or more vertices per cycle to primitive assembly (ATT-3). A vertex is fetched only if it has a
// slot of post-shading memory, so that shading can never be blocked by later work.
//
// A vertex that is sent on has a place in the storage of vertices, which is returned once no primitive refers
// to the vertex and primitive assembly no longer remembers it. Primitive assembly remembers two vertices: the
// third completes a primitive, which needs no further vertex to be drawn completely.
class Streamer final : public engine::Box {
 public:
  // unit: the front end that it starts; shaders: units that run vertices, in groups of group_lanes, with
  // registers laid out for register_lanes.
  Streamer(std::string path, const StreamerSpec& spec, const structures::FrontEnds& front_ends, unsigned unit,
           unsigned shaders, unsigned group_lanes, unsigned register_lanes, messages::Pools& pools);

  engine::In<messages::DrawCommand> draws_in;
  engine::Out<messages::VertexGroup> groups_out;       // to the work distributor
  engine::Inputs<messages::ShadedVertices> shaded_in;  // by shader unit
  engine::Out<messages::VertexMessage> vertices_out;   // to primitive assembly
  engine::Out<messages::MemoryRequest> index_memory_out, memory_out;
  engine::In<messages::MemoryReply> index_memory_in, memory_in;
  engine::In<messages::Control> control_in;
  engine::Out<messages::ControlDone> control_out;
  engine::Storage storage;  // of vertices that are sent on

  StreamerCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  // The vertices from the shader units, if most vertices in order are shaded or wait for that; else nullptr.
  const engine::Port* short_of() const override;
  // Vertices of the draw can enter, one in each cycle or as many as the unit takes.
  bool has_backlog() const override {
    return index_.available() && !commit_.full() && commit_.has_free_slot();
  }
  std::string why_busy() const override;

 private:
  bool memory(engine::Cycle now);
  bool deliver_attributes(engine::Cycle now);
  bool step_index(engine::Cycle now);
  void begin_vertex_batch();
  void end_vertex();
  bool enter(const IndexedVertex& item);
  void forget_cache();
  bool group_closes() const;
  bool send_group(engine::Cycle now);
  engine::Cycle account(engine::Cycle now, bool progress);

  unsigned unit_;
  unsigned per_cycle_;  // vertices
  uint32_t attributes_per_cycle_;
  messages::Pools& pools_;
  IndexStage index_;
  structures::PostShadingCache post_cache_;  // its slots are held in commit_
  AttributeFetch attributes_;
  structures::CommitQueue commit_;
  VertexReuse reuse_;
  bool overlaps_draws_;
  engine::Cycle fill_cycles_;      // of a sector
  engine::Cycle fills_until_ = 0;  // the fill port of the cache is in use
  uint32_t in_primitive_ = 0;      // of a list: vertices of the current primitive that have entered
  uint32_t vertex_batch_ = 0;      // counts vertex batches
};

}  // namespace cutaway::boxes
