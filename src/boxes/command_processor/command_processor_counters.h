#pragma once

#include <cstdint>

#include "base/counter.h"

namespace cutaway::boxes {

struct CommandProcessorCounters {
  uint64_t packets = 0, words = 0, draws = 0, driver_draws = 0, driver_cycles = 0, state_changes = 0,
           state_bytes = 0, passed_state_bytes = 0, programs_sent = 0, flushes = 0, invalidates = 0,
           clears = 0, presents = 0, overlapped_submissions = 0, owed_barriers = 0;
  // Each cycle of a submission counts for the first of these that is under way (CyclePhases). Scan-outs count
  // beside them.
  uint64_t draw_cycles = 0, copy_cycles = 0, cache_cycles = 0, display_cycles = 0, command_cycles = 0,
           scan_out_cycles = 0;

  template <class V>
  static void fields(V&& v) {
    using C = CommandProcessorCounters;
    v("packets", &C::packets, "packets", "packets executed");
    v("words", &C::words, "words", "command words taken");
    v("draws", &C::draws, "draws", "draws sent to streamers", CounterRole::kDraws);
    v("driver_draws", &C::driver_draws, "draws", "draws sent that are the driver's own", CounterRole::kDraws,
      CountOf::kDriver);
    v("driver_cycles", &C::driver_cycles, "cycles",
      "cycles in which the oldest draw under way was the driver's own", CounterRole::kDrawCycles,
      CountOf::kDriver);
    v("state_changes", &C::state_changes, "versions", "state versions made");
    v("state_bytes", &C::state_bytes, "bytes",
      "bytes sent to the units: registers, constants and descriptors of packets, and programs");
    v("passed_state_bytes", &C::passed_state_bytes, "bytes",
      "bytes of state that is passed through the pipeline, sent with each draw and dispatch");
    v("programs_sent", &C::programs_sent, "programs",
      "programs sent because the instruction memory of the shader units did not hold them");
    v("flushes", &C::flushes, "packets", "flushes executed");
    v("invalidates", &C::invalidates, "packets", "invalidates executed");
    v("clears", &C::clears, "packets", "clears executed");
    v("presents", &C::presents, "packets", "surfaces sent to the display");
    v("overlapped_submissions", &C::overlapped_submissions, "submissions",
      "submissions begun while draws of earlier ones were under way (watched_memory)");
    v("owed_barriers", &C::owed_barriers, "barriers",
      "times that owed flushes, invalidates and waits were carried out, for work or at the end");
    v("draw_cycles", &C::draw_cycles, "cycles", "cycles in which a draw was under way");
    v("copy_cycles", &C::copy_cycles, "cycles",
      "cycles without a draw under way, but with a copy, a fill or a clear");
    v("cache_cycles", &C::cache_cycles, "cycles", "cycles with neither, but with a flush or an invalidate");
    v("display_cycles", &C::display_cycles, "cycles",
      "cycles with none of these, in which a packet waited until the picture before had been scanned out");
    v("command_cycles", &C::command_cycles, "cycles", "cycles with nothing but commands and loads");
    v("scan_out_cycles", &C::scan_out_cycles, "cycles",
      "cycles of all these kinds during which a picture was scanned out");
  }
};

}  // namespace cutaway::boxes
