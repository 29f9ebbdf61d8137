// Shapes of shader units, and of how they get their groups.
#include "shape_lists.h"

namespace cutaway::records {

std::vector<Shape> shared_units() {
  return {
      // Texture units that are shared, by two and by three.
      {"pairs", {"shader.units=4", "shader.units_per_texture=2"}, kDense},
      {"triple",
       {"shader.units=3", "shader.units_per_texture=3", "texture.queue=4"},
       {"anisotropic-textures"}},
      // A multiplier before a unit that does everything, constructs of two passes, and an END that is free.
      {"mul-and-mad",
       {"shader.issue=mul-and-mad", "shader.flow_passes=2", "shader.free_end=true"},
       {"many-triangles", "anisotropic-textures", "indexed-mesh", "discards", "scratch_memory", "calls"}},
      // Four pixels of a target of 8 bits a channel take two cycles.
      {"wide-pixels",
       {"color_write.bytes_per_cycle=8"},
       {"many-triangles", "several-targets", "multisampled-4"}},
  };
}

std::vector<Shape> groups_and_registers() {
  return {
      // Groups that branch together, as many as come in before the first has branched.
      {"branch-batches",
       {"shader.group_lanes=16", "shader.threads=256", "shader.input_threads=32", "shader.branch_groups=8"},
       {"many-triangles", "anisotropic-textures", "discards", "multisampled-4", "calls"}},
      // Temporaries of halves that take half of a register, of which there are few; and that take one each.
      {"half-registers",
       {"shader.half_registers=true", "shader.registers_per_thread=2", "shader.issue=mul-and-mad"},
       {"halves"}},
      {"whole-registers", {"shader.registers_per_thread=2", "shader.issue=scalar"}, {"halves"}},
      // Temporaries that are read through few ports, by one instruction and by several.
      {"register-ports",
       {"shader.register_reads=1", "shader.issue=mul-and-mad", "shader.half_registers=true"},
       {"halves", "discards", "indexed-mesh", "several-targets"}},
      {"register-ports-of-ways",
       {"shader.register_reads=2", "shader.ways=4", "shader.group_lanes=16", "shader.threads=256"},
       {"many-triangles", "instances", "palette", "scratch_memory"}},
      // Groups of vertices of half the size of others, and of less than execute at once beside primitives.
      {"vertex-groups",
       {"shader.group_lanes=32", "shader.simd_lanes=8", "shader.vertex_lanes=16", "shader.threads=160",
        "shader.input_threads=64", "shader.units=3", "shader.mhz=1200"},
       {"many-triangles", "indexed-mesh", "instances", "vertices-alone", "discards"}},
      {"vertex-pairs",
       {"shader.stages=vertex,geometry,fragment", "shader.group_lanes=16", "shader.simd_lanes=8",
        "shader.vertex_lanes=2", "shader.threads=64", "shader.input_threads=16", "shader.issue=scalar"},
       {"indexed-mesh", "many-small-draws", "geometry-pass", "geometry-many-draws"}},
  };
}

std::vector<Shape> schedulers() {
  return {
      // Two vertices a cycle in groups of one, and three quads whose depth is tested.
      {"two-vertices",
       {"streamer.vertices_per_cycle=2", "work_distributor.vertex_groups_per_cycle=2",
        "z_stencil.quads_per_cycle=3", "shader.units=6"},
       {"many-triangles", "indexed-mesh", "instances", "hidden-layers", "vertices-alone", "multisampled-4"}},
      // Groups of other sizes, on fewer lanes than they have, and other ways to choose who issues.
      {"oldest-group",
       {"shader.scheduler=oldest"},
       {"many-triangles", "anisotropic-textures", "indexed-mesh", "discards"}},
      {"vertices-first",
       {"shader.scheduler=vertices-first"},
       {"many-triangles", "anisotropic-textures", "indexed-mesh", "discards"}},
      {"scalar-issue",
       {"shader.group_lanes=32", "shader.simd_lanes=8", "shader.issue=scalar", "shader.threads=768",
        "shader.input_threads=64", "shader.scheduler=greedy-oldest"},
       {"many-triangles", "anisotropic-textures", "indexed-mesh", "discards", "scratch_memory"}},
  };
}

std::vector<Shape> clusters() {
  return {
      {"groups-of-64",
       {"shader.group_lanes=64", "shader.simd_lanes=16", "shader.threads=640", "shader.input_threads=128",
        "work_distributor.gather_cycles=20"},
       {"many-triangles", "anisotropic-textures", "indexed-mesh", "discards", "multisampled-4"}},
      // Shader units that take fragments from one queue.
      {"clusters",
       {"shader.units=6", "shader.units_per_cluster=3", "shader.group_lanes=8", "shader.simd_lanes=8",
        "group_fifo.groups=2"},
       kDense},
      {"fifo-quads",
       {"shader.units=6", "shader.units_per_cluster=3", "shader.group_lanes=8", "shader.simd_lanes=8",
        "group_fifo.groups=2", "group_fifo.quads=5"},
       {"many-triangles", "discards", "several-targets"}},
      // Two classes of shader units, with groups of different width and clocks of their own.
      {"vertex-units", {}, kDense, "vertex_units.toml"},
      // Vertices each with a program counter of its own.
      {"single-vertices",
       {"vertex_shader.group_lanes=1", "vertex_shader.simd_lanes=1", "vertex_shader.threads=3",
        "vertex_shader.input_threads=4", "vertex_shader.flow_latency=2"},
       {"indexed-mesh", "vertices-alone", "instances", "several-targets", "scratch_memory"},
       "vertex_units.toml"},
  };
}

std::vector<Shape> distributions() {
  return {
      // Other ways to give out groups.
      {"batches",
       {"shader.units=3", "work_distributor.fragments=turns", "work_distributor.batch=4",
        "work_distributor.vertices=least-loaded"},
       {"many-triangles", "anisotropic-textures", "indexed-mesh", "vertices-alone"}},
      {"least-loaded",
       {"shader.units=4", "shader.units_per_cluster=2", "work_distributor.fragments=least-loaded"},
       {"many-triangles", "anisotropic-textures", "discards"}},
      {"tile-batches",
       {"shader.units=4", "shader.group_lanes=8", "work_distributor.fragments=tile-batches",
        "work_distributor.batch=6", "work_distributor.tile=8"},
       {"many-triangles", "anisotropic-textures", "discards"}},
      {"tile-map",
       {"shader.units=12", "shader.units_per_cluster=2", "shader.units_per_texture=2",
        "shader.group_lanes=32", "shader.simd_lanes=32", "shader.threads=768", "shader.input_threads=64",
        "work_distributor.fragments=tile-map", "work_distributor.tile=16", "work_distributor.map=0,2,4,1,5,3",
        "work_distributor.gather_cycles=16", "group_fifo.groups=2"},
       kDense},
      // Groups as G80 makes and keeps them.
      {"sub-tiles",
       {"shader.units=12", "shader.units_per_cluster=2", "shader.units_per_texture=2",
        "shader.group_lanes=32", "shader.simd_lanes=32", "shader.threads=768", "shader.input_threads=64",
        "shader.fragment_groups=1", "interpolator.order=rasterised", "interpolator.queue=16",
        "work_distributor.fragments=tile-map", "work_distributor.tile=16", "work_distributor.map=0,2,4,1,5,3",
        "work_distributor.gather_cycles=16", "work_distributor.group_primitives=4", "group_fifo.groups=8",
        "group_fifo.batch=2"},
       kDense},
  };
}

std::vector<Shape> pulls_and_loads() {
  return {
      // Interpolants that programs ask for; by warps, with little room, at clocks of their own.
      {"pulls", {"interpolator.pulls=2"}, kPulls},
      {"pulls-tight",
       {"interpolator.pulls=1", "interpolator.pull_depth=2", "interpolator.base_latency=4",
        "interpolator.depth=4", "rop.units=1", "shader.units=3", "shader.mhz=1200", "gpu.core_mhz=500",
        "shader.group_lanes=32", "shader.simd_lanes=8", "shader.threads=256", "shader.input_threads=64",
        "shader.issue=scalar"},
       kPulls},
      // Groups that go on while loads are under way, and interpolants that take time in either unit.
      {"loads-under-way",
       {"shader.loads_under_way=4", "shader.interpolation_passes=2", "shader.group_lanes=16",
        "shader.threads=256", "shader.input_threads=32"},
       {"many-triangles", "anisotropic-textures", "indexed-mesh", "discards", "calls"}},
      {"pulls-under-way",
       {"interpolator.pulls=2", "interpolator.vectors_per_cycle=1", "shader.loads_under_way=2"},
       kPulls},
      {"storage-under-way",
       {"shader.stages=vertex,fragment,compute", "shader.stores=vertex,fragment,compute",
        "shader.threads=1024", "shader.shared_bytes=1536", "storage_cache.slices=2",
        "storage_cache.atomics_per_cycle=4", "shader.l1_lines=32", "shader.loads_under_way=8"},
       kCompute},
      // 64-bit floats; of warps, a component after the other, and beside other instructions.
      {"doubles",
       {"shader.stages=vertex,fragment,compute", "shader.stores=vertex,fragment,compute",
        "shader.threads=1024", "storage_cache.slices=2", "shader.double_passes=3", "shader.ways=4"},
       kDoubles},
      {"doubles-of-warps",
       {"shader.stages=vertex,fragment,compute", "shader.stores=vertex,fragment,compute",
        "storage_cache.slices=2", "shader.double_passes=2", "shader.group_lanes=32", "shader.simd_lanes=8",
        "shader.threads=256", "shader.input_threads=64", "shader.issue=scalar", "shader.mhz=1200"},
       kDoubles},
  };
}

}  // namespace cutaway::records
