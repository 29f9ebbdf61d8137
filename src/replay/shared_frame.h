#pragma once

#include "replay/frame_start.h"
#include "replay/simulation.h"

namespace cutaway::replay {

// A frame that several machines run: the emulator comes to it and runs it once for all of them.
class SharedFrame {
 public:
  // UserErrors: those of StartWalker, and of the emulator.
  SharedFrame(const capture::Reader& reader, uint64_t frame, uint64_t warmup);

  uint64_t warmup() const { return walker_.starts().size() - 1; }
  // Goes on to a later frame, unless it stands there, if the emulator arrives sooner than from a key frame.
  // False: it stays. Errors as above, after which it is of no use.
  bool go_on_to(uint64_t frame);

  // Runs the frame on the machine of the options, in a process of its own. The same result as simulate() has,
  // and the same errors. Of the options `jobs`, `warmup`, `live` and the functions are not used.
  SimulatedFrame simulate(const SimulationOptions& options) const;

 private:
  const capture::Reader& reader_;
  StartWalker walker_;
};

}  // namespace cutaway::replay
