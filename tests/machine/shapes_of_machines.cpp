// Shapes that differ from the preset throughout: hosts, sizes and clocks.
#include "shape_lists.h"

namespace cutaway::records {

std::vector<Shape> whole_machines() {
  return {
      {"attila", {}, {}},
      {"overlap",
       {"command_processor.submissions=4", "command_processor.watched_memory=64"},
       {"submissions-ahead", "queries", "depth-over-submissions", "depth-written-between", "copies", "calls",
        "several-targets", "many-small-draws", "statistics"}},
      {"state-renamed",
       {"command_processor.register_state=renaming", "command_processor.constant_state=renaming",
        "command_processor.descriptor_state=renaming", "command_processor.spare_state_blocks=2"},
       {"submissions-ahead", "many-small-draws"}},
      {"state-passed",
       {"command_processor.register_state=pass-through", "command_processor.constant_state=pass-through",
        "command_processor.descriptor_state=flush"},
       {"submissions-ahead", "many-small-draws"}},
      // A host in time, which is at most a frame ahead.
      {"host",
       {"host.cpu=2", "host.frames_in_flight=1", "command_processor.submissions=4",
        "command_processor.watched_memory=64"},
       {"host-steps", "submissions-ahead"}},
      // Behind a bus, and woken by interrupts.
      {"host-on-bus",
       {"host.cpu=2", "host.interrupt_us=0.5", "command_processor.submissions=4", "bus.bytes_per_cycle=16",
        "bus.mhz=250", "bus.shared=false", "bus.header=16", "bus.payload=64"},
       {"host-steps"}},
      // And with a screen whose retraces are 4,000 cycles apart.
      {"screen",
       {"host.cpu=2", "command_processor.submissions=4", "command_processor.presents=2",
        "dac.refresh_hz=100000", "dac.blanking=20"},
       {"host-steps", "submissions-ahead", "two-pictures"}},
      // And one that shows the latest of the pictures that came since the last retrace.
      {"mailbox",
       {"command_processor.presents=3", "dac.refresh_hz=20000", "dac.blanking=20",
        "dac.present_mode=mailbox"},
       {"three-pictures"}},
      // And screens that show torn pictures: every one, and only those that are late.
      {"immediate",
       {"command_processor.presents=2", "dac.refresh_hz=20000", "dac.blanking=20",
        "dac.present_mode=immediate"},
       {"three-pictures"}},
      {"fifo-relaxed",
       {"command_processor.presents=2", "dac.refresh_hz=250000", "dac.blanking=20",
        "dac.present_mode=fifo-relaxed"},
       {"two-pictures"}},
      {"single",
       {"shader.units=1", "rop.units=1", "memory.channels=1", "memory.bytes_per_cycle=64",
        "shader.threads=16", "streamer.queue=48", "streamer.slots=80", "shader.free_end=false"},
       kDense},
      {"wide",
       {"shader.units=4", "rop.units=4", "shader.group_lanes=32", "shader.simd_lanes=32",
        "shader.threads=256", "shader.input_threads=64", "memory.channels=8", "memory.interleave=128",
        "z_stencil.compression=false", "fragment_generation.tiles_per_cycle=4",
        "fragment_generation.tests_per_cycle=8", "hierarchical_z.tiles_per_cycle=4",
        "work_distributor.quads_per_cycle=4", "reorder_buffer.quads_per_cycle=4", "texture.steps_per_cycle=2",
        "command_processor.words_per_cycle=16"},
       kDense},
  };
}

std::vector<Shape> clocks() {
  return {
      {"clocks",
       {"gpu.core_mhz=300", "shader.mhz=300", "gpu.memory_mhz=713", "shader.group_lanes=16",
        "shader.simd_lanes=16"},
       kDense},
      {"shader-clock",
       {"shader.mhz=1200", "gpu.core_mhz=500", "shader.group_lanes=32", "shader.simd_lanes=32",
        "shader.threads=128", "work_distributor.gather_cycles=6"},
       kDense},
  };
}

}  // namespace cutaway::records
