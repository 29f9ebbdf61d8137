#include "sweep/figures.h"

#include <cmath>

namespace cutaway::sweep {
namespace {

using Totals = report::FrameTotals;

#define FIGURE(name, unit, meaning, value)                                                             \
  {                                                                                                    \
    name, unit, meaning,                                                                               \
        [](const run_record::FrameFigures&, const Totals& totals) -> uint64_t { return totals.value; } \
  }

constexpr Figure kFigures[] = {
    {"cycles", "cycles", "of the core clock, from the first command to the end of the scan-out",
     [](const run_record::FrameFigures& frame, const Totals&) { return frame.cycles; }},
    {"nanoseconds", "ns", "that these cycles take at the machine's core clock",
     [](const run_record::FrameFigures& frame, const Totals&) {
       return static_cast<uint64_t>(std::llround(frame.simulated_seconds() * 1e9));
     }},
    FIGURE("draws", "draws", "of the program", program.draws),
    FIGURE("vertices", "vertices", "shaded, of the program's draws", program.vertices),
    FIGURE("triangles", "triangles", "assembled, lines and points too, of the program's draws",
           program.triangles),
    FIGURE("fragments_generated", "fragments", "by rasterisation, of the program's draws",
           program.fragments.generated),
    FIGURE("fragments_killed_hz", "fragments", "by hierarchical Z", program.fragments.killed_hz),
    FIGURE("fragments_killed_early_z", "fragments", "by the test before shading",
           program.fragments.killed_early_z),
    FIGURE("fragments_killed_shader", "fragments", "by their program", program.fragments.killed_shader),
    FIGURE("fragments_killed_late_z", "fragments", "by the test after shading",
           program.fragments.killed_late_z),
    FIGURE("fragments_written", "samples", "once for each color target, of the program's draws",
           program.fragments.written),
    FIGURE("instructions", "instructions",
           "of shaders, one for each group of threads, of the program's draws", program.instructions),
    FIGURE("bytes_read", "bytes", "from memory, by all units", bytes_read),
    FIGURE("bytes_written", "bytes", "to memory, by all units", bytes_written),
    FIGURE("driver_cycles", "cycles", "cycles in which the oldest draw under way was the driver's own",
           driver_cycles),
    FIGURE("driver_draws", "draws", "of the driver: clears, blits, resolves", driver.draws),
    FIGURE("driver_vertices", "vertices", "shaded, of the driver's draws", driver.vertices),
    FIGURE("driver_fragments_generated", "fragments", "by rasterisation, of the driver's draws",
           driver.fragments.generated),
    FIGURE("driver_fragments_written", "samples", "of the driver's draws", driver.fragments.written),
    FIGURE("driver_instructions", "instructions", "of shaders, of the driver's draws", driver.instructions),
};

}  // namespace

std::span<const Figure> figures() { return kFigures; }

}  // namespace cutaway::sweep
