// Shapes of front ends, rasterisers, ROPs and their caches.
#include <fmt/format.h>
#include <list>
#include <string>

#include "shape_lists.h"

namespace cutaway::records {

namespace {

// Caches of few lines, which all give up lines by one policy, and scenes that fill them.
Shape replacing(const char* policy) {
  static std::list<std::string> texts;
  Shape shape = {policy,
                 {"shader.stages=vertex,fragment,compute", "shader.stores=vertex,fragment,compute",
                  "streamer.cache_lines=8", "z_stencil.cache_lines=8", "color_write.cache_lines=8",
                  "texture.cache_lines=8", "texture.line_bytes=64", "texture_cache.slices=1",
                  "texture_cache.cache_lines=16", "storage_cache.slices=1", "storage_cache.cache_lines=8",
                  "storage_cache.cache_ways=4", "shader.l1_lines=4"},
                 {"anisotropic-textures", "several-targets", "indexed-mesh", "scattered-stores"}};
  for (const char* cache :
       {"streamer.cache_replacement", "z_stencil.cache_replacement", "color_write.cache_replacement",
        "texture.cache_replacement", "texture_cache.cache_replacement", "storage_cache.cache_replacement",
        "shader.l1_replacement"})
    shape.sets.push_back(texts.emplace_back(fmt::format("{}={}", cache, policy)).c_str());
  return shape;
}

}  // namespace

std::vector<Shape> rasters_and_caches() {
  return {
      // Two rasterisers, whose tiles are not those of the ROPs.
      {"rasters",
       {"fragment_generation.units=2", "fragment_generation.tile=16", "rop.units=4", "rop.map=0,2,1,3",
        "memory.channels=8"},
       kDense},
      // G80's map of tiles and its walk over the screen, for rasterisers and for ROPs; queues that fill.
      {"tile-rows",
       {"fragment_generation.units=6", "fragment_generation.tile=16", "fragment_generation.map=0,2,4,1,5,3",
        "fragment_generation.order=tile-rows", "fragment_generation.scan_rows=2", "rop.units=6",
        "rop.tile=16", "rop.map=0,2,4,1,5,3", "wires.fragment_generation_queue=1", "wires.z_queue=1",
        "memory.channels=6"},
       kDense},
      // Tiles that lie before what is stored.
      {"nearest-depths",
       {"hierarchical_z.accepts=true"},
       {"cleared-depth", "cleared-depth-samples", "cleared-float-depth", "depth-over-submissions",
        "depth-written-nearer", "depths-with-stencil", "discards", "hidden-layers"}},
      // Caches that wait for few lines at a time.
      {"few-misses",
       {"texture.cache_mshrs=2", "z_stencil.cache_mshrs=1", "color_write.cache_mshrs=1"},
       {"many-triangles", "anisotropic-textures", "blending", "multisampled-4"}},
      replacing("pseudo-lru"),
      replacing("fifo"),
      replacing("random"),
      replacing("rrip"),
      // Caches of few banks, and a vertex fetch cache that waits for few lines.
      {"banks",
       {"texture.cache_banks=2", "texture.steps_per_cycle=2", "streamer.cache_banks=2",
        "streamer.cache_mshrs=2"},
       {"many-triangles", "anisotropic-textures", "indexed-mesh", "instances"}},
      // Descent from blocks that are too small for most bounding boxes, in two rasterisers.
      {"recursive",
       {"fragment_generation.order=recursive", "fragment_generation.block=32",
        "fragment_generation.level_cycles=2", "fragment_generation.found_tiles=5",
        "triangle_setup.triangle_cycles=3", "fragment_generation.units=2", "fragment_generation.tile=16"},
       {"many-triangles", "hidden-layers", "multisampled-4", "line-modes", "several-targets"}},
      // ROPs that own large tiles, by a map that is no diagonal.
      {"rop-map",
       {"rop.units=4", "rop.tile=32", "rop.map=0,2,1", "memory.channels=8"},
       {"many-triangles", "hidden-layers", "discards", "multisampled-4"}},
  };
}

std::vector<Shape> front_ends() {
  return {
      // Storage of few primitives, whose places come back from several rasterisers, ROPs and clocks.
      {"few-primitives",
       {"triangle_setup.primitives=3", "fragment_generation.units=2", "rop.units=3", "shader.mhz=571"},
       {"many-triangles", "polygon-modes", "line-modes", "hidden-layers", "multisampled-4", "discards",
        "many-small-draws"}},
      {"one-primitive",
       {"triangle_setup.primitives=1"},
       {"many-triangles", "polygon-modes", "indexed-mesh", "depth-and-stencil"}},
      // Front ends that share out draws, in batches as small as may be; queues and storage that fill.
      {"two-front-ends", {"geometry.units=2", "geometry.batch=6"}, kDense},
      {"four-front-ends",
       {"geometry.units=4", "geometry.batch=2", "fragment_generation.units=3", "rop.units=3",
        "triangle_setup.primitives=2", "streamer.vertices=3", "wires.fragment_generation_queue=1",
        "wires.primitive_assembly_queue=1", "shader.mhz=571"},
       {"many-triangles", "indexed-mesh", "lines-and-points", "line-modes", "polygon-modes",
        "many-small-draws", "instances", "statistics", "discards", "hidden-layers"}},
      // The least number of shaded vertices behind the streamer, and slightly more.
      {"three-vertices",
       {"streamer.vertices=3"},
       {"many-triangles", "indexed-mesh", "lines-and-points", "line-modes", "many-small-draws"}},
      {"few-vertices",
       {"streamer.vertices=7", "fragment_generation.units=2", "shader.mhz=571"},
       {"many-triangles", "indexed-mesh", "polygon-modes", "discards", "instances"}},
  };
}

std::vector<Shape> depths_and_prefetches() {
  return {
      // The order of depth writes before and after shading.
      {"hierarchical-stencil", {"hierarchical_z.stencil=true"}, {"stencil-layers", "depth-orders-samples"}},
      // Entries of two depth buffers, for most of their rows, in two rasterisers.
      {"depth-buffers",
       {"hierarchical_z.surfaces=2", "hierarchical_z.entries=240", "hierarchical_z.stencil=true",
        "fragment_generation.units=2", "fragment_generation.tile=16"},
       {"depth-buffers-in-turn", "hidden-layers", "stencil-layers"}},
      {"depths-stay-late", {"z_stencil.write_order=stay_late"}, kDepths},
      {"depths-written-late", {"z_stencil.write_order=write_late"}, kDepths},
      {"depths-tracked", {"z_stencil.write_order=track"}, kDepths},
      {"depths-tracked-tight",
       {"z_stencil.write_order=track", "z_stencil.trackers=3", "rop.units=4", "shader.group_lanes=16",
        "shader.threads=256", "shader.input_threads=32", "reorder_buffer.order=primitives"},
       kDepths},
      // Colors and depths that are read while their quads are shaded, some of which find no room.
      {"prefetches",
       {"color_write.prefetches=12", "z_stencil.prefetches=3", "color_write.queue=8", "memory.latency=90"},
       {"blending", "several-targets", "discards", "depth-orders-samples", "many-small-draws"}},
  };
}

}  // namespace cutaway::records
