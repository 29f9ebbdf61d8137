// Shapes of memory, pages and buses.
#include "shape_lists.h"

namespace cutaway::records {

std::vector<Shape> pages_and_buses() {
  return {
      // Pages of 4 KB, of which two levels of TLBs hold a few, and walks one after the other.
      {"small-pages",
       {"translation.pages=4KB", "translation.entries=4", "translation.ways=4", "translation.l2_entries=8",
        "translation.l2_ways=4", "translation.walks=1"},
       {"many-triangles", "anisotropic-textures", "cleared-depth", "copies", "multisampled-4",
        "many-small-draws", "system-memory"}},
      // Pages of 64 KB, and memory that lies in partitions.
      {"large-pages",
       {"translation.pages=64KB", "translation.entries=2", "translation.ways=1",
        "translation.replacement=fifo", "translation.latency=4", "translation.l2_latency=20",
        "rop.channels_each=2", "memory.crossbar_latency=8"},
       {"many-triangles", "anisotropic-textures", "several-targets"}},
      // A bus of shared wires that brings the host's writes and doorbells.
      {"bus",
       {"bus.bytes_per_cycle=4", "bus.mhz=528", "bus.shared=true"},
       {"many-triangles", "many-small-draws", "system-memory"}},
      // A chip whose whole memory lies behind a bus, of two directions and few requests.
      {"system-memory",
       {"bus.bytes_per_cycle=16", "bus.mhz=250", "bus.shared=false", "bus.header=16", "bus.payload=64",
        "bus.requests=8", "bus.memory=all"},
       {"many-triangles", "anisotropic-textures", "cleared-depth", "copies", "multisampled-4",
        "many-small-draws"}},
  };
}

std::vector<Shape> channels() {
  return {
      {"slow-memory",
       {"memory.channels=2", "memory.bytes_per_cycle=4", "memory.latency=300", "memory.queue=2",
        "memory.read_to_write=20", "memory.write_to_read=30", "hierarchical_z.enabled=false"},
       kDense},
      // ROP partitions with two channels each, whose tiles lie in them where surfaces are as wide as two, and
      // a slow crossbar for all others.
      {"partitions",
       {"rop.units=2", "rop.channels_each=2", "rop.map=0,0,1", "memory.channels=4", "memory.interleave=512",
        "memory.crossbar_latency=7", "memory.queue=3"},
       kDense},
      {"three-partitions",
       {"rop.units=3", "rop.channels_each=1", "memory.channels=3", "memory.crossbar_latency=31",
        "memory.queue=1", "memory.bytes_per_cycle=4", "memory.scheduler=oldest"},
       {"many-triangles", "hidden-layers", "discards", "several-targets", "multisampled-4"}},
      // Primitives keep their order, and of each the quads leave as they have been shaded.
      {"primitives-in-order",
       {"reorder_buffer.order=primitives", "shader.units=4", "reorder_buffer.quads_per_cycle=2",
        "reorder_buffer.entries=300"},
       kDense},
      // Equal samples are written once; little is kept of them, few caches of lines that hold several
      // samples.
      {"samples-once",
       {"color_write.compression=true", "memory.expanded_blocks=1", "color_write.cache_lines=16",
        "memory.channels=3"},
       {"cleared-samples", "cleared-targets", "multisampled-4", "multisampled-8"}},
      {"samples-in-lines",
       {"color_write.compression=true", "color_write.line_bytes=512", "rop.units=1", "memory.interleave=512",
        "memory.bytes_per_cycle=4", "memory.scheduler=oldest"},
       {"cleared-samples"}},
      // First come, first served, before a bus that takes its time to turn around.
      {"oldest-first",
       {"memory.scheduler=oldest", "memory.channels=2", "memory.read_to_write=9", "memory.write_to_read=13"},
       kDense},
      // Rows before the oldest, few places for replies, refreshes all the time; and a bus that turns at once.
      {"open-rows",
       {"memory.dram=banked", "memory.scheduler=fr-fcfs", "memory.starvation_cap=3", "memory.channels=2",
        "memory.replies=9", "memory.bank_hash=true", "memory.t_refi=300", "memory.t_rcd=9",
        "memory.t_ras=30"},
       kDense},
      // Considers the first six transactions of each client, not only the front.
      {"chosen-rows",
       {"memory.dram=banked", "memory.scheduler=fr-fcfs", "memory.window=6", "memory.channels=2",
        "memory.banks=4", "memory.row_bytes=512", "color_write.compression=true"},
       {"many-triangles", "anisotropic-textures", "cleared-depth", "cleared-samples", "copies",
        "multisampled-4"}},
      {"rows-in-turn",
       {"memory.dram=banked", "memory.scheduler=oldest", "memory.order=row-column-bank", "memory.banks=4",
        "memory.row_bytes=512", "memory.t_refi=0", "memory.t_ras=40", "memory.t_wr=20", "memory.t_rrd=16",
        "memory.bytes_per_cycle=64", "memory.queue=2"},
       {"many-triangles", "hidden-layers", "discards", "several-targets", "multisampled-4"}},
      // Memory that moves halves of sectors; before two levels of texture caches, and rows.
      {"half-sectors",
       {"memory.access_bytes=32", "texture.fetch_bytes=32", "texture.load_bytes=32", "texture.line_bytes=128",
        "color_write.compression=true"},
       {"many-triangles", "anisotropic-textures", "blending", "cleared-depth", "cleared-samples", "copies",
        "multisampled-4", "indexed-mesh"}},
      {"half-sectors-in-slices",
       {"memory.access_bytes=32", "texture.fetch_bytes=32", "texture.load_bytes=32", "memory.dram=banked",
        "memory.scheduler=fr-fcfs", "memory.bytes_per_cycle=24", "texture.line_bytes=512",
        "texture.cache_lines=16", "texture_cache.slices=2", "texture_cache.line_bytes=64",
        "texture_cache.cache_lines=32"},
       {"many-triangles", "anisotropic-textures", "copies-of-aspects"}},
  };
}

std::vector<Shape> slow_memory_clocks() {
  return {
      {"slow-memory-clock", {"gpu.core_mhz=571", "shader.mhz=571", "gpu.memory_mhz=199"}, kDense},
  };
}

}  // namespace cutaway::records
